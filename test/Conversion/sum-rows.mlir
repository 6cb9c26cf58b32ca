// What an element adds through a map is summed by itself, then added (S4): here
// by a kernel that adds a product with one rounding, twice.
//
// RUN: op2-opt %s --convert-op2-to-scf --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan --cse --convert-op2-to-openmp --split-input-file | FileCheck %s --check-prefix=CHUNK

func.func private @twice(%x: memref<1xf64>, %a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = memref.load %a[%c0] : memref<1xf64>
  %2 = math.fma %0, %0, %1 : f64
  memref.store %2, %a[%c0] : memref<1xf64>
  %3 = memref.load %a[%c0] : memref<1xf64>
  %4 = arith.addf %3, %0 : f64
  memref.store %4, %a[%c0] : memref<1xf64>
  return
}

// Two slots may lead to one row: they are added in their order.
// CHECK-LABEL: func.func @step
// CHECK: scf.for
// CHECK: op2.row
// CHECK: %[[A:.*]] = op2.row
// CHECK: %[[B:.*]] = op2.row
// CHECK: memref.store %{{.*}}, %[[SUMA:.*]][
// CHECK: memref.store %{{.*}}, %[[SUMB:.*]][
// CHECK: call @twice(%{{.*}}, %[[SUMA]], %[[SUMB]])
// CHECK: %[[X:.*]] = memref.load %[[SUMA]][
// CHECK: %[[OLD:.*]] = memref.load %[[A]][
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[X]]
// CHECK: memref.store %[[NEW]], %[[A]][
// CHECK: memref.load %[[SUMB]][
// CHECK: memref.load %[[B]][
// CHECK: memref.store %{{.*}}, %[[B]][
//
// Where a thread owns the rows, too.
// CHUNK-LABEL: func.func private @twice_chunk(
// CHUNK: call @twice(%{{.*}}, %[[SUMA:[a-z0-9_]+]], %[[SUMB:[a-z0-9_]+]])
// CHUNK: memref.load %[[SUMA]][
// CHUNK: memref.load %[[SUMB]][
// CHUNK-LABEL: func.func private @twice_chunk_guarded(
// CHUNK: %[[A:.*]] = op2.owned_row
// CHUNK: %[[B:.*]] = op2.owned_row
// CHUNK: call @twice(%{{.*}}, %[[SUMA:[a-z0-9_]+]], %[[SUMB:[a-z0-9_]+]])
// CHUNK: memref.load %[[SUMA]][
// CHUNK: memref.store %{{.*}}, %[[A]][
// CHUNK: memref.load %[[SUMB]][
// CHUNK: memref.store %{{.*}}, %[[B]][
func.func @step(%s: !op2.set, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %m: !op2.map<2>) {
  op2.par_loop @twice over %s args(read %x : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// An imported kernel takes pointers; an argument that is not there is NULL, and
// nothing is added then.
llvm.func @add(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @imported
// CHECK: %[[TABLE:.*]] = op2.row_table
// CHECK: %[[GIVEN:.*]] = llvm.select %[[FLAG:.*]], %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK: llvm.call @add(%[[TABLE]], %[[GIVEN]])
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: scf.if %[[FLAG]] {
// CHECK:   arith.addf
// CHECK: }
func.func @imported(%s: !op2.set, %r: !op2.dat<1xf64>, %q: !op2.dat<1xf64>, %m: !op2.map<2>, %f: i1) {
  op2.par_loop @add over %s args(inc %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>,
      if %f inc %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Packed rows that stand before others are added before them.
func.func private @pack(%p: memref<2xf64>, %r: memref<1xf64>) {
  return
}

// CHECK-LABEL: func.func @behind_packed
// CHECK: call @pack(
// CHECK: scf.for
// CHECK:   arith.addf
// CHECK: }
// CHECK: arith.addf
func.func @behind_packed(%s: !op2.set, %r: !op2.dat<1xf64>, %m: !op2.map<2>) {
  op2.par_loop @pack over %s args(inc packed %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// What is added to directly.
llvm.func @own(!llvm.ptr)

// CHECK-LABEL: func.func @in_place
// CHECK-NOT: arith.addf
func.func @in_place(%s: !op2.set, %d: !op2.dat<1xf64>) {
  op2.par_loop @own over %s args(inc %d : !op2.dat<1xf64>)
  return
}

// -----

// Rows of a dim that only the run knows: once for all elements, from the heap.
llvm.func @whole(%r: !llvm.ptr) {
  llvm.return
}

// CHECK-LABEL: func.func @run_time
// CHECK: %[[DIM:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<?x?xf64>
// CHECK: %[[SUM:.*]] = memref.alloc(%[[DIM]]) {alignment = 64 : i64} : memref<?xf64>
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     memref.store %{{.*}}, %[[SUM]]
// CHECK:   %[[P:.*]] = op2.ptr_cast %[[SUM]]
// CHECK:   llvm.call @whole(%[[P]])
// CHECK:   scf.for
// CHECK:     arith.addf
// CHECK: }
// CHECK: memref.dealloc %[[SUM]]
// CHUNK-LABEL: func.func private @whole_chunk_guarded(
// CHUNK: %[[SPARE:.*]] = memref.alloc(
// CHUNK: %[[SUM:.*]] = memref.alloc(
// CHUNK: scf.for
// CHUNK:   op2.owned_row %{{.*}} else %[[SPARE]]
// CHUNK:   op2.ptr_cast %[[SUM]]
// CHUNK:   llvm.call @whole
// CHUNK: memref.dealloc %[[SUM]]
// CHUNK: memref.dealloc %[[SPARE]]
func.func @run_time(%s: !op2.set, %r: !op2.dat<?xf64>, %m: !op2.map<2>) {
  op2.par_loop @whole over %s args(inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// A kernel that adds the sums of a column to its levels itself; a column without
// levels.
llvm.func @column(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @layers
// CHECK: memref.alloca() {{.*}} : memref<1xf32>
// CHECK-NOT: memref.alloc
// CHECK: llvm.call @column(
// CHECK: arith.addf %{{.*}} : f32
// CHECK-NOT: arith.addf
// CHUNK-LABEL: func.func private @column_chunk(
// CHUNK-NOT: arith.addf %{{.*}} : f64
func.func @layers(%s: !op2.set, %r: !op2.dat<?xf64>, %t: !op2.dat<1xf32>, %m: !op2.map<2>) {
  op2.par_loop @column over %s args(inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>,
      inc %t : !op2.dat<1xf32> via %m[0] : !op2.map<2>) {op2.in_place = array<i64: 0>}
  return
}
