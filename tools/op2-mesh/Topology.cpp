//===- Topology.cpp - Edges from cells, and new numbers -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Topology.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

using namespace op2::mesh;

int32_t op2::mesh::cornersOf(Map const &pcell, int64_t cell) {
  int32_t const *row = pcell.row(cell);
  bool isTriangle = pcell.arity == 4 && row[2] == row[3];
  return isTriangle ? 3 : pcell.arity;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

namespace {
struct Side {
  int32_t nodes[2];
  int32_t cells[2] = {-1, -1};
};

/// The sides of all cells, each once, in the order of first sight.
class Sides {
public:
  explicit Sides(Map const &pcell) {
    for (int64_t cell = 0; cell < pcell.size(); ++cell) {
      int32_t corners = cornersOf(pcell, cell);
      int32_t const *row = pcell.row(cell);
      for (int32_t k = 0; k < corners; ++k)
        add(row[k], row[(k + 1) % corners], static_cast<int32_t>(cell));
    }
  }
  std::vector<Side> list;

private:
  void add(int32_t a, int32_t b, int32_t cell) {
    auto low = static_cast<uint32_t>(std::min(a, b));
    auto high = static_cast<uint32_t>(std::max(a, b));
    auto [at, isNew] = numbers.emplace(uint64_t(high) << 32 | low, list.size());
    if (isNew) {
      // Backwards: the cell then lies on the right.
      list.push_back({{b, a}, {cell, -1}});
      return;
    }
    Side &side = list[at->second];
    if (side.cells[1] >= 0)
      throw Error("nodes " + std::to_string(low) + " and " +
                  std::to_string(high) + " are a side of cells " +
                  std::to_string(side.cells[0]) + ", " +
                  std::to_string(side.cells[1]) + " and " +
                  std::to_string(cell) + "; expected at most two cells");
    side.cells[1] = cell;
  }

  std::unordered_map<uint64_t, std::size_t> numbers;
};
} // namespace

void op2::mesh::addEdges(Mesh &mesh) {
  Sides sides(mesh.map("pcell"));
  Map pedge{"pedge", "edges", "nodes", 2, {}};
  Map pecell{"pecell", "edges", "cells", 2, {}};
  Map pbedge{"pbedge", "bedges", "nodes", 2, {}};
  Map pbecell{"pbecell", "bedges", "cells", 1, {}};
  for (Side const &side : sides.list) {
    bool isInside = side.cells[1] >= 0;
    auto &nodes = isInside ? pedge.table : pbedge.table;
    nodes.insert(nodes.end(), side.nodes, side.nodes + 2);
    auto &cells = isInside ? pecell.table : pbecell.table;
    cells.insert(cells.end(), side.cells, side.cells + (isInside ? 2 : 1));
  }
  mesh.sets.push_back({"edges", pedge.size()});
  mesh.sets.push_back({"bedges", pbedge.size()});
  for (Map *map : {&pedge, &pecell, &pbedge, &pbecell})
    mesh.maps.push_back(std::move(*map));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Moves row n of `dim` values to row number[n].
template <class Value>
static void moveRows(std::vector<Value> &values, int32_t dim,
                     std::vector<int32_t> const &number) {
  std::vector<Value> moved(values.size());
  for (std::size_t n = 0; n * dim < values.size(); ++n)
    std::copy_n(values.begin() + int64_t(n) * dim, dim,
                moved.begin() + int64_t(number[n]) * dim);
  values = std::move(moved);
}

void op2::mesh::renumber(Mesh &mesh, std::string const &set,
                         std::vector<int32_t> const &number) {
  mesh.set(set);
  for (Map &map : mesh.maps) {
    if (map.to == set)
      for (int32_t &target : map.table)
        target = number[static_cast<std::size_t>(target)];
    if (map.from == set)
      moveRows(map.table, map.arity, number);
  }
  for (Dat &dat : mesh.dats)
    if (dat.set == set) {
      moveRows(dat.reals, dat.dim, number);
      moveRows(dat.integers, dat.dim, number);
    }
}

std::vector<int32_t> op2::mesh::randomPermutation(int64_t size, uint64_t seed) {
  std::vector<int32_t> number(static_cast<std::size_t>(size));
  std::iota(number.begin(), number.end(), 0);
  // The engine is specified by the standard; std::shuffle is not.
  std::mt19937_64 random(seed);
  for (std::size_t n = number.size(); n > 1; --n)
    std::swap(number[n - 1], number[random() % n]);
  return number;
}

//===----------------------------------------------------------------------===//
// Simple meshes
//===----------------------------------------------------------------------===//

Mesh op2::mesh::rectangle(int64_t nx, int64_t ny, bool triangles) {
  Mesh mesh;
  Map pcell{"pcell", "cells", "nodes", triangles ? 3 : 4, {}};
  Dat x{"p_x", "nodes", 2, {}, {}};
  for (int64_t j = 0; j <= ny; ++j)
    for (int64_t i = 0; i <= nx; ++i)
      x.reals.insert(x.reals.end(), {double(i), double(j)});
  auto node = [&](int64_t i, int64_t j) {
    return static_cast<int32_t>(j * (nx + 1) + i);
  };
  for (int64_t j = 0; j < ny; ++j)
    for (int64_t i = 0; i < nx; ++i) {
      int32_t a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
              d = node(i, j + 1);
      if (triangles)
        pcell.table.insert(pcell.table.end(), {a, b, c, a, c, d});
      else
        pcell.table.insert(pcell.table.end(), {a, b, c, d});
    }
  mesh.sets = {{"nodes", (nx + 1) * (ny + 1)}, {"cells", pcell.size()}};
  mesh.maps.push_back(std::move(pcell));
  addEdges(mesh);

  Dat bound{"p_bound", "bedges", 1, {}, {}};
  Map const &pbedge = mesh.map("pbedge");
  for (int64_t n = 0; n < pbedge.size(); ++n) {
    int32_t const *ends = pbedge.row(n);
    bool isHorizontal = ends[0] / (nx + 1) == ends[1] / (nx + 1);
    bound.integers.push_back(isHorizontal ? 1 : 2);
  }
  mesh.dats = {std::move(x), std::move(bound)};
  return mesh;
}
