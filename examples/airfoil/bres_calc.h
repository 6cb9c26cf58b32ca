//===- bres_calc.h - Kernel: flux through a boundary edge -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wall (flag 1) only bears the pressure; beyond the far field (flag 2) is
// the free stream.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_BRES_CALC_H
#define OP2_EXAMPLES_AIRFOIL_BRES_CALC_H

#include "constants.h"

inline void bres_calc(const real *x1, const real *x2, const real *q1,
                      const real *adt1, real *res1, const int *bound) {
  real dx = x1[0] - x2[0];
  real dy = x1[1] - x2[1];

  real ri1 = 1.0f / q1[0];
  real p1 = gm1 * (q1[3] - 0.5f * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));

  if (*bound == 1) {
    res1[1] += p1 * dy;
    res1[2] -= p1 * dx;
    return;
  }

  real vol1 = ri1 * (q1[1] * dy - q1[2] * dx);

  real ri2 = 1.0f / qinf[0];
  real p2 =
      gm1 * (qinf[3] - 0.5f * ri2 * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
  real vol2 = ri2 * (qinf[1] * dy - qinf[2] * dx);

  real mu = *adt1 * eps;

  res1[0] += 0.5f * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
  res1[1] += 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) +
             mu * (q1[1] - qinf[1]);
  res1[2] += 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) +
             mu * (q1[2] - qinf[2]);
  res1[3] += 0.5f * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) +
             mu * (q1[3] - qinf[3]);
}

#endif // OP2_EXAMPLES_AIRFOIL_BRES_CALC_H
