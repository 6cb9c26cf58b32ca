//===- Watch.cpp - What loops must attend to --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "Hooks.h"
#include "PerRun.h"

OP2_OFTEN_DATA op2::rt::Watch op2::rt::watch;
op2::rt::Hooks op2::rt::hooks;
uint64_t op2::rt::currentRun = 1;
