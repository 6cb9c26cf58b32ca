// Cases that fall through: as many as can be given a structure in a reasonable
// time; a kernel with more runs as it is.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O2 --op2-report --op2-target=openmp -c %s -o %t.o 2>&1 | FileCheck %s
//
// CHECK-DAG: remark: loop 'few': kernel raised
// CHECK-DAG: remark: loop 'many': kernel not raised: it has a switch of more than 64 cases that fall through (long-switch.cpp:[[#LINE:]])

#include "op_seq.h"

#define CASE(n) case n: s = s * 0.5 + *x * (n);
#define TEN(n) CASE(n##0) CASE(n##1) CASE(n##2) CASE(n##3) CASE(n##4) CASE(n##5) CASE(n##6) CASE(n##7) CASE(n##8) CASE(n##9)

static void few(const double *x, const int *n, double *y) {
  double s = 0;
  switch (*n) { TEN(1) TEN(2) }
  *y = s;
}
static void many(const double *x, const int *n, double *y) {
  double s = 0;
  switch (*n) { TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) }
  *y = s;
}

void run(op_set set, op_dat x, op_dat n, op_dat y) {
  op_par_loop(few, "few", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(many, "many", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(n, -1, OP_ID, 1, "int", OP_READ), op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
