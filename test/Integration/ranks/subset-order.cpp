// A subset has its set's order, also where that was renumbered before ranks
// divide it.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 -ffp-contract=off --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off %op2api %s -o %t.header %op2lib
// RUN: %t.header > %t.alone
// RUN: env OP2_TARGET=openmp %t > %t.out && diff %t.alone %t.out
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t > %t.out && diff %t.alone %t.out
// RUN: env OP2_RANKS=mirrored OP2_TARGET=seq %mpirun -n 3 %t > %t.out && diff %t.alone %t.out
#include "op_seq.h"

#include <vector>

static void add(const double *x, double *y) { *y += *x; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 60;
  std::vector<int> table, neighbors, keys, chosen;
  std::vector<double> values;
  unsigned number = 1;
  auto random = [&](unsigned below) {
    number = number * 1664525u + 1013904223u;
    return int((number >> 8) % below);
  };
  for (int n = 0; n < size; ++n) {
    table.push_back(random(3));
    neighbors.push_back(random(size));
    neighbors.push_back(random(size));
    keys.push_back(random(11));
    values.push_back(random(1 << 20) / 3.0);
    if (random(3))
      chosen.push_back(n);
  }
  op_set edges = op_decl_set(size, "edges"), nodes = op_decl_set(3, "nodes");
  op_map map = op_decl_map(edges, nodes, 1, table.data(), "map");
  op_map next = op_decl_map(edges, edges, 2, neighbors.data(), "next");
  op_dat a = op_decl_dat(edges, 1, "double", values.data(), "a");
  op_dat sums = op_decl_dat(nodes, 1, "double", (double *)nullptr, "sums");
  op_dat key = op_decl_dat(edges, 1, "int", keys.data(), "key");
  auto declare = [&](const char *name) {
    return op_decl_subset(edges, int(chosen.size()), chosen.data(), name);
  };
  op_subset before = declare("before");
  op_renumber_by(edges, key);
  op_subset between = declare("between");
  op_renumber(next);
  op_subset after = declare("after");
  for (op_subset subset : {before, between, after}) {
    op_par_loop(add, "add", subset,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(sums, 0, map, 1, "double", OP_INC));
    double found[3];
    op_fetch_data(sums, found);
    op_printf("%a %a %a\n", found[0], found[1], found[2]);
  }
  op_exit();
}
