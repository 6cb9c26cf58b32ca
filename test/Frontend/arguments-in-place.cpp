// op_arg_dat and its siblings look handles up, for programs that look into an
// op_arg. What only compiled loops see is passed on without: the runtime checks
// handles where a loop begins.
//
// RUN: %op2cxx -O2 --op2-target=openmp,seq -S -emit-llvm %s -o - 2>/dev/null | FileCheck %s
// RUN: %op2cxx -O2 --op2-target=openmp,seq -fno-exceptions -S -emit-llvm %s -o - 2>/dev/null | FileCheck %s
// RUN: %op2cxx -O0 --op2-target=openmp,seq -S -emit-llvm %s -o - 2>/dev/null | FileCheck %s --check-prefix=O0
//
// They run, with errors as before.
// RUN: %op2cxx -O2 %s -o %t && env OP2_STRICT=0 %t 2>/dev/null | FileCheck %s --check-prefix=OUT
// RUN: not env OP2_STRICT=0 %t freed 2>&1 | FileCheck %s --check-prefix=FREED

#include "op_seq.h"

#include <cstdio>

static void add(double *q, const double *a, const int *i, double *sum) {
  if (a)
    q[0] += *a + *i;
  *sum += q[0];
}

// CHECK-LABEL: define {{.*}}compiled
// CHECK-NOT: @op_arg
// CHECK-NOT: @op_opt_arg
// CHECK-NOT: @_Z10op_arg_gbl
// CHECK: ret
// O0-LABEL: define {{.*}}compiled
// O0-NOT: call void @op_arg_dat
// O0: ret void
double compiled(op_set cells, op_dat q, op_map map, double *a) {
  double sum = 0;
  op_par_loop(add, "add", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
              op_opt_arg_gbl(a != nullptr, a, 1, "double", OP_READ),
              op_arg_idx(0, map), op_arg_gbl(&sum, 1, "double", OP_INC));
  return sum;
}

double optional(op_set cells, op_dat q, op_map map, int flag) {
  double sum = 0, a = 1;
  op_par_loop(add, "add", cells,
              op_opt_arg_dat(1, q, -1, OP_ID, 1, "double", OP_RW),
              op_opt_arg_gbl(flag, &a, 1, "double", OP_READ),
              op_arg_idx(0, map), op_arg_gbl(&sum, 1, "double", OP_INC));
  return sum;
}

// The sequential template reads all of an op_arg.
// CHECK-LABEL: define {{.*}}sequential
// CHECK: @op_arg_dat(
void sequential(op_set cells, op_dat q) {
  static void (*kernel)(double *) = [](double *q) { *q += 1; };
  op_par_loop(kernel, "unknown", cells,
              op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
}

// So does the program.
// CHECK-LABEL: define {{.*}}looksInto
// CHECK: @op_arg_dat(
int looksInto(op_dat q) {
  op_arg arg = op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW);
  return arg.size;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double values[4] = {1, 2, 3, 4}, a = 1;
  int table[4] = {3, 2, 1, 0};
  op_set cells = op_decl_set(4, "cells");
  op_dat q = op_decl_dat(cells, 1, "double", values, "q");
  op_map map = op_decl_map(cells, cells, 1, table, "map");
  // OUT: 20 20 30 8
  double first = compiled(cells, q, map, &a);
  double second = compiled(cells, q, map, nullptr);
  double third = optional(cells, q, map, 1);
  std::printf("%g %g %g %d\n", first, second, third, looksInto(q));
  // OUT: 30
  std::printf("%g\n", optional(cells, q, map, 0));
  sequential(cells, q);
  // FREED: op2 error: loop add {{.*}}argument 0: {{.*}} is not a living dat
  if (argc > 1) {
    op_dat temp = op_decl_dat_temp(cells, 1, "double", values, "temp");
    compiled(cells, temp, map, &a);
    op_free_dat_temp(temp);
    compiled(cells, temp, map, &a);
  }
  op_exit();
}
