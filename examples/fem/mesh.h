//===- mesh.h - Distorted quadrilaterals on the unit square -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_FEM_MESH_H
#define OP2_EXAMPLES_FEM_MESH_H

#include <cmath>
#include <vector>

namespace fem {

struct Mesh {
  int nnode = 0, ncell = 0, nbnode = 0;
  std::vector<double> x;  ///< [nnode][2]
  std::vector<int> cell;  ///< [ncell][4] nodes, counter-clockwise
  std::vector<int> bnode; ///< [nbnode] node on the boundary
};

/// `side` x `side` cells. A smooth wave bends the inside, so that no two cells
/// have the same shape; the boundary stays straight.
inline Mesh makeMesh(int side) {
  Mesh mesh;
  const double twoPi = 2.0 * std::acos(-1.0), h = 1.0 / side;
  for (int j = 0; j <= side; ++j)
    for (int i = 0; i <= side; ++i) {
      const double wave =
          0.06 * std::sin(twoPi * i * h) * std::sin(twoPi * j * h);
      mesh.x.push_back(i * h + wave);
      mesh.x.push_back(j * h - wave);
      if (i == 0 || i == side || j == 0 || j == side)
        mesh.bnode.push_back(j * (side + 1) + i);
    }
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const int n = j * (side + 1) + i;
      mesh.cell.insert(mesh.cell.end(), {n, n + 1, n + side + 2, n + side + 1});
    }
  mesh.nnode = int(mesh.x.size() / 2);
  mesh.ncell = int(mesh.cell.size() / 4);
  mesh.nbnode = int(mesh.bnode.size());
  return mesh;
}

} // namespace fem

#endif // OP2_EXAMPLES_FEM_MESH_H
