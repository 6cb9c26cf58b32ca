// A helper with a local array, inlined in both branches of a kernel: LLVM makes
// one piece of code of the two again, whose array is one of two. (Found by the
// fuzzer, as an error of the compiler.)
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator %t > %t.out && diff %t.dev.out %t.out
//
// CHECK: 10 5 11 7 8 18
#include "op_seq.h"

static long look(long v) {
  int table[2][3] = {{1, 2, 1}, {4, 5, 6}};
  table[v & 1][(v & 1023) % 3] += 1;
  return v + table[1][(v & 511) % 3];
}
static void branches(const double *x, double *y) {
  long v = long(*x);
  if (v % 6 == 1)
    v = look(v);
  else if (v % 7 == 3)
    v = look(v);
  *y = double(v + 3);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double x[] = {1, 2, 3, 4, 5, 10}, y[6] = {};
  op_set set = op_decl_set(6, "set");
  op_dat in = op_decl_dat(set, 1, "double", x, "in");
  op_dat out = op_decl_dat(set, 1, "double", y, "out");
  op_par_loop(branches, "branches", set,
              op_arg_dat(in, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(out, -1, OP_ID, 1, "double", OP_WRITE));
  op_fetch_data(out, y);
  op_printf("%g %g %g %g %g %g\n", y[0], y[1], y[2], y[3], y[4], y[5]);
  op_exit();
}
