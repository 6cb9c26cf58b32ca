//===- chain-loops.h - Loops of the tests of chains -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program declares the objects, and defines the kernels bump and scale.
//
//===----------------------------------------------------------------------===//

#include "op_seq.h"
#include <vector>

// Values are whole numbers, so that sums are the same in any order.
static double offset = 1;
static void shift(double *q) { q[0] += offset; }
static void add(const double *left, const double *right, double *a, double *b) {
  a[0] += left[0] + 1;
  b[0] += right[0] + 2;
}
static void sum(const double *q, double *total) { *total += q[0]; }

static op_set cells;
static op_map ends;
static op_dat q, p;

#define BUMP(dat) op_par_loop(bump, "bump", cells, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW))
#define ADD(from, to)                                                          \
  op_par_loop(add, "add", cells, op_arg_dat(from, 0, ends, 1, "double", OP_READ), \
              op_arg_dat(from, 1, ends, 1, "double", OP_READ),                 \
              op_arg_dat(to, 0, ends, 1, "double", OP_INC),                    \
              op_arg_dat(to, 1, ends, 1, "double", OP_INC))
#define SUM(total)                                                             \
  op_par_loop(sum, "sum", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ), \
              op_arg_gbl(total, 1, "double", OP_INC))
#define SCALE(factor)                                                          \
  op_par_loop(scale, "scale", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW), \
              op_arg_gbl(factor, 1, "double", OP_READ))

static double *valuesOf(op_dat dat) {
  return reinterpret_cast<double *>(dat->data);
}

/// One number that tells values, and their order, from others.
static void state(const char *what) {
  double weighted = 0;
  std::vector<double> values(size_t(cells->size));
  for (op_dat dat : {q, p}) {
    op_fetch_data(dat, values.data());
    for (size_t n = 0; n < values.size(); ++n)
      weighted += values[n] * double(n % 17 + 1);
  }
  op_printf("%s: %.17g\n", what, weighted);
}
