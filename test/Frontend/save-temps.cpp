// A file of a stage that cannot be written is an error, and no more than that.
//
// RUN: rm -rf %t.d && mkdir -p %t.d/k.loops.mlir
// RUN: not %op2cxx -O1 --op2-save-temps -c %s -o %t.d/k.o 2>&1 | FileCheck %s --implicit-check-not=Stack
// CHECK: error: cannot write '{{.*}}k.loops.mlir': Is a directory
#include "op_seq.h"

static void twice(double *x) { *x *= 2; }

void run(op_set set, op_dat x) {
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
