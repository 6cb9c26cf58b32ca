// A ring of edges, declared and run from MLIR; the same on every target, with
// blocks of any size and any number of threads.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 op2-run --block-size=1 --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 op2-run --block-size=7 --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 op2-run -O0 --block-size=16 --shared-libs=%runner_utils %s | FileCheck %s

memref.global @two : memref<1xf64> = dense<2.0>
func.func private @printF64(f64)
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @flux(%w: memref<1xf64>, %r0: memref<1xf64>, %r1: memref<1xf64>,
                        %sum: memref<1xf64>, %max: memref<1xf64>, %i: memref<1xi32>,
                        %last: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @two : memref<1xf64>
  %k = memref.load %g[%c0] : memref<1xf64>
  %a = memref.load %w[%c0] : memref<1xf64>
  %d = arith.mulf %a, %k : f64
  %x = memref.load %r0[%c0] : memref<1xf64>
  %x1 = arith.addf %x, %d : f64
  memref.store %x1, %r0[%c0] : memref<1xf64>
  %y = memref.load %r1[%c0] : memref<1xf64>
  %y1 = arith.subf %y, %a : f64
  memref.store %y1, %r1[%c0] : memref<1xf64>
  %t = memref.load %sum[%c0] : memref<1xf64>
  %t1 = arith.addf %t, %d : f64
  memref.store %t1, %sum[%c0] : memref<1xf64>
  %u = memref.load %max[%c0] : memref<1xf64>
  %u1 = arith.maximumf %u, %d : f64
  memref.store %u1, %max[%c0] : memref<1xf64>
  %n = memref.load %i[%c0] : memref<1xi32>
  %o = memref.load %last[%c0] : memref<1xi32>
  %o1 = arith.maxsi %n, %o : i32
  memref.store %o1, %last[%c0] : memref<1xi32>
  return
}

func.func @main() -> i32 {
  %n = arith.constant 1000 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = memref.alloc() : memref<1000x2xi32>
  %w = memref.alloc() : memref<1000xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %k = arith.remui %j, %n : index
    %i32 = arith.index_cast %i : index to i32
    %k32 = arith.index_cast %k : index to i32
    memref.store %i32, %table[%i, %c0] : memref<1000x2xi32>
    memref.store %k32, %table[%i, %c1] : memref<1000x2xi32>
    %f = arith.sitofp %i32 : i32 to f64
    memref.store %f, %w[%i] : memref<1000xf64>
  }
  %edges = op2.decl_set "edges" size %n
  %nodes = op2.decl_set "nodes" size %n
  %m = op2.decl_map "m" %edges to %nodes values %table : memref<1000x2xi32> -> !op2.map<2>
  %wd = op2.decl_dat "w" on %edges values %w : memref<1000xf64> -> !op2.dat<1xf64>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<1xf64>
  op2.decl_const @two : memref<1xf64>
  %sum = memref.alloc() : memref<1xf64>
  %max = memref.alloc() : memref<1xf64>
  %last = memref.alloc() : memref<1xi32>
  %half = arith.constant 0.5 : f64
  %zero = arith.constant 0 : i32
  memref.store %half, %sum[%c0] : memref<1xf64>
  memref.store %half, %max[%c0] : memref<1xf64>
  memref.store %zero, %last[%c0] : memref<1xi32>
  op2.par_loop @flux over %edges args(
    read %wd : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    inc global %sum : memref<1xf64>,
    max global %max : memref<1xf64>,
    index via %m[1] : !op2.map<2>,
    max global %last : memref<1xi32>)
  %out = memref.alloc() : memref<1000xf64>
  op2.fetch %r to %out : !op2.dat<1xf64>, memref<1000xf64>
  // The sum is 999000 and the incoming 0.5.
  // CHECK: 0.5
  %s0 = memref.load %sum[%c0] : memref<1xf64>
  %base = arith.constant 999000.0 : f64
  %s = arith.subf %s0, %base : f64
  func.call @printF64(%s) : (f64) -> ()
  func.call @printNewline() : () -> ()
  // CHECK-NEXT: 1998
  %mx = memref.load %max[%c0] : memref<1xf64>
  func.call @printF64(%mx) : (f64) -> ()
  func.call @printNewline() : () -> ()
  // CHECK-NEXT: 999
  %l = memref.load %last[%c0] : memref<1xi32>
  %l64 = arith.extsi %l : i32 to i64
  func.call @printI64(%l64) : (i64) -> ()
  func.call @printNewline() : () -> ()
  // Node 0 got 2 * 0 - 999, node 500 got 2 * 500 - 499.
  // CHECK-NEXT: -999
  %v = memref.load %out[%c0] : memref<1000xf64>
  func.call @printF64(%v) : (f64) -> ()
  func.call @printNewline() : () -> ()
  // CHECK-NEXT: 501
  %c500 = arith.constant 500 : index
  %v5 = memref.load %out[%c500] : memref<1000xf64>
  func.call @printF64(%v5) : (f64) -> ()
  func.call @printNewline() : () -> ()
  %rc = arith.constant 0 : i32
  return %rc : i32
}
