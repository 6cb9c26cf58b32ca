// Vector arguments (whole rows of a map), optional arguments, more than 20
// arguments, dims known at run time, constants that change.
//
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=4 | grep -v '^op2: OP_PART' > %t.omp && diff %t.seq %t.omp
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out && diff %t.seq %t.dev.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.seq %t.out
// RUN: %emulate --every-way %t.seq %s -- %op2cxx
//
// CHECK: vector 400 2 4
// CHECK-NEXT: without 400
// CHECK-NEXT: with 500
// CHECK-NEXT: constant 2 then 3
// CHECK-NEXT: run-time dim 300
// CHECK-NEXT: many 25

#include "op_seq.h"

#include <vector>

int factor;

inline void corners(const double **x, double **y, double *sum) {
  for (int i = 0; i < 4; ++i) {
    *sum += x[i][0] * x[i][1];
    y[i][0] += 1;
  }
}
inline void maybe(const double *x, const double *extra, double *sum,
                  const int *has) {
  *sum += *has ? *extra : *x;
}
inline void scale(const double *x, int *max) {
  if (factor * int(*x) > *max)
    *max = factor * int(*x);
}
inline void sumRow(const double *row, const int *dim, double *sum) {
  for (int i = 0; i < *dim; ++i)
    *sum += row[i];
}
inline void many(const double *a0, const double *a1, const double *a2,
                 const double *a3, const double *a4, const double *a5,
                 const double *a6, const double *a7, const double *a8,
                 const double *a9, const double *b0, const double *b1,
                 const double *b2, const double *b3, const double *b4,
                 const double *b5, const double *b6, const double *b7,
                 const double *b8, const double *b9, const double *c0,
                 const double *c1, const double *c2, const double *c3,
                 const double *c4, double *max) {
  const double sum = *a0 + *a1 + *a2 + *a3 + *a4 + *a5 + *a6 + *a7 + *a8 + *a9 +
                     *b0 + *b1 + *b2 + *b3 + *b4 + *b5 + *b6 + *b7 + *b8 + *b9 +
                     *c0 + *c1 + *c2 + *c3 + *c4;
  *max = sum > *max ? sum : *max;
}

#define X op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ)

static void withOptional(op_set set, op_dat x, op_dat extra, int has) {
  double sum = 0;
  op_par_loop(maybe, "maybe", set, X,
              op_opt_arg_dat(has, extra, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC),
              op_arg_gbl(&has, 1, "int", OP_READ));
  op_printf("%s %g\n", has ? "with" : "without", sum);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  const int n = 100;
  std::vector<int> table;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 4; ++c)
      table.push_back(c < 2 ? (i + c) % n : n + (i + c) % n);
  op_set cells = op_decl_set(n, "cells");
  op_set nodes = op_decl_set(2 * n, "nodes");
  op_map corner = op_decl_map(cells, nodes, 4, table.data(), "corner");
  std::vector<double> xy(4 * n, 1.0), ones(n, 1.0), fives(n, 5.0), fours(n, 4.0);
  op_dat p = op_decl_dat(nodes, 2, "double", xy.data(), "p");
  op_dat touched = op_decl_dat(nodes, 1, "double", (double *)NULL, "touched");
  op_dat x = op_decl_dat(cells, 1, "double", ones.data(), "x");
  op_dat four = op_decl_dat(cells, 1, "double", fours.data(), "four");
  op_dat five = op_decl_dat(cells, 1, "double", fives.data(), "five");
  double sum = 0;
  op_par_loop(corners, "corners", cells,
              op_arg_dat(p, -4, corner, 2, "double", OP_READ),
              op_arg_dat(touched, -4, corner, 1, "double", OP_INC),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::vector<double> out(2 * n);
  op_fetch_data(touched, out.data());
  op_printf("vector %g %g %g\n", sum, out[0], out[n + 7] + out[7]);

  withOptional(cells, four, five, 0);
  withOptional(cells, four, five, 1);

  int first = 0, second = 0;
  factor = 2;
  op_decl_const(1, "int", &factor);
  op_par_loop(scale, "scale", cells, X, op_arg_gbl(&first, 1, "int", OP_MAX));
  factor = 3;
  op_par_loop(scale, "scale", cells, X, op_arg_gbl(&second, 1, "int", OP_MAX));
  op_printf("constant %d then %d\n", first, second);

  int dim = argc > 100 ? 2 : 3; // not known to the compiler
  std::vector<double> rows(size_t(dim * n), 1.0);
  op_dat wide = op_decl_dat(cells, dim, "double", rows.data(), "wide");
  sum = 0;
  op_par_loop(sumRow, "sumRow", cells,
              op_arg_dat(wide, -1, OP_ID, dim, "double", OP_READ),
              op_arg_gbl(&dim, 1, "int", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_printf("run-time dim %g\n", sum);

  double max = 0;
  op_par_loop(many, "many", cells, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
              X, X, X, X, X, X, X, X, X, X,
              op_arg_gbl(&max, 1, "double", OP_MAX));
  op_printf("many %g\n", max);
  op_exit();
}
