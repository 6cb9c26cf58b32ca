// A program that asks for blocks of some size, and then no longer: what waits for
// a chain has the plan of now, not that of before.
//
// RUN: %op2cxx -O2 -ffp-contract=off --op2-target=openmp %s -o %t
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=never %t > %t.expected && FileCheck %s < %t.expected
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always OP2_TILE_SIZE=8 %t | diff %t.expected -
// CHECK: 2 0x1.10d27f597983fp+4
#include "op_seq.h"
#include <cstdio>
#include <vector>
static void edge(const double *a, double *y0, double *y1) { *y0 += *a; *y1 -= 0.3 * *a; }
static void decay(double *y) { *y = *y * 0.9; }
int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 64;
  op_decl_set(16 * 8 * n + 1, "huge"); // the others are small beside it
  op_set N = op_decl_set(n, "N"), E = op_decl_set(8 * n, "E");
  unsigned s = 1; std::vector<int> t; std::vector<double> d;
  for (int i = 0; i < 8 * n; ++i) t.push_back((s = s * 1103515245u + 12345u) % 4096 % n), t.push_back((s >> 16) % n), d.push_back(1 / (i + 1.));
  op_map m = op_decl_map(E, N, 2, t.data(), "m");
  op_dat a = op_decl_dat(E, 1, "double", d.data(), "a"), y = op_decl_dat(N, 1, "double", d.data(), "y");
  for (int r = 0; r < 3; ++r) {
    OP_part_size = r == 0 ? 4 : 0;
    for (int k = 0; k < 2; ++k) {
      op_par_loop(edge, "edge", E, op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(y, 0, m, 1, "double", OP_INC), op_arg_dat(y, 1, m, 1, "double", OP_INC));
      op_par_loop(decay, "decay", N, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
    }
    std::vector<double> v(n); op_fetch_data(y, v.data()); double h = 0; for (double q : v) h = h * 0.99 + q;
    printf("%d %a\n", r, h);
  }
  op_exit();
}
