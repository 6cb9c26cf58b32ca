// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v3 --op2-plan --op2-vectorize --cse | FileCheck %s

// What is added through one map slot: the sum of a row that elements in a row
// lead to stays in a register. Through two slots each row is read again.

func.func private @add(%x: memref<1xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<1xf64>
  %old = memref.load %r[%c0] : memref<1xf64>
  %new = arith.addf %old, %value : f64
  memref.store %new, %r[%c0] : memref<1xf64>
  return
}
func.func private @add_twice(%x: memref<1xf64>, %r: memref<1xf64>, %s: memref<1xf64>) {
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

// CHECK-LABEL: func.func @one
// CHECK:       } lanes 4
// CHECK:         call @add_x4(
// CHECK:         %[[R0:.*]] = op2.row %{{.*}}[%[[N0:.*]]] : memref<?x1xf64> -> memref<1xf64>
// CHECK:         %[[R1:.*]] = op2.row %{{.*}}[%[[N1:.*]]] : memref<?x1xf64> -> memref<1xf64>
// CHECK:         %[[V0:.*]] = vector.extract %{{.*}}[0]
// CHECK:         %[[V1:.*]] = vector.extract %{{.*}}[1]
// CHECK:         %[[OLD:.*]] = memref.load %[[R0]]
// CHECK:         %[[S0:.*]] = arith.addf %[[OLD]], %[[V0]]
// CHECK:         memref.store %[[S0]], %[[R0]]
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[N1]], %[[N0]] : index
// CHECK:         %[[B1:.*]] = scf.if %[[SAME]] -> (f64) {
// CHECK-NEXT:      scf.yield %[[S0]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[NEXT:.*]] = memref.load %[[R1]]
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK:         %[[S1:.*]] = arith.addf %[[B1]], %[[V1]]
// CHECK:         memref.store %[[S1]], %[[R1]]
// CHECK-LABEL: func.func @two
// CHECK-NOT:     scf.if
func.func @one(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func @two(%set: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add_twice over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}
