// A copy of another OP2's headers comes before op2c++'s where a source includes
// it by its folder: nothing is compiled, and that is said.
// RUN: %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -c %s -Werror=op2-sequential -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// CHECK: other-op2/op_seq.h:7:6: warning: loops are not compiled and run as this op_par_loop has them: it is not that of op2c++'s op_seq.h; remove the header, or include op2c++'s by <op_seq.h> [-Wop2-sequential]
// STRICT: error: loops are not compiled
#include "Inputs/other-op2/op_seq.h"

static void twice(double *x) { *x *= 2; }
void run(op_set set, double *x) { op_par_loop(twice, "twice", set, x); }
