// One dat under two names: the loop must not believe that they are distinct.
// Each element reads x and writes y; y is x, so the value is doubled twice by
// two stores that noalias pointers would let the compiler mix up.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s

func.func private @printF64(f64)
func.func private @printNewline()

func.func private @twice(%x: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf64>
  %b = arith.addf %a, %a : f64
  memref.store %b, %y[%c0] : memref<1xf64>
  %c = memref.load %x[%c0] : memref<1xf64>
  %d = arith.addf %c, %c : f64
  memref.store %d, %y[%c0] : memref<1xf64>
  return
}

func.func @step(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @twice over %s args(read %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  return
}

func.func @main() {
  %n = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %init = memref.alloc() : memref<64xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %init[%i] : memref<64xf64>
  }
  %s = op2.decl_set "s" size %n
  %x = op2.decl_dat "x" on %s values %init : memref<64xf64> -> !op2.dat<1xf64>
  %y = op2.decl_dat "y" on %s values %init : memref<64xf64> -> !op2.dat<1xf64>
  func.call @step(%s, %x, %y) : (!op2.set, !op2.dat<1xf64>, !op2.dat<1xf64>) -> ()
  op2.fetch %y to %init : !op2.dat<1xf64>, memref<64xf64>
  // Distinct: y = 2 x.
  // CHECK: 2
  %v = memref.load %init[%c1] : memref<64xf64>
  func.call @printF64(%v) : (f64) -> ()
  func.call @printNewline() : () -> ()
  func.call @step(%s, %x, %x) : (!op2.set, !op2.dat<1xf64>, !op2.dat<1xf64>) -> ()
  op2.fetch %x to %init : !op2.dat<1xf64>, memref<64xf64>
  // The same: x = 2 (2 x).
  // CHECK-NEXT: 4
  %w = memref.load %init[%c1] : memref<64xf64>
  func.call @printF64(%w) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}
