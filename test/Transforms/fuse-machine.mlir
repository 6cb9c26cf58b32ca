// In what order elements are compared depends on the vectors that loops will run
// in: a module that does not name them keeps such loops apart (rule F6), if more
// than 64 values are compared. Exact sums and maxima have no order.
//
// RUN: op2-opt %s --op2-fuse -verify-diagnostics | FileCheck %s

func.func private @scale(%a: memref<1xf64>) {
  return
}
func.func private @most(%a: memref<1xf64>, %total: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = memref.load %total[%c0] : memref<1xf64>
  %2 = arith.maximumf %1, %0 : f64
  memref.store %2, %total[%c0] : memref<1xf64>
  return
}
func.func private @many(%a: memref<1xf64>, %total: memref<65xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = memref.load %total[%c0] : memref<65xf64>
  %2 = arith.maximumf %1, %0 : f64
  memref.store %2, %total[%c0] : memref<65xf64>
  return
}
func.func private @sum(%a: memref<1xf64>, %total: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = memref.load %total[%c0] : memref<1xf64>
  %2 = arith.addf %1, %0 : f64
  memref.store %2, %total[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func @many_maxima
// CHECK-COUNT-2: op2.par_loop
func.func @many_maxima(%s: !op2.set, %q: !op2.dat<1xf64>, %t: memref<65xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{loop 'scale' is not fused with 'many': [F6] they combine elements in an order, and the module does not say how they will be vectorized (op2.machine)}}
  op2.par_loop @scale over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @many over %s args(read %q : !op2.dat<1xf64>, max global %t : memref<65xf64>)
  return
}

// CHECK-LABEL: func.func @maxima
// CHECK:       op2.par_loop @scale.most
func.func @maxima(%s: !op2.set, %q: !op2.dat<1xf64>, %t: memref<1xf64>) attributes {op2.fusible} {
  op2.par_loop @scale over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @most over %s args(read %q : !op2.dat<1xf64>, max global %t : memref<1xf64>)
  return
}

// CHECK-LABEL: func.func @sums
// CHECK:       op2.par_loop @scale.sum
func.func @sums(%s: !op2.set, %q: !op2.dat<1xf64>, %t: memref<1xf64>) attributes {op2.fusible} {
  op2.par_loop @scale over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @sum over %s args(read %q : !op2.dat<1xf64>, inc global %t : memref<1xf64>)
  return
}

// CHECK-LABEL: func.func @rows
// CHECK:       op2.par_loop @scale.scale
func.func @rows(%s: !op2.set, %q: !op2.dat<1xf64>) {
  op2.par_loop @scale over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @scale over %s args(rw %q : !op2.dat<1xf64>)
  return
}
