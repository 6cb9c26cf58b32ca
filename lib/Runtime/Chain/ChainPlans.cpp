//===- ChainPlans.cpp - Plans of the steps of a chain -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainPlans.h"
#include "Plan/Ownership.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;

// Fewer elements run on one thread, and no thread gets less.
static constexpr int64_t kLeastPart = 256;

static int64_t countElements(std::vector<ElementRange> const &ranges) {
  int64_t count = 0;
  for (ElementRange const &range : ranges)
    count += range.end - range.begin;
  return count;
}

static PlanInput inputOf(SiteCall const &call) {
  op2rt_loop loop{
      call.desc, call.set, call.args.data(), nullptr, call.call.get(), 0,
      0,         true};
  return planInput(loop, call.plan->blockSize, call.plan->what);
}

namespace {
/// Makes the plans of one loop.
class StepPlanner {
public:
  StepPlanner(SiteCall const &call, int threads)
      : call(call), input(inputOf(call)), reduces(call.reduces()) {
    // One thread may be what the loop alone was tuned to. It also keeps the
    // order of colours.
    LoopTuning const *tuning = call.call->tuning.get();
    bool isAlone = tuning && !tuning->current().inThreads;
    mostParts = isAlone || call.isColored() ? 1 : threads;
  }

  StepPlan plan(int32_t loop, std::vector<ElementRange> const &ranges) const {
    int64_t count = countElements(ranges);
    auto parts = static_cast<int32_t>(
        std::min<int64_t>(mostParts, std::max<int64_t>(count / kLeastPart, 1)));
    Plan plan;
    plan.size = input.size;
    plan.blockSize = input.blockSize;
    plan.what = input.what;
    int64_t firstBlock = 0;
    if (ranges.empty()) {
      plan.trivial = true;
    } else if (call.plan->isOwned()) {
      divideByOwner(input, ranges, parts, plan);
    } else if (reduces) {
      firstBlock = ranges.front().begin / input.blockSize;
      setBlocks(ranges, input.blockSize, plan);
    } else {
      constexpr int64_t kGroups = 16;
      int64_t share = (count + parts - 1) / parts;
      setBlocks(ranges, (share + kGroups - 1) / kGroups * kGroups, plan);
    }
    plan.mostBlocks =
        parts > 1 ? plan.nblocks : std::min<int64_t>(1, plan.nblocks);
    return {loop, std::make_unique<op2rt_plan>(std::move(plan)), firstBlock,
            false, false};
  }

private:
  /// Blocks of `size` elements at most, all of one colour.
  static void setBlocks(std::vector<ElementRange> const &ranges, int64_t size,
                        Plan &plan) {
    plan.trivial = false;
    for (ElementRange const &range : ranges)
      for (int64_t begin = range.begin; begin < range.end; begin += size) {
        plan.offset.push_back(begin);
        plan.nelems.push_back(
            static_cast<int32_t>(std::min(size, range.end - begin)));
      }
    plan.nblocks = static_cast<int64_t>(plan.offset.size());
    plan.blkmap.resize(plan.offset.size());
    std::iota(plan.blkmap.begin(), plan.blkmap.end(), 0);
    plan.ncolors = 1;
    plan.ncolblk = {static_cast<int32_t>(plan.nblocks)};
    plan.colorBegin = {0, plan.nblocks};
  }

  SiteCall const &call;
  PlanInput input;
  bool reduces;
  int mostParts;
};
} // namespace

/// Which steps of which loops there is something to do in, in their order. A
/// loop over an empty set takes part once.
static std::vector<std::pair<int32_t, int32_t>>
findParts(ChainSteps const &steps) {
  std::vector<std::pair<int32_t, int32_t>> parts;
  for (int32_t step = 0; step < steps.numSteps; ++step)
    for (std::size_t n = 0; n < steps.loops.size(); ++n) {
      LoopSteps const &loop = steps.loops[n];
      bool isEmpty = loop.ranges.empty() && step == 0;
      if (isEmpty || loop.begin[step] < loop.begin[step + 1])
        parts.emplace_back(step, static_cast<int32_t>(n));
    }
  return parts;
}

static void markEnds(std::size_t numLoops, ChainPlans &plans) {
  std::vector<StepPlan *> last(numLoops);
  for (StepPlan &plan : plans) {
    plan.isFirst = !last[plan.loop];
    last[plan.loop] = &plan;
  }
  for (StepPlan *plan : last)
    plan->isLast = true;
}

ChainPlans op2::rt::makePlans(ChainCalls const &calls, ChainSteps const &steps,
                              int threads) {
  std::vector<StepPlanner> planners;
  for (auto const &call : calls)
    planners.emplace_back(*call, threads);
  std::vector<std::pair<int32_t, int32_t>> parts = findParts(steps);
  ChainPlans plans(parts.size());
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t p = 0; p < parts.size(); ++p) {
    auto [step, loop] = parts[p];
    plans[p] = planners[loop].plan(loop, steps.loops[loop].of(step));
  }
  markEnds(calls.size(), plans);
  return plans;
}

int64_t op2::rt::memoryOf(ChainPlans const &plans) {
  int64_t bytes = 0;
  for (StepPlan const &part : plans)
    bytes +=
        int64_t(sizeof(StepPlan) + sizeof(op2rt_plan)) + memoryOf(*part.plan);
  return bytes;
}

int64_t op2::rt::repeatedElements(ChainCalls const &calls,
                                  ChainPlans const &plans) {
  int64_t repeated = 0;
  for (auto const &call : calls)
    repeated -= call->set->size;
  for (StepPlan const &part : plans) {
    for (PlanPiece const &piece : part.plan->pieces)
      repeated += piece.end - piece.begin;
    for (int32_t elements : part.plan->nelems)
      repeated += elements;
  }
  return repeated;
}
