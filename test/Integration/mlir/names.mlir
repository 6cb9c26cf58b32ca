// What programs may call their loops and do with their kernels: a name that another
// loop's ends with; a kernel as a value, which is called as MLIR does it.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --shared-libs=%runner_utils %s | FileCheck %s
// CHECK: 8
// CHECK-NEXT: 13

func.func private @printF64(f64)
func.func private @printNewline()

func.func private @sum(%a: memref<1xf64>, %g: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %u = memref.load %a[%c0] : memref<1xf64>
  %v = memref.load %g[%c0] : memref<1xf64>
  %w = arith.addf %v, %u : f64
  memref.store %w, %g[%c0] : memref<1xf64>
  return
}
func.func private @fill(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f64
  memref.store %two, %a[%c0] : memref<1xf64>
  return
}
func.func private @apply(%f: (memref<1xf64>, memref<1xf64>) -> (), %a: memref<1xf64>, %g: memref<1xf64>) {
  func.call_indirect %f(%a, %g) : (memref<1xf64>, memref<1xf64>) -> ()
  return
}
func.func private @print(%g: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %g[%c0] : memref<1xf64>
  func.call @printF64(%v) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 4 : index
  %five = arith.constant 5.0 : f64
  %zero = arith.constant 0.0 : f64
  %s = op2.decl_set "s" size %n
  %x = op2.decl_dat "x" on %s : !op2.dat<1xf64>
  %g = memref.alloc() : memref<1xf64>
  %a = memref.alloc() : memref<1xf64>
  memref.store %zero, %g[%c0] : memref<1xf64>
  memref.store %five, %a[%c0] : memref<1xf64>
  op2.par_loop @fill over %s args(write %x : !op2.dat<1xf64>) {loop_name = "flux"}
  op2.par_loop @sum over %s args(read %x : !op2.dat<1xf64>, inc global %g : memref<1xf64>) {loop_name = "flux.run"}
  func.call @print(%g) : (memref<1xf64>) -> ()
  %f = func.constant @sum : (memref<1xf64>, memref<1xf64>) -> ()
  func.call @apply(%f, %a, %g) : ((memref<1xf64>, memref<1xf64>) -> (), memref<1xf64>, memref<1xf64>) -> ()
  func.call @print(%g) : (memref<1xf64>) -> ()
  return
}
