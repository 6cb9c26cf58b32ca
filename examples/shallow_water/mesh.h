//===- mesh.h - The sides of triangles --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_SHALLOW_WATER_MESH_H
#define OP2_EXAMPLES_SHALLOW_WATER_MESH_H

#include "gmsh.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace shallow_water {

/// A finite-volume mesh: cells, the edges between two of them, and the boundary
/// edges. Seen from an edge's first cell its nodes are counter-clockwise.
struct Mesh {
  int nnode = 0, ncell = 0, nedge = 0, nbedge = 0;
  std::vector<float> x;    ///< [nnode][2]
  std::vector<float> bed;  ///< [nnode] elevation
  std::vector<int> cell;   ///< [ncell][3] nodes
  std::vector<int> edge;   ///< [nedge][2] nodes
  std::vector<int> ecell;  ///< [nedge][2] cells
  std::vector<int> bedge;  ///< [nbedge][2] nodes
  std::vector<int> becell; ///< [nbedge] cell
};

/// The bed's elevation is the nodes' third coordinate. Throws if three
/// triangles share a side or two lie on the same side of it.
inline Mesh makeMesh(const Triangles &triangles) {
  Mesh mesh;
  for (size_t n = 0; n < triangles.x.size(); n += 3) {
    mesh.x.push_back(float(triangles.x[n]));
    mesh.x.push_back(float(triangles.x[n + 1]));
    mesh.bed.push_back(float(triangles.x[n + 2]));
  }
  mesh.cell = triangles.corner;
  mesh.nnode = int(mesh.bed.size());
  mesh.ncell = int(mesh.cell.size() / 3);

  // The cell to the left of each directed side.
  std::map<std::pair<int, int>, int> left;
  for (int c = 0; c < mesh.ncell; ++c)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.cell[size_t(3) * c + k];
      const int b = mesh.cell[size_t(3) * c + (k + 1) % 3];
      if (!left.emplace(std::pair(a, b), c).second)
        throw std::runtime_error("triangles overlap at the side from node " +
                                 std::to_string(a) + " to node " +
                                 std::to_string(b) + " (counted from 0)");
    }
  for (int c = 0; c < mesh.ncell; ++c)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.cell[size_t(3) * c + k];
      const int b = mesh.cell[size_t(3) * c + (k + 1) % 3];
      const auto other = left.find({b, a});
      if (other == left.end()) {
        mesh.bedge.insert(mesh.bedge.end(), {a, b});
        mesh.becell.push_back(c);
      } else if (c < other->second) {
        mesh.edge.insert(mesh.edge.end(), {a, b});
        mesh.ecell.insert(mesh.ecell.end(), {c, other->second});
      }
    }
  mesh.nedge = int(mesh.ecell.size() / 2);
  mesh.nbedge = int(mesh.becell.size());
  return mesh;
}

} // namespace shallow_water

#endif // OP2_EXAMPLES_SHALLOW_WATER_MESH_H
