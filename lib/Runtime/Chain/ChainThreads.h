//===- ChainThreads.h - Which thread runs which elements --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain's work is divided among threads once, not step by step: each has a
// part of the mesh. An element waits for others of its own thread or of later
// ones, never of earlier ones. So a thread can begin at once, and what it needs
// of the next one, which is at the end of its part, has long been done there.
//
// Loops begin a little further on than those that they depend on. Where a loop
// adds to rows through a map, threads own rows, and an element that reaches
// rows of several runs on each of them (see Plan/Ownership.h).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CHAIN_CHAINTHREADS_H
#define OP2_LIB_RUNTIME_CHAIN_CHAINTHREADS_H

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
  /// So many elements, from a multiple of it on, run in one step, but for those
  /// that reach what several threads own.
  int64_t granule = 1;
  /// Where the loop runs its elements in another order than that of their
  /// numbers: all of them, one by one.
  std::vector<int32_t> order;
  bool mustBeRange = false; ///< the elements of a step follow each other
  /// All that it changes it adds to through maps, and threads own it.
  bool isOwned = false;
  std::vector<ChainAccess> accesses;
  double work = 1; ///< of one element
};

/// All that the steps depend on.
struct ChainInput {
  std::vector<ChainLoop> loops;
  std::vector<int64_t> rows; ///< of each dat that is changed
  int32_t numSteps = 1;      ///< of each thread
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

/// Who runs a loop.
struct LoopThreads {
  std::vector<int32_t> ofGranule; ///< if no thread owns rows
  std::vector<OwnedCuts> cuts;    ///< if threads do

  /// Of a row in a set of that size.
  int32_t ownerOf(int64_t rows, int64_t row) const;
  /// The thread that owns all that the elements add to; -1: several do.
  int32_t soleOwner(ChainInput const &input, ChainLoop const &loop,
                    ElementRange elements) const;
};

/// whole(owner, elements): the granules that one thread runs; single(n): the
/// elements of the others.
template <class Whole, class Single>
void forEachShare(ChainInput const &input, ChainLoop const &loop,
                  LoopThreads const &threads, Whole whole, Single single) {
  for (int64_t g = 0; g < numGranules(loop); ++g) {
    ElementRange elements = granuleOf(loop, g);
    int32_t owner = threads.soleOwner(input, loop, elements);
    if (owner >= 0)
      whole(owner, elements);
    for (int64_t n = elements.begin; owner < 0 && n < elements.end; ++n)
      single(n);
  }
}

std::vector<LoopThreads> findThreads(ChainInput const &input);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CHAIN_CHAINTHREADS_H
