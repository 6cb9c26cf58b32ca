//===- res_calc.h - Kernel: flux through an interior edge -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean of both sides' fluxes, smoothed by the difference of the states;
// what leaves cell 2 enters cell 1.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_RES_CALC_H
#define OP2_EXAMPLES_AIRFOIL_RES_CALC_H

#include "constants.h"

inline void res_calc(const real *x1, const real *x2, const real *q1,
                     const real *q2, const real *adt1, const real *adt2,
                     real *res1, real *res2) {
  real dx = x1[0] - x2[0];
  real dy = x1[1] - x2[1];

  real ri1 = 1.0f / q1[0];
  real p1 = gm1 * (q1[3] - 0.5f * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  real vol1 = ri1 * (q1[1] * dy - q1[2] * dx);

  real ri2 = 1.0f / q2[0];
  real p2 = gm1 * (q2[3] - 0.5f * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
  real vol2 = ri2 * (q2[1] * dy - q2[2] * dx);

  real mu = 0.5f * (*adt1 + *adt2) * eps;

  real f = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  res1[0] += f;
  res2[0] -= f;
  f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) +
      mu * (q1[1] - q2[1]);
  res1[1] += f;
  res2[1] -= f;
  f = 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) +
      mu * (q1[2] - q2[2]);
  res1[2] += f;
  res2[2] -= f;
  f = 0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
  res1[3] += f;
  res2[3] -= f;
}

#endif // OP2_EXAMPLES_AIRFOIL_RES_CALC_H
