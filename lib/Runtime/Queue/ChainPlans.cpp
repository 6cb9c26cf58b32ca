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
  /// `clean`: the only elements that run in tiles; NULL: all do.
  TilePlanner(LoopCall &call, std::vector<OwnedCuts> const &cuts,
              std::vector<ElementRange> const *clean)
      : input(planInputOf(call, call.plan->blockSize, call.plan->what)),
        cuts(cuts), clean(clean), isInOrder(reducesInOrder(call)),
        isOwned(call.plan->isOwned()) {}

  /// Those of the ranges that run in tiles.
  std::vector<ElementRange>
  select(std::vector<ElementRange> const &ranges) const {
    if (!clean)
      return ranges;
    std::vector<ElementRange> selected;
    for (ElementRange const &range : ranges) {
      auto at = std::partition_point(
          clean->begin(), clean->end(),
          [&](ElementRange const &one) { return one.end <= range.begin; });
      for (; at != clean->end() && at->begin < range.end; ++at)
        selected.push_back(
            {std::max(at->begin, range.begin), std::min(at->end, range.end)});
    }
    return selected;
  }

  TilePlan plan(int32_t loop, int32_t tile, int32_t thread,
                std::vector<ElementRange> const &ranges) const {
    Plan plan = emptyPlan();
    if (cuts.empty())
      setBlocks(ranges, plan);
    else
      takeOwnPart(input, ranges, cuts, thread, plan);
    return {tile, loop, std::make_unique<op2rt_plan>(std::move(plan)), 0};
  }

  /// For rows of a zone of `size` ones, ascending, which one thread runs. Only
  /// code that runs by owners takes several pieces of a block.
  std::unique_ptr<op2rt_plan> planInZone(std::vector<int32_t> const &rows,
                                         int64_t size) const {
    std::vector<ElementRange> ranges;
    for (int32_t row : rows)
      if (!ranges.empty() && ranges.back().end == row)
        ++ranges.back().end;
      else
        ranges.push_back({row, row + 1});
    Plan plan = emptyPlan();
    plan.size = size;
    if (isOwned) {
      for (ElementRange const &range : ranges)
        plan.pieces.push_back({range.begin, range.end, 0});
      plan.pieceBegin = {0, static_cast<int64_t>(ranges.size())};
      plan.setOneColor(1);
    } else {
      setBlocks(ranges, plan);
    }
    return std::make_unique<op2rt_plan>(std::move(plan));
  }

private:
  Plan emptyPlan() const {
    Plan plan;
    plan.size = input.size;
    plan.blockSize = input.blockSize;
    plan.what = input.what;
    plan.mostBlocks = 1; // one thread runs it
    return plan;
  }

  /// Blocks of one colour: those of the loop alone if it reduces in order, else
  /// one for each range.
  void setBlocks(std::vector<ElementRange> const &ranges, Plan &plan) const {
    int64_t most =
        isInOrder ? input.blockSize : std::numeric_limits<int32_t>::max();
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
  std::vector<ElementRange> const *clean;
  bool isInOrder, isOwned;
};
} // namespace

static ThreadPlans planThread(std::vector<TilePlanner> const &planners,
                              ChainTiles const &tiles, int32_t thread) {
  ThreadTiles const &own = tiles.threads[thread];
  ThreadPlans plans;
  plans.waits = own.waits;
  for (int32_t tile = 0; tile < tiles.numTiles; ++tile)
    for (std::size_t n = 0; n < own.loops.size(); ++n) {
      std::vector<ElementRange> ranges =
          planners[n].select(own.loops[n].of(tile));
      if (!ranges.empty())
        plans.parts.push_back(
            planners[n].plan(static_cast<int32_t>(n), tile, thread, ranges));
    }
  return plans;
}

/// A loop that reduces runs here in any case: all ranks have a part in that.
static void addBorder(std::vector<TilePlanner> const &planners,
                      ChainCalls const &calls, RankChain const &border,
                      ChainPlans &plans) {
  for (std::size_t n = 0; n < calls.size(); ++n)
    for (bool counts : {true, false}) {
      Zone::Loop const &loop = border.of(n);
      std::vector<int32_t> const &rows = counts ? loop.counted : loop.again;
      if (rows.empty() && !(counts && reducesGlobals(*calls[n])))
        continue;
      plans.border.push_back(
          {static_cast<int32_t>(n), counts,
           planners[n].planInZone(rows, border.sizeInZone(n)), 0});
    }
}

/// Blocks of a loop that reduces come in the order of its elements, by threads,
/// then by tiles.
static void numberBlocks(std::size_t loops, ChainPlans &plans) {
  plans.numBlocks.resize(loops);
  auto number = [&](auto &part) {
    part.firstBlock = plans.numBlocks[part.loop];
    plans.numBlocks[part.loop] += part.plan->nblocks;
  };
  for (ThreadPlans &thread : plans.threads)
    for (TilePlan &part : thread.parts)
      number(part);
  for (BorderPlan &part : plans.border)
    if (part.counts)
      number(part);
}

ChainPlans op2::rt::makePlans(ChainCalls const &calls, ChainTiles const &tiles,
                              RankChain const *border) {
  std::vector<TilePlanner> planners;
  for (std::size_t n = 0; n < calls.size(); ++n)
    planners.emplace_back(*calls[n], tiles.cuts[n],
                          border ? &border->of(n).clean : nullptr);
  ChainPlans plans;
  plans.numTiles = tiles.numTiles;
  plans.threads.resize(tiles.threads.size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < plans.threads.size(); ++t)
    plans.threads[t] = planThread(planners, tiles, static_cast<int32_t>(t));
  if (border)
    addBorder(planners, calls, *border, plans);
  numberBlocks(calls.size(), plans);
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
  for (BorderPlan const &part : plans.border)
    bytes +=
        int64_t(sizeof(BorderPlan) + sizeof(op2rt_plan)) + memoryOf(*part.plan);
  return bytes;
}

int64_t op2::rt::repeatedElements(ChainCalls const &calls,
                                  ChainPlans const &plans) {
  int64_t repeated = 0;
  for (auto const &call : calls)
    repeated -= ownOf(call->set);
  for (ThreadPlans const &thread : plans.threads)
    for (TilePlan const &part : thread.parts)
      for (ElementRange const &range : elementsOf(*part.plan))
        repeated += range.end - range.begin;
  for (BorderPlan const &part : plans.border)
    for (ElementRange const &range : elementsOf(*part.plan))
      repeated += range.end - range.begin;
  return repeated;
}
