//===- kernels.h - The loops of the layers example --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_EXAMPLES_LAYERS_KERNELS_H
#define OP2_EXAMPLES_LAYERS_KERNELS_H

#include <math.h>

// One level of an edge of the base: heat flows between its two ends.
inline void across(const double (*T)[1], double (*change)[1],
                   const double *rate) {
  double flow = *rate * (T[1][0] - T[0][0]);
  change[0][0] = flow;
  change[1][0] = -flow;
}

// One layer of a column: heat flows between the levels below and above it.
inline void upward(const double *T, double *change, const double *rate) {
  double flow = *rate * (T[1] - T[0]);
  change[0] += flow;
  change[1] -= flow;
}

// One level of a column.
inline void update(double *T, double *change, double *heat) {
  *T += *change;
  *change = 0.0;
  *heat += *T;
}

// The lowest level of a column.
inline void measure(const double *T, double *hottest) {
  *hottest = fmax(*hottest, *T);
}

#endif // OP2_EXAMPLES_LAYERS_KERNELS_H
