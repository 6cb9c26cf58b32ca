// Blocks of a device that own what they add to: elements in the plan's order,
// what they add in shared memory, and an addition by the owners behind them.

// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner" --cse \
// RUN:   --op2-color-increments --cse --canonicalize | FileCheck %s
// RUN: op2-opt %s --op2-choose-layout=layout=soa \
// RUN:   --op2-plan="target=cuda strategy=owner" --cse --op2-color-increments \
// RUN:   --op2-apply-layout | FileCheck %s --check-prefix=SOA
// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner" --cse \
// RUN:   --op2-color-increments --op2-apply-layout | FileCheck %s --check-prefix=COPIES
// By default, too, unless elements add to many rows.
// RUN: op2-opt %s --op2-plan=target=cuda | FileCheck %s --check-prefix=DEFAULT

func.func @flux(%q: memref<2xf64>, %a: memref<2xf64>, %b: memref<2xf64>, %n: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %q[%c0] : memref<2xf64>
  %a0 = memref.load %a[%c0] : memref<2xf64>
  %a1 = arith.addf %v, %a0 : f64
  memref.store %a1, %a[%c0] : memref<2xf64>
  %b0 = memref.load %b[%c0] : memref<2xf64>
  %b1 = arith.subf %b0, %v : f64
  memref.store %b1, %b[%c0] : memref<2xf64>
  %n0 = memref.load %n[%c0] : memref<1xf32>
  %f = arith.truncf %v : f64 to f32
  %n1 = arith.addf %n0, %f : f32
  memref.store %n1, %n[%c0] : memref<1xf32>
  return
}

// Two buffers: for two slots of the first dat, and for one of the second.
// CHECK-LABEL: func.func @two_dats
// DEFAULT-LABEL: func.func @two_dats
// DEFAULT: coloring = #op2.coloring<owned_rows>
// CHECK: strategy = "owned rows"
// CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 128 {coloring = #op2.coloring<owned_rows>}
// CHECK: op2.for_blocks %[[B:.*]] of
// CHECK: %[[FIRST:.*]], %{{.*}} = op2.block_range %[[PLAN]][%[[B]]]
// CHECK: %[[R:.*]] = op2.owned_increments %[[PLAN]] block %[[B]] arg 1 number 0 rows 256 : memref<?x2xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
// CHECK: %[[N:.*]] = op2.owned_increments %[[PLAN]] block %[[B]] arg 3 number 1 rows 128 : memref<?x1xf32,
// CHECK: op2.for_elements %[[P:.*]] of
// CHECK: %[[AT:.*]] = arith.subi %[[P]], %[[FIRST]]
// CHECK: op2.permuted_element %[[PLAN]][%[[P]]]
// CHECK: call @flux(
// CHECK: %[[TO:.*]] = op2.row %[[R]][%[[AT]]]
// CHECK: op2.scatter_row %{{.*}} to %[[TO]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[AT]], %c128
// CHECK: op2.row %[[R]][%[[SECOND]]]
// CHECK: op2.row %[[N]][%[[AT]]]
// CHECK-NOT: op2.increment
// CHECK: op2.add_owned %[[R]] to %{{.*}} arg 1 of %[[PLAN]] block %[[B]]
// CHECK: op2.add_owned %[[N]] to %{{.*}} arg 3 of %[[PLAN]] block %[[B]]

// The dat may be a struct of arrays; what is added always is.
// SOA-LABEL: func.func @two_dats
// SOA: op2.add_owned %{{.*}} : memref<?x2xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x2xf64, strided<[1, ?]>>
// SOA: op2.add_owned %{{.*}} : memref<?x1xf32, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x1xf32>
func.func @two_dats(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                    %r: !op2.dat<2xf64>, %n: !op2.dat<1xf32>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      inc %n : !op2.dat<1xf32> via %m[1] : !op2.map<2>)
  return
}

// -----

// Branches add once each, and so does a loop that moves on; packed rows are
// private anyway; 416 bytes for each element leave room for 96 of them.

func.func @branches(%k: memref<1xi32>, %r: memref<4xf64>, %p: memref<48xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0 : i32
  %v = memref.load %k[%c0] : memref<1xi32>
  %c = arith.cmpi eq, %v, %zero : i32
  scf.if %c {
    %x = memref.load %r[%c3] : memref<4xf64>
    %y = arith.subf %x, %one : f64
    memref.store %y, %r[%c3] : memref<4xf64>
  } else {
    %x = memref.load %r[%c3] : memref<4xf64>
    %y = arith.addf %x, %one : f64
    %z = arith.select %c, %x, %y : f64
    memref.store %z, %r[%c3] : memref<4xf64>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %r[%i] : memref<4xf64>
    %y = arith.addf %x, %one : f64
    memref.store %y, %r[%i] : memref<4xf64>
    memref.store %one, %p[%i] : memref<48xf64>
    memref.store %one, %p[%i] : memref<48xf64>
  }
  return
}

// However often a kernel adds to a component.
// CHECK-LABEL: func.func @several_times
// CHECK: strategy = "owned rows"
// CHECK: call @branches(
func.func @several_times(%edges: !op2.set, %m: !op2.map<2>, %m24: !op2.map<24>,
                         %k: !op2.dat<1xi32>, %r: !op2.dat<4xf64>, %e: !op2.dat<2xf64>) {
  op2.par_loop @branches over %edges args(
      read %k : !op2.dat<1xi32>,
      inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc packed %e : !op2.dat<2xf64> via %m24[0 to 24] : !op2.map<24>)
  return
}

// -----

func.func @loop(%r: memref<4xf64>, %p: memref<48xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c3 step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %x = memref.load %r[%i1] : memref<4xf64>
    %y = arith.addf %x, %one : f64
    memref.store %y, %r[%i1] : memref<4xf64>
    memref.store %one, %p[%i] : memref<48xf64>
    memref.store %one, %p[%i] : memref<48xf64>
  }
  return
}

// CHECK-LABEL: func.func @packed
// CHECK: op2.plan %{{.*}} block_size 96 {coloring = #op2.coloring<owned_rows>}
// CHECK: %[[R:.*]] = op2.owned_increments %{{.*}} number 0 rows 96
// CHECK: %[[P:.*]] = op2.owned_increments %{{.*}} number 1 rows 2304
// CHECK: arith.subi
// CHECK: call @loop(
// CHECK: op2.row %[[R]]
// CHECK: scf.for %[[SLOT:.*]] =
// CHECK: %[[AT:.*]] = arith.muli %[[SLOT]], %c96
// CHECK: op2.row %[[P]]
// CHECK: op2.scatter_row
// CHECK-NOT: op2.increment
func.func @packed(%edges: !op2.set, %m: !op2.map<2>, %m24: !op2.map<24>,
                  %r: !op2.dat<4xf64>, %e: !op2.dat<2xf64>) {
  op2.par_loop @loop over %edges args(
      inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc packed %e : !op2.dat<2xf64> via %m24[0 to 24] : !op2.map<24>)
  return
}

func.func @count(%r: memref<1xf64>, %d: memref<2xf64>, %s: memref<1xf64>, %n: memref<1xi32>, %o: memref<1xf64>) {
  return
}

// An element that several blocks run counts in one of them, and writes the same
// values in all.
// CHECK-LABEL: func.func @effects
// CHECK: strategy = "owned rows"
func.func @effects(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %d: !op2.dat<2xf64>, %s: memref<1xf64>, %n: memref<1xi32>, %o: memref<1xf64>) {
  op2.par_loop @count over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      write %d : !op2.dat<2xf64>, inc global %s : memref<1xf64>,
      inc global %n : memref<1xi32>, max global %o : memref<1xf64>)
  return
}

// -----

// What an element adds to rows of its own comes back from a copy, in the block
// in which it counts; a kernel on pointers gets copies of what it writes, too.

llvm.func @pointers(%r: !llvm.ptr {llvm.nocapture}, %d: !llvm.ptr {llvm.nocapture},
                    %w: !llvm.ptr {llvm.nocapture}) {
  %x = llvm.load %d : !llvm.ptr -> f64
  llvm.store %x, %w : f64, !llvm.ptr
  llvm.return
}

// COPIES-LABEL: func.func @own
// COPIES: strategy = "owned rows"
// COPIES-DAG: op2.gather_row %[[D:.*]] : memref<2xf64>
// COPIES-DAG: op2.gather_row %[[W:.*]] : memref<3xf64>
// COPIES: llvm.call @pointers(
// COPIES-DAG: op2.scatter_row %{{.*}} to %[[D]] : memref<2xf64>
// COPIES-DAG: op2.scatter_row %{{.*}} to %[[W]] : memref<3xf64>
func.func @own(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
               %d: !op2.dat<2xf64>, %w: !op2.dat<3xf64>) {
  op2.par_loop @pointers over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %d : !op2.dat<2xf64>, write %w : !op2.dat<3xf64>)
  return
}

// -----

// Quadratic triangles: each of an element's six rows may have another owner.

func.func @six(%r: memref<6xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %r[%c0] : memref<6xf64>
  return
}

// CHECK-LABEL: func.func @many_rows
// CHECK: coloring = #op2.coloring<owned_rows>
// DEFAULT-LABEL: func.func @many_rows
// DEFAULT: op2.not_owned = "an element adds to 6 rows, more than 4, and would run in as many blocks"
// DEFAULT: coloring = #op2.coloring<two_level>
func.func @many_rows(%cells: !op2.set, %m: !op2.map<6>, %r: !op2.dat<1xf64>) {
  op2.par_loop @six over %cells args(
      inc packed %r : !op2.dat<1xf64> via %m[0 to 6] : !op2.map<6>)
  return
}
