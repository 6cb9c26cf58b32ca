// Packed arguments on the way down: rows are copied before the call and brought
// back after it, by loops over the slots.
//
// RUN: op2-opt %s --op2-plan="target=openmp" | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=emulator strategy=two-level" --cse --op2-color-increments | FileCheck %s --check-prefix=COLORS
// RUN: op2-opt %s --op2-plan="target=emulator strategy=atomics" --cse --op2-color-increments | FileCheck %s --check-prefix=ATOMICS
// RUN: op2-opt %s --op2-attach-machine="vector-bits=512" --op2-plan="target=openmp" --op2-vectorize | FileCheck %s --check-prefix=LANES
// RUN: op2-opt %s --op2-attach-machine="vector-bits=512" --op2-to-openmp > /dev/null

func.func private @add(%y: memref<4xf64>, %x: memref<6xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<6xf64>
  memref.store %value, %y[%c0] : memref<4xf64>
  return
}

// Two tables of unknown arity, of which the second is used first. (The check of
// both did not dominate its use.)
// CHECK-LABEL: func.func @sums
// COLORS-LABEL: func.func @sums
// ATOMICS-LABEL: func.func @sums
// LANES-LABEL: func.func @sums
func.func @sums(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<1xf64>,
                %m: !op2.map<?>, %z: !op2.map<?>) {
  // CHECK: op2.for_elements %[[E:.*]] of
  // CHECK-NEXT: %[[SUMS:.*]] = memref.alloca() {alignment = 32 : i64} : memref<4xf64>
  // CHECK-NEXT: %[[ROWS:.*]] = memref.alloca() {alignment = 16 : i64} : memref<6xf64>
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %c0
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c3
  // CHECK: memref.load %{{.*}}[%[[E]], %[[J]]]
  // CHECK: op2.row %{{.*}} : memref<?x2xf64> -> memref<2xf64>
  // CHECK: func.call @add(%[[SUMS]], %[[ROWS]])
  // CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c4
  // CHECK: %[[ROW:.*]] = op2.row %{{.*}} : memref<?x1xf64> -> memref<1xf64>
  // CHECK: op2.increment %{{.*}} to %[[ROW]]
  // CHECK: guarded
  // CHECK: scf.for
  // CHECK: op2.owned_row
  // CHECK: op2.increment

  // COLORS: func.call @add
  // COLORS: op2.by_color
  // COLORS-NEXT: scf.for
  // COLORS: op2.increment %
  // ATOMICS: func.call @add
  // ATOMICS-NOT: op2.by_color
  // ATOMICS: op2.increment atomic

  // LANES: lanes 8
  // LANES: memref.alloca() {alignment = 64 : i64} : memref<4x8xf64>
  // LANES: func.call @add_x8
  // Each element's rows by code of its own.
  // LANES-COUNT-8: op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<32x1xf64>
  op2.par_loop @add over %s args(
      inc packed %y : !op2.dat<1xf64> via %z[0 to 4] : !op2.map<?>,
      read packed %x : !op2.dat<2xf64> via %m[0 to 3] : !op2.map<?>)
  return
}

func.func private @change(%x: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %x[%c0] : memref<2xf64>
  return
}

// What the kernel did not change is not stored; with colours all of it is done
// in the element's turn.
// CHECK-LABEL: func.func @some
// COLORS-LABEL: func.func @some
func.func @some(%s: !op2.set, %x: !op2.dat<1xf64>, %m: !op2.map<2>) {
  // CHECK: func.call @change
  // CHECK: scf.for
  // CHECK: arith.cmpi ne
  // CHECK: scf.if
  // CHECK-NEXT: memref.store
  // COLORS: op2.by_color
  // COLORS-NEXT: scf.for
  // COLORS: func.call @change
  // COLORS: scf.for
  op2.par_loop @change over %s args(
      rw packed %x : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}
