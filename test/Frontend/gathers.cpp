// Rows of at most 64 bits come by gathers where these are fast: on processors
// that the microcode against Downfall is not for, unless told otherwise.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx -O2 -march=sapphirerapids --op2-target=openmp --op2-emit=plan -c %s -o - | FileCheck %s
// RUN: %op2cxx -O2 -march=sapphirerapids -mno-gather --op2-target=openmp --op2-emit=plan -c %s -o - | FileCheck %s --check-prefix=LOADS
// RUN: %op2cxx -O2 -march=cascadelake --op2-target=openmp --op2-emit=plan -c %s -o - | FileCheck %s --check-prefix=LOADS
//
// CHECK: lanes 16
// CHECK: vector.gather {{.*}} into vector<16xf32>
// LOADS: lanes 16
// LOADS-NOT: vector.gather

#include "op_seq.h"

static void copy(const float *from, float *to) { *to = *from; }

void loop(op_set edges, op_dat from, op_dat to, op_map map) {
  op_par_loop(copy, "copy", edges,
              op_arg_dat(from, 1, map, 1, "float", OP_READ),
              op_arg_dat(to, -1, OP_ID, 1, "float", OP_WRITE));
}
