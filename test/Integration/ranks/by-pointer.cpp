// Loops whose kernels follow pointers of the program wait on ranks for chains.
//
// REQUIRES: mpi
// DEFINE: %{on_ranks} = %python %S/Inputs/on_ranks.py "%mpirun" OP2_CHECK_PLAN=1
// RUN: %op2cxx -O2 -march=native --op2-mpi --op2-target=openmp %s -o %t
// RUN: env OP2_CHAIN=never %t > %t.expected
// RUN: %{on_ranks} OP2_CHAIN=always OP2_TILE_SIZE=20 -- %t | FileCheck %s --check-prefix=SAME
// RUN: %{on_ranks} OP2_CHAIN=never -- %t | FileCheck %s --check-prefix=SAME
// RUN: env OP2_CHAIN=always OP2_RANKS=whole OP2_TILE_SIZE=20 %mpirun -n 3 %t diags | FileCheck %s
// SAME: 3 ways, the same output
//
// CHECK-DAG: loop gather: ran 30 times {{.*}} in chains
// CHECK-DAG: loop apply+damp: ran 59 times {{.*}} in chains

#include "op_seq.h"

#include <cstdlib>
#include <vector>

static double buffer[10] = {0, 0.5, 0.25, 2, 1, 0.125, 3, 1, 0.75, 4};
double *table = buffer, *other = buffer + 4;

inline void gather(const double *a, const double *b, double *s) {
  for (int i = 0; i < 3; ++i)
    *s += table[i] * *a - other[i] * *b;
}
inline void apply(const double *s, double *v) { *v = *v * 0.5 + other[1] * *s; }
inline void damp(double *s) { *s *= table[2]; }

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  constexpr int kSize = 700;
  std::vector<int> places(2 * kSize);
  std::vector<double> values(kSize);
  for (int n = 0; n < kSize; ++n) {
    places[2 * n] = (n + 1) % kSize, places[2 * n + 1] = n;
    values[n] = n % 13;
  }
  op_set set = op_decl_set(kSize, "set");
  op_map next = op_decl_map(set, set, 2, places.data(), "next");
  op_dat v = op_decl_dat(set, 1, "double", values.data(), "v");
  op_dat s = op_decl_dat(set, 1, "double", (double *)nullptr, "s");
  op_partition("", "", nullptr, nullptr, nullptr);
  for (int step = 0; step < 30; ++step) {
    for (int half = 0; half < 2; ++half) {
      if (half == 0)
        op_par_loop(gather, "gather", set, op_arg_dat(v, 0, next, 1, "double", OP_READ),
                    op_arg_dat(v, 1, next, 1, "double", OP_READ),
                    op_arg_dat(s, -1, OP_ID, 1, "double", OP_INC));
      op_par_loop(apply, "apply", set, op_arg_dat(s, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(v, -1, OP_ID, 1, "double", OP_RW));
      op_par_loop(damp, "damp", set, op_arg_dat(s, -1, OP_ID, 1, "double", OP_RW));
    }
    if (step % 7 == 0)
      buffer[2] *= 0.5;
  }
  double sum = 0;
  std::vector<double> fetched(kSize);
  op_fetch_data(v, fetched.data());
  for (double value : fetched)
    sum = sum * 0.75 + value;
  op_printf("%.17g\n", sum);
  if (argc > 1)
    op_timing_output();
  op_exit();
}
