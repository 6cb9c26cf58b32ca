//===- ChainView.h - Rows that the elements of a loop reach -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_CHAINVIEW_H
#define OP2_LIB_RUNTIME_QUEUE_CHAINVIEW_H

#include "ChainInput.h"
#include "ChainRows.h"

#include <algorithm>
#include <deque>

namespace op2::rt {

/// For each granule of a loop what its targets through a column lie between:
/// found once for all loops of a chain.
class TargetRanges {
public:
  std::vector<RowRange> const &of(ChainLoop const &loop,
                                  MapColumn const &column);

private:
  struct Known {
    MapColumn column;
    int64_t size, granule;
    std::vector<RowRange> ranges;
  };
  std::deque<Known> all;
};

/// What a loop does to a dat through a column.
struct AccessView {
  ChainLoop const *loop;
  MapColumn column;
  bool isChange;
  DatRows *rows;
  std::vector<RowRange> const *ranges = nullptr; ///< of granules, if known
  bool hasSpans = false;                         ///< rows have spans
  /// Elements of the loop on other threads cannot be in the way, nor on the
  /// same one if it goes on in order.
  bool isApart = false;
  /// Nothing in the loop looks at what the access leaves in the rows.
  bool isLate = false;

  /// What it comes after.
  Visit after() const { return isChange ? Visit::Any : Visit::Change; }

  /// What the targets of elements lie between.
  RowRange reachOf(ElementRange elements) const;

  /// take(span, elements): bounds of the rows of parts of the elements.
  template <class Take>
  void forEachPart(ElementRange elements, Take take) const;

  /// visit(row): targets of elements in a range of the rows.
  template <class Visit>
  void forEachTargetIn(RowRange part, ElementRange elements, Visit visit) const;

private:
  /// Those of a whole granule, if it has been looked at.
  RowRange const *knownRange(ElementRange elements) const;
};

/// A loop as the inspector goes through it.
struct LoopView {
  ChainLoop const *loop;
  std::vector<AccessView> accesses;

  LoopView(ChainLoop const &loop, bool inOrder, ChainRows &rows,
           TargetRanges &ranges);

private:
  bool isSummarized(AccessView const &view) const;
};

template <class Take>
void AccessView::forEachPart(ElementRange elements, Take take) const {
  RowRange const *range = knownRange(elements);
  if (!hasSpans || (column.table && !range))
    return take(kAnyStamp, elements);
  if (range)
    return take(rows->spanOf(after(), *range), elements);
  constexpr int64_t kBlock = DatRows::kBlock;
  for (int64_t begin = elements.begin, end; begin < elements.end; begin = end) {
    end = std::min((begin / kBlock + 1) * kBlock, elements.end);
    take(rows->spanOf(after(), {begin, end}), ElementRange{begin, end});
  }
}

template <class Visit>
void AccessView::forEachTargetIn(RowRange part, ElementRange elements,
                                 Visit visit) const {
  if (!column.table) {
    forEachTarget(column, std::max(elements.begin, part.begin),
                  std::min(elements.end, part.end), visit);
    return;
  }
  int64_t granule = loop->granule;
  for (int64_t begin = elements.begin, end; begin < elements.end; begin = end) {
    end = std::min((begin / granule + 1) * granule, elements.end);
    RowRange reach = reachOf({begin, end});
    if (reach.begin >= part.begin && reach.end <= part.end)
      forEachTarget(column, begin, end, visit);
    else if (reach.begin < part.end && reach.end > part.begin)
      forEachTarget(column, begin, end, [&](int32_t row) {
        if (row >= part.begin && row < part.end)
          visit(row);
      });
  }
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_CHAINVIEW_H
