//===- ChainPlans.cpp - Plans of the tiles of a chain -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainPlans.h"
#include "Plan/Ownership.h"

#include <algorithm>
#include <limits>

using namespace op2::rt;

namespace {
/// Makes the plans of one loop.
class TilePlanner {
public:
  TilePlanner(LoopCall &call, std::vector<OwnedCuts> const &cuts)
      : input(planInputOf(call, call.plan->blockSize, call.plan->what)),
        cuts(cuts), reduces(reducesGlobals(call)) {}

  TilePlan plan(int32_t loop, int32_t tile, int32_t thread,
                std::vector<ElementRange> const &ranges) const {
    Plan plan;
    plan.size = input.size;
    plan.blockSize = input.blockSize;
    plan.what = input.what;
    plan.mostBlocks = 1; // one thread runs it
    if (cuts.empty())
      setBlocks(ranges, plan);
    else
      takeOwnPart(input, ranges, cuts, thread, plan);
    int64_t firstBlock =
        reduces ? ranges.front().begin / input.blockSize : int64_t(0);
    return {tile, loop, std::make_unique<op2rt_plan>(std::move(plan)),
            firstBlock};
  }

private:
  /// Blocks of one colour: those of the loop alone if it reduces, else one for
  /// each range.
  void setBlocks(std::vector<ElementRange> const &ranges, Plan &plan) const {
    int64_t most =
        reduces ? input.blockSize : std::numeric_limits<int32_t>::max();
    for (ElementRange const &range : ranges)
      for (int64_t begin = range.begin; begin < range.end; begin += most) {
        plan.offset.push_back(begin);
        plan.nelems.push_back(
            static_cast<int32_t>(std::min(most, range.end - begin)));
      }
    plan.setOneColor(static_cast<int64_t>(plan.offset.size()));
  }

  PlanInput input;
  std::vector<OwnedCuts> const &cuts;
  bool reduces;
};
} // namespace

static ThreadPlans planThread(std::vector<TilePlanner> const &planners,
                              ChainTiles const &tiles, int32_t thread) {
  ThreadTiles const &own = tiles.threads[thread];
  ThreadPlans plans;
  plans.waits = own.waits;
  for (int32_t tile = 0; tile < tiles.numTiles; ++tile)
    for (std::size_t n = 0; n < own.loops.size(); ++n) {
      std::vector<ElementRange> ranges = own.loops[n].of(tile);
      if (!ranges.empty())
        plans.parts.push_back(
            planners[n].plan(static_cast<int32_t>(n), tile, thread, ranges));
    }
  return plans;
}

ChainPlans op2::rt::makePlans(ChainCalls const &calls,
                              ChainTiles const &tiles) {
  std::vector<TilePlanner> planners;
  for (std::size_t n = 0; n < calls.size(); ++n)
    planners.emplace_back(*calls[n], tiles.cuts[n]);
  ChainPlans plans;
  plans.numTiles = tiles.numTiles;
  plans.threads.resize(tiles.threads.size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < plans.threads.size(); ++t)
    plans.threads[t] = planThread(planners, tiles, static_cast<int32_t>(t));
  return plans;
}

std::vector<ElementRange> op2::rt::elementsOf(op2rt_plan const &plan) {
  std::vector<ElementRange> elements;
  for (PlanPiece const &piece : plan.pieces)
    elements.push_back({piece.begin, piece.end});
  for (std::size_t b = 0; b < plan.nelems.size(); ++b)
    elements.push_back({plan.offset[b], plan.offset[b] + plan.nelems[b]});
  return elements;
}

int64_t op2::rt::memoryOf(ChainPlans const &plans) {
  int64_t bytes = 0;
  for (ThreadPlans const &thread : plans.threads) {
    bytes += static_cast<int64_t>(thread.waits.size() * sizeof(ChainWait));
    for (TilePlan const &part : thread.parts)
      bytes +=
          int64_t(sizeof(TilePlan) + sizeof(op2rt_plan)) + memoryOf(*part.plan);
  }
  return bytes;
}

int64_t op2::rt::repeatedElements(ChainCalls const &calls,
                                  ChainPlans const &plans) {
  int64_t repeated = 0;
  for (auto const &call : calls)
    repeated -= call->set->size;
  for (ThreadPlans const &thread : plans.threads)
    for (TilePlan const &part : thread.parts)
      for (ElementRange const &range : elementsOf(*part.plan))
        repeated += range.end - range.begin;
  return repeated;
}
