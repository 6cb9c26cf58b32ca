// Calls of op_par_loop that are not seen when a file is parsed run
// sequentially, too, and are reported as the others are.
// RUN: %op2cxx -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %op2cxx -c %s -Werror=op2-sequential -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
#include "op_seq.h"
using Loop = void (*)(void (*)(double *), const char *, op_set, op_arg);
static void set(double *q) { *q = 1; }
// CHECK-DAG: missed-loops.cpp:[[@LINE+3]]:{{.*}}warning: loop '(unnamed)' is not compiled and runs sequentially: its call was not seen when this file was parsed; does the program take the address of op_par_loop?
// STRICT-DAG: missed-loops.cpp:[[@LINE+2]]:{{.*}}error: loop '(unnamed)' is not compiled and runs sequentially: its call was not seen
void run(op_set cells, op_dat d) {
  Loop loop = op_par_loop;
  loop(set, "set", cells, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}
// CHECK-DAG: {{^}}warning: loop '(unnamed)' is not compiled
Loop const loops[] = {op_par_loop, nullptr};
void runFirst(int number, op_set cells, op_dat d) {
  loops[number](set, "set", cells, op_arg_dat(d, -1, OP_ID, 1, "double", OP_WRITE));
}
