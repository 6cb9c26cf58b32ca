// OP_WRITE on globals: every element writes the same, one element alone writes,
// each writes a place of its own, none writes; the values of before stay where
// nobody writes. Written are also NaN and -0.0 over 0.0, which compare equal to
// less than they are.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t OP_PART_SIZE=7 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=7 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: same 2.5 alone 123 untouched 7
// CHECK-NEXT: minus zero 1 not a number 1 flag 1 small 4000000000
// CHECK-NEXT: places 2 3 4 5 6 -1 sum 499500
// CHECK-NEXT: edges 31 1000
// CHECK-NEXT: none 2.5 123

#include "op_seq.h"

#include <cmath>
#include <vector>

static void some(const int *i, const double *value, double *same, int *alone,
                 float *untouched) {
  *same = *value;
  if (*i == 123)
    *alone = *i;
  if (*i < 0)
    *untouched = 1;
}
static void bits(const int *i, double *zero, float *nan, bool *flag,
                 unsigned *large, long long *never) {
  if (*i % 10 == 3)
    *zero = -0.0;
  if (*i == 500)
    *nan = NAN;
  if (*i == 7)
    *flag = true;
  *large = 4000000000u;
  if (*i > 2000)
    *never = 1;
}
static void places(const int *i, int *row, double *sum) {
  if (*i < 5)
    row[*i] = *i + 2;
  *sum += *i;
}
static void ends(const int *i, const int *j, int *last, double *a, double *b) {
  if (*j == 0)
    *last = *i - 968;
  *a += 1;
  *b += 0;
}

#define I op_arg_idx(-1, OP_ID)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 1000;
  std::vector<int> table;
  for (int i = 0; i < n; ++i) {
    table.push_back(i);
    table.push_back((i + 1) % n);
  }
  op_set set = op_decl_set(n, "set"), none = op_decl_set(0, "none");
  op_map next = op_decl_map(set, set, 2, table.data(), "next");
  std::vector<double> zeros(n);
  op_dat x = op_decl_dat(set, 1, "double", zeros.data(), "x");

  double value = 2.5, same = 0;
  int alone = -1;
  float untouched = 7;
  op_par_loop(some, "some", set, I, op_arg_gbl(&value, 1, "double", OP_READ),
              op_arg_gbl(&same, 1, "double", OP_WRITE),
              op_arg_gbl(&alone, 1, "int", OP_WRITE),
              op_arg_gbl(&untouched, 1, "float", OP_WRITE));
  op_printf("same %g alone %d untouched %g\n", same, alone, double(untouched));

  double zero = 0;
  float nan = 0;
  bool flag = false;
  unsigned large = 1;
  long long never = 3;
  op_par_loop(bits, "bits", set, I, op_arg_gbl(&zero, 1, "double", OP_WRITE),
              op_arg_gbl(&nan, 1, "float", OP_WRITE),
              op_arg_gbl(&flag, 1, "bool", OP_WRITE),
              op_arg_gbl(&large, 1, "uint", OP_WRITE),
              op_arg_gbl(&never, 1, "ll", OP_WRITE));
  op_printf("minus zero %d not a number %d flag %d small %u\n",
            int(std::signbit(zero)), int(std::isnan(nan)), int(flag), large);

  int row[6] = {-1, -1, -1, -1, -1, -1};
  double sum = 0;
  op_par_loop(places, "places", set, I, op_arg_gbl(row, 6, "int", OP_WRITE),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_printf("places %d %d %d %d %d %d sum %g\n", row[0], row[1], row[2], row[3],
            row[4], row[5], sum);

  int last = -1;
  op_par_loop(ends, "ends", set, op_arg_idx(0, next), op_arg_idx(1, next),
              op_arg_gbl(&last, 1, "int", OP_WRITE),
              op_arg_dat(x, 0, next, 1, "double", OP_INC),
              op_arg_dat(x, 1, next, 1, "double", OP_INC));
  op_fetch_data(x, zeros.data());
  double total = 0;
  for (double one : zeros)
    total += one;
  op_printf("edges %d %g\n", last, total);

  op_par_loop(some, "some of none", none, I,
              op_arg_gbl(&value, 1, "double", OP_READ),
              op_arg_gbl(&same, 1, "double", OP_WRITE),
              op_arg_gbl(&alone, 1, "int", OP_WRITE),
              op_arg_gbl(&untouched, 1, "float", OP_WRITE));
  op_printf("none %g %d\n", same, alone);
  op_exit();
}
