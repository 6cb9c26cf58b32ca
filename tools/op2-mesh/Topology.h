//===- Topology.h - Edges from cells, and new numbers -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_TOPOLOGY_H
#define OP2_TOOLS_OP2_MESH_TOPOLOGY_H

#include "Draw/Mesh.h"

namespace op2::mesh {

/// Makes edges and bedges with their maps from pcell, whose rows must go round
/// their cell counter-clockwise. An edge has its first cell on its right. Edges
/// are numbered as the cells first meet them. An Error if more than two cells
/// share a side.
void addEdges(Mesh &mesh);

/// The same for tetrahedra and hexahedra: faces and bfaces. Cells have their
/// nodes in Gmsh's and VTK's order; seen from outside its first cell, a face
/// has its nodes counter-clockwise.
void addFaces(Mesh &mesh);

/// Numbers the elements of a set anew: element n becomes number[n], a
/// permutation of 0 ... size - 1.
void renumber(Mesh &mesh, std::string const &set,
              std::vector<int32_t> const &number);

/// A permutation drawn by a generator of its own: the same everywhere.
std::vector<int32_t> randomPermutation(int64_t size, uint64_t seed);

/// nx * ny squares of side 1 from (0, 0), row by row; with `triangles` each is
/// cut in two. Boundary flags: 1 at the bottom and the top, 2 left and right.
Mesh rectangle(int64_t nx, int64_t ny, bool triangles);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_TOPOLOGY_H
