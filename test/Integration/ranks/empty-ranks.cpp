// A rank that owns no element of a set, but rows that elements of others add to:
// in the zone of a chain these meet, though the rank's own do not.
//
// REQUIRES: mpi
// RUN: %op2cxx -O2 -ffp-contract=off --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=never OP2_RANKS=whole %mpirun -n 1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OP2_CHAIN=always OP2_CHECK_PLAN=1 OP2_RANKS=whole %mpirun -n 2 %t apart | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=16 OP2_CHECK_PLAN=1 OP2_RANKS=whole %mpirun -n 3 %t apart | FileCheck %s
//
// CHECK: sums 6000 12000 18000
// CHECK-NEXT: 0 wrong
#include "op_seq.h"

#include <vector>

static void edge(const double *a, double *near, double *far) {
  *near += *a;
  *far += 2 * *a;
}
static void scale(const double *y, double *z) { *z = *y * 0.5; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int kNodes = 64, kEdges = 3000;
  op_set nodes = op_decl_set(kNodes, "nodes"), edges = op_decl_set(kEdges, "edges");
  std::vector<int> table, owners;
  for (int e = 0; e < kEdges; ++e) {
    table.push_back(e % 32);
    table.push_back(32 + e * 7 % 32);
  }
  for (int n = 0; n < kNodes; ++n)
    owners.push_back(n < 32 || argc == 1 ? 0 : 1);
  op_map ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
  std::vector<double> ones(kEdges, 1), values(kNodes), expected(kNodes);
  op_dat a = op_decl_dat(edges, 1, "double", ones.data(), "a");
  op_dat y = op_decl_dat(nodes, 1, "double", values.data(), "y");
  op_dat z = op_decl_dat(nodes, 1, "double", values.data(), "z");
  op_dat owner = op_decl_dat(nodes, 1, "int", owners.data(), "owner");
  op_partition("EXTERNAL", "", nodes, nullptr, owner);
  int wrong = 0;
  for (int step = 0; step < 3; ++step) {
    for (int twice = 0; twice < 2; ++twice) {
      op_par_loop(edge, "edge", edges, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(y, 0, ends, 1, "double", OP_INC),
                  op_arg_dat(y, 1, ends, 1, "double", OP_INC));
      op_par_loop(scale, "scale", nodes, op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(z, -1, OP_ID, 1, "double", OP_WRITE));
    }
    for (int e = 0; e < 2 * kEdges; ++e) {
      expected[table[2 * (e % kEdges)]] += 1;
      expected[table[2 * (e % kEdges) + 1]] += 2;
    }
    op_fetch_data(y, values.data());
    double sum = 0;
    for (int n = 0; n < kNodes; ++n) {
      wrong += values[n] != expected[n];
      sum += values[n] / 3;
    }
    op_printf(step == 0 ? "sums %g" : " %g", sum);
  }
  op_printf("\n%d wrong\n", wrong);
  op_exit();
}
