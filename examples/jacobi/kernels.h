//===- kernels.h - The loops of the Jacobi example --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_JACOBI_KERNELS_H
#define OP2_EXAMPLES_JACOBI_KERNELS_H

#include <math.h>

// One matrix entry: adds its product with the column's value to the row.
inline void res(const double *A, const double *u, double *du,
                const double *beta) {
  *du += (*beta) * (*A) * (*u);
}

// One row: `du` holds beta times the off-diagonal product. Moves `u` towards
// the Jacobi iterate, and clears `du` for the next iteration.
inline void update(const double *r, double *du, double *u, const double *beta,
                   double *change_sum, double *change_max) {
  double change = *du + (*beta) * (*r - *u);
  *u += change;
  *du = 0.0;
  *change_sum += change * change;
  *change_max = fmax(*change_max, fabs(change));
}

#endif // OP2_EXAMPLES_JACOBI_KERNELS_H
