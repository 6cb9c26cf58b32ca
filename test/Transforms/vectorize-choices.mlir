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

// A place that is computed, of a short row: what is at one of them is chosen in
// registers. Of a longer one, if it is one of two.
// CHECK-LABEL: func.func private @places_x8(
// CHECK-SAME:    %[[Q:.*]]: memref<3x8xf64>, %{{.*}}: memref<1x8xi32>, %[[R:.*]]: memref<12x8xf64>)
// CHECK:         %[[N:.*]] = arith.index_cast %{{.*}} : vector<8xi32> to vector<8xindex>
// CHECK:         %[[FIRST:.*]] = vector.load %[[Q]][%c0{{.*}}, %{{.*}}]
// CHECK:         %[[IS_SECOND:.*]] = arith.cmpi eq, %[[N]], %{{.*}} : vector<8xindex>
// CHECK:         %[[SECOND:.*]] = vector.load %[[Q]][%c1{{.*}}, %{{.*}}]
// CHECK:         %[[EITHER:.*]] = arith.select %[[IS_SECOND]], %[[SECOND]], %[[FIRST]]
// CHECK:         %[[IS_THIRD:.*]] = arith.cmpi eq, %[[N]], %{{.*}} : vector<8xindex>
// CHECK:         %[[THIRD:.*]] = vector.load %[[Q]][%c2{{.*}}, %{{.*}}]
// CHECK:         %[[VALUE:.*]] = arith.select %[[IS_THIRD]], %[[THIRD]], %[[EITHER]]
// CHECK:         %[[AT:.*]] = arith.select %{{.*}} : vector<8xi1>, vector<8xindex>
// CHECK:         %[[IS_LAST:.*]] = arith.cmpi eq, %[[AT]], %{{.*}} : vector<8xindex>
// CHECK:         %[[OLD:.*]] = vector.load %[[R]][%c11{{.*}}, %{{.*}}]
// CHECK:         %[[NEW:.*]] = arith.select %[[IS_LAST]], %[[VALUE]], %[[OLD]]
// CHECK:         vector.store %[[NEW]], %[[R]][%c11{{.*}}, %{{.*}}]
// CHECK:         vector.store %{{.*}}, %[[R]][%c4{{.*}}, %{{.*}}]
// CHECK-NOT:     vector.store
// CHECK-NOT:     memref.store
// CHECK:         return
func.func private @places(%q: memref<3xf64>, %n: memref<1xi32>, %r: memref<12xf64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %zero = arith.constant 0 : i32
  %number = memref.load %n[%c0] : memref<1xi32>
  %index = arith.index_cast %number : i32 to index
  %value = memref.load %q[%index] : memref<3xf64>
  %isLast = arith.cmpi sgt, %number, %zero : i32
  %place = arith.select %isLast, %c11, %c4 : index
  memref.store %value, %r[%place] : memref<12xf64>
  return
}

// A side of a branch that takes long is skipped where no lane goes there; one
// that does not is not.
// CHECK-LABEL: func.func private @rare_x8(
// CHECK:         %[[X:.*]] = vector.load
// CHECK:         %[[IS_RARE:.*]] = arith.cmpf ogt, %[[X]]
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[IS_RARE]] : vector<8xi1> into i1
// CHECK:         %[[LONG:.*]] = scf.if %[[ANY]] -> (vector<8xf64>) {
// CHECK:           scf.for
// CHECK:             arith.divf
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}} : vector<8xf64>
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         %[[SHORT:.*]] = arith.addf %[[X]], %[[X]]
// CHECK:         arith.select %[[IS_RARE]], %[[LONG]], %[[SHORT]]
func.func private @rare(%x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f64
  %0 = memref.load %x[%c0] : memref<1xf64>
  %isRare = arith.cmpf ogt, %0, %one : f64
  %1 = scf.if %isRare -> f64 {
    %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %one) -> f64 {
      %u = arith.divf %t, %0 : f64
      scf.yield %u : f64
    }
    scf.yield %s : f64
  } else {
    %s = arith.addf %0, %0 : f64
    scf.yield %s : f64
  }
  memref.store %1, %x[%c0] : memref<1xf64>
  return
}

// Nor where it yields an address.
// CHECK-LABEL: func.func private @chosen_x8(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           arith.divf
// CHECK:         vector.gather
func.func private @chosen(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f64
  %0 = memref.load %x[%c0] : memref<1xf64>
  %number = memref.load %n[%c0] : memref<1xi64>
  %index = arith.index_cast %number : i64 to index
  %address = llvm.mlir.addressof @left : !llvm.ptr
  %other = llvm.mlir.addressof @right : !llvm.ptr
  %isRare = arith.cmpf ogt, %0, %one : f64
  %1:2 = scf.if %isRare -> (!llvm.ptr, f64) {
    %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %one) -> f64 {
      %u = arith.divf %t, %0 : f64
      scf.yield %u : f64
    }
    scf.yield %address, %s : !llvm.ptr, f64
  } else {
    scf.yield %other, %0 : !llvm.ptr, f64
  }
  %table = op2.ptr_cast %1#0 : !llvm.ptr -> memref<?xf64>
  %2 = memref.load %table[%index] : memref<?xf64>
  %3 = arith.addf %1#1, %2 : f64
  memref.store %3, %x[%c0] : memref<1xf64>
  return
}

func.func @computed(%s: !op2.set, %q: !op2.dat<3xf64>, %n: !op2.dat<1xi32>, %r: !op2.dat<12xf64>,
                    %x: !op2.dat<1xf64>, %k: !op2.dat<1xi64>) {
  op2.par_loop @places over %s args(
      read %q : !op2.dat<3xf64>, read %n : !op2.dat<1xi32>, rw %r : !op2.dat<12xf64>)
  op2.par_loop @rare over %s args(rw %x : !op2.dat<1xf64>)
  op2.par_loop @chosen over %s args(rw %x : !op2.dat<1xf64>, read %k : !op2.dat<1xi64>)
  return
}
