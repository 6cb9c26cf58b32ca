// RUN: op2-opt %s --op2-plan="target=cuda" --cse --op2-stage --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-choose-layout=layout=soa --op2-plan="target=cuda" --cse --op2-stage --split-input-file | FileCheck %s --check-prefix=SOA
// RUN: op2-opt %s --op2-plan="target=cuda" --cse --op2-stage=limit=6000 --split-input-file | FileCheck %s --check-prefix=LIMIT
// RUN: op2-opt %s --op2-plan --cse --op2-stage --split-input-file | FileCheck %s --check-prefix=OPENMP

// The rows of a block's elements are copied together; rows of 32 bytes get a
// gap. What is only read is not copied back; what the kernel overwrites as a whole,
// whatever happens, is not copied in.

func.func @update(%q: memref<4xf64>, %r: memref<4xf64>, %s: memref<3xf32>, %a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  memref.store %v, %r[%c0] : memref<4xf64>
  memref.store %v, %r[%c1] : memref<4xf64>
  memref.store %v, %r[%c2] : memref<4xf64>
  memref.store %v, %r[%c3] : memref<4xf64>
  return
}

// CHECK-LABEL: func.func @direct
// OPENMP-LABEL: func.func @direct
// OPENMP-NOT: op2.stage
// SOA-LABEL: func.func @direct
// LIMIT-LABEL: func.func @direct
func.func @direct(%cells: !op2.set, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>, %s: !op2.dat<3xf32>,
                  %a: !op2.dat<1xf64>) {
  // CHECK: op2.plan %{{.*}} block_size 128 {coloring = #op2.coloring<none>}
  // CHECK: op2.for_blocks %[[B:.*]] of %[[PLAN:.*]] color
  // CHECK-DAG: %[[FIRST:.*]], %{{.*}} = op2.block_range %[[PLAN]][%[[B]]]
  // CHECK-DAG: %[[Q:.*]] = op2.stage %[[QD:.*]] of %[[PLAN]] block %[[B]] number 0 : memref<?x4xf64> -> memref<?x4xf64, strided<[6, 1]>, #gpu.address_space<workgroup>>
  // CHECK-DAG: %[[R:.*]] = op2.stage uninitialized %[[RD:.*]] of
  // CHECK-DAG: %[[S:.*]] = op2.stage %{{.*}} of %{{.*}} : memref<?x3xf32> -> memref<?x3xf32, #gpu.address_space<workgroup>>
  // CHECK: op2.for_elements %[[E:.*]] of
  // CHECK: %[[L:.*]] = arith.subi %[[E]], %{{.*}} : index
  // CHECK: op2.row %[[Q]][%[[L]]]
  // CHECK: op2.row %{{.*}}[%[[E]]] : memref<?x1xf64>
  // CHECK: func.call @update
  // CHECK-NOT: op2.unstage %[[Q]]
  // CHECK-DAG: op2.unstage %[[R]] to %[[RD]] of
  // CHECK-DAG: op2.unstage %[[S]]

  // The components of a struct of arrays are coalesced as they are.
  // SOA-NOT: op2.stage
  // 128 rows of 48 bytes do not fit, 128 rows of 12 bytes do.
  // LIMIT: op2.stage %{{.*}} : memref<?x3xf32>
  // LIMIT-NOT: op2.stage
  op2.par_loop @update over %cells args(
      read %q : !op2.dat<4xf64>,
      write %r : !op2.dat<4xf64>,
      rw %s : !op2.dat<3xf32>,
      read %a : !op2.dat<1xf64>)
  return
}

// -----

// What the kernel leaves out keeps its value.

func.func @some(%a: memref<1xf64>, %r: memref<2xf64>, %s: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %v = memref.load %a[%c0] : memref<1xf64>
  memref.store %v, %r[%c1] : memref<2xf64>
  memref.store %v, %s[%c0] : memref<2xf64>
  %is_positive = arith.cmpf ogt, %v, %zero : f64
  scf.if %is_positive {
    memref.store %v, %s[%c1] : memref<2xf64>
  }
  return
}
// What it reads by another argument has to be there, too.
func.func @mirror(%from: memref<2xf64>, %to: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %from[%c0] : memref<2xf64>
  memref.store %v, %to[%c1] : memref<2xf64>
  memref.store %v, %to[%c0] : memref<2xf64>
  return
}
func.func private @unknown(memref<1xf64>, memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @partly
// LIMIT-LABEL: func.func @partly
// CHECK-NOT: uninitialized
// CHECK: op2.unstage
// CHECK-NOT: uninitialized
// CHECK: op2.unstage
func.func @partly(%cells: !op2.set, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %s: !op2.dat<2xf64>) {
  op2.par_loop @some over %cells args(
      read %a : !op2.dat<1xf64>, write %r : !op2.dat<2xf64>, write %s : !op2.dat<2xf64>)
  return
}

// CHECK-LABEL: func.func @by_anything
// CHECK-NOT: uninitialized
// CHECK: op2.unstage
// CHECK-NOT: uninitialized
// CHECK: op2.unstage
func.func @by_anything(%cells: !op2.set, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %s: !op2.dat<2xf64>) {
  op2.par_loop @unknown over %cells args(
      read %a : !op2.dat<1xf64>, write %r : !op2.dat<2xf64>, write %s : !op2.dat<2xf64>)
  return
}

// CHECK-LABEL: func.func @read_too
// CHECK-NOT: uninitialized
// CHECK: op2.unstage
func.func @read_too(%cells: !op2.set, %r: !op2.dat<2xf64>) {
  op2.par_loop @mirror over %cells args(
      read %r : !op2.dat<2xf64>, write %r : !op2.dat<2xf64>)
  return
}

// -----

// The data of indirect loops, optional arguments and dats of run-time dim
// stay where they are.

llvm.func @k(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: op2.stage
func.func @elsewhere(%flag: i1, %edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>, %w: !op2.dat<?xf64>,
                     %x: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      rw %q : !op2.dat<2xf64>,
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @k over %edges args(
      if %flag rw %q : !op2.dat<2xf64>,
      read %w : !op2.dat<?xf64>)
  return
}
