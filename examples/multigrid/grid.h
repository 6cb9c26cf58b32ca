//===- grid.h - The levels of a multigrid hierarchy -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_MULTIGRID_GRID_H
#define OP2_EXAMPLES_MULTIGRID_GRID_H

#include <vector>

namespace multigrid {

/// The nodes of the unit square at one distance, and their neighbours.
struct Grid {
  int nnode = 0, nedge = 0;
  std::vector<double> x;               ///< [nnode][2]
  std::vector<double> inverseDiagonal; ///< [nnode], 0 on the boundary
  std::vector<int> edge;               ///< [nedge][2] nodes
  /// [nnode][4] nodes of the next coarser grid, and what each contributes to a
  /// value that is interpolated here.
  std::vector<int> parent;
  std::vector<double> weight;
};

/// (side + 1)^2 nodes; the next coarser grid has half as many a side. `side`
/// is even.
inline Grid makeGrid(int side) {
  Grid grid;
  auto node = [&](int i, int j) { return j * (side + 1) + i; };
  auto coarse = [&](int i, int j) { return j * (side / 2 + 1) + i; };
  for (int j = 0; j <= side; ++j)
    for (int i = 0; i <= side; ++i) {
      grid.x.insert(grid.x.end(), {double(i) / side, double(j) / side});
      const bool inside = i > 0 && i < side && j > 0 && j < side;
      grid.inverseDiagonal.push_back(inside ? 0.25 : 0.0);
      if (i < side)
        grid.edge.insert(grid.edge.end(), {node(i, j), node(i + 1, j)});
      if (j < side)
        grid.edge.insert(grid.edge.end(), {node(i, j), node(i, j + 1)});
      // The corners of the coarse cell around the node; between two coarse
      // nodes or on one they coincide, and their weights add up.
      for (const int b : {j / 2, (j + 1) / 2})
        for (const int a : {i / 2, (i + 1) / 2}) {
          grid.parent.push_back(coarse(a, b));
          grid.weight.push_back(0.25);
        }
    }
  grid.nnode = int(grid.x.size() / 2);
  grid.nedge = int(grid.edge.size() / 2);
  return grid;
}

} // namespace multigrid

#endif // OP2_EXAMPLES_MULTIGRID_GRID_H
