// REQUIRES: ptxas
//
// Machine code is made where CUDA's tools are found, and PTX goes with it.
// RUN: %op2cxx -O2 --op2-target=cuda --op2-cuda-path=%cuda --op2-report --op2-save-temps -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: llvm-readelf -SW %t.o | FileCheck %s --check-prefix=SECTION
// RUN: %op2cxx -O2 --op2-target=cuda --op2-cuda-path=%cuda --op2-gpu-chip=sm_90 --op2-gpu-format=cubin --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CUBIN
#include "op_seq.h"

static void twice(double *x) { *x *= 2; }

// SECTION: .nv_fatbin
void run(op_set set, op_dat x) {
  // CHECK: remark: loop 'twice' on cuda: machine code for sm_80, sm_90, and PTX for newer chips; kernels op2_twice
  // CUBIN: remark: loop 'twice' on cuda: machine code for sm_90; kernels op2_twice
  op_par_loop(twice, "twice", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
