// What loops are split for, and what the parts' kernels are.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-split="strategy=owner max-extra=100" -split-input-file | FileCheck %s

// The example of the pass's description. What only the other part needs is
// gone, branches and local arrays included.
//
// CHECK-LABEL: func.func private @both.1
// CHECK-SAME: (%[[Q:.*]]: memref<4xf64>, %[[RES:.*]]: memref<4xf64>, %[[NEXT:.*]]: memref<4xf64>)
// CHECK-NOT: math.sqrt
// CHECK: memref.load %[[Q]]
// CHECK: memref.store %{{.*}}, %[[RES]]
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK-NOT: scf.if
// CHECK-NOT: memref.alloca
// CHECK: return
// CHECK-LABEL: func.func private @both.2
// CHECK-SAME: (%[[Q:.*]]: memref<4xf64>, %[[AREA:.*]]: memref<1xf64>)
// CHECK: math.sqrt
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[AREA]]
// CHECK-NOT: addf
// CHECK: return
// CHECK-LABEL: func.func @ownership
// CHECK-NEXT: op2.par_loop @both.1 over
// CHECK-NEXT: read %{{.*}} : !op2.dat<4xf64>,
// CHECK-NEXT: inc %{{.*}} : !op2.dat<4xf64> via %{{.*}}[0] : !op2.map<2>,
// CHECK-NEXT: inc %{{.*}} : !op2.dat<4xf64> via %{{.*}}[1] : !op2.map<2>) {loop_name = "flux.1"}
// CHECK-NEXT: op2.par_loop @both.2 over
// CHECK-NEXT: read %{{.*}} : !op2.dat<4xf64>,
// CHECK-NEXT: rw %{{.*}} : !op2.dat<1xf64>) {loop_name = "flux.2"}
// CHECK-NEXT: return
func.func private @both(%q: memref<4xf64>, %res: memref<4xf64>, %next: memref<4xf64>,
                        %area: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %local = memref.alloca() : memref<1xf64>
  %a = memref.load %q[%c0] : memref<4xf64>
  %b = memref.load %q[%c1] : memref<4xf64>
  %root = math.sqrt %b : f64
  %isBig = arith.cmpf ogt, %root, %a : f64
  memref.store %zero, %local[%c0] : memref<1xf64>
  scf.if %isBig {
    memref.store %root, %local[%c0] : memref<1xf64>
  }
  %l = memref.load %local[%c0] : memref<1xf64>
  memref.store %l, %area[%c0] : memref<1xf64>
  %old = memref.load %res[%c0] : memref<4xf64>
  %new = arith.addf %old, %a : f64
  memref.store %new, %res[%c0] : memref<4xf64>
  %before = memref.load %next[%c0] : memref<4xf64>
  %after = arith.subf %before, %a : f64
  memref.store %after, %next[%c0] : memref<4xf64>
  return
}
func.func @ownership(%cells: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>, %res: !op2.dat<4xf64>,
                     %area: !op2.dat<1xf64>) attributes {op2.fusible} {
  op2.par_loop @both over %cells args(
      read %q : !op2.dat<4xf64>,
      inc %res : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %res : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      rw %area : !op2.dat<1xf64>) {loop_name = "flux"}
  return
}

// -----

// What cannot be vectorized goes to a part of its own. A plan that
// the loop asks for is the plan of both parts.
//
// CHECK-LABEL: func.func @groups
// CHECK-NEXT: op2.par_loop @k.1 over
// CHECK-NEXT: read
// CHECK-NEXT: write %{{.*}} : !op2.dat<1xf64>) {block_size = 64 : i64}
// CHECK-NEXT: op2.par_loop @k.2 over
// CHECK-NEXT: read
// CHECK-NEXT: rw %{{.*}} via %{{.*}}) {block_size = 64 : i64}
func.func private @k(%q: memref<1xf64>, %a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %q[%c0] : memref<1xf64>
  memref.store %v, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @groups(%cells: !op2.set, %m: !op2.map<1>, %q: !op2.dat<1xf64>, %a: !op2.dat<1xf64>,
                  %b: !op2.dat<1xf64>) attributes {op2.fusible} {
  op2.par_loop @k over %cells args(
      read %q : !op2.dat<1xf64>,
      write %a : !op2.dat<1xf64>,
      rw %b : !op2.dat<1xf64> via %m[0] : !op2.map<1>) {block_size = 64}
  return
}

// -----

// More than 64 values: in two, and one half in two again.
//
// CHECK-LABEL: func.func @values
// CHECK-NEXT: op2.par_loop @k.1 over
// CHECK-NEXT: write %[[A:.*]] : !op2.dat<40xf64>)
// CHECK-NEXT: op2.par_loop @k.2.1 over
// CHECK-NEXT: write %[[B:.*]] : !op2.dat<40xf64>)
// CHECK-NEXT: op2.par_loop @k.2.2 over
// CHECK-NEXT: write %[[C:.*]] : !op2.dat<40xf64>)
// CHECK-NEXT: return
func.func private @k(%a: memref<40xf64>, %b: memref<40xf64>, %c: memref<40xf64>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f64
  memref.store %v, %a[%c0] : memref<40xf64>
  memref.store %v, %b[%c0] : memref<40xf64>
  memref.store %v, %c[%c0] : memref<40xf64>
  return
}
func.func @values(%cells: !op2.set, %a: !op2.dat<40xf64>, %b: !op2.dat<40xf64>,
                  %c: !op2.dat<40xf64>) attributes {op2.fusible} {
  op2.par_loop @k over %cells args(
      write %a : !op2.dat<40xf64>, write %b : !op2.dat<40xf64>, write %c : !op2.dat<40xf64>)
  return
}

// -----

// Data that the program declares are different without a promise.
//
// CHECK-LABEL: func.func @declared
// CHECK: op2.par_loop @k.1
// CHECK: op2.par_loop @k.2
func.func private @k(%a: memref<40xf64>, %b: memref<40xf64>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f64
  memref.store %v, %a[%c0] : memref<40xf64>
  memref.store %v, %b[%c0] : memref<40xf64>
  return
}
func.func @declared(%n: index) {
  %cells = op2.decl_set "cells" size %n
  %a = op2.decl_dat "a" on %cells : !op2.dat<40xf64>
  %b = op2.decl_dat "b" on %cells : !op2.dat<40xf64>
  op2.par_loop @k over %cells args(write %a : !op2.dat<40xf64>, write %b : !op2.dat<40xf64>)
  return
}

// -----

// More bytes than usual where there is a lot to compute, loops included.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-split -split-input-file | FileCheck %s --check-prefix=MODEL
// MODEL-LABEL: func.func @computes
// MODEL-NEXT: op2.par_loop @k.1
// MODEL: op2.par_loop @k.2
func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>, %c: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.load %c[%c0] : memref<4xf64>
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %v) -> f64 {
    %w = memref.load %c[%i] : memref<4xf64>
    %root = math.sqrt %w : f64
    %next = arith.addf %sum, %root : f64
    scf.yield %next : f64
  }
  memref.store %s, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @computes(%s: !op2.set, %m: !op2.map<1>, %a: !op2.dat<1xf64>, %b: !op2.dat<1xf64>,
                    %c: !op2.dat<4xf64>) attributes {op2.fusible} {
  op2.par_loop @k over %s args(
      write %a : !op2.dat<1xf64>, rw %b : !op2.dat<1xf64> via %m[0] : !op2.map<1>,
      read %c : !op2.dat<4xf64>)
  return
}
