// What is wrong with a local iteration space is said at the call.
// RUN: not %op2cxx -fsyntax-only -DEXTENTS %s 2>&1 | FileCheck %s --check-prefix=EXTENTS
// RUN: not %op2cxx -fsyntax-only -DINTS %s 2>&1 | FileCheck %s --check-prefix=INTS
// RUN: not %op2cxx -fsyntax-only -DVALUE %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %op2cxx -fsyntax-only -DPLACES %s 2>&1 | FileCheck %s --check-prefix=PLACES
// RUN: not %op2cxx -fsyntax-only -DZERO %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %op2cxx -O1 --op2-emit=op2 -c %s -o - | FileCheck %s
// RUN: %op2cxx -O2 -march=x86-64-v3 --op2-vector-bits=256 --op2-target=openmp --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT-DAG: loop 'mass': kernel raised
// REPORT-DAG: loop 'mass': vectorized across 4 elements
#include "op_seq.h"

inline void mass(double &A, const double (*x)[2], int i, int j) { A += x[i][0] * x[j][1]; }
inline void alone(int i) {}
inline void value(double A, int i) {}
inline void scale(double &A, const double &f, int i, int j) { A += f; }
inline void rows(double &A, const double (&x)[2], int i, int j) { A += x[0]; }
inline void each(double *A, const double (&x)[2], const double &f, int i) { A[i] += x[0] + f; }

void run(op_set cells, op_map pcell, op_mat A, op_dat x) {
  auto matrix = [&] { return op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC); };
#ifdef EXTENTS
  // EXTENTS: [[#@LINE+2]]:{{.*}}error: kernel parameter 'args' of type 'double (*)[4]' takes rows of 4 values, but the tensor has rows of 3
  op_par_loop(op_iteration_space<mass, 4, 4>, "mass", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ));
#elif defined(INTS)
  // INTS: error: {{.*}}op_iteration_space: the kernel takes its arguments, and then an int for each extent
  // INTS: [[#@LINE+1]]:{{.*}}note:
  op_par_loop(op_iteration_space<alone, 3>, "alone", cells);
#elif defined(VALUE)
  // VALUE: error: {{.*}}op_iteration_space: the kernel takes pointers and references first, then an int for each extent
  op_par_loop(op_iteration_space<value, 3>, "value", cells, matrix());
#elif defined(PLACES)
  // PLACES: [[#@LINE+3]]:{{.*}}error: argument 1: the kernel takes a value, or a row, for each place of the local space, 9 values in all, but the argument has 1; take what does not depend on the place as 'T *'
  op_par_loop(op_iteration_space<scale, 3, 3>, "scale", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
  // PLACES: [[#@LINE+3]]:{{.*}}error: argument 1: the kernel takes a value, or a row, for each place of the local space, 18 values in all, but the argument has 6;
  op_par_loop(op_iteration_space<rows, 3, 3>, "rows", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ));
  // PLACES: [[#@LINE+4]]:{{.*}}error: argument 2: the kernel takes a value, or a row, for each place of the local space, 3 values in all, but the argument has 2;
  op_par_loop(op_iteration_space<each, 3>, "each", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ));
  // PLACES-NOT: error:
  op_par_loop(op_iteration_space<each, 3>, "right", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ),
              op_arg_dat(x, -1, OP_ID, 3, "double", OP_READ));
#elif defined(ZERO)
  // ZERO: error: {{.*}}op_iteration_space: expected extents of at least 1
  op_par_loop(op_iteration_space<mass, 3, 0>, "zero", cells, matrix(), matrix());
#else
  // CHECK: op2.par_loop @{{.*}}mass{{.*}} over %{{.*}} args(
  // CHECK-NEXT: inc packed %{{.*}} : !op2.dat<1xf64> via %{{.*}}[0 to 9] : !op2.map<?>,
  // CHECK-NEXT: read packed %{{.*}} : !op2.dat<2xf64> via %{{.*}}[0 to 3] : !op2.map<?>) {loop_name = "mass"}
  op_par_loop(op_iteration_space<mass, 3, 3>, "mass", cells,
              op_arg_mat(A, -3, pcell, -3, pcell, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, pcell, 2, "double", OP_READ));
#endif
}
