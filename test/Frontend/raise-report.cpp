// What --op2-report says of kernels: in the dialect's arithmetic, or why not.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O2 --op2-report -c %s -o %t.o 2>&1 | FileCheck %s
#include "op_seq.h"
#include <cstdio>

static void twice(double *x) { *x *= 2; }
static void says(double *x) { std::printf("%g\n", *x); }

void run(op_set set, op_dat x) {
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'twice': kernel raised
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'says': kernel not raised: it calls 'printf'
  op_par_loop(says, "says", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
