//===- ChainSteps.h - When each element of a chain may run ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector. The loops of a chain run in steps; in each step every loop, in
// the order of the program, runs some of its elements. An element may run in
// the first step in which all those have run, or run before it, which touch
// before it, in the program's order, a row that it touches, one of both
// changing it. So each row sees what it sees when the loops run one after the
// other.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CHAIN_CHAINSTEPS_H
#define OP2_LIB_RUNTIME_CHAIN_CHAINSTEPS_H

#include "Plan/Plan.h"

namespace op2::rt {

/// Through one column of a map, or directly: a row of a dat that some loop of
/// the chain changes. (All others may be read at any time.)
struct ChainAccess {
  int32_t dat; ///< its number in ChainInput::rows
  bool isChange;
  MapColumn column;
};

struct ChainLoop {
  int64_t size = 0; ///< elements
  /// So many elements, from a multiple of it on, run in one step.
  int64_t granule = 1;
  /// Where the loop runs its elements in another order than that of their
  /// numbers: all of them, one by one.
  std::vector<int32_t> order;
  bool mustBeRange = false; ///< the elements of a step follow each other
  std::vector<ChainAccess> accesses;
  double work = 1; ///< of one element
};

/// All that the steps depend on.
struct ChainInput {
  std::vector<ChainLoop> loops;
  std::vector<int64_t> rows; ///< of each dat that is changed
  int32_t numSteps = 1;      ///< in how many the first large loop runs
};

/// The elements of a loop by step, within a step in the loop's order.
struct LoopSteps {
  std::vector<ElementRange> ranges;
  std::vector<int64_t> begin; ///< [numSteps + 1]: those of a step

  std::vector<ElementRange> of(int32_t step) const {
    return {ranges.begin() + begin[step], ranges.begin() + begin[step + 1]};
  }
};

struct ChainSteps {
  int32_t numSteps = 0;
  std::vector<LoopSteps> loops;
};

/// A set is small if another one is so many times larger.
inline constexpr int64_t kSmallSet = 16;
int64_t largestSize(ChainInput const &input);
/// Elements of small sets may be in another order than all others, as boundary
/// edges that go round a mesh: they run when they may, and not in ranges.
inline bool isAside(ChainLoop const &loop, int64_t largestSize) {
  return !loop.order.empty() || loop.size * kSmallSet <= largestSize;
}

ChainSteps findSteps(ChainInput const &input);

/// The share of the work that the largest step has, times the number of steps:
/// 1 if all have the same.
double imbalance(ChainInput const &input, ChainSteps const &steps);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CHAIN_CHAINSTEPS_H
