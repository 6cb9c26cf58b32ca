//===- mesh.h - Simplices of a square or a cube -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_POISSON_MESH_H
#define OP2_EXAMPLES_POISSON_MESH_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace poisson {

/// Nodes of an element: corners, and the middles of edges if order is 2.
constexpr int numNodes(int dim, int order) {
  return order == 1 ? dim + 1 : (dim + 1) * (dim + 2) / 2;
}

/// The unit square or cube as n^dim boxes of 2 or 6 simplices each
/// (Freudenthal), bent inside.
template <int dim, int order> class Mesh {
public:
  explicit Mesh(int n) : n(n) {
    std::array<int, dim> at{};
    do
      addNode(at);
    while (next(at, order * n));
    at = {};
    do
      addCells(at);
    while (next(at, n - 1));
  }

  int n;
  std::vector<double> x;       ///< [node][dim]
  std::vector<int> isBoundary; ///< [node]
  std::vector<int> cells;      ///< [cell][numNodes]
  int size() const { return int(isBoundary.size()); }
  int numCells() const { return int(cells.size()) / numNodes(dim, order); }

private:
  using Point = std::array<int, dim>; ///< 0 ... order * n

  static bool next(Point &at, int most) {
    for (int d = dim - 1; d >= 0; --d) {
      if (at[d]++ < most)
        return true;
      at[d] = 0;
    }
    return false;
  }

  int number(Point const &at) const {
    int result = 0;
    for (int d = 0; d < dim; ++d)
      result = result * (order * n + 1) + at[d];
    return result;
  }

  /// Where a corner of the boxes is.
  std::array<double, dim> place(Point const &corner) const {
    constexpr double kPi = 3.14159265358979323846;
    std::array<double, dim> result;
    double bend = 0.01;
    for (int d = 0; d < dim; ++d)
      bend *= std::sin(2 * kPi * corner[d] / n);
    for (int d = 0; d < dim; ++d)
      result[d] = double(corner[d]) / n + bend;
    return result;
  }

  /// A middle lies between the corners that it is rounded to, down and up:
  /// they are the ends of its edge.
  void addNode(Point const &at) {
    Point low, high;
    bool isOutside = false;
    for (int d = 0; d < dim; ++d) {
      low[d] = at[d] / order;
      high[d] = (at[d] + order - 1) / order;
      isOutside |= at[d] == 0 || at[d] == order * n;
    }
    for (int d = 0; d < dim; ++d)
      x.push_back((place(low)[d] + place(high)[d]) / 2);
    isBoundary.push_back(isOutside);
  }

  /// Each simplex goes from one end of the box to the other, an axis a step.
  void addCells(Point const &box) {
    std::array<int, dim> axes;
    for (int d = 0; d < dim; ++d)
      axes[d] = d;
    do {
      std::array<Point, dim + 1> corners;
      for (int d = 0; d < dim; ++d)
        corners[0][d] = order * box[d];
      for (int k = 0; k < dim; ++k) {
        corners[k + 1] = corners[k];
        corners[k + 1][axes[k]] += order;
      }
      for (Point const &corner : corners)
        cells.push_back(number(corner));
      if (order == 1)
        continue;
      for (int a = 0; a <= dim; ++a)
        for (int b = a + 1; b <= dim; ++b) {
          Point middle;
          for (int d = 0; d < dim; ++d)
            middle[d] = (corners[a][d] + corners[b][d]) / 2;
          cells.push_back(number(middle));
        }
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
};

} // namespace poisson

#endif // OP2_EXAMPLES_POISSON_MESH_H
