// Reductions by functions of the program on ranks: each combines its own
// elements, and ranks are combined in their order, each element once, also where
// loops run copies of elements at borders.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %t > %t.alone && FileCheck %s < %t.alone
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t | diff %t.alone -
// RUN: env OP2_RANKS=whole OP2_TARGET=seq %mpirun -n 3 %t | diff %t.alone -
// RUN: env OP2_RANKS=whole OP2_PARTITION=random:3 OP2_CHECK_PLAN=1 %mpirun -n 4 %t | diff %t.alone -
// RUN: %clangxx -std=c++17 -O1 %op2api %s -o %t.header -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t.header | diff %t.alone -
// On devices.
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi --op2-target=emulator,openmp %s -o %t.emulator
// RUN: env OP2_RANKS=whole OP2_TARGET=emulator OP2_CHECK_PLAN=1 %mpirun -n 3 %t.emulator | diff %t.alone -
// RUN: env OP2_RANKS=whole OP2_TARGET=emulator OP2_PARTITION=random:3 %mpirun -n 4 %t.emulator | diff %t.alone -
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-mpi --op2-strategy=global --op2-target=emulator %s -o %t.global
// RUN: env OP2_RANKS=whole OP2_TARGET=emulator OP2_PARTITION=random:5 %mpirun -n 2 %t.global | diff %t.alone -
// CHECK: box: 0 199 -100 99, 400 visits
// CHECK-NEXT: best: 399 398 397
#include "op_seq.h"

#include <vector>

constexpr int kNodes = 200, kEdges = 400;

/// Least and greatest values, and how many there were.
static void join(int *a, const int *b) {
  for (int d = 0; d < 4; d += 2) {
    a[d] = b[d] < a[d] ? b[d] : a[d];
    a[d + 1] = b[d + 1] > a[d + 1] ? b[d + 1] : a[d + 1];
  }
  a[4] += b[4];
}
static void keep(int *best, int value) {
  for (int k = 0; k < 3; ++k)
    if (value > best[k]) {
      int worse = best[k];
      best[k] = value;
      value = worse;
    }
}
static void keepAll(int *best, const int *more) {
  for (int k = 0; k < 3; ++k)
    keep(best, more[k]);
}
static void visit(const int *x, const int *y, int *left, int *right, int *box) {
  *left += 1;
  *right += 2;
  int const point[5] = {*x, *x, *y - 100, *y - 100, 1};
  join(box, point);
}
static void choose(const int *e, int *best) { keep(best, *e); }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> ends, numbers(kEdges);
  for (int e = 0; e < kEdges; ++e) {
    ends.insert(ends.end(), {e % kNodes, (e * 7 + 3) % kNodes});
    numbers[e] = e;
  }
  std::vector<int> x(kNodes);
  for (int n = 0; n < kNodes; ++n)
    x[n] = n;
  op_set nodes = op_decl_set(kNodes, "nodes"), edges = op_decl_set(kEdges, "edges");
  op_map pnode = op_decl_map(edges, nodes, 2, ends.data(), "pnode");
  op_dat p_x = op_decl_dat(nodes, 1, "int", x.data(), "x");
  op_dat p_n = op_decl_dat(edges, 1, "int", numbers.data(), "n");
  op_dat p_sum = op_decl_dat(nodes, 1, "int", (int *)nullptr, "sum");
  op_partition("", "", edges, pnode, nullptr);
  int box[5] = {1000, -1000, 1000, -1000, 0};
  const int empty[5] = {1000, -1000, 1000, -1000, 0};
  op_par_loop(visit, "visit", edges, op_arg_dat(p_x, 0, pnode, 1, "int", OP_READ),
              op_arg_dat(p_x, 1, pnode, 1, "int", OP_READ),
              op_arg_dat(p_sum, 0, pnode, 1, "int", OP_INC),
              op_arg_dat(p_sum, 1, pnode, 1, "int", OP_INC),
              op_arg_reduce(box, 5, "int", join, empty));
  op_printf("box: %d %d %d %d, %d visits\n", box[0], box[1], box[2], box[3], box[4]);
  int best[3] = {}, none[3] = {};
  op_par_loop(choose, "choose", edges, op_arg_dat(p_n, -1, OP_ID, 1, "int", OP_READ),
              op_arg_reduce(best, 3, "int", keepAll, none));
  op_printf("best: %d %d %d\n", best[0], best[1], best[2]);
  op_exit();
}
