// Kernels may know that rows lie at multiples of their size: so do the rows that
// they sum in before these are added.
//
// RUN: %clangxx -O1 -mavx -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev | FileCheck %s
// RUN: %op2cxx -O2 -mavx -std=c++17 --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | FileCheck %s
//
// CHECK: 3 6 9 12, 1 2 3 4

#include "op_seq.h"

typedef double Four __attribute__((vector_size(32), may_alias));

static void add(const double *a, double *r, double **s) {
  *reinterpret_cast<Four *>(r) += *reinterpret_cast<const Four *>(a);
  *reinterpret_cast<Four *>(s[1]) += *reinterpret_cast<const Four *>(a);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int ends[] = {0, 1, 0, 1, 0, 2};
  double values[12], zeros[12] = {};
  for (int n = 0; n < 12; ++n)
    values[n] = n % 4 + 1;
  op_set edges = op_decl_set(3, "edges"), nodes = op_decl_set(3, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, ends, "map");
  op_dat a = op_decl_dat(edges, 4, "double", values, "a");
  op_dat r = op_decl_dat(nodes, 4, "double", zeros, "r");
  op_dat s = op_decl_dat(nodes, 4, "double", zeros, "s");
  op_par_loop(add, "add", edges, op_arg_dat(a, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(r, 0, map, 4, "double", OP_INC),
              op_arg_dat(s, -2, map, 4, "double", OP_INC));
  double sums[12], others[12];
  op_fetch_data(r, sums);
  op_fetch_data(s, others);
  op_printf("%g %g %g %g, %g %g %g %g\n", sums[0], sums[1], sums[2], sums[3],
            others[8], others[9], others[10], others[11]);
  op_exit();
}
