// Loops as OP2's translator writes them: arguments are copied for the exchange,
// and the loop goes on with the ones that it was given; times go to OP_kernels.
// The first of them renumbers the mesh, or divides it among ranks, so rows and
// tables stay where they are. In files that another compiler has made they are
// as right as in those of op2c++.
//
// REQUIRES: mpi
// RUN: %clangxx -O1 -std=c++17 -ffp-contract=off %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_RENUMBER=rcm %t.dev | diff %t.expected -
// RUN: %op2cxx -O1 --op2-mpi --op2-target=openmp,seq %s -o %t
// RUN: env OP2_RENUMBER=rcm %t | diff %t.expected -
// RUN: env OP2_RANKS=whole %mpirun -n 3 %t | diff %t.expected -
// RUN: env OP2_RANKS=mirrored %mpirun -n 2 %t | diff %t.expected -
// RUN: env OP2_RANKS=whole OP2_RENUMBER=rcm %mpirun -n 2 %t | diff %t.expected -
// RUN: env OP2_RANKS=blocks not %mpirun -n 2 %t 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not %t.dev number 2>&1 | FileCheck %s --check-prefix=NUMBER
//
// CHECK: result 67519500
// CHECK-NEXT: kernel 3 add 3, 1
// CHECK-NEXT: kept 3000
// NUMBER: op2 error: op_timing_realloc: kernel -1, 0 timers; expected 0 to 65535
// BLOCKS: op2 error (rank {{[01]}} of 2): op_mpi_halo_exchanges, argument 0: dat X is elsewhere once the mesh has been divided or renumbered, which this first loop asks for, and op_arg_dat has told where it was before; expected op_partition before the loop
#include "op_seq.h"
#ifdef __OP2CXX__
#include "op_lib_mpi.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void add(op_set set, op_arg arg0, op_arg arg1, op_arg arg2) {
  op_arg args[3] = {arg0, arg1, arg2};
  op_timing_realloc(3);
  op_timing_realloc_manytime(3, 2);
  OP_kernels[3].name = "add";
  OP_kernels[3].count += 1;
  OP_kernels[3].times[1] = 1;
  int size = op_mpi_halo_exchanges(set, 3, args);
  for (int n = 0; n < size; n++) {
    if (n == set->core_size)
      op_mpi_wait_all(3, args);
    int first = arg0.map_data[n * arg0.map->dim + 0];
    int second = arg0.map_data[n * arg0.map->dim + 1];
    ((double *)arg0.data)[first] += ((double *)arg2.data)[n];
    ((double *)arg1.data)[second] += 1;
  }
  if (size == 0 || size == set->core_size)
    op_mpi_wait_all(3, args);
  op_mpi_set_dirtybit(3, args);
}
inline void twice(double *x) { *x *= 2; }
inline void number(const int *n, double *w) { *w = *n; }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 3000;
  if (argc > 1)
    op_timing_realloc(-1);
  const char *ranks = std::getenv("OP2_RANKS");
  const bool blocks = ranks && !std::strcmp(ranks, "blocks");
  const int own = blocks ? size / 2 : size;
  int first = 0;
#ifdef __OP2CXX__
  if (blocks)
    MPI_Comm_rank(OP_MPI_WORLD, &first);
#endif
  first *= own;
  std::vector<double> x, w, sums(size);
  std::vector<int> table;
  for (int n = 0; n < own; n++) {
    x.push_back(n);
    w.push_back(0.5 * n);
    table.push_back(first + n);
    table.push_back(first + (n * 7 + 3) % own);
  }
  op_set nodes = op_decl_set(own, "nodes"), edges = op_decl_set(own, "edges");
  op_map ends = op_decl_map(edges, nodes, 2, table.data(), "ends");
  op_dat X = op_decl_dat(nodes, 1, "double", x.data(), "X");
  op_dat W = op_decl_dat(edges, 1, "double", w.data(), "W");
  for (int step = 0; step < 3; step++) {
    add(edges, op_arg_dat(X, 0, ends, 1, "double", OP_INC),
        op_arg_dat(X, 1, ends, 1, "double", OP_INC),
        op_arg_dat(W, -1, OP_ID, 1, "double", OP_READ));
    op_par_loop(twice, "twice", nodes, op_arg_dat(X, -1, OP_ID, 1, "double", OP_RW));
  }
  op_fetch_data(X, sums.data());
  double sum = 0;
  for (double value : sums)
    sum += value;
  op_printf("result %.17g\n", sum);
  op_printf("kernel 3 %s %d, %g\n", OP_kernels[3].name, OP_kernels[3].count,
            OP_kernels[3].times[1]);
  double kept = size;
  if (!ranks) {
    auto *values = (double *)X->data;
    // Brings a set that was renumbered back to its order.
    op_dat Z = op_decl_dat(nodes, 1, "double", (double *)nullptr, "Z");
    op_par_loop(number, "number", nodes, op_arg_idx(-1, OP_ID),
                op_arg_dat(Z, -1, OP_ID, 1, "double", OP_WRITE));
    for (int n = 0; n < size; ++n)
      values[n] = 1;
    op_upload_dat(X);
    op_fetch_data(X, sums.data());
    kept = 0;
    for (double value : sums)
      kept += value;
  }
  op_printf("kept %g\n", kept);
  op_exit();
}
