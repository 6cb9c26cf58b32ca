// Debug information of what is generated is valid and leads to the loop; that
// of kernels is the user's own.
// RUN: %op2cxx -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: opt -passes=verify -disable-output %t.ll 2>&1 | count 0
// RUN: FileCheck %s < %t.ll
// RUN: %op2cxx -O0 -g -S -emit-llvm %s -o %t.O0.ll
// RUN: opt -passes=verify -disable-output %t.O0.ll 2>&1 | count 0
#include "op_seq.h"

// CHECK-DAG: distinct !DISubprogram(name: "twice", {{.*}}line: [[#@LINE+1]],
static void twice(double *x) { *x *= 2; }
static void thrice(double *x) { *x *= 3; }

void run(op_set set, op_dat x, op_dat pairs) {
  // CHECK-DAG: distinct !DISubprogram(name: "__op2_run_0_twice__openmp", {{.*}}line: [[#@LINE+2]],
  // CHECK-DAG: distinct !DISubprogram(name: "twice_chunk", {{.*}}line: [[#@LINE+1]],
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // CHECK-DAG: distinct !DISubprogram(name: "thrice_chunk", {{.*}}line: [[#@LINE+1]],
  op_par_loop(thrice, "thrice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // The same kernel on other rows is another function once it is raised.
  op_par_loop(thrice, "pairs", set, op_arg_dat(pairs, -1, OP_ID, 2, "double", OP_RW));
}



