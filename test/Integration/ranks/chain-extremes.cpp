// A loop that adds through a map and finds an extreme of all elements, as a flux
// loop does that looks for the largest wave speed, beside one that changes what
// it reads: rows get what is added to them in the order of the elements, so the
// bits are those of one process.
//
// REQUIRES: mpi
// RUN: %clangxx -O1 -std=c++17 -ffp-contract=off %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O1 --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_CHAIN=always OP2_OWNER=always %t | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_RANKS=whole %mpirun -n 2 %t | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_RANKS=whole OP2_PARTITION=random:1 %mpirun -n 3 %t | diff %t.expected -
//
// CHECK: rows {{[0-9a-f]+}}, largest {{[0-9.]+}}
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

static void flux(const double *z, double **w, double *largest) {
  double v = 0.1 + *z / 3.0;
  w[0][0] += v / 4 + 0.3;
  w[1][0] += v / 5 + 0.2;
  if (v > *largest)
    *largest = v;
}
static void raise(double *z) { *z += 0.3; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::mt19937 random(1);
  constexpr int edges = 200, nodes = 17;
  std::vector<int> table(edges * 2);
  for (int &node : table)
    node = int(random() % nodes);
  std::vector<double> values(nodes), others(nodes);
  for (int n = 0; n < nodes; ++n) {
    values[n] = random() % 1000 / 999.0;
    others[n] = random() % 1000 / 999.0;
  }
  op_set C = op_decl_set(edges, "edges"), W = op_decl_set(nodes, "nodes");
  op_map ends = op_decl_map(C, W, 2, table.data(), "ends");
  op_dat w = op_decl_dat(W, 1, "double", values.data(), "w");
  op_dat z = op_decl_dat(W, 1, "double", others.data(), "z");
  double largest = -1e300;
  for (int step = 0; step < 3; ++step) {
    op_par_loop(flux, "flux", C, op_arg_dat(z, 0, ends, 1, "double", OP_READ),
                op_arg_dat(w, -2, ends, 1, "double", OP_INC),
                op_arg_gbl(&largest, 1, "double", OP_MAX));
    op_par_loop(raise, "raise", C, op_arg_dat(z, 1, ends, 1, "double", OP_INC));
  }
  op_fetch_data(w, values.data());
  unsigned long long bits = 0;
  for (double value : values) {
    unsigned long long number;
    std::memcpy(&number, &value, sizeof number);
    bits = bits * 1099511628211ULL ^ number;
  }
  op_printf("rows %016llx, largest %.17g\n", bits, largest);
  op_exit();
}
