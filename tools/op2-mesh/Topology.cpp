//===- Topology.cpp - Edges from cells, and new numbers -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Topology.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <unordered_map>

using namespace op2::mesh;

//===----------------------------------------------------------------------===//
// Sides: edges of cells in a plane, faces of solid ones
//===----------------------------------------------------------------------===//

namespace {
/// The nodes of a side; -1 where it has fewer than four.
using Nodes = std::array<int32_t, 4>;

struct Side {
  Nodes nodes;
  int32_t cells[2] = {-1, -1};
};

struct NodesHash {
  std::size_t operator()(Nodes const &nodes) const {
    uint64_t hash = 0;
    for (int32_t node : nodes)
      hash = (hash ^ static_cast<uint32_t>(node)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

/// The sides of all cells, each once, in the order of first sight.
class Sides {
public:
  Sides(Map const &pcell, bool isSolid) : pcell(pcell) {
    for (int64_t cell = 0; cell < pcell.size(); ++cell) {
      int32_t corners = isSolid ? pcell.arity : cornersOf(pcell, cell);
      int32_t const *row = pcell.row(cell);
      for (Nodes side : cornersOfSides(corners, isSolid)) {
        for (int32_t &node : side)
          node = node < 0 ? -1 : row[node];
        add(side, static_cast<int32_t>(cell));
      }
    }
  }
  std::vector<Side> list;

private:
  /// Of each side the corners. Sides of plane cells go backwards: the cell then
  /// lies on the right.
  static std::vector<Nodes> const &cornersOfSides(int32_t corners,
                                                  bool isSolid) {
    static std::vector<Nodes> const triangle = {
        {1, 0, -1, -1}, {2, 1, -1, -1}, {0, 2, -1, -1}};
    static std::vector<Nodes> const quadrilateral = {
        {1, 0, -1, -1}, {2, 1, -1, -1}, {3, 2, -1, -1}, {0, 3, -1, -1}};
    static std::vector<Nodes> const tetrahedron = {
        {0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
    static std::vector<Nodes> const hexahedron = {{0, 3, 2, 1}, {4, 5, 6, 7},
                                                  {0, 1, 5, 4}, {1, 2, 6, 5},
                                                  {2, 3, 7, 6}, {3, 0, 4, 7}};
    if (isSolid)
      return corners == 4 ? tetrahedron : hexahedron;
    return corners == 3 ? triangle : quadrilateral;
  }

  void add(Nodes const &nodes, int32_t cell) {
    Nodes key = nodes;
    std::sort(key.begin(), key.end());
    auto [at, isNew] = numbers.emplace(key, list.size());
    if (isNew) {
      list.push_back({nodes, {cell, -1}});
      return;
    }
    Side &side = list[at->second];
    for (int32_t other : side.cells)
      if (other >= 0 && other != cell &&
          std::equal(pcell.row(other), pcell.row(other) + pcell.arity,
                     pcell.row(cell)))
        throw Error("cells " + std::to_string(other) + " and " +
                    std::to_string(cell) +
                    " are one element that is there twice (Gmsh writes it once "
                    "for each of its physical groups); expected it once");
    if (side.cells[1] >= 0)
      throw Error("nodes " + nodesText(key) + " are a side of cells " +
                  std::to_string(side.cells[0]) + ", " +
                  std::to_string(side.cells[1]) + " and " +
                  std::to_string(cell) + "; expected at most two cells");
    side.cells[1] = cell;
  }

  /// "1 and 2", "1, 2 and 3"
  static std::string nodesText(Nodes const &sorted) {
    std::string text;
    for (int32_t node : sorted)
      if (node >= 0)
        text += (text.empty()            ? ""
                 : node == sorted.back() ? " and "
                                         : ", ") +
                std::to_string(node);
    return text;
  }

  Map const &pcell;
  std::unordered_map<Nodes, std::size_t, NodesHash> numbers;
};

/// What the sides inside and on the boundary are called.
struct SideNames {
  char const *inside, *insideNodes, *insideCells;
  char const *boundary, *boundaryNodes, *boundaryCells;
};
} // namespace

static void addSides(Mesh &mesh, bool isSolid, int32_t arity,
                     SideNames const &names) {
  Sides sides(mesh.map("pcell"), isSolid);
  Map nodes{names.insideNodes, names.inside, "nodes", arity, {}};
  Map cells{names.insideCells, names.inside, "cells", 2, {}};
  Map boundaryNodes{names.boundaryNodes, names.boundary, "nodes", arity, {}};
  Map boundaryCells{names.boundaryCells, names.boundary, "cells", 1, {}};
  for (Side const &side : sides.list) {
    bool isInside = side.cells[1] >= 0;
    auto &ends = isInside ? nodes.table : boundaryNodes.table;
    ends.insert(ends.end(), side.nodes.begin(), side.nodes.begin() + arity);
    auto &sideCells = isInside ? cells.table : boundaryCells.table;
    sideCells.insert(sideCells.end(), side.cells,
                     side.cells + (isInside ? 2 : 1));
  }
  mesh.sets.push_back({names.inside, nodes.size()});
  mesh.sets.push_back({names.boundary, boundaryNodes.size()});
  for (Map *map : {&nodes, &cells, &boundaryNodes, &boundaryCells})
    mesh.maps.push_back(std::move(*map));
}

void op2::mesh::addEdges(Mesh &mesh) {
  addSides(mesh, false, 2,
           {"edges", "pedge", "pecell", "bedges", "pbedge", "pbecell"});
}

void op2::mesh::addFaces(Mesh &mesh) {
  addSides(mesh, true, mesh.map("pcell").arity == 4 ? 3 : 4,
           {"faces", "pface", "pfcell", "bfaces", "pbface", "pbfcell"});
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

  Dat bound{"p_bound", "bedges", 1, {}, {}, Dat::Type::Int};
  Map const &pbedge = mesh.map("pbedge");
  for (int64_t n = 0; n < pbedge.size(); ++n) {
    int32_t const *ends = pbedge.row(n);
    bool isHorizontal = ends[0] / (nx + 1) == ends[1] / (nx + 1);
    bound.integers.push_back(isHorizontal ? 1 : 2);
  }
  mesh.dats = {std::move(x), std::move(bound)};
  return mesh;
}
