// One dat under two names, of which one cannot be a struct of arrays, as it is
// several arguments and one of these is optional: both are arrays of structs
// then, also if the loop writes neither. (Found by op2-fuzz: the loop ended with
// an error of the runtime.)
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --layout=soa --shared-libs=%runner_utils %s | FileCheck %s

func.func private @printF64(f64)
func.func private @printNewline()

func.func private @add(%a: memref<2xf64>, %b: memref<2xf64>, %c: memref<2xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c1] : memref<2xf64>
  %y = memref.load %b[%c0] : memref<2xf64>
  %z = memref.load %c[%c1] : memref<2xf64>
  %s = memref.load %sum[%c0] : memref<1xf64>
  %0 = arith.addf %x, %y : f64
  %1 = arith.addf %0, %z : f64
  %2 = arith.addf %1, %s : f64
  memref.store %2, %sum[%c0] : memref<1xf64>
  return
}

func.func private @sum(%s: !op2.set, %flag: i1, %a: !op2.dat<2xf64>, %c: !op2.dat<2xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %sum[%c0] : memref<1xf64>
  op2.par_loop @add over %s args(
      if %flag read %a : !op2.dat<2xf64>, read %a : !op2.dat<2xf64>,
      read %c : !op2.dat<2xf64>, inc global %sum : memref<1xf64>)
  %value = memref.load %sum[%c0] : memref<1xf64>
  func.call @printF64(%value) : (f64) -> ()
  func.call @printNewline() : () -> ()
  return
}

func.func @main() {
  %n = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %five = arith.constant 5.0 : f64
  %true = arith.constant true
  %init = memref.alloc() : memref<64x2xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %init[%i, %c0] : memref<64x2xf64>
    memref.store %five, %init[%i, %c1] : memref<64x2xf64>
  }
  %s = op2.decl_set "s" size %n
  %x = op2.decl_dat "x" on %s values %init : memref<64x2xf64> -> !op2.dat<2xf64>
  %y = op2.decl_dat "y" on %s values %init : memref<64x2xf64> -> !op2.dat<2xf64>
  %sum = memref.alloc() : memref<1xf64>
  // 64 times 5 + 1 + 5.
  // CHECK: 704
  func.call @sum(%s, %true, %x, %y, %sum) : (!op2.set, i1, !op2.dat<2xf64>, !op2.dat<2xf64>, memref<1xf64>) -> ()
  // CHECK-NEXT: 704
  func.call @sum(%s, %true, %x, %x, %sum) : (!op2.set, i1, !op2.dat<2xf64>, !op2.dat<2xf64>, memref<1xf64>) -> ()
  return
}
