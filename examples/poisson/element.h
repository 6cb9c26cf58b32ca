//===- element.h - Linear and quadratic functions on simplices --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In barycentric coordinates l_0 ... l_dim. Order 1: l_i. Order 2: l_i (2 l_i -
// 1) for corners, 4 l_i l_j for the edges (i, j), i < j.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_POISSON_ELEMENT_H
#define OP2_EXAMPLES_POISSON_ELEMENT_H

#include "mesh.h"

#include <cmath>

namespace poisson {

/// Integrals of products of two functions, for a simplex of volume 1: all are
/// polynomials in l, of which Vol * dim! a! b! ... / (dim + a + b + ...)! is
/// the integral of l_0^a l_1^b ...
template <int dim, int order> struct Mass {
  double values[numNodes(dim, order)][numNodes(dim, order)] = {};

  constexpr Mass() {
    // As quadratic forms in l, using that the l add up to 1.
    constexpr int corners = dim + 1, count = numNodes(dim, order);
    double forms[count][corners][corners] = {};
    for (int i = 0; i < corners; ++i)
      for (int j = 0; j < corners; ++j) {
        double half = i == j ? 1 : 0.5;
        if (order == 1)
          forms[i][i][j] = forms[i][j][i] = half;
        else
          forms[i][i][j] = forms[i][j][i] = i == j ? 1 : -0.5;
      }
    if (order == 2) {
      int edge = corners;
      for (int i = 0; i < corners; ++i)
        for (int j = i + 1; j < corners; ++j, ++edge)
          forms[edge][i][j] = forms[edge][j][i] = 2;
    }
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        for (int i = 0; i < corners; ++i)
          for (int j = 0; j < corners; ++j)
            for (int k = 0; k < corners; ++k)
              for (int l = 0; l < corners; ++l)
                values[a][b] +=
                    forms[a][i][j] * forms[b][k][l] * integral(i, j, k, l);
  }

private:
  /// Of l_i l_j l_k l_l.
  static constexpr double integral(int i, int j, int k, int l) {
    int powers[dim + 1] = {};
    ++powers[i], ++powers[j], ++powers[k], ++powers[l];
    double result = 1;
    for (int n = 1; n <= 4; ++n)
      result /= dim + n;
    for (int power : powers)
      for (int n = 2; n <= power; ++n)
        result *= n;
    return result;
  }
};

/// Points that integrate quadratic polynomials exactly, with equal weights; one
/// for constants.
template <int dim, int order> struct Points {
  static constexpr int count = order == 1 ? 1 : dim + 1;
  double l[count][dim + 1] = {};

  constexpr Points() {
    constexpr double far = order == 1
                               ? 1.0 / (dim + 1)
                               : (dim == 2 ? 2.0 / 3 : 0.58541019662496845);
    for (int q = 0; q < count; ++q)
      for (int i = 0; i <= dim; ++i)
        l[q][i] = i == q ? far : (1 - far) / dim;
  }
};

/// Gradients of l_0 ... l_dim on the simplex with corners x; returns its
/// volume.
template <int dim> inline double gradients(double const *x, double (*g)[dim]) {
  double edge[dim][dim];
  for (int i = 0; i < dim; ++i)
    for (int d = 0; d < dim; ++d)
      edge[i][d] = x[(i + 1) * dim + d] - x[d];
  double determinant;
  if constexpr (dim == 2) {
    determinant = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
    g[1][0] = edge[1][1];
    g[1][1] = -edge[1][0];
    g[2][0] = -edge[0][1];
    g[2][1] = edge[0][0];
  } else {
    for (int i = 0; i < 3; ++i) {
      double const *p = edge[(i + 1) % 3], *q = edge[(i + 2) % 3];
      g[i + 1][0] = p[1] * q[2] - p[2] * q[1];
      g[i + 1][1] = p[2] * q[0] - p[0] * q[2];
      g[i + 1][2] = p[0] * q[1] - p[1] * q[0];
    }
    determinant =
        edge[0][0] * g[1][0] + edge[0][1] * g[1][1] + edge[0][2] * g[1][2];
  }
  double factor = 1 / determinant;
  for (int i = 1; i <= dim; ++i)
    for (int d = 0; d < dim; ++d)
      g[i][d] *= factor;
  for (int d = 0; d < dim; ++d) {
    g[0][d] = 0;
    for (int i = 1; i <= dim; ++i)
      g[0][d] -= g[i][d];
  }
  return std::fabs(determinant) / (dim == 2 ? 2 : 6);
}

/// Gradients of all functions at a point l, from those of l.
template <int dim, int order>
inline void gradientsAt(double const *l, double const (*g)[dim],
                        double (*result)[dim]) {
  if constexpr (order == 1) {
    for (int i = 0; i <= dim; ++i)
      for (int d = 0; d < dim; ++d)
        result[i][d] = g[i][d];
  } else {
    int edge = dim + 1;
    for (int i = 0; i <= dim; ++i) {
      for (int d = 0; d < dim; ++d)
        result[i][d] = (4 * l[i] - 1) * g[i][d];
      for (int j = i + 1; j <= dim; ++j, ++edge)
        for (int d = 0; d < dim; ++d)
          result[edge][d] = 4 * (l[i] * g[j][d] + l[j] * g[i][d]);
    }
  }
}

} // namespace poisson

#endif // OP2_EXAMPLES_POISSON_ELEMENT_H
