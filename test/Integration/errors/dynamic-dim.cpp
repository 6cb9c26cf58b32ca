// A dim that is known only when the program runs must be the dat's, on every
// target, and whether or not the loop is fused with another one.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && not %t.ref 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 --op2-target=seq,openmp,emulator %s -o %t
// RUN: not env OP2_TARGET=seq %t 2>&1 | FileCheck %s
// RUN: not env OP2_TARGET=openmp %t 2>&1 | FileCheck %s
// RUN: not env OP2_TARGET=emulator %t 2>&1 | FileCheck %s
#include "op_seq.h"
#include <cstdio>

inline void addOne(double *q) { q[0] += 1; }
inline void twice(double *q) { q[0] *= 2; }

// The type of struct templates is complete as soon as somebody asks.
template <class T, int N> struct Row {
  T v[N];
};
template <class T> void addRow(Row<T, 2> *q) { q->v[1] += 1; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  double data[] = {1, 2, 3, 4};
  op_set set = op_decl_set(2, "set");
  op_dat d = op_decl_dat(set, 2, "double", data, "d");
  op_par_loop(addRow<double>, "row", set, op_arg_dat(d, -1, OP_ID, 2, "double", OP_RW));
  op_fetch_data(d, data);
  // CHECK: 1 3 3 5
  std::printf("%g %g %g %g\n", data[0], data[1], data[2], data[3]);
  std::fflush(stdout);
  for (int dim = 2; dim > 0; --dim)
    for (int round = 0; round < 3; ++round) {
      // CHECK: op2 error: {{.*}}argument 0: dim is 1, but dat d has dim 2
      op_par_loop(addOne, "add one", set, op_arg_dat(d, -1, OP_ID, dim, "double", OP_RW));
      op_par_loop(twice, "twice", set, op_arg_dat(d, -1, OP_ID, dim, "double", OP_RW));
    }
  // CHECK-NOT: reached
  std::printf("reached\n");
  op_exit();
}
