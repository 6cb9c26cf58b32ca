// Ranks may declare blocks that are alike, which is not what a program for one
// process does: they lead to nodes of other ranks.
//
// REQUIRES: mpi
// RUN: %op2cxx %unoptimized -O1 --op2-mpi --op2-target=seq %s -o %t
// RUN: %mpirun -n 3 %t | FileCheck %s
// CHECK: 3 3 3 3 0 0
#include "op_seq.h"

static void count(int *a, int *b) {
  *a += 1;
  *b += 0;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int ends[] = {0, 5, 1, 4, 2, 3, 3, 0};
  int zeros[] = {0, 0};
  op_set nodes = op_decl_set(2, "nodes"), edges = op_decl_set(4, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends, "map");
  op_dat counts = op_decl_dat(nodes, 1, "int", zeros, "counts");
  op_par_loop(count, "count", edges,
              op_arg_dat(counts, 0, map, 1, "int", OP_INC),
              op_arg_dat(counts, 1, map, 1, "int", OP_INC));
  int all[6];
  op_fetch_data_idx(counts, all, 0, 5);
  op_printf("%d %d %d %d %d %d\n", all[0], all[1], all[2], all[3], all[4],
            all[5]);
  op_exit();
}
