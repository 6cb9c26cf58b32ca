//===- Threads.cpp - One thread at a time -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "Error.h"
#include "OP2/Runtime/op2rt.h"

#include <string>

using namespace op2::rt;

std::atomic<uintptr_t> op2::rt::pendingThread{0};

/// Programs call templates in front of what ends in _char.
static std::string nameOf(char const *name, bool isLoop) {
  std::string text = name ? name : "(no name)", suffix = "_char";
  if (isLoop)
    return "loop " + text;
  if (text.size() > suffix.size() &&
      text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0)
    text.resize(text.size() - suffix.size());
  return text;
}

std::string op2::rt::whatIsDone() {
  return nameOf(fastPath.doing.load(std::memory_order_relaxed),
                fastPath.doesLoop.load(std::memory_order_relaxed));
}

void op2::rt::refuseEntry(char const *name, bool isLoop) {
  bool isOther =
      fastPath.thread.load(std::memory_order_acquire) != thisThread();
  std::string who = nameOf(name, isLoop), holder = whatIsDone();
  if (isOther)
    fatal(Problem::Threads,
          "%s: %s while another thread is in %s; expected one thread at a "
          "time, and no calls of OP2 in kernels",
          who.c_str(), isLoop ? "started" : "called", holder.c_str());
  fatal(Problem::Threads, "%s: %s inside %s", who.c_str(),
        isLoop ? "started" : "called", holder.c_str());
}
