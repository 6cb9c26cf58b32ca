// Kernels that call functions which cannot be inlined: raised, if these do nothing
// that others notice, so that elements may run in two threads, and later.
//
// RUN: %clangxx -O1 -std=c++17 -c %S/../Inputs/blas.cpp -o %t.blas.o
// RUN: %clangxx -O1 -std=c++17 -DLIBRARY -c %s -o %t.library.o
// RUN: %clangxx -O0 -std=c++17 %op2api -I%S/../Inputs %s %t.library.o %t.blas.o %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential -Wno-op2-shared --op2-report --op2-target=openmp,seq --op2-vector-bits=256 -I%S/../Inputs %s %t.library.o %t.blas.o -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OMP_NUM_THREADS=1 %t > %t.out && diff %t.expected %t.out
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=20 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
//
// CHECK-DAG: loop 'mass': kernel raised
// CHECK-DAG: loop 'mass': not vectorized: it passes memory of the element to a function
// CHECK-DAG: loop 'mass' may be delayed
// CHECK-DAG: loop 'flux': kernel raised
// CHECK-DAG: loop 'flux': not vectorized: {{.*}}; threads divide them by ownership
// CHECK-DAG: loop 'flux' may be delayed
// CHECK-DAG: loop 'again': kernel raised
// CHECK-DAG: loop 'counts': kernel not raised: it calls 'count' (calls.cpp:
// CHECK-DAG: loop 'hidden': kernel not raised: it calls 'addScale' (calls.cpp:
// CHECK-DAG: loop 'throws': kernel not raised: it {{calls 'refuse'|uses 'llvm.invoke'}} (calls.cpp:
// CHECK-DAG: loop 'fills': kernel not raised: it calls 'fill' (calls.cpp:
// CHECK-DAG: loop 'weak': kernel not raised: it calls 'replaced' (calls.cpp:
// CHECK-DAG: loop 'unknown': kernel not raised: it calls 'outside' (calls.cpp:

#ifdef LIBRARY
double outside(const double *x) { return x[0] + 1; }
#else
#include "blas.h"
#include "op_seq.h"

#include <cstdio>
#include <vector>

double outside(const double *x);

static double matrix[9] = {1, 2, 0.5, 4, -1, 0.25, 2, 8, -0.5};
double *table = matrix;
static int calls;
double scale = 0.5;

#define NOINLINE __attribute__((noinline))
NOINLINE static void addHalf(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += x[i] * 0.5;
}
static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
NOINLINE static void count(const double *x, double *y) {
  ++calls;
  y[0] += x[0];
}
NOINLINE static void addScale(double *y) { y[0] += scale; }
NOINLINE static void refuse(double x) {
  if (x > 1e30)
    throw 3;
}
NOINLINE static void fill(double *values, double x) { values[0] = x; }
__attribute__((weak, noinline)) double replaced(const double *x) {
  return x[1];
}

static void mass(const double *u, double *r) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, 3, 3, 0.5, table, 3, u, 1, 1.0, r,
              1);
}
static void flux(const double *w, const double *u, double *a, double *b) {
  double local[3] = {w[0], 2 * w[0], 1};
  double sum = cblas_ddot(3, local, 1, u, 1);
  addHalf(local, a, 3);
  for (int i = 0; i < 3; ++i)
    b[i] += sum;
}
static void again(const double *u, double *r) {
  r[0] += power(u[0], int(u[1] * 8) & 3);
}
static void counts(const double *u, double *r) { count(u, r); }
static void hidden(double *r) { addScale(r + 1); }
static void throws(const double *u, double *r) {
  refuse(u[0]);
  r[2] += u[0];
}
static double cell[1];
static void fills(const double *u, double *r) {
  if (u[0] > 1e30)
    fill(cell, u[0]);
  r[2] += u[1];
}
static void weak(const double *u, double *r) { r[0] += replaced(u); }
static void unknown(const double *u, double *r) { r[0] += outside(u); }

#define U op_arg_dat(u, -1, OP_ID, 3, "double", OP_READ)
#define R op_arg_dat(r, -1, OP_ID, 3, "double", OP_RW)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 200;
  std::vector<int> ends(2 * n);
  std::vector<double> values(3 * n), weights(n, 0.25);
  for (int i = 0; i < n; ++i) {
    ends[2 * i] = i;
    ends[2 * i + 1] = (i + 1) % n;
    for (int c = 0; c < 3; ++c)
      values[3 * i + c] = (i * 7 + c) % 11 * 0.125;
  }
  op_set cells = op_decl_set(n, "cells"), edges = op_decl_set(n, "edges");
  op_map map = op_decl_map(edges, cells, 2, ends.data(), "map");
  op_dat u = op_decl_dat(cells, 3, "double", values.data(), "u");
  op_dat r = op_decl_dat(cells, 3, "double", (double *)nullptr, "r");
  op_dat w = op_decl_dat(edges, 1, "double", weights.data(), "w");
  for (int step = 0; step < 3; ++step) {
    scale *= 2; // loops that look at it have run
    op_par_loop(flux, "flux", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(u, 0, map, 3, "double", OP_READ),
                op_arg_dat(r, 0, map, 3, "double", OP_INC),
                op_arg_dat(r, 1, map, 3, "double", OP_INC));
    op_par_loop(again, "again", cells, U, R);
    op_par_loop(mass, "mass", cells, U, R);
    op_par_loop(counts, "counts", cells, U, R);
    op_par_loop(hidden, "hidden", cells, R);
    op_par_loop(throws, "throws", cells, U, R);
    op_par_loop(fills, "fills", cells, U, R);
    op_par_loop(weak, "weak", cells, U, R);
    op_par_loop(unknown, "unknown", cells, U, R);
  }
  std::vector<double> result(3 * n);
  op_fetch_data(r, result.data());
  for (int i = 0; i < n; i += 13)
    std::printf("%d: %.17g %.17g %.17g\n", i, result[3 * i], result[3 * i + 1],
                result[3 * i + 2]);
  op_exit();
}
#endif
