// RUN: op2-opt %s --op2-plan --cse --convert-op2-to-openmp --canonicalize | FileCheck %s

// Kernels of columns: rows of levels that elements some way ahead are the first
// to reach, by their numbers, are prefetched whole. What an element has of its
// own is not, nor are rows of a dim that is known.

llvm.func @column(%t: !llvm.ptr, %r: !llvm.ptr, %own: !llvm.ptr, %flat: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL: func.func @columns
func.func @columns(%cells: !op2.set, %m: !op2.map<2>, %t: !op2.dat<?xf32>, %r: !op2.dat<?xf64>, %own: !op2.dat<?xf64>, %flat: !op2.dat<4xf64>) {
  op2.par_loop @column over %cells args(
    read %t : !op2.dat<?xf32> via %m[0 to 2] : !op2.map<2>,
    inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>,
    rw %own : !op2.dat<?xf64>,
    read %flat : !op2.dat<4xf64> via %m[0] : !op2.map<2>) {op2.in_place = array<i64: 1>}
  return
}
// The same without: not one of columns.
func.func @rows(%cells: !op2.set, %m: !op2.map<2>, %t: !op2.dat<?xf32>, %r: !op2.dat<?xf64>, %own: !op2.dat<?xf64>, %flat: !op2.dat<4xf64>) {
  op2.par_loop @column over %cells args(
    read %t : !op2.dat<?xf32> via %m[0 to 2] : !op2.map<2>,
    inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>,
    rw %own : !op2.dat<?xf64>,
    read %flat : !op2.dat<4xf64> via %m[0] : !op2.map<2>)
  return
}

// CHECK-LABEL: func.func private @column_chunk(
// CHECK-SAME: %[[BEGIN:[^ ]*]]: index, %[[END:[^ ]*]]: index
// CHECK-DAG: %[[T:.*]] = op2.ptr_cast %{{.*}} sizes(%{{.*}}) : !llvm.ptr -> memref<?x?xf32>
// CHECK-DAG: %[[M:.*]] = op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<?x2xi32>
// CHECK-DAG: %[[LAST:.*]] = arith.subi %[[END]], %c1
// CHECK-DAG: %[[HIGHEST:.*]] = memref.alloca() : memref<1xindex>
// CHECK: memref.store %c-1, %[[HIGHEST]]
// CHECK: arith.divui %c32768
// CHECK: %[[DISTANCE:.*]] = arith.minui %{{.*}}, %c24
// CHECK: scf.for %[[E:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:   %[[FAR:.*]] = arith.addi %[[E]], %[[DISTANCE]]
// CHECK:   %[[AHEAD:.*]] = arith.minsi %[[FAR]], %[[LAST]]
// CHECK:   %[[N0:.*]] = memref.load %[[M]][%[[AHEAD]], %c0]
// CHECK:   %[[ROW0:.*]] = arith.index_cast %[[N0]]
// CHECK:   %[[BEFORE:.*]] = memref.load %[[HIGHEST]]
// CHECK:   %[[NEW:.*]] = arith.cmpi sgt, %[[ROW0]], %[[BEFORE]]
// CHECK:   scf.if %[[NEW]] {
// CHECK:     memref.store %[[ROW0]], %[[HIGHEST]]
// CHECK:     %[[COLUMN:.*]] = op2.row %[[T]][%[[ROW0]]]
// CHECK:     scf.for %[[LEVEL:.*]] = %c0 to %{{.*}} step %c16 {
// CHECK-NEXT:  memref.prefetch %[[COLUMN]][%[[LEVEL]]], read
// CHECK-NOT: memref.prefetch
// CHECK:   scf.if %{{.*}} {
// CHECK:     memref.prefetch %{{.*}}, read
// CHECK:     step %c8 {
// CHECK-NEXT:  memref.prefetch %{{.*}}, write
// CHECK-NOT: memref.prefetch
