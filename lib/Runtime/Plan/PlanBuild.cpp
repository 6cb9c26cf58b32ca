//===- PlanBuild.cpp - Construction of plans --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, colours and staging data from a PlanInput.
//
//===----------------------------------------------------------------------===//

#include "Coloring.h"
#include "Core/Clock.h"
#include "LocalNumbers.h"
#include "OwnedRows.h"
#include "Ownership.h"

#include <algorithm>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void makeBlocks(PlanInput const &input, Plan &plan) {
  plan.nblocks = (input.size + input.blockSize - 1) / input.blockSize;
  plan.ncolors = plan.nblocks > 0 ? 1 : 0;
  plan.trivial = input.conflicts.empty() && input.stages.empty();
  if (plan.trivial)
    return;
  for (int64_t b = 0; b < plan.nblocks; ++b) {
    int64_t begin = b * input.blockSize;
    plan.offset.push_back(begin);
    plan.nelems.push_back(
        static_cast<int32_t>(std::min(input.blockSize, input.size - begin)));
  }
}

/// Sorts the elements by colour and cuts each colour's part into blocks, which
/// stand in colour order then.
static void makeColoredBlocks(PlanInput const &input, Plan &plan) {
  std::vector<int32_t> colors;
  plan.trivial = false;
  plan.ncolors = colorAllElements(input, colors);
  std::vector<int64_t> next(static_cast<std::size_t>(plan.ncolors) + 1, 0);
  for (int32_t color : colors)
    ++next[color + 1];
  for (int32_t c = 0; c < plan.ncolors; ++c)
    next[c + 1] += next[c];
  plan.colorBegin.push_back(0);
  for (int32_t c = 0; c < plan.ncolors; ++c) {
    for (int64_t begin = next[c]; begin < next[c + 1];
         begin += input.blockSize) {
      plan.blkmap.push_back(static_cast<int32_t>(plan.nblocks++));
      plan.offset.push_back(begin);
      plan.nelems.push_back(
          static_cast<int32_t>(std::min(input.blockSize, next[c + 1] - begin)));
    }
    plan.ncolblk.push_back(
        static_cast<int32_t>(plan.nblocks - plan.colorBegin[c]));
    plan.colorBegin.push_back(plan.nblocks);
  }
  plan.permutation.resize(static_cast<std::size_t>(input.size));
  for (int64_t n = 0; n < input.size; ++n)
    plan.permutation[next[colors[n]]++] = static_cast<int32_t>(n);
}

/// Sorts the blocks by colour, keeping their order within a colour.
static void orderBlocks(std::vector<int32_t> const &colors, Plan &plan) {
  plan.ncolblk.assign(static_cast<std::size_t>(plan.ncolors), 0);
  for (int32_t color : colors)
    ++plan.ncolblk[color];
  plan.colorBegin.assign(static_cast<std::size_t>(plan.ncolors) + 1, 0);
  for (int32_t c = 0; c < plan.ncolors; ++c)
    plan.colorBegin[c + 1] = plan.colorBegin[c] + plan.ncolblk[c];
  std::vector<int64_t> next = plan.colorBegin;
  plan.blkmap.resize(static_cast<std::size_t>(plan.nblocks));
  for (int64_t b = 0; b < plan.nblocks; ++b)
    plan.blkmap[next[colors[b]]++] = static_cast<int32_t>(b);
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

void LocalNumbers::compute(ColumnSet const &set, int64_t begin, int64_t end) {
  count = end - begin;
  unique.clear();
  position.resize(static_cast<std::size_t>(count) * set.columns.size());
  int32_t least = INT32_MAX, greatest = -1;
  forEachTarget(set, begin, end, [&](int32_t target) {
    least = std::min(least, target);
    greatest = std::max(greatest, target);
  });
  // With a good numbering a block's targets lie close together, and counting
  // is much cheaper than sorting.
  if (int64_t(greatest) - least < 16 * static_cast<int64_t>(position.size()))
    computeDense(set, begin, end, least, greatest);
  else
    computeSparse(set, begin, end);
}

void LocalNumbers::computeDense(ColumnSet const &set, int64_t begin,
                                int64_t end, int32_t least, int32_t greatest) {
  places.assign(static_cast<std::size_t>(greatest - least) + 1, -1);
  forEachTarget(set, begin, end,
                [&](int32_t target) { places[target - least] = 0; });
  for (std::size_t t = 0; t < places.size(); ++t)
    if (places[t] == 0) {
      places[t] = static_cast<int32_t>(unique.size());
      unique.push_back(least + static_cast<int32_t>(t));
    }
  std::size_t place = 0;
  forEachTarget(set, begin, end, [&](int32_t target) {
    position[place++] = places[target - least];
  });
}

void LocalNumbers::computeSparse(ColumnSet const &set, int64_t begin,
                                 int64_t end) {
  entries.clear();
  uint64_t place = 0;
  forEachTarget(set, begin, end, [&](int32_t target) {
    entries.push_back(uint64_t(static_cast<uint32_t>(target)) << 32 | place++);
  });
  std::sort(entries.begin(), entries.end());
  for (uint64_t entry : entries) {
    auto target = static_cast<int32_t>(entry >> 32);
    if (unique.empty() || unique.back() != target)
      unique.push_back(target);
    position[static_cast<uint32_t>(entry)] =
        static_cast<int32_t>(unique.size()) - 1;
  }
}

template <class Int>
static void storeLocal(std::vector<std::vector<Int>> &maps, int64_t begin,
                       int64_t count, LocalNumbers const &numbers) {
  for (std::size_t c = 0; c < maps.size(); ++c)
    for (int64_t n = 0; n < count; ++n)
      maps[c][begin + n] = static_cast<Int>(numbers.local(c, n));
}

/// Fills the local maps and leaves each block's targets in lists[b].
static void renumberBlocks(ColumnSet const &set, Plan const &plan,
                           StagedSet &staged,
                           std::vector<std::vector<int32_t>> &lists) {
#pragma omp parallel
  {
    LocalNumbers numbers;
#pragma omp for schedule(dynamic, 16)
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      numbers.compute(set, plan.offset[b], plan.offset[b] + plan.nelems[b]);
      storeLocal(staged.local16, plan.offset[b], plan.nelems[b], numbers);
      storeLocal(staged.local32, plan.offset[b], plan.nelems[b], numbers);
      lists[b] = numbers.targets();
    }
  }
}

static void concatenate(std::vector<std::vector<int32_t>> const &lists,
                        StagedSet &staged) {
  int64_t total = 0;
  for (auto const &list : lists) {
    staged.indOffs.push_back(total);
    staged.indSizes.push_back(static_cast<int32_t>(list.size()));
    total += static_cast<int64_t>(list.size());
  }
  staged.indMap.resize(static_cast<std::size_t>(total));
  auto blocks = static_cast<int64_t>(lists.size());
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < blocks; ++b)
    std::copy(lists[b].begin(), lists[b].end(),
              staged.indMap.begin() + staged.indOffs[b]);
}

static StagedSet stage(ColumnSet const &set, Plan const &plan) {
  StagedSet staged;
  auto size = static_cast<std::size_t>(plan.size);
  // A block reaches at most its elements times the columns; that bound is known
  // before, and blocks are rarely so large that it takes 32 bits in vain.
  int64_t most = std::min(set.targetSize, std::min(plan.blockSize, plan.size) *
                                              int64_t(set.columns.size()));
  if (most <= 65536)
    staged.local16.assign(set.columns.size(), std::vector<uint16_t>(size));
  else
    staged.local32.assign(set.columns.size(), std::vector<uint32_t>(size));
  std::vector<std::vector<int32_t>> lists(
      static_cast<std::size_t>(plan.nblocks));
  renumberBlocks(set, plan, staged, lists);
  concatenate(lists, staged);
  return staged;
}

int64_t op2::rt::stagedBytes(Plan const &plan, int64_t b) {
  int64_t bytes = 0;
  for (StagedDat const &dat : plan.stagedDats) {
    int64_t entries = plan.stages[dat.dataset].indSizes[b];
    // Each dat's part starts at 16 bytes, for wide loads.
    bytes += (entries * dat.bytes + 15) / 16 * 16;
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

static std::vector<int32_t> colorsOfBlocks(PlanInput const &input, Plan &plan) {
  if (input.what & OP2RT_PLAN_UNCOLORED)
    return std::vector<int32_t>(static_cast<std::size_t>(plan.nblocks), 0);
  return colorBlocks(input, plan);
}

static int64_t mostBlocksOfColor(Plan const &plan) {
  if (plan.trivial)
    return plan.nblocks;
  int64_t most = 0;
  for (int32_t blocks : plan.ncolblk)
    most = std::max<int64_t>(most, blocks);
  return most;
}

Plan op2::rt::buildPlan(PlanInput const &input) {
  double start = now();
  Plan plan;
  plan.first = input.first;
  plan.size = input.size;
  plan.blockSize = input.blockSize;
  plan.what = input.what;
  if (input.what & OP2RT_PLAN_GLOBAL_COLORS)
    makeColoredBlocks(input, plan);
  else if (input.what & OP2RT_PLAN_OWNED_ROWS)
    divideRows(input, plan);
  else if ((input.what & OP2RT_PLAN_OWNER) && isWorthOwning(input))
    divideByOwner(input, plan);
  else
    makeBlocks(input, plan);
  bool areColored =
      !(input.what & (OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_OWNED_ROWS));
  if (!plan.trivial && areColored && !plan.isOwned()) {
    orderBlocks(colorsOfBlocks(input, plan), plan);
    if (input.what & OP2RT_PLAN_ELEMENT_COLORS)
      colorElements(input, plan);
    for (ColumnSet const &set : input.stages)
      plan.stages.push_back(stage(set, plan));
    plan.stagedDats = input.stagedDats;
    plan.stagedArgs = input.stagedArgs;
    for (int64_t b = 0; b < plan.nblocks; ++b)
      plan.nshared = std::max(plan.nshared, stagedBytes(plan, b));
  }
  plan.mostBlocks = mostBlocksOfColor(plan);
  plan.seconds = now() - start;
  return plan;
}
