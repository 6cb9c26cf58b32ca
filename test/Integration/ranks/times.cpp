// REQUIRES: mpi
// RUN: %op2cxx %unoptimized -O2 --op2-mpi --op2-target=seq %s -o %t
// RUN: env OP2_RANKS=whole OP2_PARTITION=blocks %mpirun -n 3 %t | FileCheck %s
// RUN: env OP2_RANKS=whole %mpirun -n 1 %t | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: ranks:
// On a device, by a driver without one, a loop's time is that of its kernels.
// RUN: %op2cxx -O2 --op2-mpi --op2-target=cuda --op2-gpu-format=ptx %s -o %t.cuda
// RUN: env OP2_CUDA_DRIVER=%fake_cuda OP2_RANKS=whole OP2_PARTITION=blocks %mpirun -n 3 %t.cuda | FileCheck %s

// What loops did on all ranks. A ring: each rank has two neighbours. Before each
// `flow` both get the values at the border (a header of 64 bytes, and 8), but
// not the weights, which nothing changes, after the first time. `scale` moves
// nothing.
#include "op_seq.h"

#include <vector>

void scale(double *value) { *value *= 0.5; }
void flow(const double *a, const double *b, const double *weight,
          double *left, double *right, double *sum) {
  *left += *weight * (*b - *a);
  *right += *weight * (*a - *b);
  *sum += *a;
}

int main(int argc, char **argv) {
  const int size = 300;
  op_init(argc, argv, 1);
  std::vector<int> next;
  for (int n = 0; n < size; ++n) {
    next.push_back(n);
    next.push_back((n + 1) % size);
  }
  std::vector<double> ones(size, 1.0), zeros(size, 0.0);
  op_set nodes = op_decl_set(size, "nodes"), edges = op_decl_set(size, "edges");
  op_map pedge = op_decl_map(edges, nodes, 2, next.data(), "pedge");
  op_dat value = op_decl_dat(nodes, 1, "double", ones.data(), "value");
  op_dat flux = op_decl_dat(nodes, 1, "double", zeros.data(), "flux");
  op_dat weight = op_decl_dat(edges, 1, "double", ones.data(), "weight");
  for (int n = 0; n < 10; ++n) {
    double sum = 0;
    op_par_loop(scale, "scale", nodes,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(flow, "flow", edges,
                op_arg_dat(value, 0, pedge, 1, "double", OP_READ),
                op_arg_dat(value, 1, pedge, 1, "double", OP_READ),
                op_arg_dat(weight, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(flux, 0, pedge, 1, "double", OP_INC),
                op_arg_dat(flux, 1, pedge, 1, "double", OP_INC),
                op_arg_gbl(&sum, 1, "double", OP_INC));
  }
  op_timing_output();
  op_exit();
}

// CHECK: 3 ranks: seconds of a rank, and what all of them send
// CHECK-NEXT: own, mean {{.*}} messages {{.*}} loop
// CHECK-NEXT: {{ +[0-9.]+ +[0-9.]+ +[0-2] +[0-9.]+ +[0-9.]+ +}}0 0.000 scale
// CHECK-NEXT: {{ +[0-9.]+ +[0-9.]+ +[0-2] +[0-9.]+ +[0-9.]+ +}}60 {{.*}} flow
