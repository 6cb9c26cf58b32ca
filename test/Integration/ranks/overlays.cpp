// Dats that share storage, on one set and on two, declared before ranks have their
// parts and after.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx %unoptimized -O2 -ffp-contract=off -Werror=op2-sequential --op2-mpi \
// RUN:   --op2-target=openmp,seq %s -o %t
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=openmp -- %t OP_NO_REALLOC \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=seq OP2_RENUMBER=rcm -- %t one \
// RUN:   | FileCheck %s
// CHECK: ways, the same output
#include "op_seq.h"

#include <cstring>
#include <vector>

static void add(const double *from, double *to) {
  to[0] += from[0] * 0.3;
  to[1] -= from[1] / 7;
}
static void grow(double *value, const int *n) {
  value[0] = value[0] * 1.1 + *n;
  value[1] += 0.01 * value[0];
}
static void copy(const double *from, double *to) {
  to[0] = from[1];
  to[1] = from[0];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  bool isOneSet = argc > 1 && !std::strcmp(argv[1], "one");
  constexpr int kNodes = 80, kCells = 50, kEdges = 170;
  std::vector<int> ends, corners;
  std::vector<double> x0, y0(2 * kNodes), z0(2 * kCells, 0.5);
  for (int e = 0; e < kEdges; ++e) {
    ends.insert(ends.end(), {e * 3 % kNodes, (e * e + 1) % kNodes});
    corners.push_back((e * 7 + 2) % kCells);
  }
  for (int n = 0; n < 2 * kNodes; ++n)
    x0.push_back(n * 0.25);
  op_set nodes = op_decl_set(kNodes, "nodes");
  op_set cells = op_decl_set(kCells, "cells");
  op_set edges = op_decl_set(kEdges, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "map");
  op_map corner = op_decl_map(edges, cells, 1, corners.data(), "corner");
  op_dat x = op_decl_dat(nodes, 2, "double", x0.data(), "x");
  op_dat y = op_decl_dat(nodes, 2, "double", y0.data(), "y");
  op_dat z = op_decl_dat(cells, 2, "double", z0.data(), "z");
  // On the same set, another one, and an overlay of that.
  op_dat same = op_decl_dat_overlay(nodes, x);
  op_dat less = isOneSet ? z : op_decl_dat_overlay(cells, x);
  op_dat late = nullptr;
  auto print = [&](op_dat dat) {
    std::vector<double> values(std::size_t(dat->set->size) * 2);
    op_fetch_data(dat, values.data());
    for (double value : values)
      op_printf("%s %a\n", dat->set->name, value);
  };
  print(less);
  for (int time = 0; time < 3; ++time) {
    op_par_loop(add, "to cells", edges,
                op_arg_dat(y, 0, map, 2, "double", OP_READ),
                op_arg_dat(less, 0, corner, 2, "double", OP_INC));
    op_par_loop(add, "from nodes", edges,
                op_arg_dat(x, 0, map, 2, "double", OP_READ),
                op_arg_dat(y, 1, map, 2, "double", OP_INC));
    op_par_loop(grow, "grow", nodes,
                op_arg_dat(same, -1, OP_ID, 2, "double", OP_RW),
                op_arg_idx(-1, OP_ID));
    op_par_loop(copy, "copy", cells,
                op_arg_dat(less, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(z, -1, OP_ID, 2, "double", OP_WRITE));
    // Of a dat that has been in loops.
    if (!late)
      late = op_decl_dat_overlay(isOneSet ? nodes : cells, y);
    op_par_loop(grow, "late", late->set,
                op_arg_dat(late, -1, OP_ID, 2, "double", OP_RW),
                op_arg_idx(-1, OP_ID));
  }
  for (op_dat dat : {x, y, z, same, less, late})
    print(dat);
  op_free_dat_temp(late);
  op_free_dat_temp(same);
  op_exit();
}
