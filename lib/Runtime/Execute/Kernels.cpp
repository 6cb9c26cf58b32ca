//===- Kernels.cpp - OP_kernels ---------------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2's public list of the times of loops.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Loop.h"

#include <algorithm>

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

static void publishKernels() {
  OP_kernels = fastPath.kernels = kernels().data();
  OP_kern_max = OP_kern_curr = static_cast<int>(kernels().size());
}

void op2::rt::addKernel(LoopState &state) {
  state.kernel = static_cast<int>(kernels().size());
  kernels().push_back({});
  kernels().back().name = state.name.c_str();
  publishKernels();
}

void op2::rt::provideKernel(int number, int timers, char const *where) {
  constexpr int kMost = 1 << 16;
  if (number < 0 || number >= kMost || timers < 0 || timers >= kMost)
    fatal(Problem::Call, "%s: kernel %d, %d timers; expected 0 to %d", where,
          number, timers, kMost - 1);
  op_kernel unused = {};
  unused.name = "unused";
  if (kernels().size() <= std::size_t(number))
    kernels().resize(std::size_t(number) + 1, unused);
  op_kernel &kernel = kernels()[std::size_t(number)];
  if (kernel.ntimes < timers) {
    auto *times = new double[std::size_t(timers)]();
    std::copy(kernel.times, kernel.times + kernel.ntimes, times);
    delete[] kernel.times;
    kernel.times = times;
    kernel.ntimes = timers;
  }
  publishKernels();
}

void op2::rt::forgetKernels() {
  for (op_kernel const &kernel : kernels())
    delete[] kernel.times;
  kernels().clear();
  publishKernels();
  OP_kernels = fastPath.kernels = nullptr;
}
