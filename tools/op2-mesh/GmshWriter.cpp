//===- GmshWriter.cpp - Writes a mesh as a file of Gmsh -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells, and the sides on the boundary. Each number in p_bound and p_region is
// a physical group, and in format 4 the tag of its entity.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Gmsh.h"
#include "Topology.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <map>
#include <set>
#include <tuple>

using namespace op2::mesh;
using namespace op2::mesh::gmsh;

namespace {
class Writer {
public:
  explicit Writer(Mesh const &mesh)
      : mesh(mesh), x(mesh.dat("p_x", "nodes", true, 0)),
        dimension(mesh.isSolid() ? 3 : 2) {
    if (x.dim != 2 && x.dim != 3)
      throw Error("the format gmsh needs nodes with 2 or 3 coordinates; here "
                  "they have " +
                  std::to_string(x.dim));
    requireFinite(x);
    collect("pcell", "cells", "p_region", dimension);
    char const *sides = dimension == 3 ? "pbface" : "pbedge";
    if (mesh.findMap(sides))
      collect(sides, dimension == 3 ? "bfaces" : "bedges", "p_bound",
              dimension - 1);
    for (Block const &block : blocks)
      used.insert(block.group);
  }

  std::string write(bool isVersion4) {
    text = "$MeshFormat\n" + std::string(isVersion4 ? "4.1" : "2.2") +
           " 0 8\n$EndMeshFormat\n";
    writeNames();
    isVersion4 ? writeVersion4() : writeVersion2();
    return std::move(text);
  }

private:
  /// Elements of one kind in one group: rows of a map.
  struct Block {
    Kind const *kind;
    int32_t group;
    Map const *map;
    std::vector<int64_t> rows;
  };

  /// The map `name` from `set`, and the dat with their groups if it is there.
  void collect(char const *name, char const *set, char const *dat,
               int32_t ofDimension) {
    Map const &map = mesh.map(name, set, "nodes", 0);
    Dat const *groups =
        mesh.findDat(dat) ? &mesh.dat(dat, set, false, 1) : nullptr;
    std::map<std::tuple<int32_t, int32_t>, Block> found;
    for (int64_t n = 0; n < map.size(); ++n) {
      int32_t nodes = ofDimension == 2 ? cornersOf(map, n) : map.arity;
      int32_t group = groups ? groupOf(*groups, n) : 0;
      auto at = std::find_if(std::begin(kinds), std::end(kinds), [&](auto &k) {
        return k.dimension == ofDimension && k.nodes == nodes;
      });
      if (at == std::end(kinds))
        throw Error("the format gmsh has no elements of dimension " +
                    std::to_string(ofDimension) + " with " +
                    std::to_string(nodes) + " nodes (map " + map.name + ")");
      Block &block =
          found.try_emplace({nodes, group}, Block{at, group, &map, {}})
              .first->second;
      block.rows.push_back(n);
    }
    for (auto &[key, block] : found)
      blocks.push_back(std::move(block));
  }

  static int32_t groupOf(Dat const &groups, int64_t n) {
    int64_t group = groups.integers[std::size_t(n)];
    if (group < 0 || group > INT_MAX)
      throw Error("the format gmsh needs numbers from 0 to " +
                  std::to_string(INT_MAX) + " in dat " + groups.name +
                  "; element " + std::to_string(n) + " has " +
                  std::to_string(group));
    return static_cast<int32_t>(group);
  }

  void writeNames() {
    std::vector<Name> names;
    for (Name const &name : mesh.names)
      if (name.dat == "p_region" || name.dat == "p_bound")
        names.push_back(name);
    if (names.empty())
      return;
    line("$PhysicalNames");
    put(names.size(), '\n');
    for (Name const &name : names) {
      put(name.dat == "p_region" ? dimension : dimension - 1);
      put(name.number);
      if (name.name.find_first_of("\r\n") != name.name.npos)
        throw Error("the format gmsh needs names of one line; number " +
                    std::to_string(name.number) + " in dat " + name.dat +
                    " has another");
      line("\"" + name.name + "\"");
    }
    line("$EndPhysicalNames");
  }

  //===--------------------------------------------------------------------===//
  // Format 2.2
  //===--------------------------------------------------------------------===//

  void writeVersion2() {
    line("$Nodes");
    put(nodes(), '\n');
    for (int64_t n = 0; n < nodes(); ++n) {
      put(n + 1);
      putPosition(n);
    }
    line("$EndNodes");
    line("$Elements");
    put(elements(), '\n');
    int64_t tag = 0;
    for (Block const &block : blocks)
      for (int64_t row : block.rows) {
        put(++tag);
        put(block.kind->type);
        put(2); // the group, and an entity: the same
        put(block.group);
        put(block.group);
        putRow(block, row);
      }
    line("$EndElements");
  }

  //===--------------------------------------------------------------------===//
  // Format 4.1
  //===--------------------------------------------------------------------===//

  void writeVersion4() {
    writeEntities();
    line("$Nodes");
    put(1);
    put(nodes());
    put(nodes() ? 1 : 0);
    put(nodes(), '\n');
    put(dimension);
    put(entityOf(blocks.empty() ? 0 : blocks.front().group));
    put(0); // no parameters
    put(nodes(), '\n');
    for (int64_t n = 0; n < nodes(); ++n)
      put(n + 1, '\n');
    for (int64_t n = 0; n < nodes(); ++n)
      putPosition(n);
    line("$EndNodes");
    line("$Elements");
    put(blocks.size());
    put(elements());
    put(elements() ? 1 : 0);
    put(elements(), '\n');
    int64_t tag = 0;
    for (Block const &block : blocks) {
      put(block.kind->dimension);
      put(entityOf(block.group));
      put(block.kind->type);
      put(block.rows.size(), '\n');
      for (int64_t row : block.rows) {
        put(++tag);
        putRow(block, row);
      }
    }
    line("$EndElements");
  }

  /// Tags of entities are positive; group 0 is none, so it has one that no
  /// group has.
  int64_t entityOf(int32_t group) const {
    int64_t entity = group > 0 ? group : 1 << 30;
    while (group == 0 && used.count(entity))
      ++entity;
    return entity;
  }

  void writeEntities() {
    // Of each dimension the groups, once each.
    std::map<int32_t, std::vector<int32_t>> groups;
    for (Block const &block : blocks) {
      auto &list = groups[block.kind->dimension];
      if (std::find(list.begin(), list.end(), block.group) == list.end())
        list.push_back(block.group);
    }
    line("$Entities");
    for (int32_t d = 0; d < 4; ++d)
      put(groups[d].size(), d < 3 ? ' ' : '\n');
    for (auto const &[d, list] : groups)
      for (int32_t group : list) {
        put(entityOf(group));
        putBox();
        put(group != 0 ? 1 : 0);
        if (group != 0)
          put(group);
        put(0, '\n'); // no bounds
      }
    line("$EndEntities");
  }

  /// That of the whole mesh will do for each entity.
  void putBox() {
    for (auto extreme : {0, 1})
      for (int32_t d = 0; d < 3; ++d) {
        double value = d < x.dim && nodes() ? coordinate(0, d) : 0;
        for (int64_t n = 0; n < nodes() && d < x.dim; ++n)
          value = extreme ? std::max(value, coordinate(n, d))
                          : std::min(value, coordinate(n, d));
        put(value);
      }
  }

  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  int64_t nodes() const { return mesh.set("nodes").size; }
  int64_t elements() const {
    std::size_t count = 0;
    for (Block const &block : blocks)
      count += block.rows.size();
    return int64_t(count);
  }
  double coordinate(int64_t n, int32_t d) const {
    return x.reals[std::size_t(n * x.dim + d)];
  }

  void line(std::string const &content) { text += content + "\n"; }
  template <class Number> void put(Number value, char separator = ' ') {
    char digits[32];
    text.append(digits,
                std::to_chars(digits, digits + sizeof digits, value).ptr);
    text += separator;
  }
  void putPosition(int64_t n) {
    put(coordinate(n, 0));
    put(coordinate(n, 1));
    put(x.dim == 3 ? coordinate(n, 2) : 0.0, '\n');
  }
  void putRow(Block const &block, int64_t row) {
    for (int32_t k = 0; k < block.kind->nodes; ++k)
      put(block.map->row(row)[k] + 1, k + 1 < block.kind->nodes ? ' ' : '\n');
  }

  Mesh const &mesh;
  Dat const &x;
  int32_t dimension;
  std::vector<Block> blocks;
  std::set<int64_t> used; ///< groups
  std::string text;
};
} // namespace

void op2::mesh::writeGmsh4(Mesh const &mesh, std::string const &path) {
  writeText(path, Writer(mesh).write(true));
}
void op2::mesh::writeGmsh2(Mesh const &mesh, std::string const &path) {
  writeText(path, Writer(mesh).write(false));
}
