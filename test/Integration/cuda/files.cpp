// Static kernels and variables of one name in two files, and a variable of one
// file that the other's kernel reads: each file has its own image. Values that
// the program changes are told before the next loop, others are not told again.
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=cuda,openmp --op2-gpu-format=ptx -c %s -o %t.1.o
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=cuda,openmp --op2-gpu-format=ptx -c %S/Inputs/other-file.cpp -o %t.2.o
// RUN: %op2cxx %t.1.o %t.2.o -o %t
// RUN: rm -f %t.log && env OP2_CUDA_DRIVER=%fake_cuda OP2_FAKE_CUDA_LOG=%t.log %t && FileCheck %s < %t.log
// RUN: env OP2_TARGET=openmp %t | FileCheck %s --check-prefix=OUT
#include "op_seq.h"
#include <cstdio>

double shared = 1;
static double factor = 2;
static void scale(double *x) { *x *= factor + shared; }
void runOther(op_set set, op_dat x);

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  double value = 1;
  op_set set = op_decl_set(1, "set");
  op_dat x = op_decl_dat(set, 1, "double", &value, "x");
  op_decl_const(1, "double", &shared);
  auto run = [&] {
    op_par_loop(scale, "scale", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  };
  // CHECK: load ptx
  // CHECK-DAG: variable shared
  // CHECK-DAG: variable _ZL6factor
  // CHECK: launch op2_scale
  run();
  // Nothing has changed.
  // CHECK-NEXT: launch op2_scale
  run();
  // CHECK-NEXT: upload 8
  // CHECK-NEXT: launch op2_scale
  factor = 3;
  run();
  // CHECK-NEXT: upload 8
  // CHECK-NEXT: launch op2_scale
  shared = 2;
  op_decl_const(1, "double", &shared);
  run();
  // CHECK-NEXT: load ptx
  // CHECK-DAG: variable shared
  // CHECK-DAG: variable _ZL6factor
  // CHECK: launch op2_scale
  // CHECK-NEXT: download 8
  runOther(set, x);
  op_fetch_data(x, &value);
  // OUT: 7560
  std::printf("%g\n", value);
  op_exit();
}
