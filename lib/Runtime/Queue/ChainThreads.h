//===- ChainThreads.h - Assignment of elements to threads -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain's work is divided among threads once, not tile by tile: each has a
// part of the mesh. An element waits for others of its own thread or of later
// ones, never of earlier ones. So a thread can begin at once, and what it needs
// of the next one, which is at the end of its part, has long been done there.
//
// Loops begin a little further on than those that they depend on. Where a loop
// adds to rows through a map, threads own rows, and an element that reaches
// rows of several runs on each of them (see Plan/Ownership.h).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINTHREADS_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINTHREADS_H

#include "ChainView.h"

namespace op2::rt {

/// Who runs a loop.
struct LoopThreads {
  /// The thread that runs a granule; kSeveral: each of its elements is run by
  /// the owners of what it adds to.
  std::vector<int32_t> ofGranule;
  std::vector<OwnedCuts> cuts; ///< if threads own rows

  static constexpr int32_t kSeveral = -1;

  /// Of a row in a set of that size.
  int32_t ownerOf(int64_t rows, int64_t row) const;
};

/// Divides loops by what those before them have left in the rows.
class ThreadFinder {
public:
  explicit ThreadFinder(ChainInput const &input)
      : stamps{input.numTiles}, numThreads(input.numThreads) {}

  /// Ranges of a loop. A pacer's are about equal.
  LoopThreads divideElements(LoopView const &view, bool isPacer) const;
  /// Ranges of the rows that a loop adds to.
  LoopThreads divideRows(LoopView const &view, bool isPacer) const;
  /// Who may run one granule, and no other one.
  int32_t threadFor(LoopView const &view, int64_t granule) const;

private:
  /// By the size of the set that rows belong to: the owner of each line.
  using Owners = std::vector<std::pair<int64_t, std::vector<int32_t>>>;

  int32_t shareOf(int64_t number, int64_t size) const;
  int32_t limitOf(AccessView const &access, ElementRange elements,
                  int32_t limit) const;
  int32_t limitOf(LoopView const &view, ElementRange elements) const;
  std::vector<int32_t> limitsOf(LoopView const &view) const;
  void makeAscending(std::vector<int32_t> &threads) const;
  Owners makeOwners(LoopView const &view, bool isPacer) const;
  void limitOwners(LoopView const &view, Owners &owners) const;
  OwnedCuts cut(int64_t rows, std::vector<int32_t> const &threads) const;
  int32_t soleOwner(LoopView const &view, LoopThreads const &threads,
                    ElementRange elements) const;

  Stamps stamps;
  int32_t numThreads;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINTHREADS_H
