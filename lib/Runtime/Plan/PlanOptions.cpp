//===- PlanOptions.cpp - Options of plans -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanOptions.h"
#include "Core/Job.h"
#include "Core/Settings.h"
#include "OP2/API/op_lib_core.h"

#include <algorithm>
#include <cmath>

using namespace op2::rt;

int64_t op2::rt::defaultBlockSize(int64_t setSize) {
  constexpr int64_t kBlocks = 128, kStep = 256, kLargest = 8192;
  int64_t size = (setSize / kBlocks + kStep - 1) / kStep * kStep;
  return std::min(std::max(size, kStep), kLargest);
}

int64_t op2::rt::scatteredBlockSize(int64_t setSize) {
  constexpr double kBlocksOfColor = 128;
  constexpr int64_t kStep = 16, kLeast = 32;
  auto size = static_cast<int64_t>(std::sqrt(setSize / kBlocksOfColor));
  return std::min(std::max(size / kStep * kStep, kLeast),
                  defaultBlockSize(setSize));
}

static WordSetting check("OP2_CHECK_PLAN"), owner("OP2_OWNER");

bool op2::rt::shouldCheckPlans() {
  return job.isDistributed ? job.checksPlans : check.get() == 1 || OP_diags > 3;
}

Owning op2::rt::requestedOwning() { return asExtent(owner.get()); }
