// What runs when a program ends - handlers, destructors of global objects - may run
// loops and look at their results, also where OP2 ends it because of an error: the
// same as in sequence.
//
// RUN: %clangxx -O1 -std=c++17 -Wall -Wextra -Werror %op2api %s %op2lib -o %t.dev
// RUN: %op2cxx -O2 -Wno-op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: %t.dev exit > %t.expected && FileCheck %s < %t.expected
// RUN: rm -f %t.size %t.dat %t.init
// RUN: sh -c 'for way in exit size dat init; do for target in seq openmp emulator; do \
// RUN:   OP2_TARGET=$target OMP_NUM_THREADS=2 OP2_CHAIN=always %t $way > %t.out 2>> %t.$way; \
// RUN:   diff %t.expected %t.out || exit 1; done; done'
// RUN: FileCheck %s --check-prefix=SIZE < %t.size
// RUN: FileCheck %s --check-prefix=DAT < %t.dat
// RUN: FileCheck %s --check-prefix=INIT < %t.init
//
// CHECK: sum so far 197.77536392211914
// CHECK-NEXT: steps at exit: 65.899193286895752
// CHECK-NEXT: steps behind them: 43.943300843238831
// SIZE-COUNT-3: op2 error: op_decl_set bad: size is -1
// DAT-COUNT-3: op2 error: loop halve{{.*}} is not a living dat
// INIT-COUNT-3: op2 error: op_init: called twice
//
// A kernel that ends the program: no loop begins inside another one.
// RUN: not %t kernel > %t.out 2>&1; FileCheck %s --check-prefix=INSIDE < %t.out
// INSIDE: sum so far
// INSIDE-NEXT: op2 error: loop halve: started {{inside|while another thread is in}} loop ends
// INSIDE-NOT: steps

#include "op_seq.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

static constexpr int n = 30000;
static op_set cells;
static op_dat x;
static double total = 0;

static void halve(double *x) { *x = *x * 0.5 + 0.25; }
static void add(double *x, double *sum) {
  *x += 0.125;
  *sum += *x / 1024;
}
static void ends(double *x) {
  if (*x > 0.5)
    std::exit(3);
  *x += 1;
}

static void step(double &sum) {
  op_par_loop(halve, "halve", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(add, "add", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW),
              op_arg_gbl(&sum, 1, "double", OP_INC));
}

static void steps(const char *what, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    step(sum);
  std::printf("steps %s: %.17g\n", what, sum);
}

static struct Last {
  ~Last() {
    if (cells)
      steps("behind them", 2);
  }
} last;

static void atExit() {
  std::printf("sum so far %.17g\n", total);
  std::fflush(stdout);
  steps("at exit", 3);
}

int main(int argc, char **argv) {
  op_init(1, argv, 0);
  auto is = [&](const char *way) { return argc > 1 && !std::strcmp(argv[1], way); };
  cells = op_decl_set(n, "cells");
  x = op_decl_dat(cells, 1, "double", (double *)nullptr, "x");
  std::atexit(atExit);
  for (int i = 0; i < 10; ++i)
    step(total);
  if (is("size"))
    op_decl_set(-1, "bad");
  if (is("init"))
    op_init(1, argv, 0);
  if (is("dat")) {
    op_dat freed = op_decl_dat_temp(cells, 1, "double", (double *)nullptr, "freed");
    op_free_dat_temp(freed);
    op_par_loop(halve, "halve", cells, op_arg_dat(freed, -1, OP_ID, 1, "double", OP_RW));
  }
  if (is("kernel"))
    op_par_loop(ends, "ends", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  std::exit(0);
}
