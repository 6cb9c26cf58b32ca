// A kernel must not write what its loop declares OP_READ.
// RUN: not %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s
#include "op_seq.h"

struct Pair {
  double a, b;
};

static void direct(double *x, double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'direct' writes to parameter 'x', which this loop declares OP_READ
  x[1] = *y;
  *y = 0;
}
// CHECK: note: access declared here; did you mean OP_RW or OP_INC?
// CHECK: OP_RW
static void pointer(double *x, double *y) {
  double *p = x + 2;
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'pointer' writes to parameter 'x'
  *p++ += y[0];
}
static void reference(double *x, double *y) {
  double &first = x[0];
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'reference' writes to parameter 'x'
  ++first;
}
static void row(double **x, double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'row' writes to parameter 'x'
  x[1][0] = 1;
}
// Not writes to the data of x:
// CHECK-NOT: error:
static void fine(double *x, double *y) {
  double copy = x[0];
  copy += 1;
  double *p = x;
  p = y;
  *p = copy;
  x++;
  y[0] = x[-1];
}

void run(op_set set, op_map map, op_dat d, op_dat e) {
#define LOOP(kernel)                                                           \
  op_par_loop(kernel, #kernel, set,                                            \
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),                  \
              op_arg_dat(e, -1, OP_ID, 2, "double", OP_RW))
  op_par_loop(direct, "direct", set,
              op_arg_dat(d, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(e, -1, OP_ID, 2, "double", OP_RW));
  LOOP(pointer);
  LOOP(reference);
  op_par_loop(row, "row", set, op_arg_dat(d, -2, map, 2, "double", OP_READ),
              op_arg_dat(e, -1, OP_ID, 2, "double", OP_RW));
  LOOP(fine);
}
