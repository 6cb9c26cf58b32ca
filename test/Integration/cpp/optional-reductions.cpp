// Reductions, written globals and scratch memory that are there or not.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=7 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: 0: sum 5 5 least 100 greatest 996 at 996 mark 1
// CHECK-NEXT: 1: sum 496511 1001 least 100 greatest 996 at 996 mark 1
// CHECK-NEXT: 2: sum 5 5 least 0 greatest 996 at 996 mark 1
// CHECK-NEXT: 3: sum 496511 1001 least 0 greatest 996 at 996 mark 1
// CHECK-NEXT: 4: sum 5 5 least 100 greatest 996 at 996 mark 9
// CHECK-NEXT: 7: sum 496511 1001 least 0 greatest 996 at 996 mark 9
// CHECK-NEXT: 15: sum 496511 1001 least 0 greatest 996 at 996 mark 9
// CHECK-NEXT: null 996

#include "op_seq.h"

#include <cstdio>

static void kernel(const int *i, const int *what, double *sum, int *least,
                   float *greatest, int *at, unsigned *mark, int *scratch) {
  if (*what & 1) {
    sum[0] += *i;
    sum[1] += *i % 3;
  }
  if (*what & 2)
    *least = *i < *least ? *i : *least;
  if (float(*i) > *greatest) {
    *greatest = float(*i);
    *at = *i;
  }
  if (*what & 4)
    *mark = 9;
  if (*what & 8)
    scratch[*i % 2] = *i;
}

static void greatestOnly(const int *i, const int *what, float *greatest) {
  if (*what && float(*i) > *greatest)
    *greatest = float(*i);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(997, "set");
  for (int what : {0, 1, 2, 3, 4, 7, 15}) {
    double sum[2] = {5, 5};
    int least = 100, at = -1, scratch[2] = {};
    float greatest = 3;
    unsigned mark = 1;
    op_par_loop(kernel, "kernel", set, op_arg_idx(-1, OP_ID),
                op_arg_gbl(&what, 1, "int", OP_READ),
                op_opt_arg_gbl(what & 1, sum, 2, "double", OP_INC),
                op_opt_arg_gbl(what & 2, &least, 1, "int", OP_MIN),
                op_arg_gbl(&greatest, 1, "float", OP_MAX),
                op_arg_info(&at, 1, "int", 4),
                op_opt_arg_gbl(what & 4, &mark, 1, "uint", OP_WRITE),
                op_opt_arg_gbl(what & 8, scratch, 2, "int", OP_WORK));
    op_printf("%d: sum %.0f %.0f least %d greatest %g at %d mark %u\n", what,
              sum[0], sum[1], least, double(greatest), at, mark);
  }
  float greatest = 0;
  for (int what : {0, 1})
    op_par_loop(greatestOnly, "greatest", set, op_arg_idx(-1, OP_ID),
                op_arg_gbl(&what, 1, "int", OP_READ),
                op_opt_arg_gbl(what, what ? &greatest : nullptr, 1, "float",
                               OP_MAX));
  op_printf("null %g\n", double(greatest));
  op_exit();
}
