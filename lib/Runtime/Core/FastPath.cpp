//===- FastPath.cpp - Loops for which there is nothing to do ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FastPath.h"
#include "Hooks.h"
#include "Job.h"
#include "OP2/Runtime/op2rt.h"
#include "PerRun.h"

int32_t op2rt_may_enqueue = 0;
int32_t op2rt_pending = 0;

OP2_FAST_PATH_DATA op2::rt::FastPath op2::rt::fastPath;
op2::rt::Hooks op2::rt::hooks;
op2::rt::Job op2::rt::job;
uint64_t op2::rt::currentRun = 1;
