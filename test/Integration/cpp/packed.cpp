// Packed arguments: the rows of several slots side by side in memory of the
// kernel's own, on every target, with every access; repeated slots; tables of
// constants in kernels.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t > %t.omp && diff %t.seq %t.omp
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=7 OP2_OWNER=always %t > %t.own && diff %t.seq %t.own
// RUN: env OP2_TARGET=openmp OP2_RENUMBER=rcm OP2_CHECK=warn %t > %t.rcm && diff %t.seq %t.rcm
// RUN: %op2cxx -O2 -march=x86-64-v3 --op2-vector-bits=256 -Werror=op2-sequential --op2-report %s -o %t.wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: env OMP_NUM_THREADS=2 %t.wide > %t.out && diff %t.seq %t.out
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
// RUN: %emulate --every-way --keeps-rows %t.seq %s -- %op2cxx
//
// WIDE-DAG: loop 'assemble': vectorized across 4 elements
// WIDE-DAG: loop 'assemble': kernel raised
// WIDE-DAG: loop 'whole': vectorized across 4 elements
// WIDE-DAG: loop 'some': not vectorized: argument 1 is packed and may leave some of its rows as they are
//
// CHECK: sum 179400
// CHECK-NEXT: scaled 1196
// CHECK-NEXT: corners 1200
// CHECK-NEXT: whole 7 some 103 kept 7
// CHECK-NEXT: changed 45
// CHECK-NEXT: least 0 most 299
// CHECK-NEXT: without 0 with 600
// CHECK-NEXT: repeated 4
// CHECK-NEXT: bytes 44

#include "op_seq.h"

#include <cstdio>
#include <vector>

struct Point {
  double x, y;
};

// What it leaves there is added, however it came there.
inline void assemble(const double (*x)[2], double *sum, double (*scaled)[2]) {
  const int next[3][1] = {{1}, {2}, {0}};
  double all = 0;
  for (int i = 0; i < 3; ++i)
    all += x[i][0] + x[next[i][0]][1];
  for (int i = 0; i < 3; ++i) {
    sum[i] = all;
    if (sum[i] > 0)
      sum[next[i][0]] += 0;
    scaled[i][0] = 1;
  }
  for (int i = 0; i < 3; ++i)
    scaled[i][1] = -scaled[next[i][0]][0] * 2;
}
inline void corners(const Point *p, double *sum) {
  for (int i = 0; i < 3; ++i)
    sum[0] += p[i].x == p[i].y ? 1 : 0;
}
inline void whole(double (*x)[2]) {
  x[0][0] = x[1][0] = x[2][0] = 7;
  x[0][1] = x[1][1] = x[2][1] = 7;
}
// Rows that it does not store keep their values.
inline void some(const int *number, double (*x)[2]) {
  if (*number == 3)
    x[1][0] = 103;
}
inline void change(int *x) {
  for (int i = 0; i < 3; ++i)
    x[i] += i == 1 ? 5 : 0;
}
inline void bounds(const int *number, int *least, int *most) {
  for (int i = 0; i < 3; ++i) {
    if (*number < least[i])
      least[i] = *number;
    most[i] = most[i] < *number ? *number : most[i];
  }
}
inline void maybe(double *x, const int *has) {
  if (*has)
    x[0] = x[1] = 1;
}
inline void twice(double *x) {
  x[0] = 1;
  x[1] += 3;
}
inline void narrow(const unsigned char *in, unsigned char *out) {
  for (int i = 0; i < 3; ++i)
    out[i] = in[i];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 300;
  op_set cells = op_decl_set(n, "cells"), nodes = op_decl_set(n, "nodes");
  std::vector<int> table, same;
  std::vector<double> coordinates;
  std::vector<unsigned char> ones(n, 1);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      table.push_back((i + k * 17) % n);
    same.insert(same.end(), {i, i});
    coordinates.insert(coordinates.end(), {double(i % 3), double(i % 3)});
  }
  op_map corner = op_decl_map(cells, nodes, 3, table.data(), "corner");
  op_map pair = op_decl_map(cells, nodes, 2, same.data(), "pair");
  op_dat x = op_decl_dat(nodes, 2, "double", coordinates.data(), "x");
  auto zeros = [&](op_set set, int dim, const char *name) {
    return op_decl_dat(set, dim, "double", (double *)nullptr, name);
  };
  auto fetch = [](op_dat dat) {
    std::vector<double> values(dat->set->size * dat->dim);
    op_fetch_data(dat, values.data());
    return values;
  };
  auto total = [&](op_dat dat) {
    double sum = 0;
    for (double value : fetch(dat))
      sum += value;
    return sum;
  };
  op_dat sum = zeros(nodes, 1, "sum"), scaled = zeros(nodes, 2, "scaled");
  for (int step = 0; step < 100; ++step)
    op_par_loop(assemble, "assemble", cells,
                op_arg_dat(x, -3, corner, 2, "double", OP_READ),
                op_arg_dat(sum, -3, corner, 1, "double", OP_INC),
                op_arg_dat(scaled, -3, corner, 2, "double", OP_INC));
  std::printf("sum %g\n", total(sum) - 360600);
  std::printf("scaled %g\n", -total(scaled) / 75 - 4);

  op_dat count = zeros(nodes, 1, "count");
  op_par_loop(corners, "corners", cells,
              op_arg_dat(x, -3, corner, 2, "double", OP_READ),
              op_arg_dat(count, -3, corner, 1, "double", OP_INC));
  std::printf("corners %g\n", total(count) + 300);

  op_dat written = zeros(nodes, 2, "written");
  std::vector<int> numbers;
  for (int i = 0; i < n; ++i)
    numbers.push_back(i);
  op_dat number = op_decl_dat(cells, 1, "int", numbers.data(), "number");
  op_par_loop(whole, "whole", cells,
              op_arg_dat(written, -3, corner, 2, "double", OP_WRITE));
  double first = fetch(written)[9];
  op_par_loop(some, "some", cells,
              op_arg_dat(number, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(written, -3, corner, 2, "double", OP_WRITE));
  std::printf("whole %g some %g kept %g\n", first, fetch(written)[40],
              fetch(written)[41]);

  std::vector<int> none(n);
  op_dat changed = op_decl_dat(nodes, 1, "int", none.data(), "changed");
  for (int step = 0; step < 9; ++step)
    op_par_loop(change, "change", cells,
                op_arg_dat(changed, -3, corner, 1, "int", OP_RW));
  std::vector<int> integers(n);
  op_fetch_data(changed, integers.data());
  std::printf("changed %d\n", integers[5]);

  std::vector<int> large(n, 1000);
  op_dat least = op_decl_dat(nodes, 1, "int", large.data(), "least");
  op_dat most = op_decl_dat(nodes, 1, "int", none.data(), "most");
  op_par_loop(bounds, "bounds", cells,
              op_arg_dat(number, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(least, -3, corner, 1, "int", OP_MIN),
              op_arg_dat(most, -3, corner, 1, "int", OP_MAX));
  op_fetch_data(least, integers.data());
  int smallest = integers[17];
  op_fetch_data(most, integers.data());
  std::printf("least %d most %d\n", smallest, integers[16]);

  op_dat optional = zeros(nodes, 1, "optional");
  for (int has : {0, 1}) {
    op_par_loop(maybe, "maybe", cells,
                op_opt_arg_dat(has, optional, -2, corner, 1, "double", OP_INC),
                op_arg_gbl(&has, 1, "int", OP_READ));
    std::printf(has ? " with %g\n" : "without %g", total(optional));
  }

  op_dat repeated = zeros(nodes, 1, "repeated");
  op_par_loop(twice, "twice", cells,
              op_arg_dat(repeated, -2, pair, 1, "double", OP_INC));
  std::printf("repeated %g\n", fetch(repeated)[8]);

  op_dat in = op_decl_dat(nodes, 1, "uchar", ones.data(), "in");
  op_dat out = op_decl_dat(nodes, 1, "uchar", (unsigned char *)nullptr, "out");
  for (int step = 0; step < 100; ++step)
    op_par_loop(narrow, "narrow", cells,
                op_arg_dat(in, -3, corner, 1, "uchar", OP_READ),
                op_arg_dat(out, -3, corner, 1, "uchar", OP_INC));
  op_fetch_data(out, ones.data());
  std::printf("bytes %d\n", ones[0]);
  op_exit();
}
