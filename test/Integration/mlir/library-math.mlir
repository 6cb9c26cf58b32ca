// Functions that LLVM has no intrinsics for are the C library's, on vectors of
// elements, too: log1p and expm1 keep the digits of small numbers.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --shared-libs=%runner_utils %s | FileCheck %s
// CHECK: 1.6e-16
// CHECK-NEXT: 1.6e-16
// CHECK-NEXT: 32
// CHECK-NEXT: 13.4832
// CHECK-NEXT: 2.51679
// CHECK-NEXT: 7.69939
// CHECK-NEXT: 44.2986
// CHECK-NEXT: 8.7889

func.func private @printF64(f64)
func.func private @printNewline()

func.func private @fill(%x: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %small = arith.constant 1.0e-17 : f64
  %eight = arith.constant 8.0 : f64
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  memref.store %small, %x[%c0] : memref<4xf64>
  memref.store %eight, %x[%c1] : memref<4xf64>
  memref.store %one, %x[%c2] : memref<4xf64>
  memref.store %half, %x[%c3] : memref<4xf64>
  return
}
func.func private @compute(%x: memref<4xf64>, %y: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %small = memref.load %x[%c0] : memref<4xf64>
  %eight = memref.load %x[%c1] : memref<4xf64>
  %one = memref.load %x[%c2] : memref<4xf64>
  %half = memref.load %x[%c3] : memref<4xf64>
  %0 = math.log1p %small : f64
  %1 = math.expm1 %small : f64
  %2 = math.cbrt %eight : f64
  %3 = math.erf %one : f64
  %4 = math.erfc %one : f64
  %5 = math.asinh %half : f64
  %6 = math.acosh %eight : f64
  %7 = math.atanh %half : f64
  memref.store %0, %y[%c0] : memref<8xf64>
  memref.store %1, %y[%c1] : memref<8xf64>
  memref.store %2, %y[%c2] : memref<8xf64>
  memref.store %3, %y[%c3] : memref<8xf64>
  memref.store %4, %y[%c4] : memref<8xf64>
  memref.store %5, %y[%c5] : memref<8xf64>
  memref.store %6, %y[%c6] : memref<8xf64>
  memref.store %7, %y[%c7] : memref<8xf64>
  return
}
func.func private @sum(%y: memref<8xf64>, %g: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %y[%i] : memref<8xf64>
    %b = memref.load %g[%i] : memref<8xf64>
    %c = arith.addf %b, %a : f64
    memref.store %c, %g[%i] : memref<8xf64>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 16 : index
  %zero = arith.constant 0.0 : f64
  %s = op2.decl_set "s" size %n
  %x = op2.decl_dat "x" on %s : !op2.dat<4xf64>
  %y = op2.decl_dat "y" on %s : !op2.dat<8xf64>
  %g = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %zero, %g[%i] : memref<8xf64>
  }
  op2.par_loop @fill over %s args(write %x : !op2.dat<4xf64>)
  op2.par_loop @compute over %s args(read %x : !op2.dat<4xf64>, write %y : !op2.dat<8xf64>)
  op2.par_loop @sum over %s args(read %y : !op2.dat<8xf64>, inc global %g : memref<8xf64>)
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %g[%i] : memref<8xf64>
    func.call @printF64(%v) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
