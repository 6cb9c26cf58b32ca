// RUN: op2-opt %s --op2-plan --cse | FileCheck %s
// RUN: op2-opt %s --op2-plan=target=cuda --cse | FileCheck %s --check-prefix=DEVICE

// All that these loops change is a row that each element adds to, through a map
// of one slot: where elements follow each other row after row, a loop over rows
// runs them, for kernels of a few operations.

// DEVICE-NOT: row_ends

func.func private @add(%x: memref<1xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<1xf64>
  %old = memref.load %r[%c0] : memref<1xf64>
  %new = arith.addf %old, %value : f64
  memref.store %new, %r[%c0] : memref<1xf64>
  return
}
func.func private @add_and_count(%x: memref<1xf64>, %r: memref<1xf64>, %s: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<1xf64>
  %old = memref.load %r[%c0] : memref<1xf64>
  %new = arith.addf %old, %value : f64
  memref.store %new, %r[%c0] : memref<1xf64>
  %other = memref.load %s[%c0] : memref<1xf64>
  %less = arith.addf %other, %value : f64
  memref.store %less, %s[%c0] : memref<1xf64>
  return
}
func.func private @divide(%x: memref<1xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<1xf64>
  %half = arith.divf %value, %value : f64
  %quarter = arith.divf %half, %value : f64
  %old = memref.load %r[%c0] : memref<1xf64>
  %new = arith.addf %old, %quarter : f64
  memref.store %new, %r[%c0] : memref<1xf64>
  return
}
func.func private @wide(%x: memref<1xf64>, %r: memref<5xf64>) {
  return
}

// CHECK-LABEL: func.func @one
// CHECK: %[[LOOP:.*]] = op2.loop_begin
// CHECK: %[[ENDS:.*]] = op2.row_ends %[[LOOP]] arg 1 : memref<?xi32>
// CHECK: op2.for_elements %{{.*}} of %{{.*}} block %{{.*}} row_ends %[[ENDS]] {
func.func @one(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
// The arity is probably one.
// CHECK-LABEL: func.func @unknown_arity
// CHECK: row_ends
func.func @unknown_arity(%set: !op2.set, %m: !op2.map<?>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64> via %m[0] : !op2.map<?>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<?>)
  return
}
// CHECK-LABEL: func.func @two_slots
// CHECK-NOT: row_ends
func.func @two_slots(%set: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}
func.func @two_changes(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add_and_count over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>,
    inc %x : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @sum(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %s: memref<1xf64>) {
  op2.par_loop @add_and_count over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>,
    inc global %s : memref<1xf64>)
  return
}
func.func @optional(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %f: i1) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    if %f inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @other_access(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    rw %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
// Vectors take less time for these.
func.func @long_kernel(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @divide over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @many_values(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<5xf64>) {
  op2.par_loop @wide over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<5xf64> via %m[0] : !op2.map<1>)
  return
}
