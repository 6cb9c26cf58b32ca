// A product that is added has one rounding on a device where it has one on the
// host's processor, and two where it has two.
//
// RUN: %op2cxx -O2 -w -mfma --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s | FileCheck %s --check-prefix=ONE
// RUN: %op2cxx -O2 -w -mno-fma --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s | FileCheck %s --check-prefix=TWO
// RUN: %op2cxx -O2 -w -mno-fma --op2-no-raise --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s | FileCheck %s --check-prefix=TWO
//
// ONE: fma.rn.f64
// TWO-NOT: fma
// TWO: mul.rn.f64
// TWO: add.rn.f64

#include "op_seq.h"

static void step(const double *a, double *x) { *x = a[0] * a[1] + *x; }

void run(op_set cells, op_dat a, op_dat x) {
  op_par_loop(step, "step", cells,
              op_arg_dat(a, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
