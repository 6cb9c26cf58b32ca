//===- element.h - The bilinear element and the known solution --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several kernels need: ordinary functions that they call.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_FEM_ELEMENT_H
#define OP2_EXAMPLES_FEM_ELEMENT_H

#include <math.h>

/// The solution that the right-hand side is made for.
inline double exactSolution(const double *x) {
  return cos(3.14159265358979323846 * x[0]) * exp(x[1]);
}

/// A point of a cell: the four shape functions, their gradients, and the area
/// that a unit of the reference square has there.
struct ElementPoint {
  double shape[4];
  double gradient[4][2];
  double area;
};

/// The point (xi, eta) of the reference square [-1, 1]^2, in a cell with the
/// corners x[0] ... x[3].
inline ElementPoint elementPoint(const double **x, double xi, double eta) {
  const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  ElementPoint point;
  double slope[4][2];                // d shape / d (xi, eta)
  double J[2][2] = {{0, 0}, {0, 0}}; // d x / d (xi, eta)
  for (int a = 0; a < 4; ++a) {
    const double s = 1 + sign[a][0] * xi, t = 1 + sign[a][1] * eta;
    point.shape[a] = 0.25 * s * t;
    slope[a][0] = 0.25 * sign[a][0] * t;
    slope[a][1] = 0.25 * sign[a][1] * s;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        J[i][j] += x[a][i] * slope[a][j];
  }
  point.area = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  for (int a = 0; a < 4; ++a) {
    point.gradient[a][0] =
        (J[1][1] * slope[a][0] - J[1][0] * slope[a][1]) / point.area;
    point.gradient[a][1] =
        (J[0][0] * slope[a][1] - J[0][1] * slope[a][0]) / point.area;
  }
  return point;
}

#endif // OP2_EXAMPLES_FEM_ELEMENT_H
