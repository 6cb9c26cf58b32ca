//===- ChainTiles.h - When each element of a chain may run ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inspector. Each thread goes through its part of the mesh in tiles; in
// each tile it runs some elements of every loop, in the order of the program.
// An element may run in the first tile in which all those have run, or run
// before it, which touch before it, in the program's order, a row that it
// touches, one of both changing it. So each row sees what it sees when the
// loops run one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINTILES_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINTILES_H

#include "ChainThreads.h"

namespace op2::rt {

/// A thread's elements of a loop by tile, within a tile in the loop's order.
struct LoopTiles {
  std::vector<ElementRange> ranges;
  std::vector<int64_t> begin; ///< [numTiles + 1]: those of a tile

  std::vector<ElementRange> of(int32_t tile) const {
    return {ranges.begin() + begin[tile], ranges.begin() + begin[tile + 1]};
  }
};

/// Before a thread begins tile `tile`, thread `other`, a later one, must have
/// done `done` tiles.
struct ChainWait {
  int32_t tile, other, done;
};

struct ThreadTiles {
  std::vector<LoopTiles> loops;
  std::vector<ChainWait> waits; ///< by tile
};

struct ChainTiles {
  int32_t numTiles = 0;
  std::vector<ThreadTiles> threads;
  /// By loop: what each thread owns of the targets that it adds to.
  std::vector<std::vector<OwnedCuts>> cuts;
  /// Why there are none; empty if there are.
  std::string obstacle;
};

ChainTiles findTiles(ChainInput const &input);

/// The share of the work that the largest tile of a thread has, times the
/// number of tiles of all threads: 1 if all have the same.
double imbalance(ChainInput const &input, ChainTiles const &tiles);

/// How long threads take that wait for each other as they must, by the time
/// that they would take with the same work for each and without waiting.
double slowdown(ChainInput const &input, ChainTiles const &tiles);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINTILES_H
