// Rows behind the first 2^31 values of a dat: sets have 31-bit sizes, places in
// memory do not. The storage is the application's, and only touched pages of it
// exist.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev OP_NO_REALLOC | FileCheck %s
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t OP_NO_REALLOC | FileCheck %s
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_NO_REALLOC | FileCheck %s
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t OP_NO_REALLOC | FileCheck %s
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=emulator --op2-strategy=atomics %s -o %t
// RUN: %t OP_NO_REALLOC | FileCheck %s
//
// CHECK: flags 1 0 1, ints 4 1010, ints 1 1010, ints 0 0, ints 2 1010, ints 3 1010, sum 16

#include "op_seq.h"

#include <cstdio>
#include <cstdlib>

static const int n = 2200000;

static void setFlags(bool *far) { far[0] = far[999] = true; }
static void addRow(int *far, const int *e) {
  far[0] += *e + 1;
  far[249] += 10;
}
static void both(int **far, const bool **flags, int *sum) {
  far[1][249] += 1000;
  for (int k = 0; k < 2; ++k)
    *sum += flags[k][0] + flags[k][999];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set far = op_decl_set(n, "far"), few = op_decl_set(4, "few");
  int table[] = {0, 1, 1, n - 2, n - 2, n - 1, n - 1, 0};
  op_map map = op_decl_map(few, far, 2, table, "map");
  auto *bools = static_cast<bool *>(std::calloc(n, 1000));
  auto *numbers = static_cast<int *>(std::calloc(n, 250 * sizeof(int)));
  op_dat flags = op_decl_dat(far, 1000, "bool", bools, "flags");
  op_dat ints = op_decl_dat(far, 250, "int", numbers, "ints");
  op_par_loop(setFlags, "setFlags", few,
              op_arg_dat(flags, 0, map, 1000, "bool", OP_WRITE));
  op_par_loop(addRow, "addRow", few,
              op_arg_dat(ints, 1, map, 250, "int", OP_INC),
              op_arg_idx(-1, OP_ID));
  int sum = 0;
  op_par_loop(both, "both", few, op_arg_dat(ints, -2, map, 250, "int", OP_INC),
              op_arg_dat(flags, -2, map, 1000, "bool", OP_READ),
              op_arg_gbl(&sum, 1, "int", OP_INC));
  bool last[1000];
  op_fetch_data_idx(flags, last, n - 1, n - 1);
  std::printf("flags %d %d %d, ", last[0], last[1], last[999]);
  for (int e : {0, 1, n / 2, n - 2, n - 1}) {
    int row[250];
    op_fetch_data_idx(ints, row, e, e);
    std::printf("ints %d %d, ", row[0], row[249]);
  }
  std::printf("sum %d\n", sum);
  op_exit();
  std::free(bools);
  std::free(numbers);
}
