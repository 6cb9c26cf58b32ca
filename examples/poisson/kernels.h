//===- kernels.h - Kernels of Poisson's equation ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_POISSON_KERNELS_H
#define OP2_EXAMPLES_POISSON_KERNELS_H

#include "element.h"

namespace poisson {

/// What the solution is made to be: sin(pi x) cos(pi y), times cos(pi z).
template <int dim> inline double known(double const *x) {
  constexpr double kPi = 3.14159265358979323846;
  double result = std::sin(kPi * x[0]);
  for (int d = 1; d < dim; ++d)
    result *= std::cos(kPi * x[d]);
  return result;
}

/// Of a node: the solution where it is given, and -div grad of it.
template <int dim>
inline void source(double const *x, int const *isBoundary, double *exact,
                   double *given, double *f) {
  constexpr double kPi = 3.14159265358979323846;
  *exact = known<dim>(x);
  *given = *isBoundary ? *exact : 0;
  *f = dim * kPi * kPi * *exact;
}

/// Of an element: its part of the matrix and of the right-hand side.
template <int dim, int order>
inline void assemble(double (*A)[numNodes(dim, order)], double *b,
                     double const (*x)[dim], double const *f) {
  constexpr int count = numNodes(dim, order);
  constexpr Mass<dim, order> mass;
  constexpr Points<dim, order> points;
  double g[dim + 1][dim];
  double volume = gradients<dim>(&x[0][0], g);
  for (int q = 0; q < points.count; ++q) {
    double at[count][dim];
    gradientsAt<dim, order>(points.l[q], g, at);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (int d = 0; d < dim; ++d)
          A[i][j] += volume / points.count * at[i][d] * at[j][d];
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      b[i] += volume * mass.values[i][j] * f[j];
}

/// The square of what the solution is off, in the mean (L2).
template <int dim, int order>
inline void error(double const (*x)[dim], double const *u, double const *exact,
                  double *sum) {
  constexpr int count = numNodes(dim, order);
  constexpr Mass<dim, order> mass;
  double g[dim + 1][dim];
  double volume = gradients<dim>(&x[0][0], g);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      *sum +=
          volume * mass.values[i][j] * (u[i] - exact[i]) * (u[j] - exact[j]);
}

// Conjugate gradients, with the diagonal as preconditioner.

inline void takeDiagonal(double const *value, int const *isDiagonal,
                         double *diagonal) {
  *diagonal += *isDiagonal ? *value : 0;
}
inline void start(double const *b, double const *Ax, double const *diagonal,
                  double *r, double *p, double *rho, double *size) {
  *r = *b - *Ax;
  *p = *r / *diagonal;
  *rho += *r * *p;
  *size += *b * *b;
}
inline void dot(double const *p, double const *q, double *sum) {
  *sum += *p * *q;
}
inline void step(double const *alpha, double const *p, double const *q,
                 double const *diagonal, double *x, double *r, double *rho,
                 double *size) {
  *x += *alpha * *p;
  *r -= *alpha * *q;
  *rho += *r * *r / *diagonal;
  *size += *r * *r;
}
inline void turn(double const *beta, double const *r, double const *diagonal,
                 double *p) {
  *p = *r / *diagonal + *beta * *p;
}
inline void clear(double *value) { *value = 0; }
inline void copy(double const *u, double *v) { *v = *u; }
inline void difference(double const *u, double const *v, double *most) {
  *most = std::fmax(*most, std::fabs(*u - *v));
}

} // namespace poisson

#endif // OP2_EXAMPLES_POISSON_KERNELS_H
