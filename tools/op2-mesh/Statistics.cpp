//===- Statistics.cpp - Statistics of a mesh --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "Topology.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace op2::mesh;

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

namespace {
class RangeCounter {
public:
  void add(int64_t value) {
    range.least = count ? std::min(range.least, value) : value;
    range.greatest = count ? std::max(range.greatest, value) : value;
    sum += value;
    ++count;
  }
  Range finish() {
    range.mean = count ? double(sum) / double(count) : 0.0;
    return range;
  }

private:
  Range range;
  int64_t sum = 0, count = 0;
};
} // namespace

MapStatistics op2::mesh::statisticsOf(Mesh const &mesh, Map const &map) {
  std::vector<int64_t> reached(static_cast<std::size_t>(mesh.set(map.to).size),
                               0);
  RangeCounter span, step, valence;
  for (int64_t n = 0; n < map.size(); ++n) {
    int32_t const *row = map.row(n);
    auto [least, greatest] = std::minmax_element(row, row + map.arity);
    span.add(*greatest - *least);
    if (n > 0)
      step.add(std::abs(int64_t(row[0]) - map.row(n - 1)[0]));
    for (int32_t slot = 0; slot < map.arity; ++slot)
      // A row that leads there twice counts once.
      if (std::find(row, row + slot, row[slot]) == row + slot)
        ++reached[static_cast<std::size_t>(row[slot])];
  }
  MapStatistics result;
  for (int64_t count : reached) {
    valence.add(count);
    result.unreached += count == 0;
  }
  result.valence = valence.finish();
  result.span = span.finish();
  result.step = step.finish();
  return result;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

namespace {
/// Counts one kind of fault and remembers the first.
class Fault {
public:
  explicit Fault(std::string what) : what(std::move(what)) {}
  void add(std::string const &where) {
    if (count++ == 0)
      first = where;
  }
  void report(std::vector<std::string> &faults) const {
    if (count)
      faults.push_back(std::to_string(count) + " " + what +
                       ", the first: " + first);
  }

private:
  std::string what, first;
  int64_t count = 0;
};
} // namespace

static std::string rowText(Map const &map, int64_t n) {
  std::string text = map.from + " " + std::to_string(n) + " (" + map.to;
  for (int32_t slot = 0; slot < map.arity; ++slot)
    text += " " + std::to_string(map.row(n)[slot]);
  return text + ")";
}

/// Rows that lead twice to one element; a triangle in a map of quadrilaterals
/// is none.
static void findRepeats(Map const &map, std::vector<std::string> &faults) {
  Fault fault("rows of map " + map.name + " lead twice to one element");
  for (int64_t n = 0; n < map.size(); ++n) {
    int32_t corners = map.name == "pcell" ? cornersOf(map, n) : map.arity;
    std::vector<int32_t> row(map.row(n), map.row(n) + corners);
    std::sort(row.begin(), row.end());
    if (std::adjacent_find(row.begin(), row.end()) != row.end())
      fault.add(rowText(map, n));
  }
  fault.report(faults);
}

/// Elements with the same nodes.
static void findDuplicates(Map const &map, std::vector<std::string> &faults) {
  Fault fault("rows of map " + map.name + " have the targets of another");
  std::vector<int32_t> sorted = map.table;
  for (int64_t n = 0; n < map.size(); ++n)
    std::sort(sorted.begin() + n * map.arity,
              sorted.begin() + (n + 1) * map.arity);
  std::vector<int64_t> order(static_cast<std::size_t>(map.size()));
  std::iota(order.begin(), order.end(), 0);
  auto compare = [&](int64_t a, int64_t b) {
    int32_t const *rowA = sorted.data() + a * map.arity;
    int32_t const *rowB = sorted.data() + b * map.arity;
    auto [atA, atB] = std::mismatch(rowA, rowA + map.arity, rowB);
    return atA == rowA + map.arity ? 0 : *atA < *atB ? -1 : 1;
  };
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    int result = compare(a, b);
    return result ? result < 0 : a < b;
  });
  for (std::size_t n = 1; n < order.size(); ++n)
    if (compare(order[n - 1], order[n]) == 0)
      fault.add(rowText(map, order[n - 1]) + " and " + map.from + " " +
                std::to_string(order[n]));
  fault.report(faults);
}

namespace {
/// Whether a node is a corner of a cell. Nodes at one place count as one: the
/// two sides of a cut have nodes of their own.
class CornerFinder {
public:
  explicit CornerFinder(Mesh const &mesh)
      : pcell(mesh.findMap("cells", "nodes")), x(mesh.findDat("p_x")) {
    if (x && (x->set != "nodes" || x->type != Dat::Type::Real))
      x = nullptr;
  }

  bool canFind() const { return pcell; }

  bool isCorner(int32_t node, int32_t cell) const {
    int32_t const *corners = pcell->row(cell);
    for (int32_t k = 0; k < pcell->arity; ++k)
      if (corners[k] == node || (x && isSamePlace(corners[k], node)))
        return true;
    return false;
  }

private:
  bool isSamePlace(int32_t a, int32_t b) const {
    for (int32_t d = 0; d < x->dim; ++d) {
      double first = x->reals[std::size_t(a) * x->dim + d];
      double second = x->reals[std::size_t(b) * x->dim + d];
      if (std::fabs(first - second) > 1e-12 * (1 + std::fabs(first)))
        return false;
    }
    return true;
  }

  Map const *pcell;
  Dat const *x;
};
} // namespace

/// Edges whose cells do not have both of their nodes.
static void findLooseEdges(Mesh const &mesh, std::string const &set,
                           std::vector<std::string> &faults) {
  Map const *nodes = mesh.findMap(set, "nodes");
  Map const *cells = mesh.findMap(set, "cells");
  CornerFinder finder(mesh);
  if (!nodes || !cells || !finder.canFind())
    return;
  Fault fault(set + " are no side of one of their cells");
  for (int64_t n = 0; n < nodes->size(); ++n)
    for (int32_t slot = 0; slot < cells->arity; ++slot) {
      int32_t cell = cells->row(n)[slot];
      bool isSide = true;
      for (int32_t end = 0; end < nodes->arity; ++end)
        isSide &= finder.isCorner(nodes->row(n)[end], cell);
      if (isSide)
        continue;
      fault.add(rowText(*nodes, n) + " and cell " + std::to_string(cell));
      break;
    }
  fault.report(faults);
}

std::vector<std::string> op2::mesh::findFaults(Mesh const &mesh) {
  std::vector<std::string> faults;
  for (Map const &map : mesh.maps) {
    findRepeats(map, faults);
    if (map.to == "nodes")
      findDuplicates(map, faults);
  }
  for (char const *set : {"edges", "bedges", "faces", "bfaces"})
    findLooseEdges(mesh, set, faults);
  return faults;
}
