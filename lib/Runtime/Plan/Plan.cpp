//===- Plan.cpp - Questions about plans -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled loops ask a plan.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Core/Error.h"
#include "Core/FastPath.h"
#include "Core/Registry.h"
#include "Ownership.h"

#include <algorithm>
#include <numeric>
#include <omp.h>

using namespace op2::rt;

template <class T> static int64_t memoryOf(std::vector<T> const &values) {
  return static_cast<int64_t>(values.size() * sizeof(T));
}

static void take(std::vector<MapColumn> &columns, int64_t begin) {
  for (MapColumn &column : columns)
    if (column.table)
      column.table += begin * column.width;
}

void PlanInput::take(ElementRange elements) {
  first = elements.begin;
  size = elements.end - elements.begin;
  for (std::vector<ColumnSet> *sets : {&conflicts, &apart})
    for (ColumnSet &set : *sets)
      ::take(set.columns, first);
  for (SumSlots &sum : sums)
    ::take(sum.columns, first);
}

void Plan::setOneColor(int64_t blocks) {
  nblocks = blocks;
  trivial = false;
  blkmap.resize(static_cast<std::size_t>(blocks));
  std::iota(blkmap.begin(), blkmap.end(), 0);
  ncolors = 1;
  ncolblk = {static_cast<int32_t>(blocks)};
  colorBegin = {0, blocks};
}

int64_t op2::rt::memoryOf(Plan const &plan) {
  int64_t bytes = ::memoryOf(plan.offset) + ::memoryOf(plan.nelems) +
                  ::memoryOf(plan.blkmap) + ::memoryOf(plan.ncolblk) +
                  ::memoryOf(plan.colorBegin) + ::memoryOf(plan.thrcol) +
                  ::memoryOf(plan.nthrcol) + ::memoryOf(plan.permutation) +
                  ::memoryOf(plan.pieces) + ::memoryOf(plan.pieceBegin);
  for (OwnedCuts const &cuts : plan.cuts)
    bytes += ::memoryOf(cuts.begins);
  for (OwnedSet const &owned : plan.ownedSets)
    bytes += ::memoryOf(owned.targets) + ::memoryOf(owned.offsets) +
             ::memoryOf(owned.sizes) + ::memoryOf(owned.sumOffs) +
             ::memoryOf(owned.sumBegin) + ::memoryOf(owned.sumEntries);
  return bytes;
}

PlanView::PlanView(Plan const &plan)
    : view{plan.ncolors, plan.nblocks, plan.colorBegin.data(),
           plan.pieceBegin.data(), plan.pieces.data()} {
  if (plan.ncolors <= 1) {
    colors[1] = plan.nblocks;
    view.color_begin = colors;
  }
  if (plan.isOwned())
    return;
  for (int64_t position = 0; position < plan.nblocks; ++position) {
    int64_t block = plan.block(position);
    firstPieces.push_back(position);
    blocks.push_back({plan.first + plan.blockBegin(block),
                      plan.first + plan.blockEnd(block), 0});
  }
  firstPieces.push_back(plan.nblocks);
  view.piece_begin = firstPieces.data();
  view.pieces = blocks.data();
}

void op2::rt::requireSoundPlan(char const *loop, PlanInput const &input,
                               Plan const &plan) {
  std::string text;
  for (std::string const &fault : checkPlan(input, plan))
    text += "\n  " + fault;
  if (!text.empty())
    fatal(Problem::Bug, "loop %s: the plan is wrong, please report this:%s",
          loop, text.c_str());
}

// OpenMP's own way to share a loop touches some forty cache lines more.
extern "C" OP2_FAST_PATH op2rt_range
op2rt_plan_thread_range(op2rt_plan const *plan, int64_t color) {
  int64_t const *colors = op2rt_view(plan)->color_begin;
  int64_t begin = colors[color], blocks = colors[color + 1] - begin;
  int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  int64_t each = blocks / threads, extra = blocks % threads;
  begin += thread * each + std::min(thread, extra);
  return {begin, begin + each + (thread < extra)};
}
extern "C" OP2_FAST_PATH int64_t op2rt_plan_owned_begin(op2rt_plan const *plan,
                                                        op_dat_core const *dat,
                                                        int64_t position) {
  if (!dat)
    return 0;
  Dat const &storage = storageOf(static_cast<Dat const &>(*dat));
  return ownedBegin(*plan, reachOf(storage.set), position);
}
