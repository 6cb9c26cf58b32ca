// A loop computes the same alone, as in its first execution, and fused with one that
// has an argument of pow or sinf as a constant: LLVM would compute these with other
// bits, pow(8, x) as exp2(3 * x), and floats as doubles.
//
// RUN: %op2cxx -O2 -ffp-contract=off --op2-report --op2-target=seq,openmp,emulator %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t > %t.seq && FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp %t | diff %t.seq -
// RUN: env OP2_TARGET=emulator %t | diff %t.seq -
// RUN: %op2cxx -O3 -march=native -ffp-contract=off --op2-target=openmp %s -o %t.wide && %t.wide | diff %t.seq -
// REPORT: loop 'fill' fused with 'use'
// CHECK: [[A:0x.*]] [[B:0x.*]] [[C:0x.*]]
// CHECK-NEXT: [[A]] [[B]] [[C]]
// CHECK-NEXT: [[A]] [[B]] [[C]]
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

static void fill(double *b, float *c) {
  *b = 8;
  *c = 1.3f;
}
static void use(const double *x, const double *b, const float *c, double *y) {
  y[0] = std::pow(*b, *x);
  y[1] = std::tan(*c) + std::log10(*c) + std::sinh(*c);
}
// Enough to be vectorized.
static void turn(const double *x, const double *b, const float *c, double *y) {
  double sum = *x;
  for (int i = 0; i < 200; ++i)
    sum = sum * 0.9999 + 0.5 / (i + 1) * *x;
  *y = sum * (std::sin(*c) - std::cos(*c)) + std::pow(*b, *x);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 300;
  std::vector<double> x(size, 100.48964), y(2 * size);
  op_set set = op_decl_set(size, "set");
  op_dat dx = op_decl_dat(set, 1, "double", x.data(), "x");
  op_dat b = op_decl_dat(set, 1, "double", (double *)nullptr, "b");
  op_dat c = op_decl_dat(set, 1, "float", (float *)nullptr, "c");
  op_dat dy = op_decl_dat(set, 2, "double", y.data(), "y");
  std::vector<double> z(size);
  op_dat dz = op_decl_dat(set, 1, "double", z.data(), "z");
  for (int time = 0; time < 3; ++time) {
    op_par_loop(fill, "fill", set, op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(c, -1, OP_ID, 1, "float", OP_WRITE));
    op_par_loop(use, "use", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(c, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 2, "double", OP_WRITE));
    op_par_loop(fill, "fill again", set, op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE),
                op_arg_dat(c, -1, OP_ID, 1, "float", OP_WRITE));
    op_par_loop(turn, "turn", set, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(c, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(dz, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data(dy, y.data());
    op_fetch_data(dz, z.data());
    std::printf("%a %a %a\n", y[0], y[2 * size - 1], z[size - 1]);
  }
  op_exit();
}
