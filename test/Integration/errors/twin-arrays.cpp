// Copies that a device has of overlapping arrays would not overlap.
//
// RUN: %op2cxx -O1 -w --op2-target=cuda --op2-gpu-format=ptx %s -o %t
// RUN: env OP2_CUDA_DRIVER=%fake_cuda %t
// RUN: not env OP2_CUDA_DRIVER=%fake_cuda %t OP_NO_REALLOC 2>&1 | FileCheck %s
// CHECK: op2 error: dat x on a device: its array overlaps that of dat y (OP_NO_REALLOC); expected dats with values of their own, or op_decl_dat_overlay

#include "op_seq.h"

static void add(double *x, const double *y) { *x += *y; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[6] = {1, 2, 3, 4, 5, 6};
  op_set set = op_decl_set(5, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  op_dat y = op_decl_dat(set, 1, "double", values + 1, "y");
  op_par_loop(add, "add", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ));
  op_exit();
}
