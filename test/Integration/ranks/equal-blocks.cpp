// Ranks may declare blocks that are alike, which is not what a program for one
// process does: they lead to nodes of other ranks. Without maps the values tell.
//
// REQUIRES: mpi
// RUN: %op2cxx %unoptimized -O1 --op2-mpi --op2-target=seq %s -o %t
// RUN: %mpirun -n 3 %t 2>&1 | FileCheck %s
// RUN: %mpirun -n 3 %t alone 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %mpirun -n 3 %t zeros 2>&1 | FileCheck %s --check-prefix=ZEROS
// RUN: %mpirun -n 3 %t mine 2>&1 | FileCheck %s --check-prefix=MINE
// RUN: env OP2_RANKS=blocks %mpirun -n 3 %t alone 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t alone 2>&1 | FileCheck %s --check-prefix=WHOLE
// CHECK-NOT: warning
// CHECK: 3 3 3 3 0 0
// ALONE: op2 warning: all 3 ranks declare the same values, as those of a program for one process do: for that OP2_RANKS=whole, with which ranks divide what each of them declares; expected a block of each set from each rank (OP2_RANKS=blocks: no such warning)
// ALONE-NOT: warning
// ALONE: sum 18
// ZEROS-NOT: warning
// ZEROS: sum 0
// MINE-NOT: warning
// MINE: sum 27
// BLOCKS-NOT: warning
// BLOCKS: sum 18
// WHOLE-NOT: warning
// WHOLE: sum 6
#include "op_seq.h"
#include <string>

static void add(const int *a, int *sum) { *sum += *a; }
static void count(int *a, int *b) {
  *a += 1;
  *b += 0;
}

/// A program without maps; its values are all zero, or depend on the rank.
static void sumAlone(const std::string &what) {
  int rank = 0, sum = 0;
  op_rank(&rank);
  int values[] = {1, 2, 3};
  for (int &value : values)
    value = what == "zeros" ? 0 : value + (what == "mine" ? rank : 0);
  op_set cells = op_decl_set(3, "cells");
  op_dat dat = op_decl_dat(cells, 1, "int", values, "dat");
  op_par_loop(add, "add", cells, op_arg_dat(dat, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&sum, 1, "int", OP_INC));
  op_printf("sum %d\n", sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  if (argc > 1) {
    sumAlone(argv[1]);
    op_exit();
    return 0;
  }
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
