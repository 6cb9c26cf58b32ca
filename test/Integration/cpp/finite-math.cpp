// -ffast-math rules infinities out, but minima and maxima of floats begin as
// such: kernels that compute with what they get find the values all the same.
//
// RUN: %op2cxx -O2 -ffast-math -std=c++17 --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env OP2_TARGET=emulator %t | FileCheck %s
// RUN: %op2cxx -O2 -ffinite-math-only -std=c++17 --op2-no-raise --op2-target=seq,openmp %s -o %t.plain
// RUN: env OP2_TARGET=seq %t.plain | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 %t.plain | FileCheck %s
// RUN: %clangxx -O2 -ffast-math -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | FileCheck %s
//
// CHECK: 3 3 28 0.026786
#include "op_seq.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static void sums(const double *x, double *m) {
  double c = *m;
  if (c + *x > *x + *x)
    c = *x;
  *m = c;
}
static void ratio(const double *x, double *m) {
  if (1.0 - *x / *m > 0)
    *m = *x;
}
static void most(const double *x, double *m) { *m = std::fmax(*m, *x); }
static void step(const double *x, float *m) {
  *m = std::min(*m, float(0.75 / *x));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int const n = 1000;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i)
    x[std::size_t(i)] = (i * 37 % 101) * 0.25 + 3;
  op_set cells = op_decl_set(n, "cells");
  op_dat px = op_decl_dat(cells, 1, "double", x.data(), "x");
  double low = 64, other = 64, high = 1;
  float least = 64;
#define X op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ)
  op_par_loop(sums, "sums", cells, X, op_arg_gbl(&low, 1, "double", OP_MIN));
  op_par_loop(ratio, "ratio", cells, X, op_arg_gbl(&other, 1, "double", OP_MIN));
  op_par_loop(most, "most", cells, X, op_arg_gbl(&high, 1, "double", OP_MAX));
  op_par_loop(step, "step", cells, X, op_arg_gbl(&least, 1, "float", OP_MIN));
  std::printf("%g %g %g %g\n", low, other, high, std::round(double(least) * 1e6) / 1e6);
  op_exit();
}
