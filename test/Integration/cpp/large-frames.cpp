// Kernels with local arrays that fit on the stack once: no lane of a vector has
// them, and no two versions of a loop in one frame.
//
// REQUIRES: no-sanitizer
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -march=native -std=c++17 --op2-report --op2-target=seq,openmp %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OMP_NUM_THREADS=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OMP_STACKSIZE=8M %t | diff %t.expected -
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: %op2cxx -O1 -std=c++17 --op2-no-raise --op2-target=openmp %s -o %t.plain
// RUN: env OMP_NUM_THREADS=1 %t.plain | diff %t.expected -
//
// REPORT: loop 'scan': {{.*}}local memory of more than 32 KiB
// CHECK: 90
// CHECK: 90

#include "op_seq.h"

#include <cstdio>
#include <vector>

template <int size> static double scan(double a) {
  double t[size];
  for (int i = 0; i < size; ++i)
    t[i] = i * a;
  for (int i = 1; i < size; ++i)
    t[i] += t[i - 1] * 0.5;
  return t[size / 3] > 5 ? 1 : t[size / 2] > 3 ? 2 : 3;
}
static void scans(const double *a, double *b) { *b += scan<160000>(*a); }
static void large(const double *a, double *b) { *b += scan<600000>(*a); }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int const n = 64;
  std::vector<double> v(n), w(n);
  for (int i = 0; i < n; ++i)
    v[i] = i % 5 * 0.1;
  op_set set = op_decl_set(n, "set");
  op_dat from = op_decl_dat(set, 1, "double", v.data(), "from");
  for (int which = 0; which < 2; ++which) {
    op_dat to = op_decl_dat(set, 1, "double", w.data(), "to");
    if (which)
      op_par_loop(large, "large", set, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW));
    else
      op_par_loop(scans, "scan", set, op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),
                  op_arg_dat(to, -1, OP_ID, 1, "double", OP_RW));
    std::vector<double> found(n);
    op_fetch_data(to, found.data());
    double sum = 0;
    for (double x : found)
      sum += x;
    std::printf("%g\n", sum);
  }
  op_exit();
}
