// RUN: op2-opt %s --op2-plan="target=cuda" --cse --op2-color-increments --op2-apply-layout --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=cuda strategy=atomics" --cse --op2-color-increments --op2-apply-layout --split-input-file | FileCheck %s --check-prefix=ATOMICS
// RUN: op2-opt %s --op2-plan="target=cuda strategy=two-level" --cse --op2-color-increments --op2-apply-layout --split-input-file | FileCheck %s --check-prefix=COLORS
// RUN: op2-opt %s --op2-plan --cse --op2-apply-layout --split-input-file | FileCheck %s --check-prefix=OPENMP

// Kernels get copies of the rows of arrays of structs, too, that elements change:
// all is loaded first and stored last. What is only read stays where it is; what
// the kernel overwrites as a whole, whatever happens, is not loaded.

func.func @update(%q: memref<4xf64>, %r: memref<4xf64>, %s: memref<3xf32>, %a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = memref.load %q[%c0] : memref<4xf64>
  memref.store %v, %r[%c0] : memref<4xf64>
  memref.store %v, %r[%c1] : memref<4xf64>
  memref.store %v, %r[%c2] : memref<4xf64>
  memref.store %v, %r[%c3] : memref<4xf64>
  return
}

// CHECK-LABEL: func.func @direct
// OPENMP-LABEL: func.func @direct
// OPENMP-NOT: op2.gather_row
func.func @direct(%cells: !op2.set, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>, %s: !op2.dat<3xf32>,
                  %a: !op2.dat<1xf64>) {
  // CHECK: %[[Q:.*]] = op2.row %{{.*}} : memref<?x4xf64> -> memref<4xf64>
  // CHECK: %[[R:.*]] = op2.row %{{.*}} : memref<?x4xf64> -> memref<4xf64>
  // CHECK: %[[S:.*]] = op2.row %{{.*}} : memref<?x3xf32> -> memref<3xf32>
  // CHECK: %[[A:.*]] = op2.row %{{.*}} : memref<?x1xf64> -> memref<1xf64>
  // CHECK-NEXT: %[[RC:.*]] = op2.gather_row uninitialized %[[R]] : memref<4xf64> -> memref<4xf64>
  // CHECK-NEXT: %[[SC:.*]] = op2.gather_row %[[S]] : memref<3xf32> -> memref<3xf32>
  // CHECK-NEXT: %[[AC:.*]] = op2.gather_row %[[A]] : memref<1xf64> -> memref<1xf64>
  // CHECK-NEXT: func.call @update(%[[Q]], %[[RC]], %[[SC]], %[[AC]])
  // CHECK-DAG: op2.scatter_row %[[RC]] to %[[R]] : memref<4xf64>, memref<4xf64>
  // CHECK-DAG: op2.scatter_row %[[SC]] to %[[S]] :
  // CHECK-DAG: op2.scatter_row %[[AC]] to %[[A]] :
  op2.par_loop @update over %cells args(
      read %q : !op2.dat<4xf64>,
      write %r : !op2.dat<4xf64>,
      rw %s : !op2.dat<3xf32>,
      inc %a : !op2.dat<1xf64>)
  return
}

// -----

// What the kernel leaves out keeps its value.

func.func @some(%a: memref<1xf64>, %r: memref<2xf64>, %s: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %v = memref.load %a[%c0] : memref<1xf64>
  memref.store %v, %r[%c1] : memref<2xf64>
  memref.store %v, %s[%c0] : memref<2xf64>
  %is_positive = arith.cmpf ogt, %v, %zero : f64
  scf.if %is_positive {
    memref.store %v, %s[%c1] : memref<2xf64>
  }
  return
}
// What it reads by another argument has to be there, too.
func.func @mirror(%from: memref<2xf64>, %to: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %from[%c0] : memref<2xf64>
  memref.store %v, %to[%c1] : memref<2xf64>
  memref.store %v, %to[%c0] : memref<2xf64>
  return
}
func.func private @unknown(memref<1xf64>, memref<2xf64>, memref<2xf64>)
llvm.func @imported(!llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @partly
// CHECK-COUNT-2: op2.gather_row %{{.*}} : memref<2xf64> -> memref<2xf64>
// CHECK: call @some
// CHECK-COUNT-2: op2.scatter_row
func.func @partly(%cells: !op2.set, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %s: !op2.dat<2xf64>) {
  op2.par_loop @some over %cells args(
      read %a : !op2.dat<1xf64>, write %r : !op2.dat<2xf64>, write %s : !op2.dat<2xf64>)
  return
}

// CHECK-LABEL: func.func @by_anything
// CHECK-COUNT-2: op2.gather_row %{{.*}} : memref<2xf64> -> memref<2xf64>
// CHECK: call @unknown
// CHECK-COUNT-2: op2.gather_row %{{.*}} : memref<2xf64> -> memref<2xf64>
// CHECK: llvm.call @imported
func.func @by_anything(%cells: !op2.set, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %s: !op2.dat<2xf64>) {
  op2.par_loop @unknown over %cells args(
      read %a : !op2.dat<1xf64>, write %r : !op2.dat<2xf64>, write %s : !op2.dat<2xf64>)
  op2.par_loop @imported over %cells args(
      read %a : !op2.dat<1xf64>, write %r : !op2.dat<2xf64>, write %s : !op2.dat<2xf64>)
  return
}

// All arguments on one dat mean one row: they share its copy.
// CHECK-LABEL: func.func @read_too
// CHECK: %[[COPY:.*]] = op2.gather_row %[[ROW:.*]] : memref<2xf64> -> memref<2xf64>
// CHECK-NEXT: call @mirror(%[[COPY]], %[[COPY]])
// CHECK-NEXT: op2.scatter_row %[[COPY]] to %[[ROW]]
// CHECK-NOT: op2.scatter_row
func.func @read_too(%cells: !op2.set, %r: !op2.dat<2xf64>) {
  op2.par_loop @mirror over %cells args(
      read %r : !op2.dat<2xf64>, write %r : !op2.dat<2xf64>)
  return
}

// -----

// Elements that other arguments reach through maps: of dats of their own only.

func.func private @mixed(memref<2xf64>, memref<2xf64>, memref<2xf32>)
func.func private @k(memref<2xf64>, memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @with_maps
// CHECK: %[[X:.*]] = op2.row
// CHECK: %[[Q:.*]] = op2.row
// CHECK: %[[R:.*]] = op2.row
// CHECK: %[[COPY:.*]] = op2.gather_row %[[Q]]
// CHECK: call @k(%[[X]], %[[COPY]], %[[R]])
// CHECK: op2.scatter_row %[[COPY]] to %[[Q]]
// CHECK-NOT: op2.scatter_row
func.func @with_maps(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>, %x: !op2.dat<2xf64>,
                     %r: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw %q : !op2.dat<2xf64>,
      write %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// CHECK-LABEL: func.func @own_and_others
// CHECK-NOT: op2.gather_row
// CHECK: return
func.func @own_and_others(%cells: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>, %x: !op2.dat<2xf64>) {
  op2.par_loop @k over %cells args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw %q : !op2.dat<2xf64>,
      read %x : !op2.dat<2xf64>)
  return
}

// Where colours control the whole kernel, copies are made in its turn.
// COLORS-LABEL: func.func @in_turn
// COLORS: op2.by_color
// COLORS-NEXT: %[[COPY:.*]] = op2.gather_row %[[Q:.*]] : memref<2xf64> -> memref<2xf64>
// COLORS-NEXT: func.call @k(%[[COPY]],
// COLORS-NEXT: op2.scatter_row %[[COPY]] to %[[Q]]
// COLORS-NEXT: }
func.func @in_turn(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @k over %edges args(
      rw %q : !op2.dat<2xf64>,
      rw %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      rw %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// Where others may add at the same time, nothing is brought back. (What is
// changed otherwise may not be the same dat: it has another type.)
// ATOMICS-LABEL: func.func @with_atomics
// ATOMICS: %[[R:.*]] = op2.row %[[RD:.*]][
// ATOMICS: %[[COPY:.*]] = op2.gather_row %[[R]]
// ATOMICS: op2.scatter_row %[[COPY]] to %[[R]]
// ATOMICS-COUNT-2: op2.increment atomic
// ATOMICS-NOT: op2.scatter_row
func.func @with_atomics(%edges: !op2.set, %m: !op2.map<2>, %p: !op2.dat<2xf64>, %q: !op2.dat<2xf64>,
                        %r: !op2.dat<2xf32>) {
  op2.par_loop @mixed over %edges args(
      inc %p : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %q : !op2.dat<2xf64>,
      rw %r : !op2.dat<2xf32>)
  return
}

// -----

// Optional arguments, and what would not become registers, stay where they are:
// rows of more than eight values, of values of a byte, of run-time dim.

llvm.func @k(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: op2.gather_row
// CHECK: return
func.func @elsewhere(%flag: i1, %cells: !op2.set, %q: !op2.dat<2xf64>, %w: !op2.dat<?xf64>,
                     %wide: !op2.dat<9xf64>, %bytes: !op2.dat<8xi8>) {
  op2.par_loop @k over %cells args(
      if %flag rw %q : !op2.dat<2xf64>,
      rw %w : !op2.dat<?xf64>,
      rw %wide : !op2.dat<9xf64>,
      write %bytes : !op2.dat<8xi8>)
  return
}
