// Blocks that own rows add in the order of the kernel: where it adds several
// times to a component, or not in the order of the arguments, each addition has
// a row of its own.

// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner" --split-input-file | FileCheck %s

// One component twice: two arguments.
// CHECK-LABEL: func.func private @k.separate(
// CHECK-SAME: %[[A:.*]]: memref<2xf64>, %[[B:.*]]: memref<2xf64>)
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.load %[[B]]
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @k(%a: memref<2xf64>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%c1] : memref<2xf64>
  %y = memref.load %a[%c1] : memref<2xf64>
  %ys = arith.subf %y, %one : f64
  memref.store %ys, %a[%c1] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @again
// CHECK: op2.loop_begin "k" over %{{.*}} args(
// CHECK-NEXT: inc %[[R:.*]] : !op2.dat<2xf64> via %[[M:.*]][0] : !op2.map<2>,
// CHECK-NEXT: inc %[[R]] : !op2.dat<2xf64> via %[[M]][0] : !op2.map<2>) {strategy = "owned rows"
func.func @again(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// In each turn of a loop, handed on from store to store.
// CHECK-LABEL: func.func private @k.separate(
// CHECK-SAME: %[[A:.*]]: memref<1xf64>, %[[B:.*]]: memref<1xf64>, %[[C:.*]]: memref<1xf64>, %[[D:.*]]: memref<1xf64>)
// CHECK-NOT: scf.for
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: %[[OLD:.*]] = memref.load %[[B]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: memref.store %[[NEW]], %[[B]]
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK: memref.store %{{.*}}, %[[D]]
func.func @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.load %a[%c0] : memref<1xf64>
    %xs = arith.addf %x, %one : f64
    memref.store %xs, %a[%c0] : memref<1xf64>
    %ys = arith.addf %xs, %one : f64
    memref.store %ys, %a[%c0] : memref<1xf64>
  }
  return
}

func.func @in_a_loop(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// The outer loop is unrolled; the inner one goes through the components.
// CHECK-LABEL: func.func private @k.separate(
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.store %{{.*}}, %arg0[%[[J]]]
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.store %{{.*}}, %arg1[%[[J]]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @k(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %x = memref.load %a[%j] : memref<2xf64>
      %xs = arith.addf %x, %one : f64
      memref.store %xs, %a[%j] : memref<2xf64>
    }
  }
  return
}

func.func @in_two_loops(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// The rows of a vector argument, against their order; one gets nothing. What
// else the kernel takes stands before them.
// CHECK-LABEL: func.func private @k.separate(
// CHECK-SAME: %[[W:.*]]: memref<1xf64>, %[[A:.*]]: memref<2xf64>, %[[B:.*]]: memref<2xf64>)
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
func.func @k(%a: memref<2xf64>, %b: memref<2xf64>, %c: memref<2xf64>, %w: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = memref.load %w[%c0] : memref<1xf64>
  %x = memref.load %c[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %c[%c1] : memref<2xf64>
  %y = memref.load %a[%c1] : memref<2xf64>
  %ys = arith.addf %y, %one : f64
  memref.store %ys, %a[%c1] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @backwards
// CHECK: args(
// CHECK-NEXT: read %{{.*}} : !op2.dat<1xf64>,
// CHECK-NEXT: inc %[[R:.*]] : !op2.dat<2xf64> via %[[M:.*]][2] : !op2.map<3>,
// CHECK-NEXT: inc %[[R]] : !op2.dat<2xf64> via %[[M]][0] : !op2.map<3>)
func.func @backwards(%edges: !op2.set, %m: !op2.map<3>, %r: !op2.dat<2xf64>, %w: !op2.dat<1xf64>) {
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0 to 3] : !op2.map<3>,
      read %w : !op2.dat<1xf64>)
  return
}

// -----

// Different components share a row.
// CHECK-LABEL: func.func private @k.separate(
// CHECK-SAME: %{{.*}}: memref<2xf64>, %{{.*}}: memref<2xf64>)
func.func @k(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%c1] : memref<2xf64>
  %y = memref.load %a[%c0] : memref<2xf64>
  %ys = arith.addf %y, %one : f64
  memref.store %ys, %a[%c0] : memref<2xf64>
  %z = memref.load %a[%c1] : memref<2xf64>
  %zs = arith.addf %z, %one : f64
  memref.store %zs, %a[%c1] : memref<2xf64>
  return
}

func.func @shared(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}
