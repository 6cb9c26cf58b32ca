// Rows that several elements of a vector reach through a map, and of which not
// all are changed by each of them: what one element writes, another one leaves; and
// minima and maxima where NaN is in the row, or comes from an element.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O3 -march=native -Werror=op2-sequential --op2-report --op2-target=seq,openmp %s -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 OP2_OWNER=never %t | diff %t.expected -
//
// CHECK: marked 8
// CHECK-NEXT: part 24
// CHECK-NEXT: fmin 0 NaN of 8, sum 5
// CHECK-NEXT: compared 0 NaN of 8, sum 5
// CHECK-NEXT: passed 1 NaN of 8
//
// REPORT-DAG: loop 'mark'{{.*}}: not vectorized: argument 1 is written through a map and may leave some of its row as it is
// REPORT-DAG: loop 'part'{{.*}}: not vectorized: argument 1 is written through a map and may leave some of its row as it is

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

static void mark(const double *x, double *flag) {
  if (x[0] > 0)
    flag[0] = 1;
}
static void part(const int *i, double *row) {
  if (*i < 3)
    row[*i] = 1;
}
static void least(const double *x, double *a, double *b, double *c) {
  a[0] = std::fmin(a[0], x[0]);
  b[0] = x[0] < b[0] || b[0] != b[0] ? x[0] : b[0];
  c[0] = c[0] > x[0] ? c[0] : x[0];
}

static void print(const char *name, op_dat dat, int rows) {
  std::vector<double> values(64);
  op_fetch_data(dat, values.data());
  int nan = 0;
  double sum = 0;
  for (int i = 0; i < rows; ++i) {
    nan += values[i] != values[i];
    sum += values[i] == values[i] ? values[i] : 0;
  }
  std::printf("%s %d NaN of %d, sum %g\n", name, nan, rows, sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 64, rows = 8;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x(n), zeros(3 * n), nans(n, nan), y(n);
  std::vector<int> to(n), which(n);
  for (int i = 0; i < n; ++i) {
    to[i] = i / 8;
    x[i] = i % 8 == 2;
    which[i] = i * 5 % 8;
    y[i] = i % 11 == 3 ? nan : 0.5 + i % 7;
  }
  op_set s = op_decl_set(n, "s");
  op_map m = op_decl_map(s, s, 1, to.data(), "m");
  op_dat dx = op_decl_dat(s, 1, "double", x.data(), "x");
  op_dat dy = op_decl_dat(s, 1, "double", y.data(), "y");
  op_dat i = op_decl_dat(s, 1, "int", which.data(), "i");
  op_dat flag = op_decl_dat(s, 1, "double", zeros.data(), "flag");
  op_dat three = op_decl_dat(s, 3, "double", zeros.data(), "three");
  op_dat a = op_decl_dat(s, 1, "double", nans.data(), "a");
  op_dat b = op_decl_dat(s, 1, "double", nans.data(), "b");
  op_dat c = op_decl_dat(s, 1, "double", zeros.data(), "c");
  op_par_loop(mark, "mark", s, op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(flag, 0, m, 1, "double", OP_WRITE));
  op_par_loop(part, "part", s, op_arg_dat(i, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(three, 0, m, 3, "double", OP_WRITE));
  op_par_loop(least, "least", s,
              op_arg_dat(dy, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(a, 0, m, 1, "double", OP_MIN),
              op_arg_dat(b, 0, m, 1, "double", OP_MIN),
              op_arg_dat(c, 0, m, 1, "double", OP_MAX));
  op_fetch_data(flag, zeros.data());
  double marked = 0, parts = 0;
  for (int k = 0; k < rows; ++k)
    marked += zeros[k];
  op_fetch_data(three, zeros.data());
  for (int k = 0; k < 3 * rows; ++k)
    parts += zeros[k];
  std::printf("marked %g\npart %g\n", marked, parts);
  print("fmin", a, rows);
  print("compared", b, rows);
  print("passed", c, rows);
  op_exit();
}
