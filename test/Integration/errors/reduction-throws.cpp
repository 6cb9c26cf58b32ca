// A function of op_arg_reduce that throws ends the program by name, on every target:
// the loop could not end.
//
// RUN: %clangxx -std=c++17 -O1 %op2api %s -o %t.dev %op2lib
// RUN: not %t.dev 2>&1 | FileCheck %s
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: not env OP2_TARGET=seq %t 2>&1 | FileCheck %s
// RUN: not env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t 2>&1 | FileCheck %s
// RUN: not env OP2_TARGET=emulator %t 2>&1 | FileCheck %s
// RUN: not env OP2_TARGET=seq %t other 2>&1 | FileCheck %s --check-prefix=OTHER
//
// CHECK-NOT: caught
// CHECK: op2 error: loop sum: the function of op_arg_reduce throws "too much"; expected it to return [op2-reduction]
// OTHER: op2 error: loop sum: the function of op_arg_reduce throws an exception; expected it to return [op2-reduction]

#include "op_seq.h"

#include <cstdio>
#include <stdexcept>

static bool isOther;
static void merge(double *into, double const *from) {
  *into += *from;
  if (*into > 5 && isOther)
    throw 1;
  if (*into > 5)
    throw std::runtime_error("too much");
}
static void sum(const double *x, double *s) { *s += *x; }

int main(int argc, char **argv) {
  isOther = argc > 1;
  op_init(argc, argv, 0);
  double values[] = {1, 2, 3}, zero = 0, total = 0;
  op_set set = op_decl_set(3, "set");
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  try {
    op_par_loop(sum, "sum", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_reduce(&total, 1, "double", merge, &zero));
    std::printf("%g\n", total);
  } catch (...) {
    std::puts("caught");
  }
  op_exit();
}
