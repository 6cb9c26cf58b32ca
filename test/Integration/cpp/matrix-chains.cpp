// Products by matrices are loops like others: they wait, and go through the mesh
// in tiles with what comes before and after.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-report %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=never %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=100 OP2_TRACE=%t.json %t | diff %t.expected -
// RUN: %if no-undefined-sanitizer %{ FileCheck %s --check-prefix=TRACE < %t.json %}
//
// CHECK-DAG: loop 'op_mat_mult' may be delayed
// CHECK-DAG: loop 'direction' may be delayed
// TRACE: direction, op_mat_mult_zero, op_mat_mult, dot","cat":"chain in tiles"
#include "op_seq.h"

#include <vector>

constexpr int kNodes = 3000, kCells = kNodes - 1;

inline void element(double (*A)[2], const int *kind) {
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      A[a][b] += a == b ? *kind : -1;
}
inline void direction(const double *r, double *p) { *p = *r + int(*p) % 5; }
inline void dot(const double *p, const double *v, double *sum) { *sum += *p * *v; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::vector<int> ends(2 * kCells), kinds(kCells);
  std::vector<double> values(kNodes);
  for (int n = 0; n < kCells; ++n) {
    ends[2 * n] = n, ends[2 * n + 1] = n + 1;
    kinds[n] = 1 + n % 3;
  }
  for (int n = 0; n < kNodes; ++n)
    values[n] = n % 7;
  op_set nodes = op_decl_set(kNodes, "nodes"), cells = op_decl_set(kCells, "cells");
  op_map map = op_decl_map(cells, nodes, 2, ends.data(), "ends");
  op_dat kind = op_decl_dat(cells, 1, "int", kinds.data(), "kind");
  op_dat r = op_decl_dat(nodes, 1, "double", values.data(), "r");
  op_dat p = op_decl_dat(nodes, 1, "double", values.data(), "p");
  op_dat v = op_decl_dat(nodes, 1, "double", (double *)nullptr, "v");
  op_mat A = op_decl_mat(op_decl_sparsity(map, map, "sparsity"), 1, 1, "double", "A");
  op_mat_zero<double, 1>(A);
  op_par_loop(element, "element", cells,
              op_arg_mat(A, -2, map, -2, map, 1, 1, "double", OP_INC),
              op_arg_dat(kind, -1, OP_ID, 1, "int", OP_READ));
  for (int step = 0; step < 10; ++step) {
    double sum = 0;
    op_par_loop(direction, "direction", nodes, op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p, -1, OP_ID, 1, "double", OP_RW));
    op_mat_mult<double, 1>(A, p, v);
    op_par_loop(dot, "dot", nodes, op_arg_dat(p, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(v, -1, OP_ID, 1, "double", OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC));
    op_printf("%g\n", sum);
  }
  op_exit();
}
