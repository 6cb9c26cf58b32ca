//===- PlanView.cpp - A plan of the runtime, by element -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanView.h"
#include "Plan/Plan.h"

using op2::mesh::PlanView;

void PlanView::startParts(int64_t size) {
  isOwned = true;
  blockOf.assign(static_cast<std::size_t>(size), -1);
  isShared.assign(static_cast<std::size_t>(size), false);
}

void PlanView::addToPart(int32_t part, int64_t begin, int64_t end) {
  for (int64_t n = begin; n < end; ++n)
    if (blockOf[n] < 0)
      blockOf[n] = part;
    else
      isShared[n] = true;
}

static void readParts(op2rt_plan const &plan, PlanView &view) {
  view.startParts(static_cast<int64_t>(view.blockOf.size()));
  for (int32_t part = 0; part < plan.nblocks; ++part)
    if (plan.isOwned())
      for (int64_t p = plan.pieceBegin[part]; p < plan.pieceBegin[part + 1];
           ++p)
        view.addToPart(part, plan.pieces[p].begin, plan.pieces[p].end);
    else
      for (int64_t i = plan.blockBegin(part); i < plan.blockEnd(part); ++i)
        view.addToPart(part, plan.permutation[i], plan.permutation[i] + 1);
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
