//===- kernels.h - The loops of the finite-element example ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter T ** is a whole row of a map: one pointer for each of the cell's
// four corners.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_FEM_KERNELS_H
#define OP2_EXAMPLES_FEM_KERNELS_H

#include "element.h"

// Nodes: the right-hand side f for which exactSolution solves
// -div grad u + reaction u = f.
inline void source(const double *x, double *f) {
  const double pi = 3.14159265358979323846;
  *f = (pi * pi - 1 + reaction) * exactSolution(x);
}

// Cells: the local matrix K, and the cell's part of the load vector.
inline void assemble(const double **x, const double **f, double *K,
                     double **load) {
  const double gauss = 0.57735026918962576451; // 1 / sqrt(3)
  for (int ab = 0; ab < 16; ++ab)
    K[ab] = 0;
  for (int q = 0; q < 4; ++q) {
    const ElementPoint p =
        elementPoint(x, q % 2 ? gauss : -gauss, q / 2 ? gauss : -gauss);
    double value = 0; // of f
    for (int a = 0; a < 4; ++a)
      value += p.shape[a] * f[a][0];
    for (int a = 0; a < 4; ++a) {
      load[a][0] += p.area * p.shape[a] * value;
      for (int b = 0; b < 4; ++b)
        K[4 * a + b] += p.area * (p.gradient[a][0] * p.gradient[b][0] +
                                  p.gradient[a][1] * p.gradient[b][1] +
                                  reaction * p.shape[a] * p.shape[b]);
    }
  }
}

// Boundary nodes: the solution is given there ...
inline void set_boundary(const double *x, double *u) { *u = exactSolution(x); }

// ... and has no equation.
inline void clear_boundary(double *q) { *q = 0; }

// Cells: q += K p, the product with the matrix that is never assembled.
inline void multiply(const double *K, const double **p, double **q) {
  for (int a = 0; a < 4; ++a) {
    double sum = 0;
    for (int b = 0; b < 4; ++b)
      sum += K[4 * a + b] * p[b][0];
    q[a][0] += sum;
  }
}

// Nodes: the first residual and direction.
inline void start_cg(const double *load, double *q, double *r, double *p) {
  *r = *load - *q;
  *p = *r;
  *q = 0;
}

inline void dot(const double *a, const double *b, double *sum) {
  *sum += *a * *b;
}

// Nodes: a step of length alpha along p.
inline void advance(const double *alpha, const double *p, double *q, double *u,
                    double *r, double *rr) {
  *u += *alpha * *p;
  *r -= *alpha * *q;
  *q = 0;
  *rr += *r * *r;
}

// Nodes: the next direction.
inline void turn(const double *beta, const double *r, double *p) {
  *p = *r + *beta * *p;
}

// Cells: the squared difference from the known solution, by 3 x 3 points, which
// are not those where bilinear elements happen to be better than elsewhere.
inline void l2_error(const double **x, const double **u, double *error) {
  const double at[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  const double weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const ElementPoint p = elementPoint(x, at[i], at[j]);
      double position[2] = {0, 0}, value = 0;
      for (int a = 0; a < 4; ++a) {
        position[0] += p.shape[a] * x[a][0];
        position[1] += p.shape[a] * x[a][1];
        value += p.shape[a] * u[a][0];
      }
      const double difference = value - exactSolution(position);
      *error += weight[i] * weight[j] * p.area * difference * difference;
    }
}

#endif // OP2_EXAMPLES_FEM_KERNELS_H
