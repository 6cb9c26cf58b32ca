// Kernels that add several times to a component, or not in the order of their
// arguments, as finite elements do, or products with one rounding: what an
// element adds is summed by itself on all targets, so they have the same bits,
// in sums that are not exact. Elements reach some rows twice. What they write
// directly, and read again, blocks of a device have a copy of.
//
// Kernels with checks of sanitizers are not raised, and own nothing.
// REQUIRES: no-sanitizer
// RUN: %clangxx -O1 -march=native -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -march=native -std=c++17 -Werror=op2-sequential --op2-report --op2-target=seq,openmp,emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OP2_OWNER=always OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 OP2_EMULATOR_SEED=1 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=2 OP2_RENUMBER=none %t diags | FileCheck %s
// RUN: %op2cxx %unoptimized -O1 -march=native -std=c++17 --op2-no-raise --op2-target=seq %s -o %t.plain && %t.plain | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -march=native -std=c++17 --op2-layout=soa --op2-block-size=20 --op2-target=emulator %s -o %t.soa
// RUN: env OP2_CHECK_PLAN=1 OP2_EMULATOR_SEED=3 %t.soa | diff %t.expected -
// Other strategies add in another order.
// RUN: %op2cxx %unoptimized -O2 -march=native -std=c++17 --op2-strategy=two-level --op2-target=emulator %s -o %t.colors
// RUN: env %t.colors > %t.colors.out && not diff %t.expected %t.colors.out
//
// CHECK-DAG: op2: loop quadrature: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop backwards: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop branches: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop two: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop assemble: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop turns: ran 3 times on emulator (owned rows)
// CHECK-DAG: op2: loop at_once: ran 3 times on emulator (owned rows)
//
// REPORT-DAG: remark: loop 'two': vectorized across
// REPORT-DAG: remark: loop 'at_once': vectorized across
// REPORT-NOT: do not own

#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

static void quadrature(const double *a, double **r) {
  for (int q = 0; q < 5; ++q)
    for (int k = 0; k < 3; ++k)
      r[k][0] += a[0] / (q + 1.7) * (k + 0.3);
}

// Against the order of the arguments, component by component.
static void backwards(const double *a, double *x, double *y, double *z) {
  for (int d = 0; d < 2; ++d)
    z[d] += a[1] / (d + 3);
  for (int d = 0; d < 2; ++d)
    y[d] -= a[0] / (d + 7);
  for (int d = 0; d < 2; ++d)
    x[d] += a[0] * a[1] / (d + 11);
}

static void branches(const double *a, double *x, double *y) {
  if (a[0] > 1)
    x[0] += a[0] / 3;
  y[0] += a[1] / 7;
  if (a[1] > 1.2)
    x[0] -= a[1] / 9;
  else
    x[1] += a[0] / 11;
  y[0] += a[0] / 13;
  x[0] += a[0] / 17;
}

// Two dats in turn, one of them in single precision.
static void two(const double *a, double **r, float **s) {
  for (int q = 0; q < 3; ++q)
    for (int k = 0; k < 2; ++k) {
      r[k][1] += a[0] / (q + k + 3);
      s[1 - k][0] += static_cast<float>(a[1] / (q + 5));
      r[1 - k][1] -= a[1] / (q + 9);
    }
}

static void assemble(const double *a, double *small, double *large,
                     double **r) {
  for (int n = 0; n < 12; ++n)
    large[n] = 0;
  small[0] = 0;
  for (int q = 0; q < 4; ++q) {
    for (int n = 0; n < 12; ++n)
      large[n] += a[n % 2] / (n + q + 2);
    small[0] += large[q] / 3;
    r[0][0] += large[2 * q] / 7;
    r[1][0] += large[q + 1] - small[0];
  }
}

// Loaded before another one that may be the same row is stored.
static void at_once(const double *a, double *x, double *y, int *n, int *m) {
  double t = x[0], s = y[0];
  int i = *n, j = *m;
  x[0] = t + a[0] * a[1];
  y[0] = s - a[0] * a[0];
  *n = i + 3;
  *m = j + 5;
}

// Nobody knows how often.
static void turns(const int *count, double *x) {
  for (int q = 0; q < *count; ++q)
    x[0] += 1.0 / (q + 3);
}

template <class T> static void print(const char *name, op_dat dat) {
  std::vector<T> values(std::size_t(dat->set->size) * std::size_t(dat->dim));
  op_fetch_data(dat, values.data());
  unsigned long long hash = 1469598103934665603ull;
  auto bytes = reinterpret_cast<const unsigned char *>(values.data());
  for (std::size_t n = 0; n < values.size() * sizeof(T); ++n)
    hash = (hash ^ bytes[n]) * 1099511628211ull;
  std::printf("%s %016llx\n", name, hash);
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  const int numNodes = 400, numCells = 900;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(0.5, 1.5);
  std::vector<int> corners, counts;
  std::vector<double> a;
  for (int c = 0; c < numCells; ++c) {
    int first = c * numNodes / numCells;
    for (int k = 0; k < 3; ++k)
      corners.push_back((first + int(random() % 9)) % numNodes);
    if (c % 10 == 0) // twice the same
      corners[3 * c + 2] = corners[3 * c];
    a.push_back(value(random));
    a.push_back(value(random));
    counts.push_back(c % 4);
  }
  std::vector<double> zeros(numCells * 12);
  std::vector<float> floats(numNodes);
  op_set nodes = op_decl_set(numNodes, "nodes"),
         cells = op_decl_set(numCells, "cells");
  op_map map = op_decl_map(cells, nodes, 3, corners.data(), "map");
  op_dat da = op_decl_dat(cells, 2, "double", a.data(), "a");
  op_dat dn = op_decl_dat(cells, 1, "int", counts.data(), "counts");
  op_dat dr = op_decl_dat(nodes, 2, "double", zeros.data(), "r");
  op_dat dt = op_decl_dat(nodes, 1, "double", zeros.data(), "t");
  op_dat du = op_decl_dat(nodes, 1, "double", zeros.data(), "u");
  op_dat ds = op_decl_dat(nodes, 1, "float", floats.data(), "s");
  op_dat di = op_decl_dat(nodes, 1, "int", counts.data(), "i");
  op_dat small = op_decl_dat(cells, 1, "double", zeros.data(), "small");
  op_dat large = op_decl_dat(cells, 12, "double", zeros.data(), "large");
  for (int step = 0; step < 3; ++step) {
    op_par_loop(quadrature, "quadrature", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dt, -3, map, 1, "double", OP_INC));
    print<double>("quadrature", dt);
    op_par_loop(backwards, "backwards", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dr, 0, map, 2, "double", OP_INC),
                op_arg_dat(dr, 1, map, 2, "double", OP_INC),
                op_arg_dat(dr, 2, map, 2, "double", OP_INC));
    print<double>("backwards", dr);
    op_par_loop(branches, "branches", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dr, 0, map, 2, "double", OP_INC),
                op_arg_dat(dr, 2, map, 2, "double", OP_INC));
    print<double>("branches", dr);
    op_par_loop(two, "two", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(dr, -2, map, 2, "double", OP_INC),
                op_arg_dat(ds, -2, map, 1, "float", OP_INC));
    print<double>("two", dr);
    print<float>("two", ds);
    op_par_loop(assemble, "assemble", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(small, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(large, -1, OP_ID, 12, "double", OP_WRITE),
                op_arg_dat(dt, -2, map, 1, "double", OP_INC));
    print<double>("assemble", dt);
    print<double>("assemble", small);
    print<double>("assemble", large);
    op_par_loop(turns, "turns", cells,
                op_arg_dat(dn, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(du, 0, map, 1, "double", OP_INC));
    print<double>("turns", du);
    op_par_loop(at_once, "at_once", cells,
                op_arg_dat(da, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(du, 0, map, 1, "double", OP_INC),
                op_arg_dat(du, 2, map, 1, "double", OP_INC),
                op_arg_dat(di, 0, map, 1, "int", OP_INC),
                op_arg_dat(di, 2, map, 1, "int", OP_INC));
    print<double>("at_once", du);
    print<int>("at_once", di);
  }
  op_exit();
  return 0;
}
