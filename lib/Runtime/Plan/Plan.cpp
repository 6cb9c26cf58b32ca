//===- Plan.cpp - Questions about plans -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled loops ask a plan.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Core/Registry.h"
#include "Core/Watch.h"
#include "Ownership.h"

#include <algorithm>
#include <numeric>
#include <omp.h>

using namespace op2::rt;

template <class T> static int64_t memoryOf(std::vector<T> const &values) {
  return static_cast<int64_t>(values.size() * sizeof(T));
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
  for (StagedSet const &staged : plan.stages) {
    bytes += ::memoryOf(staged.indMap) + ::memoryOf(staged.indOffs) +
             ::memoryOf(staged.indSizes);
    for (auto const &column : staged.local16)
      bytes += ::memoryOf(column);
    for (auto const &column : staged.local32)
      bytes += ::memoryOf(column);
  }
  return bytes;
}

void op2::rt::requireSoundPlan(char const *loop, PlanInput const &input,
                               Plan const &plan) {
  std::string text;
  for (std::string const &fault : checkPlan(input, plan))
    text += "\n  " + fault;
  if (!text.empty())
    op2rt_fatal("loop %s: the plan is wrong, please report this:%s", loop,
                text.c_str());
}

extern "C" OP2_OFTEN int64_t op2rt_plan_num_colors(op2rt_plan const *plan) {
  return plan->ncolors;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_color_begin(op2rt_plan const *plan,
                                                    int64_t color) {
  if (plan->trivial)
    return color == 0 ? 0 : plan->nblocks;
  return plan->colorBegin[color];
}
// OpenMP's own way to share a loop touches some forty cache lines more.
extern "C" OP2_OFTEN op2rt_range op2rt_plan_thread_range(op2rt_plan const *plan,
                                                         int64_t color) {
  int64_t begin = op2rt_plan_color_begin(plan, color);
  int64_t blocks = op2rt_plan_color_begin(plan, color + 1) - begin;
  int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
  int64_t each = blocks / threads, extra = blocks % threads;
  begin += thread * each + std::min(thread, extra);
  return {begin, begin + each + (thread < extra)};
}
extern "C" OP2_OFTEN int64_t op2rt_plan_num_blocks(op2rt_plan const *plan) {
  return plan->nblocks;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_block_begin(op2rt_plan const *plan,
                                                    int64_t position) {
  return plan->blockBegin(plan->block(position));
}
extern "C" OP2_OFTEN int64_t op2rt_plan_block_end(op2rt_plan const *plan,
                                                  int64_t position) {
  return plan->blockEnd(plan->block(position));
}

extern "C" int32_t const *op2rt_plan_permutation(op2rt_plan const *plan) {
  return plan->what & OP2RT_PLAN_GLOBAL_COLORS ? plan->permutation.data()
                                               : nullptr;
}

extern "C" int32_t op2rt_plan_num_element_colors(op2rt_plan const *plan,
                                                 int64_t position) {
  return plan->nthrcol.empty() ? 1 : plan->nthrcol[plan->block(position)];
}
extern "C" int32_t const *op2rt_plan_element_colors(op2rt_plan const *plan) {
  return plan->thrcol.empty() ? nullptr : plan->thrcol.data();
}

extern "C" OP2_OFTEN int64_t op2rt_plan_num_pieces(op2rt_plan const *plan,
                                                   int64_t position) {
  return plan->isOwned()
             ? plan->pieceBegin[position + 1] - plan->pieceBegin[position]
             : 1;
}
static PlanPiece pieceOf(op2rt_plan const &plan, int64_t position,
                         int64_t piece) {
  if (plan.isOwned())
    return plan.pieces[plan.pieceBegin[position] + piece];
  int64_t block = plan.block(position);
  return {plan.blockBegin(block), plan.blockEnd(block), false};
}
extern "C" OP2_OFTEN int64_t op2rt_plan_piece_begin(op2rt_plan const *plan,
                                                    int64_t position,
                                                    int64_t piece) {
  return pieceOf(*plan, position, piece).begin;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_piece_end(op2rt_plan const *plan,
                                                  int64_t position,
                                                  int64_t piece) {
  return pieceOf(*plan, position, piece).end;
}
extern "C" OP2_OFTEN int32_t op2rt_plan_piece_is_guarded(op2rt_plan const *plan,
                                                         int64_t position,
                                                         int64_t piece) {
  return pieceOf(*plan, position, piece).isGuarded;
}
extern "C" OP2_OFTEN int64_t op2rt_plan_owned_begin(op2rt_plan const *plan,
                                                    op_dat_core const *dat,
                                                    int64_t position) {
  if (!dat)
    return 0;
  Dat const &storage = storageOf(static_cast<Dat const &>(*dat));
  return ownedBegin(*plan, storage.set->size, position);
}

static StagedArg const &stagedArg(Plan const &plan, int32_t arg) {
  for (StagedArg const &staged : plan.stagedArgs)
    if (staged.arg == arg)
      return staged;
  op2rt_fatal("argument %d is not staged in this plan", arg);
}

extern "C" int64_t op2rt_plan_stage_size(op2rt_plan const *plan, int32_t arg,
                                         int64_t position) {
  return plan->stages[stagedArg(*plan, arg).dataset]
      .indSizes[plan->block(position)];
}
extern "C" int32_t const *op2rt_plan_stage_targets(op2rt_plan const *plan,
                                                   int32_t arg,
                                                   int64_t position) {
  StagedSet const &staged = plan->stages[stagedArg(*plan, arg).dataset];
  return staged.indMap.data() + staged.indOffs[plan->block(position)];
}
extern "C" void const *op2rt_plan_local_map(op2rt_plan const *plan, int32_t arg,
                                            int32_t row, int32_t *bits) {
  StagedArg const &which = stagedArg(*plan, arg);
  StagedSet const &staged = plan->stages[which.dataset];
  int32_t column = which.columns.at(static_cast<std::size_t>(row));
  *bits = staged.local16.empty() ? 32 : 16;
  if (staged.local16.empty())
    return staged.local32[column].data();
  return staged.local16[column].data();
}
extern "C" int64_t op2rt_plan_stage_bytes(op2rt_plan const *plan) {
  return plan->nshared;
}
