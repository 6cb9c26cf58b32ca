// RUN: op2-opt %s --op2-choose-layout --split-input-file -verify-diagnostics | FileCheck %s --check-prefixes=CHECK,AOS
// RUN: op2-opt %s --op2-choose-layout=layout=soa --split-input-file -verify-diagnostics | FileCheck %s --check-prefixes=CHECK,SOA

// What a loop asks for stays, the rest follows the option.

func.func private @flux(memref<2xf64>, memref<4xf64>, memref<1xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @chosen
func.func @chosen(%edges: !op2.set, %m: !op2.map<2>, %x: !op2.dat<2xf64>, %q: !op2.dat<4xf64>,
                  %a: !op2.dat<1xf64>, %y: !op2.dat<2xf64>) {
  // CHECK: read soa %{{.*}} : !op2.dat<2xf64> via
  // AOS-NEXT: inc aos %{{.*}} : !op2.dat<4xf64> via
  // SOA-NEXT: inc soa %{{.*}} : !op2.dat<4xf64> via
  // One component: both are the same.
  // CHECK-NEXT: rw aos %{{.*}} : !op2.dat<1xf64>
  // CHECK-NEXT: write aos %{{.*}} : !op2.dat<2xf64>
  op2.par_loop @flux over %edges args(
      read soa %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %q : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      rw %a : !op2.dat<1xf64>,
      write aos %y : !op2.dat<2xf64>)
  return
}

// -----

// Rows that the kernel may change, and that may be the same, are no copies.

func.func private @swap(memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @same
func.func @same(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>) {
  // CHECK: rw aos %{{.*}} via
  // CHECK: rw aos %{{.*}} via
  op2.par_loop @swap over %edges args(
      rw %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  // expected-warning@+1 {{argument 0 stays an array of structs in this loop: the loop changes it and reaches it in more than one way}}
  op2.par_loop @swap over %edges args(
      rw soa %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw soa %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  // CHECK: inc [[LAYOUT:aos|soa]] %{{.*}} via
  // SOA: inc soa
  op2.par_loop @swap over %edges args(
      inc %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  // The same row twice is one copy.
  // SOA: rw soa
  // SOA-NEXT: read soa
  op2.par_loop @swap over %edges args(
      rw %q : !op2.dat<2xf64>,
      read %q : !op2.dat<2xf64>)
  return
}

// -----

// Of rows that elements write through a map, and may leave in part to others, a
// copy would undo what those write.

func.func private @mark(%a: memref<1xf64>, %some: memref<2xf64>, %whole: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %v = memref.load %a[%c0] : memref<1xf64>
  %is_positive = arith.cmpf ogt, %v, %zero : f64
  scf.if %is_positive {
    memref.store %v, %some[%c0] : memref<2xf64>
  }
  memref.store %v, %whole[%c0] : memref<2xf64>
  memref.store %v, %whole[%c1] : memref<2xf64>
  return
}
llvm.func @imported(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @in_part
func.func @in_part(%edges: !op2.set, %m: !op2.map<2>, %a: !op2.dat<1xf64>, %some: !op2.dat<2xf64>,
                   %whole: !op2.dat<2xf64>, %own: !op2.dat<2xf64>) {
  // CHECK: read aos
  // CHECK-NEXT: write aos
  // SOA-NEXT: write soa
  op2.par_loop @mark over %edges args(
      read %a : !op2.dat<1xf64>,
      write %some : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      write %whole : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  // CHECK: write aos
  // SOA-NEXT: write soa
  // expected-warning@+1 {{argument 0 stays an array of structs in this loop: elements may write parts of rows that others write, too}}
  op2.par_loop @imported over %edges args(
      write soa %some : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      write %own : !op2.dat<2xf64>)
  return
}

// -----

llvm.func @maybe(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @run_time_dim
func.func @run_time_dim(%flag: i1, %edges: !op2.set, %q: !op2.dat<?xf64>, %r: !op2.dat<2xf64>) {
  // CHECK: read aos %{{.*}} : !op2.dat<?xf64>
  // SOA: if %{{.*}} rw soa
  op2.par_loop @maybe over %edges args(
      read %q : !op2.dat<?xf64>,
      if %flag rw %r : !op2.dat<2xf64>)
  // expected-warning@+1 {{argument 0 stays an array of structs in this loop: it is several arguments, not all of which are always there}}
  op2.par_loop @maybe over %edges args(
      rw soa %r : !op2.dat<2xf64>,
      if %flag rw soa %r : !op2.dat<2xf64>)
  return
}

// -----

func.func private @large(memref<8193xf64>)

// Kernels would need private copies of such rows.
// CHECK-LABEL: func.func @large_rows
func.func @large_rows(%s: !op2.set, %d: !op2.dat<8193xf64>) {
  // CHECK: read aos %{{.*}} : !op2.dat<8193xf64>
  op2.par_loop @large over %s args(read %d : !op2.dat<8193xf64>)
  return
}

// -----

func.func private @large(memref<8193xf64>)

// CHECK-LABEL: func.func @large_asked
func.func @large_asked(%s: !op2.set, %d: !op2.dat<8193xf64>) {
  // CHECK: read aos %{{.*}} : !op2.dat<8193xf64>
  // expected-warning @+1 {{argument 0 stays an array of structs in this loop: its rows are too large for private copies of them}}
  op2.par_loop @large over %s args(read soa %d : !op2.dat<8193xf64>)
  return
}
