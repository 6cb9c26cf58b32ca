// Kernels that add in a loop to what they only promise to write: an error; if it
// is none, every target takes what was there, and OP2_CHECK finds it.
//
// RUN: not %op2cxx -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %op2cxx -O2 -march=native -Wno-error=op2-write --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | FileCheck %s --check-prefix=VALUES
// RUN: env OP2_TARGET=openmp %t | FileCheck %s --check-prefix=VALUES
// RUN: env OP2_TARGET=emulator %t | FileCheck %s --check-prefix=VALUES
// RUN: not env OP2_TARGET=openmp OP2_CHECK=1 %t 2>&1 | FileCheck %s --check-prefix=CHECKED
//
// VALUES: 1 2 1 2
// CHECKED: OP_WRITE on dat a: the kernel computed element 0, component 0 from a value that was there before, which OP_WRITE promises not to read; declare OP_RW

#include "op_seq.h"

#include <cstdio>

inline void add(double *a) {
  for (int i = 0; i < 2; ++i)
    // CHECK: [[#@LINE+1]]:{{.*}}error: kernel 'add' reads parameter 'a', which this loop declares OP_WRITE, before it has written there
    a[i] += i + 1;
}
// What the loop has stored the time before.
inline void grow(double *a) {
  // CHECK-NOT: kernel 'grow'
  a[0] = 1;
  for (int i = 1; i < 4; ++i)
    a[i] = 2 * a[i - 1];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(50, "set");
  op_dat a = op_decl_dat(set, 2, "double", (double *)nullptr, "a");
  op_dat b = op_decl_dat(set, 4, "double", (double *)nullptr, "b");
  op_par_loop(add, "add", set, op_arg_dat(a, -1, OP_ID, 2, "double", OP_WRITE));
  op_par_loop(grow, "grow", set, op_arg_dat(b, -1, OP_ID, 4, "double", OP_WRITE));
  double values[100];
  op_fetch_data(a, values);
  std::printf("%g %g %g %g\n", values[0], values[1], values[98], values[99]);
  op_exit();
}
