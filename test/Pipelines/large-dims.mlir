// What is generated does not grow with the dims: for the largest ones it is
// what fits into 200,000 bytes, on every way, for every access.
//
// RUN: op2-opt %s --op2-to-seq -o %t.seq
// RUN: op2-opt %s --op2-to-openmp -o %t.openmp 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: op2-opt %s --op2-to-openmp=strategy=two-level -o %t.colors 2>&1
// RUN: op2-opt %s --op2-to-emulator -o %t.emulator
// RUN: op2-opt %s --op2-to-emulator=strategy=atomics -o %t.atomics
// RUN: op2-opt %s --op2-to-emulator="strategy=global layout=soa" -o %t.global
// RUN: op2-opt %s --op2-to-gpu -o %t.gpu
// RUN: sh -c 'for f in seq openmp colors emulator atomics global gpu; do test $(wc -c < %t.$f) -lt 200000 || echo $f; done' | count 0
//
// REMARK-COUNT-5: components together; vectors take at most 256

!dat = !op2.dat<2147483647xf64>
!row = memref<2147483647xf64>

func.func @k(%a: !row, %b: !row) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2147483647 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : !row
    %w = memref.load %b[%i] : !row
    %t = arith.addf %v, %w : f64
    memref.store %t, %b[%i] : !row
  }
  return
}

func.func @loops(%s: !op2.set, %m: !op2.map<2>, %x: !dat, %y: !dat, %g: !row) {
  op2.par_loop @k over %s args(read %x : !dat, rw %y : !dat)
  op2.par_loop @k over %s args(
      read %x : !dat via %m[0] : !op2.map<2>, write %y : !dat via %m[1] : !op2.map<2>)
  op2.par_loop @k over %s args(
      read %x : !dat via %m[0] : !op2.map<2>, rw %y : !dat via %m[1] : !op2.map<2>)
  op2.par_loop @k over %s args(read %x : !dat, inc %y : !dat via %m[1] : !op2.map<2>)
  op2.par_loop @k over %s args(read global %g : !row, inc %y : !dat)
  return
}
