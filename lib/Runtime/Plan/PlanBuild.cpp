//===- PlanBuild.cpp - Construction of plans --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and colours from a PlanInput.
//
//===----------------------------------------------------------------------===//

#include "Coloring.h"
#include "Core/Clock.h"
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
  plan.trivial = input.conflicts.empty();
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
  }
  plan.mostBlocks = mostBlocksOfColor(plan);
  plan.seconds = now() - start;
  return plan;
}
