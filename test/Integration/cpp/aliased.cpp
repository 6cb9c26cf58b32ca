// One dat under two names in a loop. The compiled code must not take them for
// distinct: the second line differs if it does.
//
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | FileCheck %s
//
// CHECK: 2
// CHECK-NEXT: 4
// CHECK-NEXT: 4
// CHECK-NEXT: 15

#include "op_seq.h"

inline void twice(const double *x, double *y) {
  *y = *x + *x;
  *y = *x + *x;
}

inline void addRow(const double *row, double *x) {
  for (int i = 0; i < 2; ++i) {
    x[0] += row[0];
    x[1] += row[1];
  }
}

static void run(op_set set, op_dat x, op_dat y) {
  op_par_loop(twice, "twice", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double ones[100], out[100];
  for (double &one : ones)
    one = 1;
  op_set set = op_decl_set(100, "set");
  op_dat x = op_decl_dat(set, 1, "double", ones, "x");
  op_dat y = op_decl_dat(set, 1, "double", ones, "y");
  run(set, x, y);
  op_fetch_data(y, out);
  op_printf("%g\n", out[99]);
  run(set, x, x);
  op_fetch_data(x, out);
  op_printf("%g\n", out[0]);
  op_printf("%g\n", out[99]);

  // A global that lies in a dat.
  double rows[4] = {1, 2, 3, 4}, result[4];
  op_set pairs = op_decl_set(2, "pairs");
  op_dat r = op_decl_dat(pairs, 2, "double", rows, "r");
  op_par_loop(addRow, "addRow", pairs,
              op_arg_gbl((double *)r->data, 2, "double", OP_READ),
              op_arg_dat(r, -1, OP_ID, 2, "double", OP_RW));
  // Element 0: 1 -> 2 -> 4, 2 -> 4 -> 8; element 1: 3 + 4 + 4, 4 + 8 + 8.
  op_fetch_data(r, result);
  op_printf("%g\n", result[0] + result[2]);
  op_exit();
}
