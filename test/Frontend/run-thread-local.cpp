// A kernel that reads a thread_local variable means the one of the thread that
// calls the loop: it is not run by others.
// RUN: %op2cxx -O2 --op2-target=openmp,emulator,seq %s -o %t 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: env OP2_STRICT=0 OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=emulator %t | FileCheck %s
// RUN: env OP2_STRICT=0 OP2_TARGET=seq %t | FileCheck %s
// RUN: not %op2cxx -O2 -Werror=op2-sequential -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// WARN-DAG: warning: loop 'scale' is not compiled for openmp and runs sequentially there: kernel 'scale' uses the thread-local variable 'factor'
// WARN-DAG: warning: loop 'scale' is not compiled for emulator and runs sequentially there: kernel 'scale' uses the thread-local variable 'factor'
// STRICT: error: loop 'scale' is not compiled and runs sequentially: kernel 'scale' uses the thread-local variable 'factor'
#include "op_seq.h"
#include <cstdio>
#include <vector>

static thread_local double factor = 1;
inline void scale(double *q) { *q *= factor; }

int main(int argc, char **argv) {
  op_init(argc, argv, 1);
  std::vector<double> ones(4000, 1);
  op_set set = op_decl_set(4000, "set");
  op_dat d = op_decl_dat(set, 1, "double", ones.data(), "d");
  factor = 3;
  op_par_loop(scale, "scale", set, op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(d, ones.data());
  double sum = 0;
  for (double x : ones)
    sum += x;
  // CHECK: 12000
  std::printf("%g\n", sum);
  op_exit();
}
