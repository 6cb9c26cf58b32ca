// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse | FileCheck %s

// One of two tables of the program, as each element chooses: what elements share
// of a table is read once, of tables that some element has; where some read no
// more, only if one does. By an index that varies each reads in its own table.

llvm.mlir.global external @left() : !llvm.ptr
llvm.mlir.global external @right() : !llvm.ptr

// CHECK-LABEL: func.func private @choice_x8(
// CHECK:      %[[IS_LEFT:.*]] = arith.cmpi sgt
// CHECK:      %[[P:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:      %[[Q:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:      %[[IS_RIGHT:.*]] = arith.xori %[[IS_LEFT]], %{{.*}} : vector<8xi1>
// CHECK:      %[[LEFT:.*]] = llvm.getelementptr inbounds %[[P]][8]
// CHECK:      %[[RIGHT:.*]] = llvm.getelementptr inbounds %[[Q]][8]
// CHECK:      %[[LEFT_TABLE:.*]] = op2.ptr_cast %[[LEFT]]
// CHECK:      %[[RIGHT_TABLE:.*]] = op2.ptr_cast %[[RIGHT]]
// CHECK:      %[[ANY_LEFT:.*]] = vector.reduction <or>, %[[IS_LEFT]]
// CHECK:      %[[ANY_RIGHT:.*]] = vector.reduction <or>, %[[IS_RIGHT]]
// CHECK:      %[[ANY:.*]] = arith.select %[[ANY_RIGHT]], %[[RIGHT]], %[[LEFT]] : !llvm.ptr
// CHECK:      arith.select %[[ANY_LEFT]], %[[LEFT]], %[[ANY]] : !llvm.ptr
// CHECK-NEXT: %[[A:.*]] = op2.ptr_cast
// CHECK-NEXT: arith.select %[[ANY_RIGHT]], %[[RIGHT]], %[[ANY]] : !llvm.ptr
// CHECK-NEXT: %[[B:.*]] = op2.ptr_cast
// CHECK-NEXT: memref.load %[[A]][%{{.*}}] : memref<?xf64>
// CHECK-NEXT: %[[ALL_LEFT:.*]] = vector.broadcast
// CHECK-NEXT: memref.load %[[B]][%{{.*}}] : memref<?xf64>
// CHECK-NEXT: %[[ALL_RIGHT:.*]] = vector.broadcast
// CHECK-NEXT: arith.select %[[IS_RIGHT]], %[[ALL_RIGHT]], %[[ALL_LEFT]] : vector<8xi1>, vector<8xf64>
// CHECK:      %[[SOME:.*]] = vector.gather %[[LEFT_TABLE]][%{{.*}}] [%{{.*}}], %[[IS_LEFT]], %{{.*}} : memref<?xf64>
// CHECK-NEXT: vector.gather %[[RIGHT_TABLE]][%{{.*}}] [%{{.*}}], %[[IS_RIGHT]], %[[SOME]] : memref<?xf64>
// CHECK:      arith.select %[[IS_LEFT]], %[[IS_RIGHT]], %{{.*}} : vector<8xi1>, vector<8xi1>
// CHECK:      scf.if %{{.*}} -> (vector<8xf64>) {
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   vector.broadcast
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   vector.broadcast
// CHECK-NEXT:   arith.select %[[IS_RIGHT]]
func.func private @choice(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %address = llvm.mlir.addressof @left : !llvm.ptr
  %other = llvm.mlir.addressof @right : !llvm.ptr
  %number = memref.load %n[%c0] : memref<1xi64>
  %isLeft = arith.cmpi sgt, %number, %zero : i64
  %pointer = scf.if %isLeft -> !llvm.ptr {
    %p = llvm.load %address : !llvm.ptr -> !llvm.ptr
    scf.yield %p : !llvm.ptr
  } else {
    %p = llvm.load %other : !llvm.ptr -> !llvm.ptr
    scf.yield %p : !llvm.ptr
  }
  %behind = llvm.getelementptr inbounds %pointer[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %table = op2.ptr_cast %behind : !llvm.ptr -> memref<?xf64>
  %0 = memref.load %table[%c0] : memref<?xf64>
  %index = arith.index_cast %number : i64 to index
  %1 = memref.load %table[%index] : memref<?xf64>
  %2 = arith.divf %0, %1 : f64
  %3 = math.sqrt %2 : f64
  %4 = math.sqrt %3 : f64
  %5 = math.sqrt %4 : f64
  %6 = math.sqrt %5 : f64
  memref.store %6, %x[%c0] : memref<1xf64>
  scf.if %isLeft {
    %7 = memref.load %table[%c1] : memref<?xf64>
    %8 = arith.addf %6, %7 : f64
    memref.store %8, %x[%c0] : memref<1xf64>
  }
  return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi64>) {
  op2.par_loop @choice over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi64>)
  return
}
