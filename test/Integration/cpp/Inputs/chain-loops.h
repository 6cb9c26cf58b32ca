//===- chain-loops.h - Loops of the tests of chains -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program declares the objects (cells, ends, q, p), and offset; it defines the
// kernels bump and scale.
//
//===----------------------------------------------------------------------===//

#include "op_seq.h"

// Values are whole numbers, so that sums are the same in any order.
static void shift(double *q) { q[0] += offset; }
static void add(const double *left, const double *right, double *a, double *b) {
  a[0] += left[0] + 1;
  b[0] += right[0] + 2;
}
static void sum(const double *q, double *total) { *total += q[0]; }

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
