// A loop that one target cannot take stays compiled for the others, and runs
// sequentially on that one; the results are right on all of them.
// RUN: %op2cxx -O2 --op2-target=seq,emulator --op2-report %s -o %t 2> %t.report && FileCheck %s < %t.report
// RUN: grep warning: %t.report | count 1
// RUN: env OP2_TARGET=seq %t | FileCheck %s --check-prefix=OUT
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | FileCheck %s --check-prefix=OUT
// RUN: not %op2cxx -O2 --op2-target=seq,emulator -Werror=op2-sequential -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %op2cxx -O2 --op2-target=emulator,openmp -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE

#include "op_seq.h"

#include <cstdio>

static void last(double *result, double const *x) { *result = *x; }
static void twice(double *x) { *x *= 2; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[3] = {1, 2, 3}, result = 0;
  op_set set = op_decl_set(3, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'twice' compiled for seq, emulator
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: [[#@LINE+4]]:{{.*}}warning: loop 'last' is not compiled for emulator and runs sequentially there: global 'result' is OP_RW: each element sees what those before it have left, so they cannot run in parallel; expected OP_INC, OP_MIN, OP_MAX or OP_WRITE
  // CHECK-DAG: [[#@LINE+3]]:{{.*}}remark: loop 'last' compiled for seq{{$}}
  // STRICT: [[#@LINE+2]]:{{.*}}error: loop 'last' is not compiled for emulator and runs sequentially there:
  // NONE: [[#@LINE+1]]:{{.*}}warning: loop 'last' is not compiled and runs sequentially:
  op_par_loop(last, "last", set, op_arg_gbl(&result, 1, "double", OP_RW),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  op_par_loop(twice, "again", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(x, values);
  // OUT: 6 12
  std::printf("%g %g\n", result, values[2]);
  op_exit();
}
