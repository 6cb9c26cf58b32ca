// A function whose code is chosen when the program starts (target_clones), beside
// loops and in a kernel: both are compiled.
//
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,seq %s -o %t
// RUN: env OP2_TARGET=openmp %t | FileCheck %s
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// CHECK: 12 24 36
#include "op_seq.h"

__attribute__((target_clones("avx2", "default"))) double triple(double x) { return 3 * x; }
__attribute__((target_clones("avx2", "default"))) double sum(const double *v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i];
  return s;
}
static void twice(double *x) { *x *= 2; }
static void six(double *x) { *x = triple(*x) * 2; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double v[3] = {1, 2, 3};
  op_set s = op_decl_set(3, "s");
  op_dat d = op_decl_dat(s, 1, "double", v, "d");
  op_par_loop(twice, "twice", s, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(six, "six", s, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(d, v);
  op_printf("%g %g %g\n", v[0], v[1], sum(v, 3) / 2);
  op_exit();
}
