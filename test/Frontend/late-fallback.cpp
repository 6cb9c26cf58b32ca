// A loop that only the lowering finds out it cannot compile stays sequential;
// the others of the file do not suffer, and the results are right.
// RUN: %op2cxx -O2 --op2-report %s -o %t 2>&1 | FileCheck %s
// RUN: env OP2_STRICT=0 %t | FileCheck %s --check-prefix=OUT
// RUN: not %op2cxx -O2 -Werror=op2-sequential -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
#include "op_seq.h"
#include <cstdio>

static void count(double *last, double const *x) { *last = *x; }
static void twice(double *x) { *x *= 2; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[3] = {1, 2, 3}, last = 0;
  op_set set = op_decl_set(3, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'twice' compiled for openmp
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: [[#@LINE+2]]:{{.*}}warning: loop 'last' is not compiled and runs sequentially:
  // STRICT: [[#@LINE+1]]:{{.*}}error: loop 'last' is not compiled and runs sequentially:
  op_par_loop(count, "last", set, op_arg_gbl(&last, 1, "double", OP_RW),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  // OUT: 6
  std::printf("%g\n", last);
  op_exit();
}
