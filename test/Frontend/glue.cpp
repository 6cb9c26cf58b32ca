// Functions that only call those with the loops over elements are not worth
// LLVM's time; those with code of kernels are, however the host is optimised.
// RUN: %op2cxx -w -O2 --op2-target=openmp -S -emit-llvm %s -o %t.ll && opt -passes=verify -disable-output %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %op2cxx -w -Os --op2-target=openmp -S -emit-llvm %s -o %t.ll && opt -passes=verify -disable-output %t.ll
// RUN: FileCheck %s < %t.ll
#include "op_seq.h"
#include <stdexcept>
#include <string>

// CHECK: define internal {{.*}}@__op2_run_{{[0-9]}}_rows..omp_par__openmp({{.*}} #[[GLUE:[0-9]+]]
// CHECK: attributes #[[GLUE]] = {{.*}} optnone {{.*}} "op2-glue"
//
// RUN: FileCheck %s --check-prefixes=KERNEL,CHUNK < %t.ll
// RUN: FileCheck %s --check-prefixes=KERNEL,CAUGHT < %t.ll
// CHUNK: define internal {{.*}}@rows_chunk({{.*}} #[[ID:[0-9]+]]
// CAUGHT: define internal {{.*}}@{{.*}}roots{{.*}}.catching({{.*}} #[[ID:[0-9]+]]
// KERNEL:      attributes #[[ID]] =
// KERNEL-NOT:  optnone
// KERNEL-SAME: "op2-loop"
static void rows(double const *x, double *y) { *y += *x; }

static void roots(double const *x, double *y) {
  if (*x < 0)
    throw std::domain_error("negative: " + std::to_string(*x));
  *y = *x;
}

void run(op_set set, op_map map, op_dat x, op_dat y) {
  op_par_loop(rows, "rows", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, 1, map, 1, "double", OP_INC));
  op_par_loop(roots, "roots", set,
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
