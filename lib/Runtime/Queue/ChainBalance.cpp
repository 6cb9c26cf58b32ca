//===- ChainBalance.cpp - What is to be expected of steps -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainSteps.h"

#include <algorithm>

using namespace op2::rt;

static double workOf(ChainInput const &input, ThreadSteps const &thread,
                     int32_t step) {
  double work = 0;
  for (std::size_t n = 0; n < thread.loops.size(); ++n)
    for (ElementRange const &range : thread.loops[n].of(step))
      work += double(range.end - range.begin) * input.loops[n].work;
  return work;
}

double op2::rt::imbalance(ChainInput const &input, ChainSteps const &steps) {
  double all = 0, most = 0;
  for (ThreadSteps const &thread : steps.threads)
    for (int32_t step = 0; step < steps.numSteps; ++step) {
      double work = workOf(input, thread, step);
      all += work;
      most = std::max(most, work);
    }
  return all > 0 ? most * steps.numSteps * double(steps.threads.size()) / all
                 : 1;
}

double op2::rt::slowdown(ChainInput const &input, ChainSteps const &steps) {
  std::size_t numThreads = steps.threads.size();
  double all = 0, end = 0;
  // When each thread has done so many steps.
  std::vector<std::vector<double>> done(numThreads, {0});
  for (std::size_t t = numThreads; t-- > 0;) {
    auto wait = steps.threads[t].waits.begin();
    for (int32_t step = 0; step < steps.numSteps; ++step) {
      double time = done[t].back();
      for (; wait != steps.threads[t].waits.end() && wait->step == step; ++wait)
        time = std::max(time, done[wait->other][wait->done]);
      double work = workOf(input, steps.threads[t], step);
      all += work;
      done[t].push_back(time + work);
    }
    end = std::max(end, done[t].back());
  }
  return all > 0 ? end * double(numThreads) / all : 1;
}
