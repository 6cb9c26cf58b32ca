//===- Mesh.h - A mesh as sets, maps and dats -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every reader makes and every command takes: the sets, maps and dats of
// an OP2 program. Names are those that OP2's Airfoil and its HDF5 files use:
//
//   nodes, edges, bedges, cells
//   pedge, pbedge: their 2 nodes; pecell, pbecell: their cells; pcell: nodes
//   p_x: coordinates of nodes; p_bound: flags of boundary edges
//
// Where cells are tetrahedra or hexahedra, faces and bfaces stand for edges and
// bedges, with pface, pbface, pfcell, pbfcell; p_bound is on bfaces. p_region,
// where it is, has a number for each cell.
//
// A mesh need not have all of them. In a map of 4 nodes a triangle has its last
// node twice.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_MESH_H
#define OP2_LIB_RUNTIME_DRAW_MESH_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace op2::mesh {

/// What is wrong with a file or a request, for the user: one line or several.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct Set {
  std::string name;
  int64_t size = 0;
};

struct Map {
  std::string name, from, to; ///< names of sets
  int32_t arity = 1;
  std::vector<int32_t> table; ///< [size of from][arity], from 0

  int64_t size() const { return static_cast<int64_t>(table.size()) / arity; }
  int32_t const *row(int64_t n) const { return table.data() + n * arity; }
};

struct Dat {
  std::string name, set;
  int32_t dim = 1;
  /// [size of set][dim]; one of the two is used.
  std::vector<double> reals;
  std::vector<int64_t> integers;
  enum class Type { Real, Int, Long } type = Type::Real;
  /// Nothing says that it is no map.
  bool mayBeMap = false;
};

/// What a number in p_bound or p_region is called.
struct Name {
  std::string dat;
  int32_t number = 0;
  std::string name;
};

struct Mesh {
  std::vector<Set> sets;
  std::vector<Map> maps;
  std::vector<Dat> dats;
  std::vector<Dat> constants; ///< their set is ""
  std::vector<Name> names;
  std::vector<std::string> warnings; ///< of the reader

  /// Are the cells tetrahedra or hexahedra?
  bool isSolid() const { return findSet("bfaces"); }

  /// NULL if there is none of that name, or none from one to the other.
  Set const *findSet(std::string const &name) const;
  Map const *findMap(std::string const &name) const;
  Map const *findMap(std::string const &from, std::string const &to) const;
  Dat const *findDat(std::string const &name) const;

  /// What a number of a dat is called, "" if it has no name.
  std::string findName(std::string const &dat, int64_t number) const;

  /// The same as find; an Error that says what is missing.
  Set const &set(std::string const &name) const;
  Map const &map(std::string const &name) const;
  Dat const &dat(std::string const &name) const;
  /// For who relies on what a name means: an Error, too, if it is something
  /// else. An arity or a dim of 0 is any.
  Map const &map(std::string const &name, std::string const &from,
                 std::string const &to, int32_t arity) const;
  Dat const &dat(std::string const &name, std::string const &set, bool isReal,
                 int32_t dim) const;

  /// An Error that names the map, the row and the value if a map leaves its
  /// target set.
  void verify() const;
};

/// Number of corners of a cell: 3 if its last node stands there twice.
int32_t cornersOf(Map const &pcell, int64_t cell);

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_MESH_H
