// Type strings and the option choose how dats lie on a device.
//
// RUN: %op2cxx -O1 --op2-target=emulator --op2-emit=plan %s | FileCheck %s
// RUN: %op2cxx -O1 --op2-target=emulator --op2-layout=soa --op2-emit=plan %s | FileCheck %s --check-prefix=SOA
// RUN: not %op2cxx --op2-layout=columns -c %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: unknown value 'columns' in --op2-layout; known are aos, soa

#include "op_seq.h"

void change(double *q, double const *again, double const *r) {
  q[0] += again[1] + r[0];
}

void step(op_set cells, op_dat q, op_dat r) {
  // The arguments of one dat agree.
  // CHECK: op2.loop_begin "change"
  // CHECK-NEXT: rw soa %{{.*}} : !op2.dat<2xf64>
  // CHECK-NEXT: read soa %{{.*}} : !op2.dat<2xf64>
  // CHECK-NEXT: read aos %{{.*}} : !op2.dat<4xf64>
  // CHECK: op2.gather_row %{{.*}} : memref<2xf64, strided<[?]>> -> memref<2xf64>
  // CHECK-NOT: op2.gather_row
  // SOA: read soa %{{.*}} : !op2.dat<4xf64>
  // SOA-DAG: op2.gather_row %{{.*}} : memref<2xf64, strided<[?]>> -> memref<2xf64>
  // SOA-DAG: op2.gather_row %{{.*}} : memref<4xf64, strided<[?]>> -> memref<4xf64>
  op_par_loop(change, "change", cells,
              op_arg_dat(q, -1, OP_ID, 2, "double:soa", OP_RW),
              op_arg_dat(q, -1, OP_ID, 2, "double", OP_READ),
              op_arg_dat(r, -1, OP_ID, 4, "double", OP_READ));
}
