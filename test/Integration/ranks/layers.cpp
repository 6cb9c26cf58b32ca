// Loops over layers on ranks: the bits of one process, with every access, in sums
// that are not exact, where each rank declares the whole mesh; and where each
// declares a block.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O2 -march=native -ffp-contract=off -Werror=op2-sequential \
// RUN:   --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp OP2_CHECK_PLAN=1 -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t | FileCheck %s
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off %op2api %s -o %t.header \
// RUN:   -Wl,--no-as-needed -lop2_mpi %op2lib
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" -- %t.header | FileCheck %s
// CHECK: ways, the same output
// RUN: %t.header > %t.alone
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks %mpirun -n 2 %t 2 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:5 OP2_CHECK_PLAN=1 %mpirun -n 4 %t 4 > %t.out && diff %t.alone %t.out
// RUN: env OP2_TARGET=openmp OP2_RANKS=blocks OP2_PARTITION=random:3 %mpirun -n 3 %t 3 OP_NO_REALLOC > %t.out && diff %t.alone %t.out
// RUN: env OP2_RANKS=blocks not %mpirun -n 2 %t 2 range 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: op2 error (rank 1 of 2): op_decl_layers_varying wrong: column 256 has layers from 2 to, excluded, 1

#include "Inputs/bits.h"

#include <cstdint>
#include <cstring>
#include <vector>

static void heat(const double (*t)[2], double (*r)[2], double *own,
                 const int *cell, double *sum, int *most) {
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k)
      r[i][k] += t[i][1 - k] * (i + 1) / 7 - t[(i + 1) % 4][k] / (k + 3);
  own[0] += t[0][0] / 3;
  own[1] += *cell;
  *sum += t[0][0] / 7;
  *most = int(t[2][1]) > *most ? int(t[2][1]) : *most;
}
static void relax(double *t, double *r) {
  *t = *t * 0.9 + *r / 11;
  *r = 0;
}
static void least(int *x, const int *cell) { *x = *cell < *x ? *cell : *x; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int rank, ranks = countBlocks(argc, argv, rank);
  const int n = 16, ncell = 2 * n * n, nnode = (2 * n + 1) * (n + 1);
  const int levels = 12;
  auto begin = [&](int size, int of) { return size * of / ranks; };
  int cell0 = begin(ncell, rank), cell1 = begin(ncell, rank + 1);
  int node0 = begin(nnode, rank), node1 = begin(nnode, rank + 1);
  std::vector<int> corner, ranges, numbers;
  std::vector<double> t0, zeros;
  for (int c = cell0; c < cell1; ++c) {
    int i = c / n, j = c % n, at = i * (n + 1) + j;
    corner.insert(corner.end(), {at, at + 1, at + n + 2, at + n + 1});
    ranges.insert(ranges.end(), {c % 3, c % 3 + c % 10});
    numbers.insert(numbers.end(), levels, 1000);
  }
  for (int p = node0; p < node1; ++p)
    for (int l = 0; l < levels; ++l)
      t0.push_back((p * 31 + l * 7) % 53);
  op_set cells = op_decl_set(cell1 - cell0, "cells");
  op_set nodes = op_decl_set(node1 - node0, "nodes");
  op_map pcell = op_decl_map(cells, nodes, 4, corner.data(), "pcell");
  zeros.resize(t0.size());
  op_dat t = op_decl_dat_layers(nodes, levels, 1, "double", t0.data(), "t");
  op_dat r = op_decl_dat_layers(nodes, levels, 1, "double", zeros.data(), "r");
  op_dat m = op_decl_dat_layers(cells, levels, 1, "int", numbers.data(), "m");
  op_dat own = op_decl_dat(cells, 2, "double", (double *)nullptr, "own");
  if (argc > 2 && !std::strcmp(argv[2], "range") && rank == 1) {
    ranges[0] = 2;
    ranges[1] = 1;
    op_decl_layers_varying(cells, ranges.data(), "wrong");
  }
  op_layers some = op_decl_layers_varying(cells, ranges.data(), "some");
  op_layers all = op_decl_layers(nodes, 0, levels, "all");
  double sum = 0.5;
  int most = -1;
  for (int step = 0; step < 3; ++step) {
    op_par_loop(heat, "heat", some,
                op_arg_dat_layers(t, -4, pcell, 0, 2, 1, "double", OP_READ),
                op_arg_dat_layers(r, -4, pcell, 0, 2, 1, "double", OP_INC),
                op_arg_dat(own, -1, OP_ID, 2, "double", OP_INC),
                op_arg_idx(-1, OP_ID), op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "int", OP_MAX));
    op_par_loop(least, "least", some,
                op_arg_dat_layers(m, -1, OP_ID, 0, 1, 1, "int", OP_MIN),
                op_arg_idx(2, pcell));
    op_par_loop(relax, "relax", all,
                op_arg_dat_layers(t, -1, OP_ID, 0, 1, 1, "double", OP_RW),
                op_arg_dat_layers(r, -1, OP_ID, 0, 1, 1, "double", OP_RW));
  }
  print<double>("t", t);
  print<double>("own", own);
  print<int>("m", m);
  op_printf("%a %d\n", sum, most);
  op_exit();
  return 0;
}
