// One kernel in two loops, of which one knows the dim when it is compiled and
// one does not: both run on openmp.
// RUN: %op2cxx -O2 -g -Werror=op2-sequential --op2-report %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %t | FileCheck %s
// REPORT-DAG: loop 'constant' compiled for openmp
// REPORT-DAG: loop 'at run time' compiled for openmp
// REPORT-NOT: runs sequentially
//
// There is a loop in another one, whose places stay in its own function: all are
// compiled at once, and fused.
// RUN: %op2cxx %unoptimized -O1 -c --op2-report %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED-NOT: wrong subprogram
// FUSED: loop 'twice' fused with 'half'
#include "op_seq.h"
#include <cstdio>
#include <cstdlib>

inline void add(const double *a, double *b) { b[0] += a[0]; }

inline void limit(double *x, const int *k, double *y) {
  *y = x[0] * 2;
  for (int i = 0; i < *k; ++i)
    if (x[i] > *y)
      x[i] = *y;
}
inline void twice(const double *x, double *y) { *y = *x * 2; }
inline void half(const double *x, double *y) { *y = *x / 2; }

void more(op_set set, op_dat x, op_dat k, op_dat y, op_dat z, int dim) {
  op_par_loop(limit, "limit", set, op_arg_dat(x, -1, OP_ID, 2, "double", OP_RW),
              op_arg_dat(k, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(limit, "limit", set, op_arg_dat(x, -1, OP_ID, dim, "double", OP_RW),
              op_arg_dat(k, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(twice, "twice", set, op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(z, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(half, "half", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double data[] = {1, 2, 3};
  op_set set = op_decl_set(3, "set");
  op_dat a = op_decl_dat(set, 1, "double", data, "a");
  op_dat b = op_decl_dat(set, 1, "double", data, "b");
  int dim = argc > 0 ? 1 : std::atoi(argv[0]);
  op_par_loop(add, "constant", set, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(add, "at run time", set, op_arg_dat(a, -1, OP_ID, dim, "double", OP_READ),
              op_arg_dat(b, -1, OP_ID, dim, "double", OP_RW));
  op_fetch_data(b, data);
  // CHECK: 3 6 9
  std::printf("%g %g %g\n", data[0], data[1], data[2]);
  op_exit();
}
