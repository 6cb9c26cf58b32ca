// One dat in several arguments of a loop: read directly, through slots of two
// maps and through a whole row; incremented directly, through two maps and
// through a row; changed through a map that leads to each element once while it
// is read as nothing else.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=9 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=atomics --op2-target=emulator %s -o %t.atomics && %t.atomics > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=global --op2-target=emulator %s -o %t.global && %t.global > %t.out && diff %t.dev.out %t.out
//
// CHECK: gathered 138600
// CHECK-NEXT: scattered 1300 first 13 last 13
// CHECK-NEXT: permuted 14850 297
// CHECK-NEXT: one name, two handles 2600

#include "op_seq.h"

#include <cstdio>
#include <vector>

static const int n = 100;

static void gather(const double *here, const double *a, const double *b,
                   const double **row, double *out) {
  *out = *here + 10 * *a + 10 * *b + *row[0] + *row[1] + 5 * *row[2];
}
static void scatter(double *here, double *a, double *b, double **row) {
  *here += 1;
  *a += 2;
  *b += 4;
  for (int i = 0; i < 3; ++i)
    *row[i] += 2;
}
static void scale(double *value, const int *target) {
  *value = *value * 2 + *target;
}

static double total(op_dat dat, double *last) {
  std::vector<double> values(n);
  op_fetch_data(dat, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;
  *last = values[n - 1];
  return sum;
}

#define AT(dat, slot, map, acc) op_arg_dat(dat, slot, map, 1, "double", acc)

static void scatterAll(op_set cells, op_dat y, op_dat alsoY, op_map near,
                       op_map far) {
  op_par_loop(scatter, "scatter", cells, AT(y, -1, OP_ID, OP_INC),
              AT(alsoY, 1, near, OP_INC), AT(y, 0, far, OP_INC),
              AT(alsoY, -3, near, OP_INC));
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> nearby, distant;
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c)
      nearby.push_back((i + c * c) % n);
    distant.push_back((i * 37 + 11) % n); // each once
    numbers.push_back(i);
  }
  op_set cells = op_decl_set(n, "cells");
  op_map near = op_decl_map(cells, cells, 3, nearby.data(), "near"),
         far = op_decl_map(cells, cells, 1, distant.data(), "far");
  op_dat x = op_decl_dat(cells, 1, "double", numbers.data(), "x"),
         y = op_decl_dat(cells, 1, "double", (double *)NULL, "y"),
         z = op_decl_dat(cells, 1, "double", (double *)NULL, "z");
  double last;
  op_par_loop(gather, "gather", cells, AT(x, -1, OP_ID, OP_READ),
              AT(x, 1, near, OP_READ), AT(x, 0, far, OP_READ),
              AT(x, -3, near, OP_READ), AT(y, -1, OP_ID, OP_WRITE));
  std::printf("gathered %g\n", total(y, &last));

  op_par_loop(scatter, "scatter once", cells, AT(z, -1, OP_ID, OP_INC),
              AT(z, 1, near, OP_INC), AT(z, 0, far, OP_INC),
              AT(z, -3, near, OP_INC));
  double sum = total(z, &last);
  std::printf("scattered %g first %g last %g\n", sum,
              *reinterpret_cast<double *>(z->data), last);

  op_par_loop(scale, "scale", cells, AT(x, 0, far, OP_RW), op_arg_idx(0, far));
  sum = total(x, &last);
  std::printf("permuted %g %g\n", sum, last);

  // The compiler does not know that these are one dat.
  scatterAll(cells, z, z, near, far);
  std::printf("one name, two handles %g\n", total(z, &last));
  op_exit();
}
