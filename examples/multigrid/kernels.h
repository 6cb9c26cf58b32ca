//===- kernels.h - The loops of the multigrid example -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equation of a node inside: the sum over its neighbours of (own value -
// neighbour's value) is f. Boundary nodes have no equation and the value 0.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_MULTIGRID_KERNELS_H
#define OP2_EXAMPLES_MULTIGRID_KERNELS_H

// Nodes: f for the solution 16 x (1-x) y (1-y), times the node's area.
inline void source(const double *x, const double *area, double *f) {
  *f = 32 * *area * (x[0] * (1 - x[0]) + x[1] * (1 - x[1]));
}

// Edges: what leaves one node's equation enters the other's.
inline void difference(const double *u1, const double *u2, double *sum1,
                       double *sum2) {
  const double d = *u2 - *u1;
  *sum1 += d;
  *sum2 -= d;
}

// Nodes: a damped Jacobi step. `sum` holds the differences and is cleared.
inline void relax(const double *f, const double *inverse_diagonal, double *sum,
                  double *u) {
  *u += damping * *inverse_diagonal * (*f + *sum);
  *sum = 0;
}

// Nodes: the residual, 0 where there is no equation; `sum` as above.
inline void residual(const double *f, const double *inverse_diagonal,
                     double *sum, double *r, double *squares) {
  *r = *inverse_diagonal > 0 ? *f + *sum : 0;
  *sum = 0;
  *squares += *r * *r;
}

// Coarse nodes: the correction to be found starts from 0.
inline void clear(double *u, double *f) {
  *u = 0;
  *f = 0;
}

// Fine nodes: hands the residual to the parents, the transpose of prolong.
inline void restrict_residual(const double *weight, const double *r,
                              double **f) {
  for (int k = 0; k < 4; ++k)
    f[k][0] += weight[k] * *r;
}

// Fine nodes: adds the parents' correction.
inline void prolong(const double *weight, const double **correction,
                    double *u) {
  for (int k = 0; k < 4; ++k)
    *u += weight[k] * correction[k][0];
}

// Nodes: how far u is from the known solution.
inline void measure_error(const double *x, const double *u, double *error) {
  const double exact = 16 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]);
  const double d = *u > exact ? *u - exact : exact - *u;
  *error = d > *error ? d : *error;
}

#endif // OP2_EXAMPLES_MULTIGRID_KERNELS_H
