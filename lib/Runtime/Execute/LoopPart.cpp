//===- LoopPart.cpp - Loops that run in parts -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPart.h"
#include "Core/Error.h"

#include <string>

using namespace op2::rt;

static thread_local LoopPart *runningPart = nullptr;

LoopPart *op2::rt::partOfThread() { return runningPart; }

void op2::rt::setPartOfThread(LoopPart *part) { runningPart = part; }

[[noreturn]] static void reportOther(LoopPart const &part,
                                     std::string const &what) {
  fatal(Problem::Bug,
        "loop %s: has waited, but then its function ran %s; expected "
        "this loop, once, as before",
        part.desc->name, what.c_str());
}

void op2::rt::beginPart(LoopPart &part, op2rt_loop_desc const &desc) {
  if (&desc != part.desc)
    reportOther(part, "loop " + std::string(desc.name));
  if (part.hasRun)
    reportOther(part, "it twice");
  part.hasRun = true;
}

void op2::rt::requireHasRun(LoopPart const &part) {
  if (!part.hasRun)
    reportOther(part, "nothing");
}
