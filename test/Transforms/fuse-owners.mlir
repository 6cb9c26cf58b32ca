// Owners of rows are threads or blocks; which loops these may divide, and whether
// a fused loop is one of them, differs: a thread may add to its element's own
// row, whatever its type; blocks need copies.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse 2>/dev/null | FileCheck %s --check-prefix=THREADS
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse=target=cuda -verify-diagnostics | FileCheck %s --check-prefix=BLOCKS
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse=target=emulator 2>/dev/null | FileCheck %s --check-prefix=BLOCKS
//
// THREADS: loop_name = "exchange+grow"
// THREADS: loop_name = "exchange+keep"
// THREADS: loop_name = "twice+grow"
// THREADS: loop_name = "twice+narrow"
// BLOCKS: loop_name = "exchange+grow"
// BLOCKS: loop_name = "exchange+keep"
// BLOCKS: loop_name = "twice+grow"
// BLOCKS: func.func @narrowed
// BLOCKS: op2.par_loop @twice over
// BLOCKS: op2.par_loop @narrow over
func.func private @exchange(%w: memref<1xf64>, %a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %w[%c0] : memref<1xf64>
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = arith.addf %0, %x : f64
  memref.store %1, %a[%c0] : memref<1xf64>
  %2 = memref.load %b[%c0] : memref<1xf64>
  %3 = arith.subf %2, %x : f64
  memref.store %3, %b[%c0] : memref<1xf64>
  return
}
func.func private @grow(%w: memref<1xf64>, %h: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %w[%c0] : memref<1xf64>
  %0 = memref.load %h[%c0] : memref<1xf64>
  %1 = arith.addf %0, %x : f64
  memref.store %1, %h[%c0] : memref<1xf64>
  return
}
func.func private @keep(%w: memref<1xf64>, %h: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %w[%c0] : memref<1xf64>
  memref.store %x, %h[%c0] : memref<1xf64>
  return
}
func.func @grown(%s: !op2.set, %w: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %h: !op2.dat<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  op2.par_loop @exchange over %s args(read %w : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @grow over %s args(read %w : !op2.dat<1xf64>, inc %h : !op2.dat<1xf64>)
  return
}
func.func @kept(%s: !op2.set, %w: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %h: !op2.dat<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  op2.par_loop @exchange over %s args(read %w : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @keep over %s args(read %w : !op2.dat<1xf64>, write %h : !op2.dat<1xf64>)
  return
}

// Each of two additions gets a row of its own.
func.func private @twice(%w: memref<1xf64>, %a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %w[%c0] : memref<1xf64>
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = arith.addf %0, %x : f64
  memref.store %1, %a[%c0] : memref<1xf64>
  %2 = memref.load %a[%c0] : memref<1xf64>
  %3 = arith.addf %2, %x : f64
  memref.store %3, %a[%c0] : memref<1xf64>
  return
}
func.func @added_twice(%s: !op2.set, %w: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %h: !op2.dat<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  op2.par_loop @twice over %s args(read %w : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @grow over %s args(read %w : !op2.dat<1xf64>, inc %h : !op2.dat<1xf64>)
  return
}
func.func private @narrow(%w: memref<1xf64>, %h: memref<1xi16>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %w[%c0] : memref<1xf64>
  %n = arith.fptosi %x : f64 to i16
  %0 = memref.load %h[%c0] : memref<1xi16>
  %1 = arith.addi %0, %n : i16
  memref.store %1, %h[%c0] : memref<1xi16>
  return
}
func.func @narrowed(%s: !op2.set, %w: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %h: !op2.dat<1xi16>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[F6] 'twice' can be divided by ownership, and both together cannot: argument 2 is changed directly}}
  op2.par_loop @twice over %s args(read %w : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @narrow over %s args(read %w : !op2.dat<1xf64>, inc %h : !op2.dat<1xi16>)
  return
}
