// OP2_STRICT=1: a loop that runs otherwise than it was asked for is an error
// that names it, and where the compiler saw a loop its place and the reason; without it the program goes on.
//
// RUN: %lenient_op2cxx -O1 --op2-target=openmp,seq,emulator %s -o %t 2> %t.warnings
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t.warnings
// RUN: %clangxx -std=c++17 %op2api %s %op2lib -o %t.dev
//
// RUN: not %t unseen 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: not %t refused 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: env OP2_TARGET=emulator not %t refused 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: env OP2_TARGET=emulator not %t calls 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: env OP2_TARGET=openmp not %t calls 2>&1 | FileCheck %s --check-prefix=OPENMP
// RUN: env OP2_TARGET=seq %t calls | FileCheck %s --check-prefix=RUNS
//
// RUN: %lenient_op2cxx -O1 -w --op2-target=openmp %s -o %t.openmp
// RUN: not %t.openmp calls 2>&1 | FileCheck %s --check-prefix=LATE
//
// RUN: env OP2_STRICT=0 %t.openmp calls | FileCheck %s --check-prefix=RUNS
// RUN: env OP2_STRICT=0 %t unseen | FileCheck %s --check-prefix=RUNS
// RUN: env OP2_STRICT=0 %t refused | FileCheck %s --check-prefix=RUNS
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t calls | FileCheck %s --check-prefix=RUNS
// RUN: env OP2_TARGET=seq %t unseen | FileCheck %s --check-prefix=RUNS
// RUN: env OP2_TARGET=seq %t refused | FileCheck %s --check-prefix=RUNS
// RUN: %t.dev unseen | FileCheck %s --check-prefix=RUNS
// RUN: %t.dev refused | FileCheck %s --check-prefix=RUNS
//
// WARNING-DAG: warning: loop 'refused'
// WARNING-DAG: warning: loop 'calls'
// WARNING-DAG: warning: loop '(unnamed)' is not compiled and runs sequentially: its call was not seen
// UNSEEN: op2 error: loop unseen: runs sequentially, by the template in op_seq.h: op2c++ has compiled the file but not this loop; OP2_STRICT=1 makes that an error
// REFUSED: op2 error: loop refused ({{.*}}strict.cpp:[[#]]): runs sequentially: argument 0 is not a call of op_arg_dat{{.*}}; OP2_STRICT=1 makes that an error
// LATE: op2 error: loop calls ({{.*}}strict.cpp:[[#]]): runs sequentially{{.*}}: {{.+}}; OP2_STRICT=1 makes that an error
// CALLS: op2 error: loop calls ({{.*}}strict.cpp:[[#]]): runs on seq instead of emulator: {{.+}}; OP2_STRICT=1 makes that an error
// OPENMP: op2 error: loop calls ({{.*}}strict.cpp:[[#]]): runs on seq instead of openmp: {{.+}}; OP2_STRICT=1 makes that an error
// RUNS: 1 1

#include "op_seq.h"

#include <cstring>

static void one(double *x) { *x += 1; }
// Which value stays is for one thread to say.
static void calls(double *x, double *last) {
  *x += 1;
  *last = *x;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
  double values[2] = {}, last = 0;
  op_set set = op_decl_set(2, "set");
  op_dat dat = op_decl_dat(set, 1, "double", values, "dat");
  op_arg made = op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW);
  // Through a pointer to the template: the compiler sees no loop.
  void (*run)(void (*)(double *), const char *, op_set, op_arg) = op_par_loop;
  if (is("unseen"))
    run(one, "unseen", set, made);
  // An argument that is not written where the loop is.
  if (is("refused"))
    op_par_loop(one, "refused", set, made);
  if (is("calls"))
    op_par_loop(calls, "calls", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&last, 1, "double", OP_RW));
  op_fetch_data(dat, values);
  op_printf("%g %g\n", values[0], values[1]);
  op_exit();
}
