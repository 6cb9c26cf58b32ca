// A program for ranks runs on devices when it is alone.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 --op2-mpi --op2-target=emulator,openmp %s -o %t
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t > %t.omp && FileCheck %s < %t.omp
// RUN: env OP2_TARGET=emulator %t | diff %t.omp -
// RUN: not env OP2_RANKS=whole OP2_TARGET=emulator %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=RANKS
//
// CHECK: 0 1 -2 1 0, sum 0
// RANKS: loop flow: target emulator is not there yet on several ranks

#include "op_seq.h"

#include <numeric>
#include <vector>

static void flow(const double *a, const double *b, double *c, double *d) {
  *c += *b - *a;
  *d += *a - *b;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int size = 20000; // several blocks
  std::vector<int> ends;
  for (int n = 0; n < size; ++n)
    ends.insert(ends.end(), {n, (n + 1) % size});
  std::vector<double> heat(size), change(size);
  heat[777] = 1;
  op_set nodes = op_decl_set(size, "nodes"), edges = op_decl_set(size, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "ends");
  op_dat from = op_decl_dat(nodes, 1, "double", heat.data(), "heat");
  op_dat to = op_decl_dat(nodes, 1, "double", change.data(), "change");
  op_par_loop(flow, "flow", edges,
              op_arg_dat(from, 0, map, 1, "double", OP_READ),
              op_arg_dat(from, 1, map, 1, "double", OP_READ),
              op_arg_dat(to, 0, map, 1, "double", OP_INC),
              op_arg_dat(to, 1, map, 1, "double", OP_INC));
  op_fetch_data(to, change.data());
  op_printf("%g %g %g %g %g, sum %g\n", change[775], change[776], change[777],
            change[778], change[779],
            std::accumulate(change.begin(), change.end(), 0.0));
  op_exit();
  return 0;
}
