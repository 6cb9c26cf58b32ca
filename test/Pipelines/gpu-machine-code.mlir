// REQUIRES: ptxas
//
// RUN: op2-opt %s --op2-to-gpu='format=cubin cuda-path=%cuda' | FileCheck %s --check-prefixes=CHECK,CUBIN
// RUN: op2-opt %s --op2-to-gpu='format=fatbin chips=sm_80,sm_90 cuda-path=%cuda' | FileCheck %s --check-prefixes=CHECK,FATBIN
// RUN: not env TMPDIR=%t.nowhere op2-opt %s --op2-to-gpu='format=cubin cuda-path=%cuda' 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: no temporary file for sm_90: No such file or directory

// CHECK: llvm.mlir.global internal constant @__op2_image_op2_device_data(
// CUBIN-SAME: \7FELF
// The magic number of fatbinaries.
// FATBIN-SAME: "P\EDU\BA
// FATBIN-SAME: section = ".nv_fatbin"

func.func private @k(%q: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %q[%c0] : memref<1xf64>
  %y = math.exp %x : f64
  memref.store %y, %q[%c0] : memref<1xf64>
  return
}

func.func @step(%cells: !op2.set, %q: !op2.dat<1xf64>) {
  op2.par_loop @k over %cells args(rw %q : !op2.dat<1xf64>)
  return
}
