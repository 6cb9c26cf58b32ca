// Loops on devices on several ranks.
//
// REQUIRES: mpi, no-sanitizer
// RUN: %op2cxx -O1 --op2-mpi --op2-target=emulator,openmp,cuda --op2-gpu-format=ptx %s -o %t
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t > %t.omp && FileCheck %s < %t.omp
// RUN: env OP2_TARGET=emulator %t | diff %t.omp -
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator OP2_CHECK_PLAN=1 -- %t | FileCheck %s --check-prefix=RANKS
// Ranks that have nothing, values that the program may look at, mixed targets.
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator -- %t 3 | FileCheck %s --check-prefix=RANKS
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator OP2_RANKS=mirrored -- %t | FileCheck %s --check-prefix=RANKS
// RUN: %op2cxx -O1 --op2-mpi --op2-target=emulator,openmp --op2-layout=soa %s -o %t.soa
// RUN: env OP2_TARGET=emulator %t.soa | diff %t.omp -
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP2_TARGET=emulator -- %t.soa | FileCheck %s --check-prefix=RANKS
// RUN: echo change > %t.list
// RUN: %python %S/Inputs/on_ranks.py "%mpirun" OP_WHITELIST=%t.list OP_FALLBACK_MODE=silent OP2_TARGET=emulator -- %t.soa 500 | FileCheck %s --check-prefix=RANKS
// An element's own row that others reach: not there yet.
// RUN: not env OP2_RANKS=whole OP2_TARGET=emulator %mpirun -n 2 %t 100 own 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: loop own: it changes dat heat, which it uses both directly and through a map, and target emulator is not there yet for that on several ranks
// A driver without a device: rows are packed there.
// RUN: rm -f %t.log
// RUN: env OP2_CUDA_DRIVER=%fake_cuda OP2_TARGET=cuda OP2_FAKE_CUDA_LOG=%t.log OP2_RANKS=whole %mpirun -n 2 %t 500
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// LOG: launch op2_flow
// LOG: launch op2_pack_rows_8 blocks {{[0-9]+}} threads 256 shared 0 params 7
// LOG: launch op2_unpack_rows_8
// LOG: launch op2_change
// Ranks share a machine's devices.
// RUN: rm -f %t.log
// RUN: env OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_DEVICES=2 OP2_TARGET=cuda OP2_FAKE_CUDA_LOG=%t.log OP2_RANKS=whole %mpirun -n 3 %t 500
// RUN: grep '^device' %t.log | sort | FileCheck %s --check-prefix=SHARED
// SHARED: device 0
// SHARED-NEXT: device 0
// SHARED-NEXT: device 1
// SHARED-NOT: device
//
// CHECK: 0 -1 3 -1 0, sum 1, squares 6, most 1
// RANKS: ways, the same output

#include "op_seq.h"

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

static void flow(const double *a, const double *b, double *c, double *d) {
  *c += *b - *a;
  *d += *a - *b;
}

static void change(double *change, double *heat, double *squares, double *most) {
  heat[0] -= change[0];
  heat[1] += 1;
  *squares += change[0] * change[0];
  *most = change[0] > *most ? change[0] : *most;
  change[0] = 0;
}

static void own(const double *heat, double *other) { other[1] += heat[0]; }

int main(int argc, char **argv) {
  op_init(1, argv, 0);
  int size = argc > 1 ? std::atoi(argv[1]) : 5000; // several blocks
  std::vector<int> ends;
  for (int n = 0; n < size; ++n)
    ends.insert(ends.end(), {n, (n + 1) % size});
  std::vector<double> values(2 * std::size_t(size));
  int place = size / 2;
  values[2 * std::size_t(place)] = 1;
  op_set nodes = op_decl_set(size, "nodes"), edges = op_decl_set(size, "edges");
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "ends");
  op_map next = op_decl_map(nodes, nodes, 2, ends.data(), "next");
  op_dat heat = op_decl_dat(nodes, 2, "double", values.data(), "heat");
  std::vector<double> zeros(std::size_t(size), 0.0);
  op_dat sum = op_decl_dat(nodes, 1, "double", zeros.data(), "change");
  double squares = 0, most = 0;
  int steps = size < 1000 ? 3 : 1;
  if (argc > 2 && std::strcmp(argv[2], "own") == 0)
    op_par_loop(own, "own", nodes,
                op_arg_dat(heat, -1, OP_ID, 2, "double", OP_READ),
                op_arg_dat(heat, 1, next, 2, "double", OP_INC));
  for (int step = 0; step < steps; ++step) {
    op_par_loop(flow, "flow", edges,
                op_arg_dat(heat, 0, map, 2, "double", OP_READ),
                op_arg_dat(heat, 1, map, 2, "double", OP_READ),
                op_arg_dat(sum, 0, map, 1, "double", OP_INC),
                op_arg_dat(sum, 1, map, 1, "double", OP_INC));
    op_par_loop(change, "change", nodes,
                op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(heat, -1, OP_ID, 2, "double", OP_RW),
                op_arg_gbl(&squares, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "double", OP_MAX));
  }
  op_fetch_data(heat, values.data());
  double total = 0;
  for (int n = 0; n < size; ++n)
    total += values[2 * std::size_t(n)];
  for (int n = place - 2; n < place + 3; ++n)
    op_printf("%g%s", values[2 * std::size_t((n + size) % size)],
              n < place + 2 ? " " : "");
  op_printf(", sum %g, squares %g, most %g\n", total, squares, most);
  op_exit();
  return 0;
}
