//===- operators.h - Operators of high order --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of operators.cpp, which benchmarks/operators_omp_ref.cpp calls
// without OP2, and what they work on.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_HIGHORDER_OPERATORS_H
#define OP2_HIGHORDER_OPERATORS_H

#include "blas.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

/// Nodes of an element, and of one of its faces.
constexpr int nodesOf(int dim, int order) {
  return dim == 2 ? (order + 1) * (order + 2) / 2
                  : (order + 1) * (order + 2) * (order + 3) / 6;
}
constexpr int faceNodesOf(int dim, int order) {
  return dim == 2 ? order + 1 : (order + 1) * (order + 2) / 2;
}
constexpr int kMost = 35; // nodes of a tetrahedron of order 4

// As large codes have them: allocated once, for all orders.
double *massTable, *derivativeTable, *liftTable;
int *faceNodeTable;
constexpr int kMatrix = kMost * kMost;

static int kindOf(int dim, int order) { return (dim - 2) * 4 + order; }

template <int dim, int order> struct Element {
  static constexpr int n = nodesOf(dim, order), f = faceNodesOf(dim, order);
  static constexpr int sides = dim + 1;

  static void mass(const int *kind, const double *jacobian, const double *u,
                   double *r) {
    const double *m = &massTable[(*kind - 1) * kMatrix];
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j)
        sum += m[i * n + j] * u[j];
      r[i] = *jacobian * sum;
    }
  }
  static void stiffness(const int *kind, const double *metric, const double *u,
                        double *r) {
    const double *d = &derivativeTable[(*kind - 1) * kMatrix];
    for (int i = 0; i < n; ++i) {
      double along = 0, across = 0;
      for (int j = 0; j < n; ++j) {
        along += d[i * n + j] * u[j];
        across += d[j * n + i] * u[j];
      }
      r[i] -= metric[0] * along + metric[1] * across;
    }
  }
  /// From the fluxes at the nodes of the faces to those of the element.
  static void lift(const int *kind, const double *flux, double *r) {
    const double *l = &liftTable[(*kind - 1) * kMatrix];
    const int *mask = &faceNodeTable[(*kind - 1) * 64];
    double collected[n] = {};
    for (int s = 0; s < sides; ++s)
      for (int i = 0; i < f; ++i)
        collected[mask[s * f + i]] += flux[s * f + i];
    for (int i = 0; i < n; ++i)
      r[i] += l[i] * collected[i];
  }
  /// Jump and mean over a face; the second side may run backwards.
  static void faces(const bool *reverse, const double *normal,
                    const double *const *u, double **flux) {
    for (int i = 0; i < f; ++i) {
      double left = u[0][i], right = *reverse ? u[1][f - 1 - i] : u[1][i];
      double value = 0.5 * normal[0] * (left + right) -
                     0.25 * std::fabs(normal[0]) * (right - left);
      flux[0][i] += value;
      flux[1][*reverse ? f - 1 - i : i] -= value;
    }
  }
  static void walls(const int *kind, const double *u, double *flux) {
    for (int i = 0; i < f; ++i)
      switch (*kind) {
      case 0:
        flux[i] += u[i];
        break;
      case 1:
        flux[i] -= 0.5 * u[i];
        break;
      default:
        flux[i] += 2;
      }
  }
  static void limit(const double *const *means, const double *mean, double *u,
                    bool *limited) {
    double low = *mean, high = *mean;
    for (int s = 0; s < 2; ++s) {
      low = std::min(low, means[s][0]);
      high = std::max(high, means[s][0]);
    }
    *limited = false;
    for (int i = 0; i < n; ++i)
      *limited |= u[i] < low || u[i] > high;
    if (*limited)
      for (int i = 0; i < n; ++i)
        u[i] = std::max(low, std::min(high, u[i]));
  }
  static void average(const double *u, double *mean, double *most) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += u[i];
      *most = std::max(*most, std::fabs(u[i]));
    }
    *mean = sum * 0.125;
  }
  static void advance(const double *r, const bool *limited, double *flux,
                      double *u) {
    // Short numbers: sums are exact in any order.
    for (int i = 0; i < n; ++i)
      u[i] = std::floor((u[i] + (*limited ? 0.25 : 0.5) * r[i]) * 64) *
             0.015625 * 0.25;
    for (int i = 0; i < sides * f; ++i)
      flux[i] = 0;
  }
  static void project(const int *kind, const double *u, double *r) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 0.25,
                &massTable[(*kind - 1) * kMatrix], n, u, 1, 1.0, r, 1);
  }
};

static void fillTables() {
  massTable = new double[8 * kMatrix];
  derivativeTable = new double[8 * kMatrix];
  liftTable = new double[8 * kMatrix];
  faceNodeTable = new int[8 * 64];
  for (int i = 0; i < 8 * kMatrix; ++i) {
    massTable[i] = (i * 7 % 13 - 6) * 0.125;
    derivativeTable[i] = (i * 5 % 11 - 5) * 0.25;
    liftTable[i] = (i % 9 - 4) * 0.125;
  }
}

/// Cells in a row, each with a face to one a few numbers further on.
template <int dim, int order> struct Mesh {
  using E = Element<dim, order>;
  static constexpr int walls = 9;
  static constexpr int faceValues = E::sides * E::f;

  explicit Mesh(int size)
      : size(size), sides(2 * size), wall(walls), kinds(walls),
        u(size_t(size) * E::n), metric(2 * size), normal(size),
        reverse(new bool[size]) {
    for (int i = 0; i < std::min(faceValues, 64); ++i)
      faceNodeTable[(kind - 1) * 64 + i] = i * 3 % E::n;
    for (int c = 0; c < size; ++c) {
      sides[2 * c] = c;
      sides[2 * c + 1] = (c + 1 + c % 5) % size;
      metric[2 * c] = c % 3 * 0.25, metric[2 * c + 1] = c % 5 * 0.125;
      normal[c] = c % 7 * 0.25 - 0.75;
      reverse[c] = c % 4 == 1;
      for (int i = 0; i < E::n; ++i)
        u[c * E::n + i] = (c * 3 + i * i) % 16 * 0.125;
    }
    for (int b = 0; b < walls; ++b)
      wall[b] = b * 6, kinds[b] = b % 3;
  }

  /// Of the values at the end, which are short.
  static unsigned long hash(const std::vector<double> &values) {
    unsigned long hash = 14695981039346656037ul;
    for (double value : values)
      hash = (hash ^ static_cast<unsigned long>(long(value * 256))) *
             1099511628211ul;
    return hash;
  }

  int size, kind = kindOf(dim, order);
  std::vector<int> sides, wall, kinds;
  std::vector<double> u, metric, normal;
  std::unique_ptr<bool[]> reverse;
};

#endif // OP2_HIGHORDER_OPERATORS_H
