// Kernels that are called as they are: the report says why.
//
// RUN: %op2cxx -O2 --op2-target=openmp --op2-report -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -ftrapping-math --op2-target=openmp --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %op2cxx -O2 -frounding-math --op2-target=openmp --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
#include "op_seq.h"

[[gnu::weak]] void replaced(double *x) { *x += 1; }
static void jumps(double *x) {
  static void *const labels[] = {&&first, &&second};
  goto *labels[static_cast<int>(*x) & 1];
first:
  *x += 1;
  return;
second:
  *x += 2;
}
static void plain(double *x) { *x += 1; }

void run(op_set s, op_dat x) {
  // CHECK-DAG: loop 'replaced': kernel not raised: it is weak: another definition may take its place
  op_par_loop(replaced, "replaced", s, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: loop 'jumps': kernel not raised: it takes the addresses of labels
  op_par_loop(jumps, "jumps", s, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: loop 'plain': kernel raised
  // STRICT: loop 'plain': kernel not raised: it observes exceptions or rounding of floating-point numbers (-ftrapping-math, -frounding-math, FENV_ACCESS)
  op_par_loop(plain, "plain", s, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
