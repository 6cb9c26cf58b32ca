// Loops over subsets that change rows (also with OP_WRITE parts of them) are vectorized: no
// two elements of a subset are one. The bits are those of one element after the
// other, on threads, in chains and on ranks.
//
// RUN: %op2cxx -O2 -ffp-contract=off -Werror=op2-sequential --op2-target=seq %s -o %t.seq && %t.seq > %t.expected
// RUN: %op2cxx %unoptimized -O2 -march=x86-64-v3 -ffp-contract=off --op2-report --op2-target=openmp %s -o %t 2> %t.report
// RUN: FileCheck %s < %t.report
// RUN: env OMP_NUM_THREADS=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=60 OP2_OWNER=always %t | diff %t.expected -
// RUN: %if mpi %{ %op2cxx -O2 -march=x86-64-v3 -ffp-contract=off --op2-mpi --op2-target=openmp %s -o %t.ranks %}
// RUN: %if mpi %{ env OP2_RANKS=whole OP2_CHECK_PLAN=1 OP2_PARTITION=random:3 %mpirun -n 3 %t.ranks | diff %t.expected - %}
//
// CHECK-DAG: loop 'drag': vectorized across 4 elements
// CHECK-DAG: loop 'part': vectorized across 4 elements
// CHECK-DAG: loop 'shed': vectorized across 4 elements
//
// What others may change as well is not.
// CHECK-DAG: loop 'twice': not vectorized: argument 0 changes rows that elements may share

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

static void drag(double *q, const double *w, const int *number) {
  double a = q[0], b = q[1];
  for (int k = 0; k < 3; ++k) {
    a = a * 0.9 + 0.1 * std::sqrt(a * a + b * b + *w);
    b -= 0.01 * a;
  }
  q[0] = a;
  if (*number % 3)
    q[1] = b;
}
static void part(double *q, const double *w) {
  if (*w > 0.5)
    q[1] = *w;
}
static void shed(double *q, double *left, double *right) {
  *left += 0.25 * q[0];
  *right -= 0.125 * q[1];
  q[0] *= 0.5;
}
static void twice(double *q) { q[0] *= 1.5; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 4001;
  std::vector<double> q(2 * n), w(n), zeros(n);
  std::vector<int> chosen, next(2 * n);
  for (int i = 0; i < n; ++i) {
    q[2 * i] = 1 + i % 7;
    q[2 * i + 1] = i % 11;
    w[i] = i * 37 % 101 / 101.0;
    next[2 * i] = (i * 3 + 1) % n;
    next[2 * i + 1] = (i + 5) % n;
    if (i * 29 % 7 < 4)
      chosen.push_back(i);
  }
  op_set cells = op_decl_set(n, "cells"), nodes = op_decl_set(n, "nodes");
  op_map side = op_decl_map(cells, nodes, 2, next.data(), "side");
  op_map one = op_decl_map(nodes, cells, 2, next.data(), "one");
  op_dat dq = op_decl_dat(cells, 2, "double", q.data(), "q");
  op_dat dw = op_decl_dat(cells, 1, "double", w.data(), "w");
  op_dat flow = op_decl_dat(nodes, 1, "double", zeros.data(), "flow");
  op_subset wet = op_decl_subset(cells, int(chosen.size()), chosen.data(), "wet");
  for (int step = 0; step < 30; ++step) {
    op_par_loop(drag, "drag", wet,
                op_arg_dat(dq, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_idx(-1, OP_ID));
    op_par_loop(part, "part", wet,
                op_arg_dat(dq, -1, OP_ID, 2, "double", OP_WRITE),
                op_arg_dat(dw, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(shed, "shed", wet,
                op_arg_dat(dq, -1, OP_ID, 2, "double", OP_RW),
                op_arg_dat(flow, 0, side, 1, "double", OP_INC),
                op_arg_dat(flow, 1, side, 1, "double", OP_INC));
  }
  op_par_loop(twice, "twice", nodes, op_arg_dat(dq, 0, one, 2, "double", OP_RW));
  op_fetch_data(dq, q.data());
  op_fetch_data(flow, zeros.data());
  double sum = 0, flows = 0;
  for (int i = 0; i < n; ++i) {
    sum = sum * 0.999 + q[2 * i] + 3 * q[2 * i + 1];
    flows = flows * 0.999 + zeros[i];
  }
  op_printf("%.17g %.17g\n", sum, flows);
  op_exit();
}
