// OP_WORK: scratch memory that starts with the caller's values and leaves them
// alone.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=5 > %t.out && diff %t.dev.out %t.out
// RUN: %emulate %t.dev.out %s -- %op2cxx
//
// CHECK: result 21300 scratch 7 0 0 marks 1 2 3
// CHECK-NEXT: edges 39800

#include "op_seq.h"

#include <cstdio>
#include <vector>

static void useScratch(const int *i, double *scratch, unsigned *marks,
                       double *y) {
  // scratch[0] has the caller's value; the others are this element's own.
  scratch[1] = *i;
  scratch[2] = 2 * scratch[1];
  marks[0] = unsigned(*i);
  *y = scratch[0] + scratch[2] - scratch[1] + double(marks[0] - unsigned(*i));
}
static void spread(const int *i, int *scratch, double *a, double *b) {
  scratch[0] = *i;
  scratch[1] = scratch[0] + 3;
  *a += scratch[1] - 3;
  *b += scratch[0];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 200;
  std::vector<int> table;
  for (int i = 0; i < n; ++i) {
    table.push_back(i);
    table.push_back((i + 1) % n);
  }
  op_set set = op_decl_set(n, "set");
  op_map map = op_decl_map(set, set, 2, table.data(), "map");
  op_dat y = op_decl_dat(set, 1, "double", (double *)NULL, "y");
  double scratch[3] = {7, 0, 0};
  unsigned marks[3] = {1, 2, 3};
  op_par_loop(useScratch, "useScratch", set, op_arg_idx(-1, OP_ID),
              op_arg_gbl(scratch, 3, "double", OP_WORK),
              op_arg_gbl(marks, 3, "uint", OP_WORK),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  std::vector<double> values(n);
  op_fetch_data(y, values.data());
  double sum = 0;
  for (double value : values)
    sum += value;

  std::printf("result %g scratch %g %g %g marks %u %u %u\n", sum, scratch[0],
              scratch[1], scratch[2], marks[0], marks[1], marks[2]);
  op_dat z = op_decl_dat(set, 1, "double", (double *)NULL, "z");
  int pair[2] = {};
  op_par_loop(spread, "spread", set, op_arg_idx(-1, OP_ID),
              op_arg_gbl(pair, 2, "int", OP_WORK),
              op_arg_dat(z, 0, map, 1, "double", OP_INC),
              op_arg_dat(z, 1, map, 1, "double", OP_INC));
  op_fetch_data(z, values.data());
  sum = 0;
  for (double value : values)
    sum += value;
  std::printf("edges %g\n", sum);
  op_exit();
}
