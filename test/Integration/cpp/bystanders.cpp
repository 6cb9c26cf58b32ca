// Code that calls functions which run loops on other paths: threads of the
// program's that compute while one runs loops, and handlers of signals. It
// neither runs pending loops nor is told that it may not.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O2 -fopenmp --op2-target=openmp %s -o %t
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=50 %t | FileCheck %s
// CHECK: 24000 24000
// CHECK-NEXT: 64000 64000
#include "op_seq.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <omp.h>
#include <sys/time.h>

static op_set cells;
static op_dat q, p;
static std::atomic<long> ticks{0};

inline void one(double *x) { *x += 1; }
inline void two(double *x) { *x += 1; }

[[gnu::noinline]] static long work(bool hasLoops, long count) {
  long x = 1;
  for (long i = 0; i < count; ++i) {
    if (hasLoops) {
      op_par_loop(one, "one", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
      op_par_loop(two, "two", cells, op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
    } else {
      x = x * 3 + 1;
    }
  }
  return x;
}

static void handle(int) { ticks += work(false, 20) & 1; }

static void print() {
  double a, b;
  op_fetch_data_idx(q, &a, 500, 500);
  op_fetch_data_idx(p, &b, 500, 500);
  std::printf("%g %g\n", a, b);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  cells = op_decl_set(1000, "cells");
  q = op_decl_dat(cells, 1, "double", (double *)nullptr, "q");
  p = op_decl_dat(cells, 1, "double", (double *)nullptr, "p");

  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval often{{0, 200}, {0, 200}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int k = 0; k < 2400; ++k)
    work(true, 10);
  setitimer(ITIMER_REAL, &never, nullptr);
  print();

#pragma omp parallel num_threads(3)
  {
    for (int step = 0; step < 4000; ++step)
      ticks += work(omp_get_thread_num() == 0, 10) & 1;
#pragma omp barrier
  }
  print();
  op_exit();
}
