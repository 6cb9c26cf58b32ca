// Errors of loops that were compiled as one name the loop and the argument that
// are wrong, also when the loops ran as one before.
//
// UBSan's checks of arithmetic keep kernels from being raised.
// REQUIRES: no-undefined-sanitizer
//
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-report %s -o %t 2> %t.report
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: not %t 2>&1 | FileCheck %s
// RUN: not %t null 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: env OP2_CHECK=1 not %t fine null 2>&1 | FileCheck %s --check-prefix=NULL
//
// REPORT: remark: loop 'bump' fused with 'twice'
//
// CHECK:      last good step
// CHECK-NEXT: op2 error: loop twice (fusing.cpp:{{[0-9]+}}), argument 2: dim is 1, but dat wide has dim 2
// NULL:       last good step
// NULL-NEXT:  op2 error: loop twice (fusing.cpp:{{[0-9]+}}), argument 0: the dat is NULL

#include "op_seq.h"
#include <string.h>
#include <vector>

static void bump(double *q) { q[0] += 1; }
static void twice(const double *q, const double *r, double *p) {
  p[0] = q[0] + r[0];
}

static void step(op_set cells, op_dat first, op_dat q, op_dat p) {
  op_par_loop(bump, "bump", cells,
              op_arg_dat(first, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(twice, "twice", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(first, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p, -1, OP_ID, 1, "double", OP_WRITE));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<double> zero(200);
  op_set cells = op_decl_set(100, "cells");
  op_dat a = op_decl_dat(cells, 1, "double", zero.data(), "a");
  op_dat b = op_decl_dat(cells, 1, "double", zero.data(), "b");
  op_dat c = op_decl_dat(cells, 1, "double", zero.data(), "c");
  op_dat wide = op_decl_dat(cells, 2, "double", zero.data(), "wide");
  for (int i = 0; i < 3; ++i)
    step(cells, a, b, c);
  fprintf(stderr, "last good step\n");
  bool isNull = strcmp(argv[argc - 1], "null") == 0;
  step(cells, a, isNull ? NULL : b, isNull ? c : wide);
}
