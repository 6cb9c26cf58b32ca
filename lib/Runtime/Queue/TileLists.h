//===- TileLists.h - The elements of a loop by thread and tile --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_TILELISTS_H
#define OP2_LIB_RUNTIME_QUEUE_TILELISTS_H

#include "ChainTiles.h"

#include <utility>

namespace op2::rt {

/// The elements of a loop for each thread and tile.
class TileLists {
public:
  TileLists(int32_t numThreads, int32_t numTiles)
      : lists(static_cast<std::size_t>(numThreads),
              std::vector<std::vector<ElementRange>>(
                  static_cast<std::size_t>(numTiles))) {}

  void add(int32_t thread, int32_t tile, ElementRange elements) {
    std::vector<ElementRange> &list = lists[thread][tile];
    if (!list.empty() && list.back().end == elements.begin)
      list.back().end = elements.end;
    else
      list.push_back(elements);
  }

  void addTo(std::vector<ThreadTiles> &threads) const {
    for (std::size_t t = 0; t < lists.size(); ++t) {
      LoopTiles tiles;
      tiles.begin.push_back(0);
      for (std::vector<ElementRange> const &list : lists[t]) {
        tiles.ranges.insert(tiles.ranges.end(), list.begin(), list.end());
        tiles.begin.push_back(static_cast<int64_t>(tiles.ranges.size()));
      }
      threads[t].loops.push_back(std::move(tiles));
    }
  }

private:
  std::vector<std::vector<std::vector<ElementRange>>> lists;
};

/// Where a thread is that goes on evenly.
class Pace {
public:
  Pace(std::vector<int64_t> counts, int32_t numTiles)
      : counts(std::move(counts)), seen(this->counts.size()),
        numTiles(numTiles) {}
  /// The tile that a thread's next elements belong to.
  int32_t next(int32_t thread, ElementRange elements) {
    int64_t before = seen[thread];
    seen[thread] += elements.end - elements.begin;
    return static_cast<int32_t>(before * numTiles / counts[thread]);
  }

private:
  std::vector<int64_t> counts, seen;
  int32_t numTiles;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_TILELISTS_H
