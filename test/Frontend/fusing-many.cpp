// Of loops that may come next only a few are tried as one with a loop: else a
// hundred in a `switch` would be ten thousand more to compile.
//
// RUN: %op2cxx %unoptimized -O2 --op2-report -S -emit-llvm %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: loop 'k0' not fused with 'k4' ({{.*}}): too many loops may come next
// CHECK: remark: loop 'k0' not fused with 'k5' ({{.*}}): too many loops may come next
#include "op_seq.h"
static void add(const double *a, double *b) { *b += *a; }
#define LOOP(n)                                                                                                        \
  case n:                                                                                                              \
    op_par_loop(add, "k" #n, cells, op_arg_dat(q[n], -1, OP_ID, 1, "double", OP_READ),                                 \
                op_arg_dat(q[n + 1], -1, OP_ID, 1, "double", OP_RW));                                                  \
    break;
void run(op_set cells, op_dat *q, const int *order, int count) {
  for (int i = 0; i < count; ++i)
    switch (order[i]) {
      LOOP(0) LOOP(1) LOOP(2) LOOP(3) LOOP(4) LOOP(5) LOOP(6) LOOP(7) LOOP(8) LOOP(9)
    }
}
