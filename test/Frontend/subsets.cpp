// A loop over a subset is one over its set: what is direct over the whole set
// goes through the subset's map, what goes through a map through the composition
// of both.
//
// RUN: %op2cxx -O1 --op2-emit=op2 %s -DGOOD | FileCheck %s
// CHECK: op2.par_loop
// CHECK-NEXT: rw %{{[a-z0-9]+}} : !op2.dat<1xf64> via %[[MAP:[a-z0-9]+]][0]
// CHECK-NEXT: inc %{{[a-z0-9]+}} : !op2.dat<1xf64> via %{{[a-z0-9]+}}[2]
// CHECK-NEXT: index via %[[MAP]][0]
//
// RUN: not %op2cxx -fsyntax-only %s -DBAD 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %op2cxx -fsyntax-only %s -DLAMBDA 2>&1 | FileCheck %s --check-prefix=LAMBDA
// RUN: not %clangxx -std=c++17 %op2api -fsyntax-only %s -DBAD 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: op_par_loop: the kernel's number of parameters differs from the number of op_arg_... arguments
// RUN: not %clangxx -std=c++17 %op2api -fsyntax-only %s -DOTHER 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: op_par_loop: everything after the subset must be an op_arg, made by op_arg_dat
#include "op_seq.h"

static void wall(double *q, double *x, const int *n) {
  *q += *n;
  *x += 1;
}

#ifdef GOOD
void run(op_subset walls, op_map pcell, op_dat q, op_dat x) {
  op_par_loop(wall, "wall", walls, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
              op_arg_dat(x, 2, pcell, 1, "double", OP_INC),
              op_arg_idx(-1, OP_ID));
}
#endif

#ifdef BAD
static void single(float *x) { *x = 1; }
void run(op_subset walls, op_map pcell, op_dat q) {
  // BAD: [[#@LINE+1]]:{{.*}}error: the kernel takes 3 parameters, but this loop has 1 argument
  op_par_loop(wall, "count", walls, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  // BAD: [[#@LINE+1]]:{{.*}}error: index -1 with a map; write a map index from 0 up, or OP_ID
  op_par_loop(single, "map", walls, op_arg_dat(q, -1, pcell, 1, "float", OP_WRITE));
  // BAD: [[#@LINE+1]]:{{.*}}error: type string 'double' does not match kernel parameter 'x' of type 'float *'
  op_par_loop(single, "type", walls, op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
}
#endif

#ifdef LAMBDA
void run(op_subset walls, op_dat q) {
  double captured = 1;
  // LAMBDA: [[#@LINE+1]]:{{.*}}error: {{.*}}the kernel must be a function with a pointer parameter for each op_arg
  op_par_loop([&](double *x) { *x = captured; }, "lambda", walls, op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
}
#endif

#ifdef OTHER
void run(op_subset walls, double *q) {
  op_par_loop(wall, "other", walls, q, q, q);
}
#endif
