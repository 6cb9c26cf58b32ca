//===- save_soln.h - Kernel: keep the old solution --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_AIRFOIL_SAVE_SOLN_H
#define OP2_EXAMPLES_AIRFOIL_SAVE_SOLN_H

#include "constants.h"

inline void save_soln(const real *q, real *qold) {
  for (int n = 0; n < 4; ++n)
    qold[n] = q[n];
}

#endif // OP2_EXAMPLES_AIRFOIL_SAVE_SOLN_H
