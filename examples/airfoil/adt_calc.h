//===- adt_calc.h - Kernel: area over time step -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest stable time step of a cell, as the cell's area divided by it:
// the sum over the cell's edges of the fastest wave's speed times the edge's
// length.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_ADT_CALC_H
#define OP2_EXAMPLES_AIRFOIL_ADT_CALC_H

#include "constants.h"

#include <math.h>

// Edge from `a` to `b`; flow velocity (u, v), speed of sound c.
inline real edge_speed(const real *a, const real *b, real u, real v, real c) {
  real dx = b[0] - a[0];
  real dy = b[1] - a[1];
  return fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

inline void adt_calc(const real *x1, const real *x2, const real *x3,
                     const real *x4, const real *q, real *adt) {
  real ri = 1.0f / q[0];
  real u = ri * q[1];
  real v = ri * q[2];
  real p = gm1 * (q[3] - 0.5f * ri * (q[1] * q[1] + q[2] * q[2]));
  real c = sqrt(gam * p * ri);

  *adt = (edge_speed(x1, x2, u, v, c) + edge_speed(x2, x3, u, v, c) +
          edge_speed(x3, x4, u, v, c) + edge_speed(x4, x1, u, v, c)) /
         cfl;
}

#endif // OP2_EXAMPLES_AIRFOIL_ADT_CALC_H
