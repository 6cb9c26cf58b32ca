// Groups of elements use all 512 bits there are, unless told otherwise. Whole
// vectors are stored in halves, which LLVM leaves as they are where it takes 256
// bits by itself. And what is better one element after the other stays that
// way: LLVM makes no groups either.
//
// Kernels that sanitizers watch are not raised.
// REQUIRES: no-sanitizer
//
// RUN: %op2cxx -O3 -march=sapphirerapids --op2-target=openmp -S %s -o - | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: %op2cxx -O3 -march=x86-64-v4 --op2-target=openmp -S %s -o - | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: %op2cxx -O3 -march=znver4 --op2-target=openmp -S %s -o - | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: %op2cxx -O3 -march=x86-64-v4 -mprefer-vector-width=256 --op2-target=openmp -S %s -o - | FileCheck %s --check-prefixes=CHECK,NARROW
//
// CHECK:      {{^}}waves_chunk:
// CHECK-NOT:  {{%[yz]mm}}
// CHECK:      callq sin
// CHECK-NOT:  {{%[yz]mm}}
// CHECK:      {{^}}.Lfunc_end
// CHECK:      {{^}}scale_chunk:
// WIDE:       vmulpd {{.*}}, %zmm[[N:[0-9]+]]{{$}}
// WIDE:       vmovupd %ymm[[N]], (
// WIDE-NEXT:  vextractf64x4 $1, %zmm[[N]], 32(
// ANY:        vmulpd {{.*}}, %zmm
// NARROW-NOT: %zmm
// NARROW:     vmulpd {{.*}}, %ymm

#include "op_seq.h"

#include <cmath>

static void scale(const double *from, double *to) { *to = 2.5 * *from; }

static void waves(const double *x, double *f) {
  *f = 9 * std::sin(3 * x[0]) * std::sin(3 * x[1]);
}

void loops(op_set cells, op_set nodes, op_dat from, op_dat to, op_dat x,
           op_dat f) {
  op_par_loop(scale, "scale", cells,
              op_arg_dat(from, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(to, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(waves, "waves", nodes,
              op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(f, -1, OP_ID, 1, "double", OP_WRITE));
}
