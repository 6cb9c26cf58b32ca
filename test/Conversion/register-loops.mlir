// RUN: op2-opt %s --op2-to-seq=register-loops=true | FileCheck %s
// RUN: op2-opt %s --op2-to-openmp=register-loops=true | FileCheck %s --check-prefix=OMP
// RUN: op2-opt %s --op2-to-seq | FileCheck %s --check-prefix=NONE

// NONE-NOT: op2rt_register_loop

// CHECK: llvm.func internal @__op2_register_loops
// CHECK: %[[D:.*]] = llvm.mlir.addressof @__op2_loop_desc
// CHECK: llvm.call @op2rt_register_loop(%[[D]])
// CHECK: llvm.mlir.global_ctors ctors = [@__op2_register_loops]

// OMP: llvm.func internal @__op2_register_loops
// OMP: llvm.call @op2rt_register_loop

llvm.func @k(!llvm.ptr)
func.func @loop(%s: !op2.set, %d: !op2.dat<1xf64>) {
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>)
  return
}
