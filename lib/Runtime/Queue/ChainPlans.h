//===- ChainPlans.h - Plans of the tiles of a chain -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINPLANS_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINPLANS_H

#include "ChainModel.h"
#include "Ranks/RankChain.h"

namespace op2::rt {

/// What a thread does of a loop in a tile.
struct TilePlan {
  int32_t tile;
  int32_t loop; ///< its number in the chain
  std::unique_ptr<op2rt_plan> plan;
  int64_t firstBlock; ///< by loop, among those of all tiles
};

/// What a thread does of a loop in the zone of a rank.
struct BorderPart {
  std::unique_ptr<op2rt_plan> plan;
  int64_t firstBlock; ///< as that of a tile; of those that count elsewhere: own
};

/// What a loop does there. What it reduces may count with other ranks.
struct BorderPlan {
  int32_t loop;
  bool counts;
  std::vector<BorderPart> parts;
  int64_t numBlocks; ///< if it does not count
};

struct ThreadPlans {
  std::vector<TilePlan> parts;  ///< in the order in which they run
  std::vector<ChainWait> waits; ///< by tile
};

struct ChainPlans {
  int32_t numTiles = 0;
  std::vector<ThreadPlans> threads;
  std::vector<BorderPlan> border; ///< behind all tiles, one after the other
  std::vector<int64_t> numBlocks; ///< by loop, of all plans that count

  bool empty() const { return threads.empty(); }
};

/// `border`: on ranks.
ChainPlans makePlans(ChainCalls const &calls, ChainTiles const &tiles,
                     RankChain const *border = nullptr);

/// Of the plan of a tile.
std::vector<ElementRange> elementsOf(op2rt_plan const &plan);
int64_t memoryOf(ChainPlans const &plans);
/// How many elements run twice or more, counted as often as they do so; on
/// ranks those of the zone as well.
int64_t repeatedElements(ChainCalls const &calls, ChainPlans const &plans);

/// What is wrong with the plans; empty if they are right: each element runs
/// once, or, if threads own what it adds to, each thread adds what is its own;
/// and each row of a dat is touched in the order of the program, whatever the
/// pace of the threads; so do threads in the zone, where all wait for each
/// loop. Uses none of the code that made them. O(size of the maps).
std::vector<std::string> checkPlans(ChainCalls const &calls,
                                    ChainPlans const &plans,
                                    RankChain const *border = nullptr);
/// An error that lists what is wrong, if anything is.
void requireSoundPlans(ChainCalls const &calls, ChainPlans const &plans,
                       RankChain const *border = nullptr);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINPLANS_H
