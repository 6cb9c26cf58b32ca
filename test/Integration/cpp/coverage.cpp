// Coverage counts kernels' lines, and those of functions that nothing calls.
//
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: cd %t.d && %optimizing_op2cxx -O1 -fprofile-instr-generate -fcoverage-mapping --op2-target=seq,openmp %s -o source
// RUN: cd %t.d && env LLVM_PROFILE_FILE=run.profraw ./source && llvm-profdata merge run.profraw -o run.profdata
// RUN: cd %t.d && llvm-cov show source -instr-profile=run.profdata %s | FileCheck %s --check-prefix=SOURCE
// RUN: cd %t.d && %optimizing_op2cxx -O0 --coverage --op2-target=seq,openmp %s -o lines && ./lines
// RUN: cd %t.d && llvm-cov gcov -t lines-coverage.gcda | FileCheck %s --check-prefix=LINES
//
// RUN: %optimizing_op2cxx -O0 -fprofile-generate -Werror -c %s -o %t.o
//
// SOURCE: 100|static void twice(double *x) { *x *= 2; }
// SOURCE: 0|static void absent() {}
// RUN: cd %t.d && %optimizing_op2cxx -O2 --coverage --op2-target=seq,openmp %s -o optimized && ./optimized
// RUN: cd %t.d && llvm-cov gcov -t optimized-coverage.gcda | FileCheck %s --check-prefix=LINES
// LINES: 100:{{ *[0-9]+}}:static void twice(double *x) { *x *= 2; }
// LINES: #####:{{ *[0-9]+}}:static void absent() {}
#include "op_seq.h"

static void twice(double *x) { *x *= 2; }
static void absent() {}
void runAbsent(bool really) {
  if (really)
    absent();
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(100, "set");
  double values[100] = {1};
  op_dat x = op_decl_dat(set, 1, "double", values, "x");
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_exit();
}
