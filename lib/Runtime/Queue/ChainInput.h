//===- ChainInput.h - Loops of a chain for its inspector --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAININPUT_H
#define OP2_LIB_RUNTIME_QUEUE_CHAININPUT_H

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
  /// So many elements, from a multiple of it on, run in one tile, but for those
  /// that reach what several threads own.
  int64_t granule = 1;
  /// Where the loop runs its elements in another order than that of their
  /// numbers: all of them, one by one.
  std::vector<int32_t> order;
  bool mustBeRange = false; ///< the elements of a tile follow each other
  /// Threads own all rows that it changes, and it does not read them.
  bool isOwned = false;
  std::vector<ChainAccess> accesses;
  double work = 1; ///< of one element
};

/// All that the tiles depend on.
struct ChainInput {
  std::vector<ChainLoop> loops;
  std::vector<int64_t> rows; ///< of each dat that is changed
  int32_t numTiles = 1;      ///< of each thread
  int32_t numThreads = 1;
};

/// A set is small if another one is so many times larger.
inline constexpr int64_t kSmallSet = 16;
int64_t largestSize(ChainInput const &input);
/// Elements of small sets may be in another order than all others, as boundary
/// edges that go round a mesh: they run when they may, and not in ranges.
inline bool isAside(ChainLoop const &loop, int64_t largestSize) {
  return !loop.order.empty() || loop.size * kSmallSet <= largestSize;
}
/// How a loop is divided among threads.
enum class Division {
  Ranges, ///< each has a range of the elements
  Each,   ///< each element has its own
  Rows    ///< threads own rows that the loop adds to
};
inline Division divisionOf(ChainLoop const &loop, int64_t largestSize) {
  if (loop.isOwned)
    return Division::Rows;
  return isAside(loop, largestSize) && !loop.mustBeRange ? Division::Each
                                                         : Division::Ranges;
}
/// For each loop: does nothing before it tell how far it should be? Then it
/// goes on evenly.
std::vector<bool> findPacers(ChainInput const &input);

/// Parts of a loop that stay together.
inline int64_t numGranules(ChainLoop const &loop) {
  return (loop.size + loop.granule - 1) / loop.granule;
}
ElementRange granuleOf(ChainLoop const &loop, int64_t number);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAININPUT_H
