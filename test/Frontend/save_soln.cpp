// The whole way of one direct loop: the op2 module that is made of it, and the
// stages after it.
// RUN: %op2cxx -O2 --op2-emit=loops %s | FileCheck %s --check-prefixes=OP2,RAISED
// RUN: %op2cxx -O2 --op2-emit=loops --op2-no-raise %s | FileCheck %s --check-prefixes=OP2,IMPORTED
// RUN: %op2cxx -O2 --op2-emit=op2 --op2-target=seq %s | FileCheck %s --check-prefixes=OP2,IMPORTED
// RUN: %op2cxx -O2 --op2-emit=plan %s | FileCheck %s --check-prefix=PLAN
// RUN: %op2cxx -O2 --op2-emit=omp %s | FileCheck %s --check-prefix=OMP
// RUN: %op2cxx -O2 --op2-emit=llvm %s -o %t.ll && FileCheck %s --check-prefix=LLVM < %t.ll
#include "op_seq.h"

static void save_soln(double const *q, double *qold) {
  for (int n = 0; n < 4; n++)
    qold[n] = q[n];
}

void run(op_set cells, op_dat q, op_dat qold) {
  op_par_loop(save_soln, "save_soln", cells,
              op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ),
              op_arg_dat(qold, -1, OP_ID, 4, "double", OP_WRITE));
}

// IMPORTED: llvm.func {{.*}}@_ZL9save_solnPKdPd.op2
// RAISED-NOT: llvm.func
// RAISED: func.func private @_ZL9save_solnPKdPd.op2.raised(%{{.*}}: memref<4xf64>, %{{.*}}: memref<4xf64>)
// RAISED-COUNT-4: memref.store
// RAISED-NOT: memref.store
// RAISED: return
// OP2: func.func @__op2_run_0_save_soln(%[[SET:.*]]: !op2.set, %[[Q:.*]]: !op2.dat<4xf64>, %[[QOLD:.*]]: !op2.dat<4xf64>)
// OP2-SAME: llvm.bareptr
// OP2: op2.par_loop @_ZL9save_solnPKdPd.op2{{(.raised)?}} over %[[SET]]
// OP2: read %[[Q]] : !op2.dat<4xf64>
// OP2: write %[[QOLD]] : !op2.dat<4xf64>
// OP2: loop_name = "save_soln"

// PLAN: op2.for_colors
// OMP: op2.thread_range
// LLVM: define {{.*}}@__op2_run_0_save_soln(
