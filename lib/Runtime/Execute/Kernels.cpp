//===- Kernels.cpp - OP_kernels ---------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2's public list of the times of loops.
//
//===----------------------------------------------------------------------===//

#include "Loop.h"

using namespace op2::rt;

extern "C" {
double OP_plan_time = 0;
int OP_kern_max = 0, OP_kern_curr = 0;
op_kernel *OP_kernels = nullptr;
}

static std::vector<op_kernel> &kernels() {
  static auto *list = new std::vector<op_kernel>;
  return *list;
}

void op2::rt::addKernel(LoopState &state) {
  state.kernel = static_cast<int>(kernels().size());
  kernels().push_back({});
  kernels().back().name = state.name.c_str();
  OP_kernels = fastPath.kernels = kernels().data();
  OP_kern_max = OP_kern_curr = static_cast<int>(kernels().size());
}

void op2::rt::forgetKernels() {
  kernels().clear();
  OP_kernels = fastPath.kernels = nullptr;
  OP_kern_max = OP_kern_curr = 0;
}
