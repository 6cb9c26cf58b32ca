// Ranks that do not want results give one variable for all of them, and only the
// root has a profile: all ranks run the same loops, as one or in chains.
//
// REQUIRES: mpi
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_CHAIN=never %t > %t.alone
// RUN: env OP2_RANKS=whole OP2_CHAIN=never %mpirun -n 2 %t | diff %t.alone -
// RUN: env OP2_RANKS=whole OP2_CHAIN=auto OP_PROFILE_LEVEL=2 %mpirun -n 3 %t | diff %t.alone -
// RUN: env OP2_RANKS=whole OP2_CHAIN=always OP_PROFILE_LEVEL=2 %mpirun -n 2 %t | diff %t.alone -
//
// One that nothing can keep apart.
// RUN: env OP2_RANKS=whole %mpirun -n 2 %t diags | FileCheck %s
// CHECK: loop scale+copy: ran {{[1-9]}}

#include "op_profile.h"
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void spread(const double *a, const double *b, double *ra, double *rb) {
  double f = 0.1 * (*a - *b) + 1e-3;
  *ra -= f;
  *rb += f;
}
static void total(const double *q, double *sum) { *sum += *q; }
static void product(const double *q, const double *r, double *sum) {
  *sum += *q * *r;
}
static void scale(double *r) { *r *= 0.5; }
static void copy(const double *r, double *q) { *q += 0.3 * *r; }

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 && !std::strcmp(argv[1], "diags") ? 2 : 0);
  const int n = 3000, m = 9000;
  std::vector<int> ends(2 * m);
  std::vector<double> values(n), zeros(n);
  for (int i = 0; i < m; ++i) {
    ends[2 * i] = i / 3;
    ends[2 * i + 1] = (i / 3 + 1 + i * 7 % 41) % n;
  }
  for (int i = 0; i < n; ++i)
    values[i] = 1.0 / (1 + i * 13 % 1000);
  op_set nodes = op_decl_set(n, "nodes"), edges = op_decl_set(m, "edges");
  op_map node = op_decl_map(edges, nodes, 2, ends.data(), "node");
  op_dat q = op_decl_dat(nodes, 1, "double", values.data(), "q");
  op_dat r = op_decl_dat(nodes, 1, "double", zeros.data(), "r");
  double sum = 0, other = 0, unused = 0;
  const bool isRoot = op_is_root();
  double *s = isRoot ? &sum : &unused, *o = isRoot ? &other : &unused;
  if (isRoot)
    op_profile_start("profile");
  // So often that loops no longer wait for chains in vain.
  for (int i = 0; i < 60; ++i) {
    op_par_loop(spread, "spread", edges,
                op_arg_dat(q, 0, node, 1, "double", OP_READ),
                op_arg_dat(q, 1, node, 1, "double", OP_READ),
                op_arg_dat(r, 0, node, 1, "double", OP_INC),
                op_arg_dat(r, 1, node, 1, "double", OP_INC));
    op_par_loop(total, "total", nodes,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(s, 1, "double", OP_INC));
    op_par_loop(product, "product", nodes,
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(o, 1, "double", OP_INC));
    op_par_loop(scale, "scale", nodes,
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(copy, "copy", nodes,
                op_arg_dat(r, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW));
  }
  op_fetch_data(q, values.data());
  if (isRoot)
    std::printf("%.17g %.17g %.17g\n", sum, other, values[n / 3]);
  op_exit();
}
