// What a rank without elements declares has values, as those of other ranks do;
// what the library declares for itself has them, too, and a matrix has zeros.
//
// REQUIRES: mpi
// RUN: %op2cxx %unoptimized -O1 -std=c++17 --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_CHECK=1 OP2_RANKS=blocks %mpirun -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: env OP2_CHECK=1 %t 2>&1 | FileCheck %s --implicit-check-not=warning
// Where nobody gave values, zeros are suspicious.
// RUN: env OP2_CHECK=1 OP2_RANKS=blocks %mpirun -n 2 %t without 2>&1 | FileCheck %s --check-prefix=WITHOUT
// CHECK: sum 10
// WITHOUT: OP_READ on dat weights, which was declared without values

#include "op_seq.h"

#include <vector>

static void add(double *sum, const double *weight) { *sum += *weight; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int rank = 0;
  op_rank(&rank);
  std::vector<double> weights, zeros;
  std::vector<int> table, flags;
  if (rank == 0) {
    weights = {1, 2, 3, 4};
    zeros.assign(4, 0);
    flags.assign(4, 0);
    table = {0, 1, 1, 2, 2, 3, 3, 0};
  }
  op_set set = op_decl_set(int(weights.size()), "set");
  op_map map = op_decl_map(set, set, 2, table.data(), "map");
  bool isGiven = argc == 1;
  op_dat pweights = op_decl_dat(set, 1, "double", isGiven ? weights.data() : nullptr, "weights");
  op_dat pflags = op_decl_dat(set, 1, "int", flags.data(), "flags");
  op_dat pzeros = op_decl_dat(set, 1, "double", zeros.data(), "zeros");
  op_mat mat = op_decl_mat(op_decl_sparsity(map, map, "pattern"), 1, 1, "double", "mat");
  op_layers layers = op_decl_layers(set, 0, 1, "layers");
  op_mat_zero_rows<double, 1>(mat, pflags, 1.0);
  op_par_loop(add, "layered", layers,
              op_arg_dat_layers(pzeros, -1, OP_ID, 0, 1, 1, "double", OP_INC),
              op_arg_dat_layers(pweights, -1, OP_ID, 0, 1, 1, "double", OP_READ));
  double sum = 0;
  op_par_loop(add, "add", set, op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_dat(pzeros, -1, OP_ID, 1, "double", OP_READ));
  op_printf("sum %g\n", sum);
  op_exit();
}
