//===- Gmsh.h - Contents of a file of Gmsh ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the file (GmshReader.cpp, GmshWriter.cpp) and the mesh
// (GmshFormat.cpp). The format: Gmsh reference manual, "MSH file format".
//
// The reader is our own. libgmsh brings a geometry kernel, a viewer and 28
// packages (180 MB) along for the 300 lines below, has a licence (GPL) that
// would become that of the tool, keeps its state in globals, and says of a
// damaged file neither the line nor what it expected.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_GMSH_H
#define OP2_TOOLS_OP2_MESH_GMSH_H

#include "Draw/Mesh.h"

namespace op2::mesh::gmsh {

/// A type of elements, of first order.
struct Kind {
  int32_t type; ///< Gmsh's number
  char const *name;
  int32_t dimension, nodes;
};
inline constexpr Kind kinds[] = {
    {15, "points", 0, 1},    {1, "lines", 1, 2},
    {2, "triangles", 2, 3},  {3, "quadrilaterals", 2, 4},
    {4, "tetrahedra", 3, 4}, {5, "hexahedra", 3, 8},
};
/// NULL for other types.
Kind const *findKind(int64_t type);

struct Element {
  Kind const *kind;
  int32_t group = 0; ///< number of its physical group, 0 if it is in none
  int64_t first = 0; ///< its nodes begin at File::nodes[first]
};

struct Group {
  int32_t dimension, number;
  std::string name;
};

struct File {
  std::vector<double> x;      ///< [nodes][3]
  std::vector<int32_t> nodes; ///< of all elements, from 0
  std::vector<Element> elements;
  std::vector<Group> groups;         ///< that have names
  std::vector<std::string> warnings; ///< of what a mesh cannot say

  int32_t dimension() const; ///< the greatest of its elements
  bool isPlane() const;      ///< no third coordinate anywhere
};

/// Formats 2.2 and 4.1, text and binary. Cells go round counter-clockwise, or
/// are turned so if all lies in the plane; solid ones have positive volume.
File read(std::string const &path);

} // namespace op2::mesh::gmsh

#endif // OP2_TOOLS_OP2_MESH_GMSH_H
