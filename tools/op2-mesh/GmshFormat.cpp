//===- GmshFormat.cpp - Meshes from files of Gmsh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells are the elements of the greatest dimension; their sides become edges
// and bedges (or faces and bfaces). Elements of one dimension less say by their
// physical group which number a boundary side has in p_bound; physical groups
// of cells become p_region.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Gmsh.h"
#include "Topology.h"

#include <algorithm>
#include <array>
#include <map>

using namespace op2::mesh;
using namespace op2::mesh::gmsh;

namespace {
class MeshMaker {
public:
  explicit MeshMaker(File const &file)
      : file(file), dimension(file.dimension()) {}

  Mesh make() {
    if (dimension < 2)
      throw Error("the file has no cells; expected triangles, quadrilaterals, "
                  "tetrahedra or hexahedra");
    addNodes();
    addCells();
    dimension == 3 ? addFaces(mesh) : addEdges(mesh);
    addBoundary();
    for (Group const &group : file.groups)
      if (group.dimension >= dimension - 1)
        mesh.names.push_back(
            {group.dimension == dimension ? "p_region" : "p_bound",
             group.number, group.name});
      else
        mesh.warnings.push_back("physical group '" + group.name +
                                "' is left out: its dimension is " +
                                std::to_string(group.dimension) +
                                "; cells have " + std::to_string(dimension) +
                                ", their boundary one less");
    mesh.warnings.insert(mesh.warnings.end(), file.warnings.begin(),
                         file.warnings.end());
    return std::move(mesh);
  }

private:
  void addNodes() {
    auto nodes = static_cast<int64_t>(file.x.size() / 3);
    mesh.sets.push_back({"nodes", nodes});
    Dat x{"p_x", "nodes", dimension == 2 && file.isPlane() ? 2 : 3, {}, {}};
    for (std::size_t n = 0; n < file.x.size(); ++n)
      if (n % 3 < std::size_t(x.dim))
        x.reals.push_back(file.x[n]);
    mesh.dats.push_back(std::move(x));
  }

  /// As many nodes in a row as the largest cell has.
  int32_t arityOfCells() const {
    int32_t most = 0, least = 8;
    for (Element const &element : file.elements)
      if (element.kind->dimension == dimension) {
        most = std::max(most, element.kind->nodes);
        least = std::min(least, element.kind->nodes);
      }
    if (dimension == 3 && least != most)
      throw Error(
          "the file has tetrahedra and hexahedra; expected one of them");
    return most;
  }

  void addCells() {
    Map pcell{"pcell", "cells", "nodes", arityOfCells(), {}};
    Dat region{"p_region", "cells", 1, {}, {}, Dat::Type::Int};
    bool hasRegions = false;
    for (Element const &element : file.elements) {
      if (element.kind->dimension != dimension)
        continue;
      for (int32_t k = 0; k < pcell.arity; ++k)
        pcell.table.push_back(
            file.nodes[element.first + std::min(k, element.kind->nodes - 1)]);
      region.integers.push_back(element.group);
      hasRegions |= element.group != 0;
    }
    mesh.sets.push_back({"cells", pcell.size()});
    mesh.maps.push_back(std::move(pcell));
    if (hasRegions)
      mesh.dats.push_back(std::move(region));
  }

  using Key = std::array<int32_t, 4>;
  static Key keyOf(int32_t const *nodes, int32_t count) {
    Key key{-1, -1, -1, -1};
    std::copy_n(nodes, count, key.begin());
    std::sort(key.begin(), key.end());
    return key;
  }

  void addBoundary() {
    std::map<Key, int32_t> groupOf;
    int64_t inSeveral = 0;
    for (Element const &element : file.elements)
      if (element.kind->dimension == dimension - 1) {
        auto [kept, isNew] = groupOf.emplace(
            keyOf(file.nodes.data() + element.first, element.kind->nodes),
            element.group);
        inSeveral += !isNew && kept->second != element.group;
      }
    if (inSeveral)
      mesh.warnings.push_back(std::to_string(inSeveral) +
                              " sides are in several physical groups: the "
                              "first of each counts");
    Map const &sides = mesh.map(dimension == 3 ? "pbface" : "pbedge");
    Dat bound{"p_bound", sides.from, 1, {}, {}, Dat::Type::Int};
    for (int64_t n = 0; n < sides.size(); ++n) {
      auto found = groupOf.find(keyOf(sides.row(n), sides.arity));
      bound.integers.push_back(found == groupOf.end() ? 0 : found->second);
      if (found != groupOf.end())
        groupOf.erase(found);
    }
    mesh.dats.push_back(std::move(bound));
    auto inside = std::count_if(groupOf.begin(), groupOf.end(),
                                [](auto &side) { return side.second != 0; });
    if (inside)
      mesh.warnings.push_back(std::to_string(inside) +
                              " sides in physical groups are left out: they "
                              "are not on the boundary "
                              "of the cells");
  }

  File const &file;
  int32_t dimension;
  Mesh mesh;
};
} // namespace

Mesh op2::mesh::readGmsh(std::string const &path) {
  File file = gmsh::read(path);
  try {
    Mesh mesh = MeshMaker(file).make();
    for (std::string &warning : mesh.warnings)
      warning = path + ": " + warning;
    return mesh;
  } catch (Error const &error) {
    throw Error(path + ": " + error.what());
  }
}
