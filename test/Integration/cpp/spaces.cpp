// Local iteration spaces: a kernel for each place of an element's tensor does
// what the same kernel does with loops of its own, on all targets.
//
// RUN: %clangxx -std=c++17 -O1 %op2api %s -o %t.dev %op2lib
// RUN: %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_CHECK=1 %t.dev | diff %t.expected -
// RUN: %op2cxx -O2 --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 OP2_OWNER=always %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=never %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=7 OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: %op2cxx -O2 -march=x86-64-v3 --op2-vector-bits=256 --op2-target=openmp %s -o %t.wide
// RUN: env OMP_NUM_THREADS=2 %t.wide | diff %t.expected -
// RUN: %op2cxx -O0 --op2-target=openmp %s -o %t.plain
// RUN: env OMP_NUM_THREADS=2 %t.plain | diff %t.expected -
// RUN: %op2cxx -O1 --op2-target=emulator %s -o %t.emulator
// RUN: env OP2_TARGET=emulator %t.emulator | diff %t.expected -
// RUN: %op2cxx -O1 --op2-target=cuda --op2-gpu-format=ptx -c %s -o %t.o
//
// CHECK: mass: [[#]] values, equal
// CHECK-NEXT: load: equal
// CHECK-NEXT: block: equal
// CHECK-NEXT: cube: equal
#include "op_seq.h"

#include <cstdio>
#include <vector>

constexpr int kCells = 400, kNodes = 150;

// An entry of a cell's matrix, its load, and a row of a block.
inline void mass(double &A, const double (*x)[2], const int *weight, int i,
                 int j) {
  A += x[i][0] * x[j][1] + *weight * (i == j ? 2 : 1);
}
inline void load(double &b, const double (&x)[2], const int *weight, int i) {
  b += x[0] - x[1] + *weight * (i + 1);
}
inline void block(double (&row)[2], const double *x, int p) {
  row[0] += x[0] * p;
  row[1] += x[1] + p;
}
inline void cube(int &value, int i, int j, int k) noexcept {
  value = 100 * i + 10 * j + k;
}

static void massByHand(double (*A)[3], const double (*x)[2], const int *weight) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A[i][j] += x[i][0] * x[j][1] + *weight * (i == j ? 2 : 1);
}
static void loadByHand(double *b, const double (*x)[2], const int *weight) {
  for (int i = 0; i < 3; ++i)
    b[i] += x[i][0] - x[i][1] + *weight * (i + 1);
}
static void blockByHand(double *rows, const double *x) {
  for (int p = 0; p < 3; ++p) {
    rows[2 * p] += x[0] * p;
    rows[2 * p + 1] += x[1] + p;
  }
}

static std::vector<double> valuesOf(op_mat A) {
  long long count;
  op_mat_get_size(A, nullptr, nullptr, &count);
  std::vector<double> values(count);
  op_mat_get_csr(A, nullptr, nullptr, values.data());
  return values;
}
template <class T = double> static std::vector<T> valuesOf(op_dat dat) {
  std::vector<T> values(dat->set->size * dat->dim);
  op_fetch_data(dat, values.data());
  return values;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> table, numbers;
  std::vector<double> places;
  for (int n = 0; n < kCells; ++n) {
    table.insert(table.end(), {n % kNodes, (n * 7 + 1) % kNodes, (n * 11 + 5) % kNodes});
    numbers.push_back(n % 13);
  }
  for (int n = 0; n < kNodes; ++n)
    places.insert(places.end(), {double(n % 9), double(n % 7 + 1)});
  op_set cells = op_decl_set(kCells, "cells"), nodes = op_decl_set(kNodes, "nodes");
  op_map pcell = op_decl_map(cells, nodes, 3, table.data(), "pcell");
  op_dat x = op_decl_dat(nodes, 2, "double", places.data(), "x");
  op_dat weight = op_decl_dat(cells, 1, "int", numbers.data(), "weight");
  op_sparsity s = op_decl_sparsity(pcell, pcell, "s");
  op_mat A = op_decl_mat(s, 1, 1, "double", "A"), B = op_decl_mat(s, 1, 1, "double", "B");
  auto zeros = [&](int dim, char const *name) {
    return op_decl_dat(nodes, dim, "double", (double *)nullptr, name);
  };
  op_dat b = zeros(1, "b"), c = zeros(1, "c"), d = zeros(2, "d"), e = zeros(2, "e");

  op_par_loop(op_iteration_space<mass, 3, 3>, "mass", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(weight, -1, OP_ID, 1, "int", OP_READ));
  op_par_loop(massByHand, "mass by hand", cells,
              op_arg_mat(B, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(weight, -1, OP_ID, 1, "int", OP_READ));
  std::vector<double> values = valuesOf(A);
  std::printf("mass: %zu values, %s\n", values.size(), values == valuesOf(B) ? "equal" : "different");

  op_par_loop(op_iteration_space<load, 3>, "load", cells,
              op_arg_dat(b, -3, pcell, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(weight, -1, OP_ID, 1, "int", OP_READ));
  op_par_loop(loadByHand, "load by hand", cells,
              op_arg_dat(c, -3, pcell, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(weight, -1, OP_ID, 1, "int", OP_READ));
  std::printf("load: %s\n", valuesOf(b) == valuesOf(c) ? "equal" : "different");

  op_par_loop(op_iteration_space<block, 3>, "block", cells,
              op_arg_dat(d, -3, pcell, 2, "double", OP_INC),
              op_arg_dat(x, 1, pcell, 2, "double", OP_READ));
  op_par_loop(blockByHand, "block by hand", cells,
              op_arg_dat(e, -3, pcell, 2, "double", OP_INC),
              op_arg_dat(x, 1, pcell, 2, "double", OP_READ));
  std::printf("block: %s\n", valuesOf(d) == valuesOf(e) ? "equal" : "different");

  // A row of an element is a space, too.
  op_dat all = op_decl_dat(cells, 24, "int", (int *)nullptr, "all");
  op_par_loop(op_iteration_space<cube, 2, 3, 4>, "cube", cells,
              op_arg_dat(all, -1, OP_ID, 24, "int", OP_WRITE));
  bool isRight = true;
  std::vector<int> found = valuesOf<int>(all);
  for (int n = 0; n < 24 * kCells; ++n)
    isRight &= found[n] == 100 * (n % 24 / 12) + 10 * (n % 12 / 4) + n % 4;
  std::printf("cube: %s\n", isRight ? "equal" : "different");
  op_exit();
}
