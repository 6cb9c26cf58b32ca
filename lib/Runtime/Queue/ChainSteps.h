//===- ChainSteps.h - When each element of a chain may run ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector. Each thread goes through its part of the mesh in steps; in
// each step it runs some elements of every loop, in the order of the program.
// An element may run in the first step in which all those have run, or run
// before it, which touch before it, in the program's order, a row that it
// touches, one of both changing it. So each row sees what it sees when the
// loops run one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINSTEPS_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINSTEPS_H

#include "ChainThreads.h"

namespace op2::rt {

/// A thread's elements of a loop by step, within a step in the loop's order.
struct LoopSteps {
  std::vector<ElementRange> ranges;
  std::vector<int64_t> begin; ///< [numSteps + 1]: those of a step

  std::vector<ElementRange> of(int32_t step) const {
    return {ranges.begin() + begin[step], ranges.begin() + begin[step + 1]};
  }
};

/// Before a thread begins step `step`, thread `other`, a later one, must have
/// done `done` steps.
struct ChainWait {
  int32_t step, other, done;
};

struct ThreadSteps {
  std::vector<LoopSteps> loops;
  std::vector<ChainWait> waits; ///< by step
};

struct ChainSteps {
  int32_t numSteps = 0;
  std::vector<ThreadSteps> threads;
  /// By loop: what each thread owns of the targets that it adds to.
  std::vector<std::vector<OwnedCuts>> cuts;
  /// Why there are none; empty if there are.
  std::string obstacle;
};

ChainSteps findSteps(ChainInput const &input);

/// The share of the work that the largest step of a thread has, times the
/// number of steps of all threads: 1 if all have the same.
double imbalance(ChainInput const &input, ChainSteps const &steps);

/// How long threads take that wait for each other as they must, by the time
/// that they would take with the same work for each and without waiting.
double slowdown(ChainInput const &input, ChainSteps const &steps);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINSTEPS_H
