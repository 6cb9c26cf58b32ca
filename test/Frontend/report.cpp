// What --op2-report says of kernels: in the dialect's arithmetic, or why not;
// vectorized, or why not; how threads share the elements.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx %unoptimized -O2 --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-vector-bits=256 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: %op2cxx %unoptimized -O2 --op2-report --op2-vector-bits=256 --op2-strategy=two-level -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COLORS
#include "op_seq.h"
#include <cstdio>

static void twice(double *x) { *x *= 2; }
static void says(double *x) { std::printf("%g\n", *x); }

static void add(const float *x, float *y) { *y += *x; }
static void bump(double *x) { *x = *x * 2 + 1; }

void run(op_set set, op_dat x, op_map m, op_dat f, op_dat g) {
  // CHECK-DAG: [[#@LINE+3]]:{{.*}}remark: loop 'twice': kernel raised
  // NONE-DAG: [[#@LINE+2]]:{{.*}}remark: loop 'twice': not vectorized: no vectors of four doubles to use (see -march); threads divide them in blocks, without conflicts
  // WIDE-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'twice': vectorized across 4 elements; threads divide them in blocks, without conflicts
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: [[#@LINE+2]]:{{.*}}remark: loop 'says': kernel not raised: it calls 'printf'
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'says': not vectorized: the kernel is not raised; threads divide them in blocks, without conflicts
  op_par_loop(says, "says", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // WIDE-DAG: [[#@LINE+2]]:{{.*}}remark: loop 'add': row after row where the map leads to rows in ascending order; elsewhere vectorized across 8 elements; threads divide them by ownership, or block colours where the mesh forbids it
  // COLORS-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'add': row after row where the map leads to rows in ascending order; elsewhere vectorized across 8 elements; threads divide them by block colours
  op_par_loop(add, "add", set, op_arg_dat(f, -1, OP_ID, 1, "float", OP_READ), op_arg_dat(g, 0, m, 1, "float", OP_INC));
  // WIDE-DAG: [[#@LINE+1]]:{{.*}}remark: loop 'bump': not vectorized: argument 0 changes rows that elements may share; threads divide them by ownership, or block colours where the mesh forbids it
  op_par_loop(bump, "bump", set, op_arg_dat(x, 0, m, 1, "double", OP_RW));
}
