//===- GridFormat.cpp - OP2's text format of meshes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// new_grid.dat: a line "nnode ncell nedge nbedge"; per node "x y"; per cell its
// 4 nodes; per edge its 2 nodes and 2 cells; per boundary edge its 2 nodes, its
// cell and its flag. All indices count from 0; any white space separates.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Scanner.h"

#include <climits>

using namespace op2::mesh;

namespace {
struct Sizes {
  int64_t nodes, cells, edges, bedges;
};

class GridReader {
public:
  GridReader(std::string const &path, std::string const &text)
      : in(path, text), bytes(static_cast<int64_t>(text.size())) {}

  Mesh read() {
    readSizes();
    Mesh mesh;
    mesh.sets = {{"nodes", sizes.nodes},
                 {"cells", sizes.cells},
                 {"edges", sizes.edges},
                 {"bedges", sizes.bedges}};
    mesh.dats.push_back(readCoordinates());
    mesh.maps.push_back(readCells());
    readEdges(mesh);
    readBoundaryEdges(mesh);
    in.finish("after the last boundary edge");
    return mesh;
  }

private:
  void readSizes() {
    char const *what = "header 'nnode ncell nedge nbedge'";
    for (int64_t *size :
         {&sizes.nodes, &sizes.cells, &sizes.edges, &sizes.bedges})
      *size = in.nextInteger(0, INT_MAX, what);
    // Before memory is asked for: a number takes a digit and a separator.
    int64_t numbers =
        4 + 2 * sizes.nodes + 4 * (sizes.cells + sizes.edges + sizes.bedges);
    if (bytes < 2 * numbers - 1)
      in.fail(what, -1,
              "announces " + std::to_string(numbers) +
                  " numbers; expected at most " +
                  std::to_string((bytes + 1) / 2) + " in a file of " +
                  std::to_string(bytes) + " bytes (truncated?)");
  }

  Dat readCoordinates() {
    Dat x{"p_x", "nodes", 2, {}, {}};
    x.reals.reserve(static_cast<std::size_t>(2 * sizes.nodes));
    for (int64_t n = 0; n < sizes.nodes; ++n)
      for (int d = 0; d < 2; ++d)
        x.reals.push_back(in.nextReal("node", n));
    return x;
  }

  Map readCells() {
    Map pcell{"pcell", "cells", "nodes", 4, {}};
    pcell.table.reserve(static_cast<std::size_t>(4 * sizes.cells));
    for (int64_t n = 0; n < sizes.cells; ++n)
      for (int slot = 0; slot < 4; ++slot)
        readTarget(pcell, sizes.nodes, "cell", n);
    return pcell;
  }

  void readEdges(Mesh &mesh) {
    Map pedge{"pedge", "edges", "nodes", 2, {}};
    Map pecell{"pecell", "edges", "cells", 2, {}};
    pedge.table.reserve(static_cast<std::size_t>(2 * sizes.edges));
    pecell.table.reserve(static_cast<std::size_t>(2 * sizes.edges));
    for (int64_t n = 0; n < sizes.edges; ++n) {
      for (int slot = 0; slot < 2; ++slot)
        readTarget(pedge, sizes.nodes, "edge", n);
      for (int slot = 0; slot < 2; ++slot)
        readTarget(pecell, sizes.cells, "edge", n);
    }
    mesh.maps.push_back(std::move(pedge));
    mesh.maps.push_back(std::move(pecell));
  }

  void readBoundaryEdges(Mesh &mesh) {
    Map pbedge{"pbedge", "bedges", "nodes", 2, {}};
    Map pbecell{"pbecell", "bedges", "cells", 1, {}};
    Dat bound{"p_bound", "bedges", 1, {}, {}, Dat::Type::Int};
    for (int64_t n = 0; n < sizes.bedges; ++n) {
      for (int slot = 0; slot < 2; ++slot)
        readTarget(pbedge, sizes.nodes, "boundary edge", n);
      readTarget(pbecell, sizes.cells, "boundary edge", n);
      bound.integers.push_back(
          in.nextInteger(INT_MIN, INT_MAX, "boundary edge", n));
    }
    mesh.maps.push_back(std::move(pbedge));
    mesh.maps.push_back(std::move(pbecell));
    mesh.dats.push_back(std::move(bound));
  }

  void readTarget(Map &map, int64_t targets, char const *what, int64_t row) {
    map.table.push_back(
        static_cast<int32_t>(in.nextInteger(0, targets - 1, what, row)));
  }

  Scanner in;
  int64_t bytes;
  Sizes sizes{};
};

class GridWriter {
public:
  explicit GridWriter(Mesh const &mesh) : mesh(mesh) {}

  std::string write() {
    Map const &pcell = mesh.map("pcell", "cells", "nodes", 0),
              &pedge = mesh.map("pedge", "edges", "nodes", 2),
              &pecell = mesh.map("pecell", "edges", "cells", 2),
              &pbedge = mesh.map("pbedge", "bedges", "nodes", 2),
              &pbecell = mesh.map("pbecell", "bedges", "cells", 1);
    Dat const &x = mesh.dat("p_x", "nodes", true, 0),
              &bound = mesh.dat("p_bound", "bedges", false, 1);
    if (x.dim != 2 || (pcell.arity != 3 && pcell.arity != 4))
      throw Error("the format grid holds meshes of triangles and quadrilaterals"
                  " in the plane; here cells have " +
                  std::to_string(pcell.arity) + " nodes, nodes " +
                  std::to_string(x.dim) + " coordinates");
    requireFinite(x);
    for (char const *set : {"nodes", "cells", "edges", "bedges"})
      put(mesh.set(set).size, set[0] == 'b' ? '\n' : ' ');
    for (std::size_t n = 0; n < x.reals.size(); ++n)
      put(x.reals[n], n % 2 ? '\n' : ' ');
    for (int64_t n = 0; n < pcell.size(); ++n) {
      putRow(pcell, n, pcell.arity == 4 ? '\n' : ' ');
      if (pcell.arity == 3)
        put(pcell.row(n)[2], '\n');
    }
    for (int64_t n = 0; n < pedge.size(); ++n) {
      putRow(pedge, n, ' ');
      putRow(pecell, n, '\n');
    }
    for (int64_t n = 0; n < pbedge.size(); ++n) {
      putRow(pbedge, n, ' ');
      putRow(pbecell, n, ' ');
      putFlag(bound, n);
    }
    return std::move(text);
  }

private:
  template <class Number> void put(Number value, char separator) {
    char digits[32];
    text.append(digits,
                std::to_chars(digits, digits + sizeof digits, value).ptr);
    text += separator;
  }
  /// `last` stands behind the row, blanks in it.
  void putRow(Map const &map, int64_t n, char last) {
    for (int32_t slot = 0; slot < map.arity; ++slot)
      put(map.row(n)[slot], slot + 1 < map.arity ? ' ' : last);
  }

  void putFlag(Dat const &bound, int64_t n) {
    int64_t flag = bound.integers[static_cast<std::size_t>(n)];
    if (flag < INT_MIN || flag > INT_MAX)
      throw Error("the format grid needs flags from " +
                  std::to_string(INT_MIN) + " to " + std::to_string(INT_MAX) +
                  " in dat p_bound; element " + std::to_string(n) + " has " +
                  std::to_string(flag));
    put(flag, '\n');
  }

  Mesh const &mesh;
  std::string text;
};
} // namespace

Mesh op2::mesh::readGrid(std::string const &path) {
  std::string text = readText(path);
  return GridReader(path, text).read();
}

void op2::mesh::writeGrid(Mesh const &mesh, std::string const &path) {
  writeText(path, GridWriter(mesh).write());
}
