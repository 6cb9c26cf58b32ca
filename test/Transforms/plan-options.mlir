// RUN: op2-opt %s --op2-plan=block-size=512 | FileCheck %s

func.func private @k(memref<1xf64>)

// CHECK-LABEL: func.func @sizes
func.func @sizes(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // CHECK: op2.plan %{{.*}} block_size 512
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>)
  // The loop's own wish comes first.
  // CHECK: op2.plan %{{.*}} block_size 32
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>) {block_size = 32 : i64}
  return
}
