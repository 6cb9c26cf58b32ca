// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse -split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-fuse --op2-plan --cse --op2-vectorize -split-input-file | FileCheck %s --check-prefix=LANES

// The pass's own example: what the first loop stores and the second one reads
// is one argument, which nobody needs to load.

func.func private @update(%qold: memref<2xf64>, %q: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %qold[%c0] : memref<2xf64>
  %1 = memref.load %qold[%c1] : memref<2xf64>
  %2 = arith.addf %0, %1 : f64
  memref.store %2, %q[%c0] : memref<2xf64>
  memref.store %0, %q[%c1] : memref<2xf64>
  return
}
func.func private @adt_calc(%q: memref<2xf64>, %adt: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %q[%c0] : memref<2xf64>
  %1 = math.sqrt %0 : f64
  memref.store %1, %adt[%c0] : memref<1xf64>
  return
}

// CHECK:       func.func private @update.adt_calc(%[[QOLD:.*]]: memref<2xf64>, %[[Q:.*]]: memref<2xf64>, %[[ADT:.*]]: memref<1xf64>)
// CHECK:         memref.load %[[QOLD]]
// CHECK:         memref.load %[[QOLD]]
// CHECK:         memref.store %{{.*}}, %[[Q]]
// CHECK:         memref.store %{{.*}}, %[[Q]]
// CHECK:         memref.load %[[Q]]
// CHECK:         memref.store %{{.*}}, %[[ADT]]
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @step
// CHECK-NEXT:    op2.par_loop @update.adt_calc over %arg0 args(
// CHECK-NEXT:      read %arg1 : !op2.dat<2xf64>,
// CHECK-NEXT:      write %arg2 : !op2.dat<2xf64>,
// CHECK-NEXT:      write %arg3 : !op2.dat<1xf64>) {loop_name = "update+adt_calc"}
// CHECK-NEXT:    return

// Lane buffers: only qold is loaded, q and adt are stored.
// LANES-LABEL: func.func @step
// LANES:         } lanes 8 %
// LANES:         %[[QOLD:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x8xf64>
// LANES:         vector.load
// LANES:         vector.store %{{.*}}, %[[QOLD]]
// LANES:         vector.store %{{.*}}, %[[QOLD]]
// LANES-NOT:     vector.load
// LANES:         call @update.adt_calc_x8(%[[QOLD]],
func.func @step(%cells: !op2.set, %qold: !op2.dat<2xf64>, %q: !op2.dat<2xf64>,
                %adt: !op2.dat<1xf64>) attributes {op2.fusible} {
  op2.par_loop @update over %cells args(
      read %qold : !op2.dat<2xf64>,
      write %q : !op2.dat<2xf64>)
  op2.par_loop @adt_calc over %cells args(
      read %q : !op2.dat<2xf64>,
      write %adt : !op2.dat<1xf64>)
  return
}

// -----

// A component that is not stored in any case keeps the value it had: the row
// must be loaded.

func.func private @some(%a: memref<1xf64>, %q: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<1xf64>
  memref.store %0, %q[%c0] : memref<2xf64>
  return
}
func.func private @use(%q: memref<2xf64>) {
  return
}
// CHECK-LABEL: func.func @partly
// CHECK:         op2.par_loop @some.use over %{{.*}} args(
// CHECK-NEXT:      read %arg1 : !op2.dat<1xf64>,
// CHECK-NEXT:      rw %arg2 : !op2.dat<2xf64>) {loop_name = "some+use"}
func.func @partly(%s: !op2.set, %a: !op2.dat<1xf64>, %q: !op2.dat<2xf64>)
    attributes {op2.fusible} {
  op2.par_loop @some over %s args(read %a : !op2.dat<1xf64>, write %q : !op2.dat<2xf64>)
  op2.par_loop @use over %s args(read %q : !op2.dat<2xf64>)
  return
}

// -----

// Accesses to one row, merged; three loops in a row; dats that the function
// declares itself are different ones without a promise.

func.func private @k(%q: memref<1xf64>) {
  return
}
// CHECK-LABEL: func.func @accesses
// CHECK:         op2.par_loop @k.k.k over %{{.*}} args(
// CHECK-NEXT:      inc %[[A:.*]] : !op2.dat<1xf64>) {loop_name = "k+k+k"}
// CHECK:         op2.par_loop @k.k{{.*}} over %{{.*}} args(
// CHECK-NEXT:      rw %[[B:.*]] : !op2.dat<1xf64>) {loop_name = "k+k"}
func.func @accesses(%n: index, %buffer: memref<?xf64>) {
  %s = op2.decl_set "s" size %n
  %a = op2.decl_dat "a" on %s : !op2.dat<1xf64>
  %b = op2.decl_dat "b" on %s : !op2.dat<1xf64>
  op2.par_loop @k over %s args(inc %a : !op2.dat<1xf64>)
  %c = arith.constant 1.0 : f64
  op2.par_loop @k over %s args(inc %a : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(inc %a : !op2.dat<1xf64>)
  op2.fetch %a to %buffer : !op2.dat<1xf64>, memref<?xf64>
  op2.par_loop @k over %s args(read %b : !op2.dat<1xf64>)
  op2.par_loop @k over %s args(write %b : !op2.dat<1xf64>)
  return
}

// -----

// What both read through one slot is one argument, too; a global that both
// read, and the element's number. Increments through a map, in one of the
// loops, keep their colours.

func.func private @flux(%x: memref<2xf64>, %g: memref<1xf64>, %i: memref<1xi32>,
                        %r: memref<1xf64>) {
  return
}
func.func private @count(%x: memref<2xf64>, %y: memref<2xf64>, %g: memref<1xf64>,
                         %i: memref<1xi32>, %w: memref<1xf64>) {
  return
}
// CHECK-LABEL: func.func @shared
// CHECK:         op2.par_loop @flux.count over %arg0 args(
// CHECK-NEXT:      read %arg1 : !op2.dat<2xf64> via %arg5[0] : !op2.map<2>,
// CHECK-NEXT:      read global %arg4 : memref<1xf64>,
// CHECK-NEXT:      index,
// CHECK-NEXT:      inc %arg2 : !op2.dat<1xf64> via %arg5[0] : !op2.map<2>,
// CHECK-NEXT:      read %arg1 : !op2.dat<2xf64> via %arg5[1] : !op2.map<2>,
// CHECK-NEXT:      write %arg3 : !op2.dat<1xf64>)
func.func @shared(%s: !op2.set, %x: !op2.dat<2xf64>, %r: !op2.dat<1xf64>,
                  %w: !op2.dat<1xf64>, %g: memref<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  op2.par_loop @flux over %s args(
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read global %g : memref<1xf64>, index,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
      {strategy = #op2.strategy<two_level>}
  op2.par_loop @count over %s args(
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read %x : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      read global %g : memref<1xf64>, index,
      write %w : !op2.dat<1xf64>)
      {strategy = #op2.strategy<two_level>}
  return
}

// -----

// Vector arguments: a memref for each slot.

func.func private @first(%x0: memref<1xf64>, %x1: memref<1xf64>, %w: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x1[%c0] : memref<1xf64>
  memref.store %0, %w[%c0] : memref<1xf64>
  return
}
func.func private @second(%w: memref<1xf64>, %x0: memref<1xf64>, %x1: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x0[%c0] : memref<1xf64>
  memref.store %0, %w[%c0] : memref<1xf64>
  return
}
// CHECK:       func.func private @first.second(%[[X0:.*]]: memref<1xf64>, %[[X1:.*]]: memref<1xf64>, %[[W:.*]]: memref<1xf64>)
// CHECK:         memref.load %[[X1]]
// CHECK:         memref.store %{{.*}}, %[[W]]
// CHECK:         memref.load %[[X0]]
// CHECK:         memref.store %{{.*}}, %[[W]]
func.func @vectors(%s: !op2.set, %x: !op2.dat<1xf64>, %w: !op2.dat<1xf64>, %m: !op2.map<2>)
    attributes {op2.fusible} {
  op2.par_loop @first over %s args(
      read %x : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>,
      write %w : !op2.dat<1xf64>)
  op2.par_loop @second over %s args(
      write %w : !op2.dat<1xf64>,
      read %x : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// An info follows the argument that it followed, under its new number.

func.func private @scale(%x: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = arith.mulf %0, %0 : f64
  memref.store %1, %y[%c0] : memref<1xf64>
  return
}
func.func private @where(%y: memref<1xf64>, %m: memref<1xf64>, %n: memref<1xi32>, %i: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %y[%c0] : memref<1xf64>
  %1 = memref.load %m[%c0] : memref<1xf64>
  %2 = arith.cmpf ogt, %0, %1 : f64
  scf.if %2 {
    memref.store %0, %m[%c0] : memref<1xf64>
    %3 = memref.load %n[%c0] : memref<1xi32>
    memref.store %3, %i[%c0] : memref<1xi32>
  }
  return
}
// CHECK-LABEL: func.func @infos
// CHECK:         op2.par_loop @scale.where over %{{.*}} args(
// CHECK-NEXT:      read
// CHECK-NEXT:      write
// CHECK-NEXT:      max global
// CHECK-NEXT:      index
// CHECK-NEXT:      max info of 2
func.func @infos(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>, %m: memref<1xf64>, %i: memref<1xi32>)
    attributes {op2.fusible} {
  op2.par_loop @scale over %s args(read %x : !op2.dat<1xf64>, write %y : !op2.dat<1xf64>)
  op2.par_loop @where over %s args(read %y : !op2.dat<1xf64>, max global %m : memref<1xf64>, index,
                                   max info of 1 %i : memref<1xi32>)
  return
}

// -----

// Arrays of the second kernel stand before branches of the first one.

func.func private @raise(%x: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = memref.load %y[%c0] : memref<1xf64>
  %2 = arith.cmpf ogt, %0, %1 : f64
  scf.if %2 {
    memref.store %0, %y[%c0] : memref<1xf64>
  }
  return
}
func.func private @turn(%x: memref<1xf64>, %y: memref<1xf64>) {
  %a = memref.alloca() : memref<2xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  memref.store %0, %a[%c1] : memref<2xf64>
  %1 = memref.load %a[%c0] : memref<2xf64>
  memref.store %1, %y[%c0] : memref<1xf64>
  return
}
// CHECK-LABEL: func.func private @raise.turn(
// CHECK-NEXT:    memref.alloca() : memref<2xf64>
// CHECK:         scf.if
func.func @arrays(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>)
    attributes {op2.fusible} {
  op2.par_loop @raise over %s args(read %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  op2.par_loop @turn over %s args(read %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  return
}
