// Fused loops give the bits of the loops alone: rows that travel from one kernel
// to the next, reductions to which an element adds more than once, increments
// through a map, and elements that are left over from groups.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: op2-opt %s --op2-attach-machine --op2-fuse -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --check-prefix=FUSED < %t.mlir
// RUN: op2-run --target=seq --shared-libs=%runner_utils %t.mlir | diff %t.seq -
// RUN: op2-run --fuse=0 --shared-libs=%runner_utils %s > %t.unfused
// RUN: op2-run --shared-libs=%runner_utils %s | diff %t.unfused -
// RUN: op2-run --shared-libs=%runner_utils %t.mlir | diff %t.unfused -
// RUN: env OMP_NUM_THREADS=1 op2-run --shared-libs=%runner_utils %t.mlir | diff %t.unfused -
// RUN: env OMP_NUM_THREADS=3 op2-run --shared-libs=%runner_utils %t.mlir | diff %t.unfused -
// RUN: env OMP_NUM_THREADS=8 op2-run --shared-libs=%runner_utils %t.mlir | diff %t.unfused -
// RUN: op2-run --fuse=0 --block-size=27 --shared-libs=%runner_utils %s > %t.unfused
// RUN: op2-run --block-size=27 --shared-libs=%runner_utils %t.mlir | diff %t.unfused -
// RUN: op2-run --fuse=0 --vector-bits=0 --block-size=27 --shared-libs=%runner_utils %s > %t.unfused
// RUN: op2-run --vector-bits=0 --block-size=27 --shared-libs=%runner_utils %s | diff %t.unfused -

// FUSED:     op2.par_loop @step.speed over %
// FUSED-NOT: op2.par_loop @speed
// FUSED:     op2.par_loop @flux.square over %
// FUSED-NOT: op2.par_loop

func.func private @printF64(f64)
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @printBits(%value: f64) {
  %bits = arith.bitcast %value : f64 to i64
  func.call @printI64(%bits) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

// Adds to the sum twice.
func.func private @step(%w: memref<2xf64>, %q: memref<2xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tenth = arith.constant 0.1 : f64
  %a = memref.load %w[%c0] : memref<2xf64>
  %b = memref.load %w[%c1] : memref<2xf64>
  %x = arith.mulf %a, %tenth : f64
  %y = arith.mulf %b, %x : f64
  memref.store %x, %q[%c0] : memref<2xf64>
  memref.store %y, %q[%c1] : memref<2xf64>
  %s0 = memref.load %sum[%c0] : memref<1xf64>
  %s1 = arith.addf %s0, %x : f64
  memref.store %s1, %sum[%c0] : memref<1xf64>
  %s2 = memref.load %sum[%c0] : memref<1xf64>
  %s3 = arith.addf %s2, %y : f64
  memref.store %s3, %sum[%c0] : memref<1xf64>
  return
}

// Only where q[1] is large: the other values stay.
func.func private @speed(%q: memref<2xf64>, %r: memref<1xf64>, %max: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 3.0 : f64
  %x = memref.load %q[%c0] : memref<2xf64>
  %y = memref.load %q[%c1] : memref<2xf64>
  %large = arith.cmpf ogt, %y, %limit : f64
  scf.if %large {
    %d = arith.divf %y, %x : f64
    memref.store %d, %r[%c0] : memref<1xf64>
    %m = memref.load %max[%c0] : memref<1xf64>
    %better = arith.cmpf ogt, %d, %m : f64
    %n = arith.select %better, %d, %m : f64
    memref.store %n, %max[%c0] : memref<1xf64>
  }
  return
}

func.func private @flux(%q0: memref<2xf64>, %q1: memref<2xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %q0[%c0] : memref<2xf64>
  %b = memref.load %q1[%c1] : memref<2xf64>
  %d = arith.subf %b, %a : f64
  %r0 = memref.load %r[%c0] : memref<1xf64>
  %r1 = arith.addf %r0, %d : f64
  memref.store %r1, %r[%c0] : memref<1xf64>
  %r2 = arith.addf %r1, %a : f64
  memref.store %r2, %r[%c0] : memref<1xf64>
  return
}

func.func private @square(%q0: memref<2xf64>, %w: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %q0[%c0] : memref<2xf64>
  %b = arith.mulf %a, %a : f64
  memref.store %b, %w[%c0] : memref<2xf64>
  return
}

func.func private @print(%dat: !op2.dat<1xf64>) {
  %out = memref.alloc() : memref<1003xf64>
  op2.fetch %dat to %out : !op2.dat<1xf64>, memref<1003xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1003 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %out[%i] : memref<1003xf64>
    func.call @printBits(%v) : (f64) -> ()
  }
  memref.dealloc %out : memref<1003xf64>
  return
}

func.func @main() -> i32 {
  %n = arith.constant 1003 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = memref.alloc() : memref<1003x2xi32>
  %values = memref.alloc() : memref<1003x2xf64>
  %stride = arith.constant 17 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %stride : index
    %k = arith.remui %j, %n : index
    %i32 = arith.index_cast %i : index to i32
    %k32 = arith.index_cast %k : index to i32
    memref.store %i32, %table[%i, %c0] : memref<1003x2xi32>
    memref.store %k32, %table[%i, %c1] : memref<1003x2xi32>
    %f = arith.sitofp %i32 : i32 to f64
    %g = arith.sitofp %k32 : i32 to f64
    memref.store %f, %values[%i, %c0] : memref<1003x2xf64>
    memref.store %g, %values[%i, %c1] : memref<1003x2xf64>
  }
  %s = op2.decl_set "s" size %n
  %m = op2.decl_map "m" %s to %s values %table : memref<1003x2xi32> -> !op2.map<2>
  %w = op2.decl_dat "w" on %s values %values : memref<1003x2xf64> -> !op2.dat<2xf64>
  %q = op2.decl_dat "q" on %s : !op2.dat<2xf64>
  %r = op2.decl_dat "r" on %s : !op2.dat<1xf64>
  %sum = memref.alloc() : memref<1xf64>
  %max = memref.alloc() : memref<1xf64>
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %sum[%c0] : memref<1xf64>
  memref.store %zero, %max[%c0] : memref<1xf64>
  op2.par_loop @step over %s args(
      read %w : !op2.dat<2xf64>, write %q : !op2.dat<2xf64>,
      inc global %sum : memref<1xf64>)
  op2.par_loop @speed over %s args(
      read %q : !op2.dat<2xf64>, write %r : !op2.dat<1xf64>,
      max global %max : memref<1xf64>)
  // CHECK: 3.27936e+07
  // CHECK: 1002
  %v = memref.load %sum[%c0] : memref<1xf64>
  func.call @printF64(%v) : (f64) -> ()
  func.call @printNewline() : () -> ()
  func.call @printBits(%v) : (f64) -> ()
  %u = memref.load %max[%c0] : memref<1xf64>
  func.call @printF64(%u) : (f64) -> ()
  func.call @printNewline() : () -> ()
  op2.par_loop @flux over %s args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<two_level>}
  op2.par_loop @square over %s args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw %w : !op2.dat<2xf64>)
      {strategy = #op2.strategy<two_level>}
  func.call @print(%r) : (!op2.dat<1xf64>) -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
