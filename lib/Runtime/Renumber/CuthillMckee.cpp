//===- CuthillMckee.cpp - Reverse Cuthill-McKee -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices,
// 1969; the start after A. George and J. W. H. Liu, An implementation of a
// pseudoperipheral node finder, 1979. Marks on rows spare most of the work: a
// row has nothing new to show the second time.
//
//===----------------------------------------------------------------------===//

#include "Orders.h"

#include <algorithm>

using namespace op2::rt;

namespace {
/// A breadth-first search that stands in order[begin, end).
struct Levels {
  int32_t end;
  int32_t lastLevel; ///< where it begins
};

class CuthillMckee {
public:
  explicit CuthillMckee(RowGraph const &graph)
      : graph(graph), order(static_cast<std::size_t>(graph.size())),
        elementMarks(static_cast<std::size_t>(graph.size())),
        rowMarks(graph.numRows()) {}

  Order run() {
    for (int32_t e = 0; e < graph.size(); ++e)
      if (elementMarks[e] == 0)
        placed = placePart(e);
    std::reverse(order.begin(), order.end());
    return std::move(order);
  }

private:
  // Parts so small that any start will do.
  static constexpr int32_t kSmall = 64;

  /// Orders the part that `element` belongs to; returns where it ends. The
  /// second search starts at the rim. Going on from its far end until searches
  /// get no deeper costs half as much again and gave the same bandwidth.
  int32_t placePart(int32_t element) {
    Levels levels = search(element);
    if (levels.end - placed <= kSmall)
      return levels.end;
    return search(leastDegree(levels)).end;
  }

  int32_t leastDegree(Levels const &levels) const {
    return *std::min_element(
        order.begin() + levels.lastLevel, order.begin() + levels.end,
        [&](int32_t a, int32_t b) { return isBefore(a, b); });
  }

  bool isBefore(int32_t a, int32_t b) const {
    int64_t left = graph.degree(a), right = graph.degree(b);
    return left != right ? left < right : a < b;
  }

  Levels search(int32_t start) {
    ++mark;
    elementMarks[start] = mark;
    order[placed] = start;
    int32_t end = placed + 1, level = placed, levelEnd = end;
    for (int32_t at = placed; at < end; ++at) {
      if (at == levelEnd) {
        level = at;
        levelEnd = end;
      }
      end = appendNeighbors(order[at], end);
    }
    return {end, level};
  }

  int32_t appendNeighbors(int32_t element, int32_t end) {
    int32_t begin = end;
    graph.eachRow(element, [&](uint32_t row) {
      if (rowMarks[row] == mark)
        return;
      rowMarks[row] = mark;
      graph.eachMember(row, [&](int32_t other) {
        if (elementMarks[other] == mark)
          return;
        elementMarks[other] = mark;
        order[end++] = other;
      });
    });
    std::sort(order.begin() + begin, order.begin() + end,
              [&](int32_t a, int32_t b) { return isBefore(a, b); });
    return end;
  }

  RowGraph const &graph;
  Order order;
  std::vector<uint32_t> elementMarks, rowMarks; ///< the latest search
  uint32_t mark = 0;
  int32_t placed = 0;
};
} // namespace

Order op2::rt::reverseCuthillMckee(RowGraph const &graph) {
  return CuthillMckee(graph).run();
}
