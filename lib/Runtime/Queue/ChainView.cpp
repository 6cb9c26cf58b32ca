//===- ChainView.cpp - Rows that the elements of a loop reach ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainView.h"

using namespace op2::rt;

static RowRange findReach(MapColumn const &column, ElementRange elements) {
  if (!column.table)
    return {elements.begin, elements.end};
  int32_t least = column[elements.begin], most = least;
  forEachTarget(column, elements.begin, elements.end, [&](int32_t row) {
    least = std::min(least, row);
    most = std::max(most, row);
  });
  return {least, int64_t(most) + 1};
}

std::vector<RowRange> const &TargetRanges::of(ChainLoop const &loop,
                                              MapColumn const &column) {
  for (Known const &known : all)
    if (known.column == column && known.size == loop.size &&
        known.granule == loop.granule)
      return known.ranges;
  int64_t count = numGranules(loop);
  all.push_back({column, loop.size, loop.granule,
                 std::vector<RowRange>(static_cast<std::size_t>(count))});
  RowRange *ranges = all.back().ranges.data();
#pragma omp parallel for schedule(static)
  for (int64_t g = 0; g < count; ++g)
    ranges[g] = findReach(column, granuleOf(loop, g));
  return all.back().ranges;
}

RowRange const *AccessView::knownRange(ElementRange elements) const {
  if (!ranges || elements.begin % loop->granule != 0 ||
      elements.end != std::min(elements.begin + loop->granule, loop->size))
    return nullptr;
  return &(*ranges)[elements.begin / loop->granule];
}

RowRange AccessView::reachOf(ElementRange elements) const {
  RowRange const *known = knownRange(elements);
  return known ? *known : findReach(column, elements);
}

bool LoopView::isSummarized(AccessView const &view) const {
  return std::any_of(
      accesses.begin(), accesses.end(), [&](AccessView const &known) {
        return known.rows == view.rows && known.after() == view.after();
      });
}

/// `inOrder`: threads run their elements in the order of the loop.
LoopView::LoopView(ChainLoop const &ofLoop, bool inOrder, ChainRows &rows,
                   TargetRanges &ranges)
    : loop(&ofLoop) {
  for (ChainAccess const &access : loop->accesses) {
    AccessView view{loop, access.column, access.isChange, &rows[access.dat]};
    int64_t times = 0, changes = 0;
    for (ChainAccess const &other : loop->accesses)
      if (other.dat == access.dat) {
        ++times;
        changes += other.isChange;
      }
    bool isAlone = times == 1 && !access.column.table && !loop->isOwned;
    view.isLate = inOrder && (changes == 0 || isAlone);
    view.isApart =
        view.isLate || (inOrder && loop->isOwned && changes == times);
    if (inOrder && loop->order.empty()) {
      view.hasSpans = true;
      if (!isSummarized(view))
        view.rows->summarize(view.after());
      if (access.column.table && loop->granule > 1)
        view.ranges = &ranges.of(*loop, access.column);
    }
    accesses.push_back(view);
  }
}
