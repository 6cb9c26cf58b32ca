// More map slots together than any map has are an error, not a matter of memory.
// RUN: not %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s
#include "op_seq.h"
static void sum(double **a, double *b) { *b += a[0][0]; }
void run(op_set set, op_map map, op_dat d) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: index -2000000000 passes 2000000000 map slots together; expected a number from 1 to 4096
  op_par_loop(sum, "sum", set, op_arg_dat(d, -2000000000, map, 1, "double", OP_READ),
              op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
}
