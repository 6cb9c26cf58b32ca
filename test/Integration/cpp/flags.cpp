// Bools and unsigned numbers in vectors, and kernels that write several rows of
// a vector argument: the bits are those of the header's loops.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-report --op2-target=openmp,seq --op2-vector-bits=256 %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OMP_NUM_THREADS=2 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
// RUN: env OMP_NUM_THREADS= %t 2> %t.log > %t.out && diff %t.expected %t.out
// RUN: FileCheck %s --check-prefix=THREADS < %t.log
// RUN: env OMP_NUM_THREADS=-1 %t 2> %t.log > %t.out && diff %t.expected %t.out
// RUN: FileCheck %s --check-prefix=NEGATIVE < %t.log
// NEGATIVE: op2 warning: OMP_NUM_THREADS is "-1", so as if it were not set; expected a number of threads
// RUN: env OMP_NUM_THREADS="2, 1" %t 2>&1 | diff %t.expected -
// THREADS: op2 warning: OMP_NUM_THREADS is empty, so as if it were not set; expected a number of threads
// RUN: %op2cxx -O0 --op2-report --op2-target=openmp -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNOPTIMISED
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-vector-bits=512 %s -o %t
// RUN: env OMP_NUM_THREADS=3 %t > %t.out && diff %t.expected %t.out
// RUN: %emulate %t.expected %s -- %op2cxx
//
// UNOPTIMISED: loop 'mark': kernel not raised: it is not optimised (-O0)
//
// CHECK-DAG: loop 'mark': vectorized across 4 elements
// CHECK-DAG: loop 'use': vectorized across 4 elements
// CHECK-DAG: loop 'flip': vectorized across 8 elements
// CHECK-DAG: loop 'count': vectorized across 4 elements
// CHECK-DAG: loop 'gather': vectorized across 4 elements
// CHECK-DAG: loop 'pairs': vectorized across 4 elements
// CHECK-DAG: loop 'spread': vectorized across 4 elements
// What is written last counts where a map leads to one row twice.
// CHECK-DAG: loop 'spread back': not vectorized: argument 1 writes several rows of one dat
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

static void mark(const double *x, const bool *was, bool *flag) {
  flag[0] = x[0] > 0.5;
  flag[1] = was[0] && x[0] < 0.75;
}
static void use(const bool *flag, const double *x, double *y) {
  y[0] = flag[0] ? x[0] * 2 : 1;
  if (flag[1])
    y[0] += std::sqrt(x[0]);
}
static void flip(bool *was, const bool *flag) { was[0] = !was[0] || flag[1]; }
static void count(const unsigned *n, unsigned *m, const double *x,
                  const bool *all, const unsigned *step) {
  m[0] = n[0] / 3u + 4000000000u;
  m[1] = x[0] > 0.5 || *all ? m[1] + *step : m[1] >> 1;
}
static void gather(const bool *a, const bool *b, double *z) {
  z[0] = (a[0] ? 1.0 : 2.0) + (b[1] ? 0.25 : 0.5);
}
static void pairs(const bool *const *f, double *z) {
  z[0] += f[0][0] + 2 * f[1][1];
}
static void spread(const double *w, double **out) {
  for (int k = 0; k < 2; ++k)
    for (int c = 0; c < 2; ++c)
      out[k][c] = w[0] * (c + 1) + k;
}
static void spreadBack(const double *w, double **out) {
  for (int k = 1; k >= 0; --k)
    for (int c = 0; c < 2; ++c)
      out[k][c] = w[0] * (c + 1) + k;
}

template <class T>
static void print(const char *name, op_dat dat) {
  int count = dat->set->size * dat->dim;
  T *values = new T[count];
  op_fetch_data(dat, values);
  unsigned long hash = 14695981039346656037ul;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ static_cast<unsigned long>(values[i] * 1000)) *
           1099511628211ul;
  delete[] values;
  std::printf("%s %lx\n", name, hash);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 203, h = n / 3;
  std::vector<double> x(n), half(h);
  std::vector<unsigned> numbers(n);
  std::vector<int> next(2 * n), own(2 * h);
  bool was[n], flag[2 * n] = {};
  for (int i = 0; i < n; ++i) {
    x[i] = (i * 37 % 101) / 101.0;
    was[i] = i % 3 == 0;
    numbers[i] = 4100000000u + i;
    next[2 * i] = i;
    next[2 * i + 1] = (i * 13 + 5) % n;
  }
  for (int i = 0; i < h; ++i) {
    half[i] = i * 0.37;
    own[2 * i] = 3 * i;
    own[2 * i + 1] = i % 5 == 0 ? 3 * i : 3 * i + 1; // one row twice
  }
  bool all = false;
  unsigned step = 3000000000u;
  op_set cells = op_decl_set(n, "cells"), thirds = op_decl_set(h, "thirds");
  op_map both = op_decl_map(cells, cells, 2, next.data(), "both");
  op_map two = op_decl_map(thirds, cells, 2, own.data(), "two");
  op_dat dx = op_decl_dat(cells, 1, "double", x.data(), "x");
  op_dat dy = op_decl_dat(cells, 1, "double", (double *)nullptr, "y");
  op_dat dz = op_decl_dat(cells, 1, "double", (double *)nullptr, "z");
  op_dat dw = op_decl_dat(cells, 1, "bool", was, "was");
  op_dat df = op_decl_dat(cells, 2, "bool", flag, "flag");
  op_dat du = op_decl_dat(cells, 1, "uint", numbers.data(), "numbers");
  op_dat dm = op_decl_dat(cells, 2, "uint", (unsigned *)nullptr, "m");
  op_dat dh = op_decl_dat(thirds, 1, "double", half.data(), "half");
  op_dat da = op_decl_dat(cells, 2, "double", (double *)nullptr, "a");
  op_dat db = op_decl_dat(cells, 2, "double", (double *)nullptr, "b");
  for (int i = 0; i < 3; ++i) {
    op_par_loop(mark, "mark", cells,
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dw, -1, OP_ID, 1, "bool", OP_READ),
                op_arg_dat(df, -1, OP_ID, 2, "bool", OP_WRITE));
    op_par_loop(use, "use", cells,
                op_arg_dat(df, -1, OP_ID, 2, "bool", OP_READ),
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(flip, "flip", cells, op_arg_dat(dw, -1, OP_ID, 1, "bool", OP_RW),
                op_arg_dat(df, -1, OP_ID, 2, "bool", OP_READ));
    op_par_loop(count, "count", cells,
                op_arg_dat(du, -1, OP_ID, 1, "uint", OP_READ),
                op_arg_dat(dm, -1, OP_ID, 2, "uint", OP_RW),
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&all, 1, "bool", OP_READ),
                op_arg_gbl(&step, 1, "uint", OP_READ));
    op_par_loop(gather, "gather", cells,
                op_arg_dat(dw, 1, both, 1, "bool", OP_READ),
                op_arg_dat(df, 1, both, 2, "bool", OP_READ),
                op_arg_dat(dz, -1, OP_ID, 1, "double", OP_WRITE));
    op_par_loop(pairs, "pairs", cells,
                op_arg_dat(df, -2, both, 2, "bool", OP_READ),
                op_arg_dat(dz, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(spread, "spread", thirds,
                op_arg_dat(dh, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(da, -2, two, 2, "double", OP_WRITE));
    op_par_loop(spreadBack, "spread back", thirds,
                op_arg_dat(dh, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(db, -2, two, 2, "double", OP_WRITE));
    all = i == 1;
  }
  print<double>("y", dy);
  print<double>("z", dz);
  print<bool>("was", dw);
  print<bool>("flag", df);
  print<unsigned>("m", dm);
  print<double>("a", da);
  print<double>("b", db);
  op_exit();
}
