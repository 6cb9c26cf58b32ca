// Two threads in OP2 at once, and OP2 in kernels: an error that names both, in
// compiled programs and in those of other compilers. Threads that take turns
// get what one thread gets.
//
// RUN: %op2cxx -O2 --op2-target=openmp,seq %s -o %t
// RUN: %clangxx -O1 -std=c++17 -pthread %op2api %s %op2lib -o %t.dev
// RUN: %t.dev turns | FileCheck %s --check-prefix=TURNS
// RUN: env OP2_TARGET=openmp %t turns | FileCheck %s --check-prefix=TURNS
// RUN: env OP2_TARGET=openmp OP2_CHAIN=always OMP_NUM_THREADS=3 %t turns | FileCheck %s --check-prefix=TURNS
// RUN: env OP2_TARGET=seq %t turns | FileCheck %s --check-prefix=TURNS
// RUN: not %t.dev loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: env OP2_TARGET=openmp not %t loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: env OP2_TARGET=seq not %t loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not %t.dev call 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: env OP2_TARGET=openmp not %t call 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not %t.dev kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 not %t kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: env OP2_TARGET=seq not %t kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
//
// TURNS: 200 200
// LOOPS: printed before
// LOOPS: op2 error: {{loop (one|meet)|op_[a-z_]+|flush of pending loops}}: {{started|called}} while another thread is in {{loop (one|meet)|op_[a-z_]+|flush of pending loops}}; expected one thread at a time, and no calls of OP2 in kernels
// CALL: printed before
// CALL: op2 error: op_decl_set: called while another thread is in loop meet
// KERNEL: printed before
// KERNEL: op2 error: op_decl_set: called {{inside|while another thread is in}} loop asks

#include "op_seq.h"

#include <atomic>
#include <cstring>
#include <thread>

static std::atomic<int> arrived{0};
static void waitForOther() {
  ++arrived;
  while (arrived < 2)
    std::this_thread::yield();
}

static void one(double *x) { *x += 1; }
// The first element waits until the other thread is there.
static void meet(double *x) {
  *x += 1;
  if (*x == 1)
    waitForOther();
}
static void asks(double *x) {
  *x += 1;
  op_decl_set(3, "another");
}

static op_set set;
static op_dat dat;

static void runOne() {
  op_par_loop(one, "one", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  auto is = [&](const char *name) { return !std::strcmp(argv[1], name); };
  double values[2] = {};
  set = op_decl_set(2, "set");
  dat = op_decl_dat(set, 1, "double", values, "dat");
  op_printf("printed before\n");
  for (int n = 0; is("turns") && n < 100; ++n) {
    std::thread(runOne).join();
    runOne();
  }
  if (is("loops") || is("call")) {
    std::thread other([&] {
      while (arrived == 0)
        std::this_thread::yield();
      if (is("call"))
        op_decl_set(3, "another");
      else
        runOne();
      ++arrived;
    });
    op_par_loop(meet, "meet", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
    other.join();
  }
  if (is("kernel"))
    op_par_loop(asks, "asks", set, op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(dat, values);
  op_printf("%g %g\n", values[0], values[1]);
  op_exit();
}
