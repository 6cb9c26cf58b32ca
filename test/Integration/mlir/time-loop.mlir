// A time loop goes through the mesh in tiles: the same bits as loop after loop,
// for any number of threads. (Sequential loops add in another order.)
//
// RUN: op2-run --delay=0 --shared-libs=%runner_utils %s > %t.apart
// RUN: FileCheck %s --implicit-check-not=chain --input-file=%t.apart
// RUN: grep -v "^op2:" %t.apart > %t.expected
// RUN: op2-run --fuse=0 --shared-libs=%runner_utils %s | grep -v "^op2:" | diff %t.expected -
// RUN: env OP2_CHAIN=never op2-run --shared-libs=%runner_utils %s | grep -v "^op2:" | diff %t.expected -
// RUN: env OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=500 OMP_NUM_THREADS=2 OP2_TUNE=off OP2_CHECK_PLAN=1 op2-run --shared-libs=%runner_utils %s > %t.log
// RUN: grep -v "^op2:" %t.log | diff %t.expected -
// RUN: FileCheck %s --check-prefix=TILES --input-file=%t.log
// RUN: env OP2_CHAIN=always OP2_OWNER=always OP2_TILE_SIZE=100 OMP_NUM_THREADS=3 OP2_TUNE=off op2-run --shared-libs=%runner_utils %s | grep -v "^op2:" | diff %t.expected -
//
// A sum that goes on must be there when the next round adds to it.
// TILES: op2: chain update, save, flux: {{[0-9]+}} tiles

func.func private @op_init(i32, !llvm.ptr, i32)
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @save(%q: memref<1xf64>, %old: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %q[%c0] : memref<1xf64>
  memref.store %0, %old[%c0] : memref<1xf64>
  return
}

func.func private @flux(%q0: memref<1xf64>, %q1: memref<1xf64>, %r0: memref<1xf64>, %r1: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %third = arith.constant 0.33333333333333331 : f64
  %a = memref.load %q0[%c0] : memref<1xf64>
  %b = memref.load %q1[%c0] : memref<1xf64>
  %d = arith.subf %a, %b : f64
  %f = arith.mulf %d, %third : f64
  %x = memref.load %r0[%c0] : memref<1xf64>
  %x1 = arith.subf %x, %f : f64
  memref.store %x1, %r0[%c0] : memref<1xf64>
  %y = memref.load %r1[%c0] : memref<1xf64>
  %y1 = arith.addf %y, %f : f64
  memref.store %y1, %r1[%c0] : memref<1xf64>
  return
}

func.func private @update(%old: memref<1xf64>, %q: memref<1xf64>, %r: memref<1xf64>, %dt: memref<1xf64>, %change: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %o = memref.load %old[%c0] : memref<1xf64>
  %x = memref.load %r[%c0] : memref<1xf64>
  %t = memref.load %dt[%c0] : memref<1xf64>
  %d = arith.mulf %x, %t : f64
  %n = arith.addf %o, %d : f64
  memref.store %n, %q[%c0] : memref<1xf64>
  memref.store %zero, %r[%c0] : memref<1xf64>
  %s = memref.load %change[%c0] : memref<1xf64>
  %d2 = arith.mulf %d, %d : f64
  %s1 = arith.addf %s, %d2 : f64
  memref.store %s1, %change[%c0] : memref<1xf64>
  return
}

func.func @main() {
  %n = arith.constant 4000 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %rounds = arith.constant 24 : index
  %zero = arith.constant 0.0 : f64
  %tenth = arith.constant 0.1 : f64
  %table = memref.alloc() : memref<4000x2xi32>
  %first = memref.alloc() : memref<4000xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %k = arith.minui %j, %n : index
    %last = arith.subi %n, %c1 : index
    %l = arith.minui %k, %last : index
    %i32 = arith.index_cast %i : index to i32
    %l32 = arith.index_cast %l : index to i32
    memref.store %i32, %table[%i, %c0] : memref<4000x2xi32>
    memref.store %l32, %table[%i, %c1] : memref<4000x2xi32>
    %sq = arith.muli %i, %i : index
    %sq32 = arith.index_cast %sq : index to i32
    %f = arith.sitofp %sq32 : i32 to f64
    memref.store %f, %first[%i] : memref<4000xf64>
  }
  // Says which chains there are.
  %no = arith.constant 0 : i32
  %diags = arith.constant 2 : i32
  %null = llvm.mlir.zero : !llvm.ptr
  func.call @op_init(%no, %null, %diags) : (i32, !llvm.ptr, i32) -> ()
  %edges = op2.decl_set "edges" size %n
  %cells = op2.decl_set "cells" size %n
  %m = op2.decl_map "m" %edges to %cells values %table : memref<4000x2xi32> -> !op2.map<2>
  %q = op2.decl_dat "q" on %cells values %first : memref<4000xf64> -> !op2.dat<1xf64>
  %old = op2.decl_dat "old" on %cells : !op2.dat<1xf64>
  %r = op2.decl_dat "r" on %cells : !op2.dat<1xf64>
  %change = memref.alloc() : memref<1xf64>
  %dt = memref.alloc() : memref<1xf64>
  memref.store %zero, %change[%c0] : memref<1xf64>
  scf.for %round = %c0 to %rounds step %c4 {
    scf.for %i = %c0 to %c4 step %c1 {
      // Pending loops have copies of what they only read.
      %i32 = arith.index_cast %i : index to i32
      %f = arith.sitofp %i32 : i32 to f64
      %step = arith.mulf %f, %tenth : f64
      memref.store %step, %dt[%c0] : memref<1xf64>
      op2.par_loop @save over %cells args(read %q : !op2.dat<1xf64>, write %old : !op2.dat<1xf64>)
      op2.par_loop @flux over %edges args(
          read %q : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
          inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      op2.par_loop @update over %cells args(
          read %old : !op2.dat<1xf64>, write %q : !op2.dat<1xf64>, rw %r : !op2.dat<1xf64>,
          read global %dt : memref<1xf64>, inc global %change : memref<1xf64>)
    }
    // CHECK: {{^[0-9]+$}}
    %value = memref.load %change[%c0] : memref<1xf64>
    %bits = arith.bitcast %value : f64 to i64
    func.call @printI64(%bits) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  %out = memref.alloc() : memref<4000xf64>
  op2.fetch %q to %out : !op2.dat<1xf64>, memref<4000xf64>
  scf.for %i = %c0 to %n step %rounds {
    %value = memref.load %out[%i] : memref<4000xf64>
    %bits = arith.bitcast %value : f64 to i64
    func.call @printI64(%bits) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}
