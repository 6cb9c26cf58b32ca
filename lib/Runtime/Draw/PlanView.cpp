//===- PlanView.cpp - A plan of the runtime, by element -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanView.h"
#include "Plan/Plan.h"

using op2::mesh::PlanView;

/// visit(n) for each element that a part runs.
template <class Visit>
static void forEachOf(op2rt_plan const &plan, int64_t part, Visit visit) {
  if (plan.isOwned())
    for (int64_t p = plan.pieceBegin[part]; p < plan.pieceBegin[part + 1]; ++p)
      for (int64_t n = plan.pieces[p].begin; n < plan.pieces[p].end; ++n)
        visit(n);
  else
    for (int64_t i = plan.blockBegin(part); i < plan.blockEnd(part); ++i)
      visit(plan.permutation[i]);
}

static void readParts(op2rt_plan const &plan, PlanView &view) {
  view.isShared.assign(view.blockOf.size(), false);
  std::vector<bool> isSeen(view.blockOf.size(), false);
  for (int64_t part = 0; part < plan.nblocks; ++part)
    forEachOf(plan, part, [&](int64_t n) {
      if (isSeen[n])
        view.isShared[n] = true;
      else
        view.blockOf[n] = static_cast<int32_t>(part);
      isSeen[n] = true;
    });
}

static void readBlocks(op2rt_plan const &plan, PlanView &view) {
  for (int32_t color = 0; !plan.trivial && color < plan.ncolors; ++color)
    for (int64_t position = plan.colorBegin[color];
         position < plan.colorBegin[color + 1]; ++position)
      view.colorOf[plan.blkmap[position]] = color;
  for (int64_t b = 0; b < plan.nblocks; ++b)
    for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
      view.blockOf[view.isGlobal ? plan.permutation[n] : n] =
          static_cast<int32_t>(b);
}

PlanView op2::mesh::viewOf(op2rt_plan const &plan, std::string const &set,
                           int64_t size) {
  PlanView view;
  view.set = set;
  view.numBlocks = plan.nblocks;
  view.numColors = plan.ncolors;
  view.blockOf.resize(static_cast<std::size_t>(size));
  view.colorOf.resize(static_cast<std::size_t>(plan.nblocks));
  view.isOwned = plan.isOwned() || (plan.what & OP2RT_PLAN_OWNED_ROWS);
  view.isGlobal = !view.isOwned && !plan.permutation.empty();
  if (view.isOwned)
    readParts(plan, view);
  else
    readBlocks(plan, view);
  if (view.isGlobal)
    for (int32_t block : view.blockOf)
      view.elementColor.push_back(view.colorOf[block]);
  else
    view.elementColor = plan.thrcol;
  return view;
}
