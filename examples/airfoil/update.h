//===- update.h - Kernel: one stage of the time step ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_UPDATE_H
#define OP2_EXAMPLES_AIRFOIL_UPDATE_H

#include "constants.h"

inline void update(const real *qold, real *q, real *res, const real *adt,
                   real *rms) {
  real adti = 1.0f / *adt;
  for (int n = 0; n < 4; ++n) {
    real del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0f;
    *rms += del * del;
  }
}

#endif // OP2_EXAMPLES_AIRFOIL_UPDATE_H
