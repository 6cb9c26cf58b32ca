// A bool's byte may be read and written as such: other values than 0 and 1 stay.
// Such kernels run sequentially, or are not raised; those that use bools do.
//
// RUN: %op2cxx -O2 -w -Wno-error=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_STRICT=0 OP2_TARGET=seq %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=openmp %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | FileCheck %s
// RUN: not %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WHY
//
// WHY-DAG: error: loop 'set' is not compiled and runs sequentially: the kernel uses the bytes of bools (parameter 'b') [-Wop2-sequential]
// WHY-DAG: error: loop 'get' is not compiled and runs sequentially: the kernel uses the bytes of bools (parameter 'b')
// WHY-NOT: error: loop 'logic'
// CHECK: 2 3 200 1
// CHECK: logic 1 0 1
#include "op_seq.h"

#include <cstdio>
#include <cstring>
#include <vector>

static void set(bool *b) { *reinterpret_cast<unsigned char *>(b) = 2; }
static void get(const bool *b, int *o) {
  *o = *reinterpret_cast<const unsigned char *>(b);
}
static void fill(bool *b) { std::memset(b, 3, 2); }
static void copy(const unsigned char *from, bool *b) {
  std::memcpy(b, from, 2);
}
static void logic(const bool *a, const int *o, bool *b) {
  b[0] = a[0] && *o > 0;
  b[1] = a[0] ^ (*o > 0);
  b[1] |= a[1];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int const n = 100;
  op_set cells = op_decl_set(n, "cells");
  std::vector<unsigned char> bytes(2 * n, 200);
  std::vector<int> found(n);
  bool *zeros = new bool[2 * n]();
  op_dat one = op_decl_dat(cells, 1, "bool", zeros, "one");
  op_dat two = op_decl_dat(cells, 2, "bool", zeros, "two");
  op_dat truth = op_decl_dat(cells, 2, "bool", zeros, "truth");
  op_dat from = op_decl_dat(cells, 2, "uchar", bytes.data(), "from");
  op_dat o = op_decl_dat(cells, 1, "int", found.data(), "o");
  auto show = [&](op_dat dat) {
    op_par_loop(get, "get", cells, op_arg_dat(dat, -1, OP_ID, dat->dim, "bool", OP_READ),
                op_arg_dat(o, -1, OP_ID, 1, "int", OP_WRITE));
    op_fetch_data(o, found.data());
    std::printf("%d ", found[n - 1]);
  };
  op_par_loop(set, "set", cells, op_arg_dat(one, -1, OP_ID, 1, "bool", OP_WRITE));
  show(one);
  op_par_loop(fill, "fill", cells, op_arg_dat(two, -1, OP_ID, 2, "bool", OP_WRITE));
  show(two);
  op_par_loop(copy, "copy", cells, op_arg_dat(from, -1, OP_ID, 2, "uchar", OP_READ),
              op_arg_dat(two, -1, OP_ID, 2, "bool", OP_WRITE));
  show(two);
  std::printf("1\n");
  std::fill_n(zeros, 2 * n, true);
  op_dat all = op_decl_dat(cells, 2, "bool", zeros, "all");
  op_par_loop(logic, "logic", cells, op_arg_dat(all, -1, OP_ID, 2, "bool", OP_READ),
              op_arg_dat(o, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(truth, -1, OP_ID, 2, "bool", OP_WRITE));
  op_fetch_data(truth, zeros);
  std::printf("logic %d %d %d\n", zeros[0], !zeros[1], zeros[2]);
  delete[] zeros;
  op_exit();
}
