//===- ChainPlans.cpp - Plans of the tiles of a chain -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainPlans.h"
#include "ChainOptions.h"
#include "Core/ThreadErrors.h"
#include "Execute/LoopPlan.h"
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
        mayOwn(input.what == OP2RT_PLAN_OWNER && mayRunByOwners(call)) {}

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

  /// For rows of the zone, ascending. They may meet where the rank's own
  /// elements do not, of which there may be none. Only code that runs by owners
  /// takes several pieces of a block; of other loops one thread runs elements
  /// that meet.
  std::vector<BorderPart> planInZone(std::vector<int32_t> const &rows,
                                     op2rt_loop const &loop,
                                     int32_t parts) const {
    std::vector<ElementRange> ranges;
    for (int32_t row : rows)
      if (!ranges.empty() && ranges.back().end == row)
        ++ranges.back().end;
      else
        ranges.push_back({row, row + 1});
    PlanInput zone = planInput(loop, input.blockSize, input.what);
    bool const meet = !zone.conflicts.empty();
    std::vector<OwnedCuts> shares;
    if (mayOwn && meet)
      shares = equalCuts(zone, parts);
    std::vector<BorderPart> found;
    for (int32_t part = 0; part < parts; ++part) {
      Plan plan = emptyPlan();
      plan.size = zone.size;
      if (!shares.empty())
        takeOwnPart(zone, ranges, shares, part, plan);
      else if (!meet)
        setBlocks(shareOf(ranges, int64_t(rows.size()), part, parts), plan);
      else
        setBlocks(part == 0 ? ranges : std::vector<ElementRange>(), plan);
      found.push_back({std::make_unique<op2rt_plan>(std::move(plan)), 0});
    }
    return found;
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

  /// Of `size` elements in ranges, those of a part.
  static std::vector<ElementRange>
  shareOf(std::vector<ElementRange> const &ranges, int64_t size, int32_t part,
          int32_t parts) {
    int64_t first = size * part / parts, last = size * (part + 1) / parts;
    std::vector<ElementRange> share;
    int64_t before = 0;
    for (ElementRange const &range : ranges) {
      int64_t begin = std::max(first - before, int64_t(0));
      int64_t end = std::min(last - before, range.end - range.begin);
      if (begin < end)
        share.push_back({range.begin + begin, range.begin + end});
      before += range.end - range.begin;
    }
    return share;
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
  bool isInOrder, mayOwn;
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

/// How many threads run the zone: all wait for each other behind each loop, so
/// each gets some elements, or few where tiles of a certain size are requested.
static int32_t threadsInZone(ChainCalls const &calls, RankChain const &border,
                             std::size_t threads) {
  std::size_t leastShare = requestedTileSize() ? 1 : 256;
  std::size_t elements = 0;
  for (std::size_t n = 0; n < calls.size(); ++n)
    elements += border.of(n).counted.size() + border.of(n).again.size();
  std::size_t most = elements / (calls.size() * leastShare);
  return static_cast<int32_t>(std::clamp<std::size_t>(most, 1, threads));
}

/// A loop that reduces runs here in any case: all ranks have a part in that.
static void addBorder(std::vector<TilePlanner> const &planners,
                      ChainCalls const &calls, RankChain const &border,
                      ChainPlans &plans) {
  int32_t parts = threadsInZone(calls, border, plans.threads.size());
  for (std::size_t n = 0; n < calls.size(); ++n)
    for (bool counts : {true, false}) {
      Zone::Loop const &loop = border.of(n);
      std::vector<int32_t> const &rows = counts ? loop.counted : loop.again;
      if (rows.empty() && !(counts && reducesGlobals(*calls[n])))
        continue;
      std::vector<op2rt_arg> args;
      op2rt_loop const inZone = border.loopInZone(n, args);
      plans.border.push_back({static_cast<int32_t>(n), counts,
                              planners[n].planInZone(rows, inZone, parts), 0});
    }
}

/// Blocks of a loop that reduces come in the order of its elements, by threads,
/// then by tiles.
static void numberBlocks(std::size_t loops, ChainPlans &plans) {
  plans.numBlocks.resize(loops);
  auto number = [](auto &part, int64_t &numBlocks) {
    part.firstBlock = numBlocks;
    numBlocks += part.plan->nblocks;
  };
  for (ThreadPlans &thread : plans.threads)
    for (TilePlan &part : thread.parts)
      number(part, plans.numBlocks[part.loop]);
  for (BorderPlan &loop : plans.border)
    for (BorderPart &part : loop.parts)
      number(part, loop.counts ? plans.numBlocks[loop.loop] : loop.numBlocks);
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
  forParts(plans.threads.size(), [&](std::size_t t) {
    plans.threads[t] = planThread(planners, tiles, static_cast<int32_t>(t));
  });
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
  for (BorderPlan const &loop : plans.border)
    for (BorderPart const &part : loop.parts)
      bytes += int64_t(sizeof(BorderPart) + sizeof(op2rt_plan)) +
               memoryOf(*part.plan);
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
  for (BorderPlan const &loop : plans.border)
    for (BorderPart const &part : loop.parts)
      for (ElementRange const &range : elementsOf(*part.plan))
        repeated += range.end - range.begin;
  return repeated;
}
