// RUN: op2-opt %s --op2-raise-kernels --split-input-file | FileCheck %s

// The example of the pass's description. The imported kernel has no users left.

// CHECK-LABEL: func.func private @update.raised(
// CHECK-SAME: %[[Q:.*]]: memref<2xf64>, %[[R:.*]]: memref<1xf64>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[V:.*]] = memref.load %[[Q]][%[[C1]]] : memref<2xf64>
// CHECK: %[[S:.*]] = math.sqrt %[[V]] : f64
// CHECK: memref.store %[[S]], %[[R]][%[[C0]]] : memref<1xf64>
// CHECK-NEXT: return
// CHECK-NOT: llvm.func
llvm.func @update(%q: !llvm.ptr, %r: !llvm.ptr) {
  %0 = llvm.getelementptr inbounds %q[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %1 = llvm.load %0 : !llvm.ptr -> f64
  %2 = llvm.intr.sqrt(%1) : (f64) -> f64
  llvm.store %2, %r : f64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: func.func @loop
// The loop keeps its name.
// CHECK: op2.par_loop @update.raised over
// CHECK: loop_name = "update"
func.func @loop(%s: !op2.set, %q: !op2.dat<2xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @update over %s args(
      read %q : !op2.dat<2xf64>, write %r : !op2.dat<1xf64>)
  return
}

// -----

// Flags, comparisons, selects, integers and the C library's functions.

llvm.func @pow(f64, f64) -> f64
llvm.func @cbrt(f64) -> f64
llvm.func @hypot(f64, f64) -> f64
llvm.func @expf(f32) -> f32

// CHECK-LABEL: func.func private @scalars.raised(
// CHECK-SAME: %[[X:.*]]: memref<2xf64>, %[[F:.*]]: memref<1xf32>, %[[N:.*]]: memref<1xi32>)
llvm.func @scalars(%x: !llvm.ptr, %f: !llvm.ptr, %n: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  // CHECK: %[[A:.*]] = arith.addf %[[V:.*]], %[[V]] fastmath<contract> : f64
  %1 = llvm.fadd %0, %0 {fastmathFlags = #llvm.fastmath<contract>} : f64
  // CHECK: %[[M:.*]] = arith.mulf %[[A]], %[[V]] : f64
  %2 = llvm.fmul %1, %0 : f64
  // CHECK: %[[LT:.*]] = arith.cmpf olt, %[[M]], %{{.*}} : f64
  %3 = llvm.fcmp "olt" %2, %zero : f64
  // CHECK: %[[SEL:.*]] = arith.select %[[LT]], %[[M]], %[[V]] : f64
  %4 = llvm.select %3, %2, %0 : i1, f64
  // CHECK: %[[MAX:.*]] = arith.maxnumf %[[SEL]], %[[V]] fastmath<nsz> : f64
  %5 = llvm.intr.maxnum(%4, %0) {fastmathFlags = #llvm.fastmath<nsz>} : (f64, f64) -> f64
  // CHECK: %[[P:.*]] = math.powf %[[MAX]], %[[V]] : f64
  %6 = llvm.call @pow(%5, %0) : (f64, f64) -> f64
  // CHECK: %[[R:.*]] = math.cbrt %[[P]] : f64
  %r = llvm.call @cbrt(%6) : (f64) -> f64
  // Without an operation.
  // CHECK: %[[C:.*]] = llvm.call @hypot(%[[R]], %[[V]]) {op2.math_call} : (f64, f64) -> f64
  %7 = llvm.call @hypot(%r, %0) : (f64, f64) -> f64
  // CHECK: math.isnan %[[C]] : f64
  %8 = "llvm.intr.is.fpclass"(%7) <{bit = 3 : i32}> : (f64) -> i1
  // The target decides about this one.
  // CHECK: llvm.intr.fmuladd(%[[C]], %[[V]], %[[V]]) : (f64, f64, f64) -> f64
  %9 = llvm.intr.fmuladd(%7, %0, %0) : (f64, f64, f64) -> f64
  %10 = llvm.select %8, %9, %7 : i1, f64
  llvm.store %10, %x : f64, !llvm.ptr
  // CHECK: math.exp %{{.*}} : f32
  %11 = llvm.load %f : !llvm.ptr -> f32
  %12 = llvm.call @expf(%11) : (f32) -> f32
  llvm.store %12, %f : f32, !llvm.ptr
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %13 = llvm.load %n : !llvm.ptr -> i32
  %14 = llvm.add %13, %one overflow<nsw> : i32
  llvm.store %14, %n : i32, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %f: !op2.dat<1xf32>, %n: !op2.dat<1xi32>) {
  op2.par_loop @scalars over %s args(
      rw %x : !op2.dat<2xf64>, rw %f : !op2.dat<1xf32>, rw %n : !op2.dat<1xi32>)
  return
}

// -----

// What becomes of a product that is added follows from the target.

module attributes {llvm.target_triple = "x86_64-pc-linux-gnu"} {
  // CHECK-LABEL: func.func private @fused.raised
  // CHECK: math.fma
  llvm.func @fused(%x: !llvm.ptr) attributes {target_features = #llvm.target_features<["+avx2", "+fma"]>} {
    %0 = llvm.load %x : !llvm.ptr -> f64
    %1 = llvm.intr.fmuladd(%0, %0, %0) : (f64, f64, f64) -> f64
    llvm.store %1, %x : f64, !llvm.ptr
    llvm.return
  }
  // CHECK-LABEL: func.func private @separate.raised
  // CHECK: %[[P:.*]] = arith.mulf %[[V:.*]], %[[V]] : f64
  // CHECK: arith.addf %[[P]], %[[V]] : f64
  llvm.func @separate(%x: !llvm.ptr) {
    %0 = llvm.load %x : !llvm.ptr -> f64
    %1 = llvm.intr.fmuladd(%0, %0, %0) : (f64, f64, f64) -> f64
    llvm.store %1, %x : f64, !llvm.ptr
    llvm.return
  }
  func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
    op2.par_loop @fused over %s args(rw %x : !op2.dat<1xf64>)
    op2.par_loop @separate over %s args(rw %x : !op2.dat<1xf64>)
    return
  }
}

// -----

// Bytes, arrays, structs and integers as indices; a local array.

// CHECK-LABEL: func.func private @addresses.raised(
// CHECK-SAME: %[[X:.*]]: memref<6xf64>, %[[I:.*]]: memref<1xi32>)
llvm.func @addresses(%x: !llvm.ptr, %i: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i64) : i64
  %local = llvm.alloca %c1 x !llvm.array<4 x f64> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  // CHECK-DAG: %[[L:.*]] = memref.alloca() {alignment = 16 : i64} : memref<4xf64>
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
  %0 = llvm.getelementptr %x[%c16] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %2 = llvm.getelementptr %0[1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f64, f64)>
  // CHECK: memref.load %[[X]][%[[C5]]]
  %3 = llvm.load %2 : !llvm.ptr -> f64
  %n = llvm.load %i : !llvm.ptr -> i32
  // CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: memref.store %{{.*}}, %[[L]][%[[N]]] : memref<4xf64>
  %4 = llvm.getelementptr %local[0, %n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x f64>
  llvm.store %3, %4 : f64, !llvm.ptr
  // CHECK: %[[ROW:.*]] = arith.muli %[[N]], %[[C2]] : index
  // CHECK: memref.store %{{.*}}, %[[X]][%[[ROW]]] : memref<6xf64>
  %5 = llvm.getelementptr %x[%n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<2 x f64>
  %6 = llvm.getelementptr %local[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f64>
  %7 = llvm.load %6 : !llvm.ptr -> f64
  llvm.store %7, %5 : f64, !llvm.ptr
  // A number of bytes, which alignment says is one of elements.
  // CHECK: %[[PART:.*]] = arith.divsi %[[N]], %{{.*}} : index
  // CHECK: memref.store %{{.*}}, %[[X]][%[[PART]]]
  %8 = llvm.getelementptr %x[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  llvm.store %7, %8 {alignment = 8 : i64} : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<6xf64>, %i: memref<1xi32>) {
  op2.par_loop @addresses over %s args(rw %x : !op2.dat<6xf64>, read global %i : memref<1xi32>)
  return
}

// -----

// One of two elements: both are loaded. LLVM makes `c ? a[1] : a[0]` an address.

// CHECK-LABEL: func.func private @either.raised(
// CHECK-SAME: %[[A:.*]]: memref<3xf64>, %[[B:.*]]: memref<2xf64>)
llvm.func @either(%a: !llvm.ptr, %b: !llvm.ptr) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %c24 = llvm.mlir.constant(24 : i64) : i64
  %0 = llvm.load %b : !llvm.ptr -> f64
  // CHECK: %[[IS:.*]] = arith.cmpf olt
  %1 = llvm.fcmp "olt" %0, %zero : f64
  // CHECK: %[[ONE:.*]] = memref.load %[[A]][%[[C1]]] : memref<3xf64>
  // CHECK-NEXT: %[[NONE:.*]] = memref.load %[[A]][%[[C0]]] : memref<3xf64>
  // CHECK-NEXT: %[[X:.*]] = arith.select %[[IS]], %[[ONE]], %[[NONE]] : f64
  // CHECK-NEXT: memref.store %[[X]], %[[B]][%[[C0]]]
  %2 = llvm.select %1, %c8, %c0 : i1, i64
  %3 = llvm.getelementptr %a[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %4 = llvm.load %3 : !llvm.ptr -> f64
  llvm.store %4, %b : f64, !llvm.ptr
  // CHECK: %[[TWO:.*]] = memref.load %[[A]][%[[C2]]] : memref<3xf64>
  // CHECK-NEXT: %[[ONE:.*]] = memref.load %[[A]][%[[C1]]] : memref<3xf64>
  // CHECK-NEXT: %[[Y:.*]] = arith.select %[[IS]], %[[TWO]], %[[ONE]] : f64
  // CHECK-NEXT: memref.store %[[Y]], %[[B]][%[[C1]]]
  %5 = llvm.select %1, %c1, %c0 : i1, i64
  %6 = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %7 = llvm.getelementptr %6[%5] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %8 = llvm.load %7 : !llvm.ptr -> f64
  %9 = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, f64
  llvm.store %8, %9 : f64, !llvm.ptr
  // Not one that may not be there.
  // CHECK: %[[BYTES:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : i64
  // CHECK: memref.load %[[A]][%{{.*}}]
  // CHECK-NEXT: memref.store
  %10 = llvm.select %1, %c24, %c0 : i1, i64
  %11 = llvm.getelementptr %a[%10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %12 = llvm.load %11 : !llvm.ptr -> f64
  llvm.store %12, %b : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %a: memref<3xf64>, %b: !op2.dat<2xf64>) {
  op2.par_loop @either over %s args(
      read global %a : memref<3xf64>, rw %b : !op2.dat<2xf64>)
  return
}

// -----

// Copies and fills become loads and stores of elements; a number may travel
// as an integer.

// CHECK-LABEL: func.func private @copies.raised(
// CHECK-SAME: %[[X:.*]]: memref<2xf64>, %[[Y:.*]]: memref<2xf64>, %[[Z:.*]]: memref<2xi32>)
llvm.func @copies(%x: !llvm.ptr, %y: !llvm.ptr, %z: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i8) : i8
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %c16 = llvm.mlir.constant(16 : i64) : i64
  // CHECK: %[[A:.*]] = memref.load %[[X]][%{{.*}}]
  // CHECK: %[[B:.*]] = memref.load %[[X]][%{{.*}}]
  // CHECK: memref.store %[[A]], %[[Y]]
  // CHECK: memref.store %[[B]], %[[Y]]
  "llvm.intr.memcpy"(%y, %x, %c16) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  // CHECK-COUNT-2: memref.store %c0_i32, %[[Z]]
  "llvm.intr.memset"(%z, %c0, %c8) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %0 = llvm.load %x : !llvm.ptr -> i64
  llvm.store %0, %y : i64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<2xf64>, %z: !op2.dat<2xi32>) {
  op2.par_loop @copies over %s args(
      read %x : !op2.dat<2xf64>, write %y : !op2.dat<2xf64>, write %z : !op2.dat<2xi32>)
  return
}

// -----

// A vector argument has a memref for each slot; an index is a memref; a bool
// takes a byte in memory and is an i1 in the row; unsigned integers have signs
// in the dialect only.

// CHECK-LABEL: func.func private @kinds.raised(
// CHECK-SAME: %[[R0:.*]]: memref<2xf64>, %[[R1:.*]]: memref<2xf64>, %[[I:.*]]: memref<1xi32>, %[[B:.*]]: memref<1xi1>, %[[U:.*]]: memref<1xui64>)
llvm.func @kinds(%x: !llvm.ptr, %i: !llvm.ptr, %b: !llvm.ptr, %u: !llvm.ptr) {
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %zero = llvm.mlir.constant(0 : i32) : i32
  %0 = llvm.load %x : !llvm.ptr -> !llvm.ptr
  %1 = llvm.getelementptr %x[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
  %3 = llvm.getelementptr %2[%c8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK: %[[V:.*]] = memref.load %[[R1]][%c1]
  %4 = llvm.load %3 : !llvm.ptr -> f64
  // CHECK: memref.store %[[V]], %[[R0]][%c0]
  llvm.store %4, %0 : f64, !llvm.ptr
  // CHECK: memref.load %[[I]][%c0] : memref<1xi32>
  %5 = llvm.load %i : !llvm.ptr -> i32
  %6 = llvm.icmp "sgt" %5, %zero : i32
  %7 = llvm.zext %6 : i1 to i8
  // CHECK: %[[GT:.*]] = arith.cmpi sgt
  // CHECK: memref.store %[[GT]], %[[B]][%c0] : memref<1xi1>
  llvm.store %7, %b : i8, !llvm.ptr
  // CHECK: %[[UI:.*]] = memref.load %[[U]][%c0] : memref<1xui64>
  // CHECK: builtin.unrealized_conversion_cast %[[UI]] : ui64 to i64
  %8 = llvm.load %u : !llvm.ptr -> i64
  %9 = llvm.lshr %8, %c8 : i64
  llvm.store %9, %u : i64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %m: !op2.map<2>, %x: !op2.dat<2xf64>, %b: !op2.dat<1xi1>, %u: !op2.dat<1xui64>) {
  op2.par_loop @kinds over %s args(
      inc %x : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<2>, index,
      write %b : !op2.dat<1xi1>, rw %u : !op2.dat<1xui64>)
  return
}

// -----

// Constants of the program are read where they are.

llvm.mlir.global external @gamma() : f64
llvm.mlir.global external @table() : !llvm.array<4 x f64>

// CHECK-LABEL: func.func private @constants.raised(
llvm.func @constants(%x: !llvm.ptr, %i: !llvm.ptr) {
  // CHECK-DAG: %[[G:.*]] = llvm.mlir.addressof @gamma
  // CHECK-DAG: %[[T:.*]] = llvm.mlir.addressof @table
  %0 = llvm.mlir.addressof @gamma : !llvm.ptr
  %1 = llvm.mlir.addressof @table : !llvm.ptr
  // CHECK: llvm.load %[[G]] : !llvm.ptr -> f64
  %2 = llvm.load %0 : !llvm.ptr -> f64
  // CHECK: llvm.getelementptr %[[T]][0, 2]
  %3 = llvm.getelementptr %1[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x f64>
  %4 = llvm.load %3 : !llvm.ptr -> f64
  %5 = llvm.load %i : !llvm.ptr -> i32
  // CHECK-DAG: %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK-DAG: %[[A:.*]] = op2.ptr_cast %[[T]] : !llvm.ptr -> memref<4xf64>
  // CHECK: memref.load %[[A]][%[[I]]]
  %6 = llvm.getelementptr %1[%5] : (!llvm.ptr, i32) -> !llvm.ptr, f64
  %7 = llvm.load %6 : !llvm.ptr -> f64
  %8 = llvm.fadd %2, %4 : f64
  %9 = llvm.fadd %8, %7 : f64
  llvm.store %9, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %i: !op2.dat<1xi32>) {
  op2.par_loop @constants over %s args(write %x : !op2.dat<1xf64>, read %i : !op2.dat<1xi32>)
  return
}

// -----

// One kernel on two kinds of arguments: two functions.

llvm.func @zero(%x: !llvm.ptr) {
  %0 = llvm.mlir.zero : f64
  llvm.store %0, %x : f64, !llvm.ptr
  llvm.return
}

// CHECK-DAG: func.func private @zero.raised(%{{.*}}: memref<1xf64>)
// CHECK-DAG: func.func private @[[SECOND:zero.raised_.*]](%{{.*}}: memref<2xf64>)
// CHECK-LABEL: func.func @loops
// CHECK: par_loop @zero.raised over
// CHECK: par_loop @[[SECOND]] over
// CHECK: par_loop @zero.raised over
func.func @loops(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<2xf64>) {
  op2.par_loop @zero over %s args(write %x : !op2.dat<1xf64>)
  op2.par_loop @zero over %s args(write %y : !op2.dat<2xf64>)
  op2.par_loop @zero over %s args(write %x : !op2.dat<1xf64>)
  return
}

// -----

// What pointers in variables lead to, by index: in steps of elements, from
// several variables, in a loop. What is not aligned stays a load.

llvm.mlir.global external @pointer() : !llvm.ptr
llvm.mlir.global external @other() : !llvm.ptr

// CHECK-LABEL: func.func private @pointers.raised(
// CHECK-SAME: %[[X:.*]]: memref<1xf64>, %[[I:.*]]: memref<1xi32>
llvm.func @pointers(%x: !llvm.ptr, %i: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  // CHECK-DAG: %[[P:.*]] = llvm.mlir.addressof @pointer
  // CHECK-DAG: %[[O:.*]] = llvm.mlir.addressof @other
  %0 = llvm.mlir.addressof @pointer : !llvm.ptr
  %1 = llvm.mlir.addressof @other : !llvm.ptr
  %2 = llvm.load %i : !llvm.ptr -> i32
  // CHECK: %[[TABLE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %3 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[START:.*]] = op2.ptr_cast %[[TABLE]] : !llvm.ptr -> memref<?xf64>
  // CHECK: arith.muli
  // CHECK: memref.load %[[START]][%{{.*}}] : memref<?xf64>
  %4 = llvm.getelementptr %3[%2, 2] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<9 x f64>
  %5 = llvm.load %4 : !llvm.ptr -> f64
  // CHECK: %[[OTHER:.*]] = llvm.load %[[O]] : !llvm.ptr -> !llvm.ptr
  %6 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
  %7 = llvm.icmp "sgt" %2, %zero : i32
  // CHECK: %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[TABLE]], %[[OTHER]] : !llvm.ptr
  %8 = llvm.select %7, %3, %6 : i1, !llvm.ptr
  // CHECK: op2.ptr_cast %[[CHOSEN]] : !llvm.ptr -> memref<?xf32>
  %9 = llvm.load %8 : !llvm.ptr -> f32
  %10 = llvm.fpext %9 : f32 to f64
  // CHECK: %[[ODD:.*]] = llvm.getelementptr %[[OTHER]][%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  // CHECK: llvm.load %[[ODD]] {alignment = 1 : i64} : !llvm.ptr -> f64
  %11 = llvm.getelementptr %6[%2] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  %12 = llvm.load %11 {alignment = 1 : i64} : !llvm.ptr -> f64
  %13 = llvm.fadd %5, %10 : f64
  %14 = llvm.fadd %13, %12 : f64
  llvm.store %14, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi32>) {
  op2.par_loop @pointers over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi32>)
  return
}

// -----

// A pointer that a loop moves is a value of the loop.

llvm.mlir.global external @pointer() : !llvm.ptr

// CHECK-LABEL: func.func private @moves.raised(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}!llvm.ptr{{.*}}) : i32 {
llvm.func @moves(%x: !llvm.ptr, %i: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %none = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.mlir.addressof @pointer : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
  %n = llvm.load %i : !llvm.ptr -> i32
  llvm.br ^body(%zero, %1, %none : i32, !llvm.ptr, f64)
^body(%k: i32, %p: !llvm.ptr, %sum: f64):
  // CHECK: op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<?xf64>
  %2 = llvm.load %p : !llvm.ptr -> f64
  %3 = llvm.fadd %sum, %2 : f64
  // CHECK: llvm.getelementptr %{{.*}}[3] : (!llvm.ptr) -> !llvm.ptr, f64
  %4 = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, f64
  %5 = llvm.add %k, %one overflow<nsw> : i32
  %6 = llvm.icmp "slt" %5, %n : i32
  llvm.cond_br %6, ^body(%5, %4, %3 : i32, !llvm.ptr, f64), ^end
^end:
  llvm.store %3, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi32>) {
  op2.par_loop @moves over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi32>)
  return
}

// -----

// A call that changes nothing but what it is given stays: pointers lead to rows
// and local variables.

#args = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>
llvm.func @axpy(f64, !llvm.ptr {llvm.nocapture, llvm.readonly}, !llvm.ptr {llvm.nocapture})
    attributes {memory_effects = #args, no_unwind}

// CHECK-LABEL: func.func private @adds.raised(
// CHECK-SAME:    %[[X:.*]]: memref<2xf64>, %[[Y:.*]]: memref<3xf64>)
// CHECK-DAG:     %[[LOCAL:.*]] = memref.alloca() : memref<1xf64>
// CHECK-DAG:     %[[AT:.*]] = op2.ptr_cast %[[LOCAL]] : memref<1xf64> -> !llvm.ptr
// CHECK-DAG:     %[[START:.*]] = op2.ptr_cast %[[Y]] : memref<3xf64> -> !llvm.ptr
// CHECK-DAG:     %[[SECOND:.*]] = llvm.getelementptr %[[START]]{{.*}} -> !llvm.ptr, f64
// CHECK:         llvm.call @axpy(%{{.*}}, %{{.*}}, %[[SECOND]])
llvm.func @adds(%x: !llvm.ptr, %y: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x f64 : (i32) -> !llvm.ptr
  %0 = llvm.load %x : !llvm.ptr -> f64
  llvm.store %0, %local : f64, !llvm.ptr
  %1 = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, f64
  llvm.call @axpy(%0, %local, %1) {memory_effects = #args} : (f64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<3xf64>) {
  op2.par_loop @adds over %s args(read %x : !op2.dat<2xf64>, rw %y : !op2.dat<3xf64>)
  return
}

// -----

// Short rows that an element adds to are private: at an index that is computed,
// all of them are stored to. Where the rows are the dat's own they are not, and
// the kernel has another form.
// CHECK-LABEL: func.func private @computed.raised(
// CHECK-SAME:    %[[I:.*]]: memref<1xi32>, %[[R:.*]]: memref<2xf64>)
// CHECK:         %[[N:.*]] = arith.index_cast
// CHECK-COUNT-2: arith.cmpi eq, %[[N]]
// CHECK-NOT:     memref.store %{{.*}}, %[[R]][%[[N]]]
// CHECK-LABEL: func.func private @computed.raised_0(
// CHECK-SAME:    %{{.*}}: memref<1xi32>, %[[R:.*]]: memref<2xf64>)
// CHECK:         %[[N:.*]] = arith.index_cast
// CHECK:         memref.store %{{.*}}, %[[R]][%[[N]]]
llvm.func @computed(%i: !llvm.ptr, %r: !llvm.ptr) {
  %one = llvm.mlir.constant(1.0 : f64) : f64
  %0 = llvm.load %i : !llvm.ptr -> i32
  %1 = llvm.sext %0 : i32 to i64
  %2 = llvm.getelementptr inbounds %r[%1] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %3 = llvm.load %2 : !llvm.ptr -> f64
  %4 = llvm.fadd %3, %one : f64
  llvm.store %4, %2 : f64, !llvm.ptr
  llvm.return
}

func.func @loops(%s: !op2.set, %m: !op2.map<1>, %i: !op2.dat<1xi32>, %r: !op2.dat<2xf64>) {
  op2.par_loop @computed over %s args(
      read %i : !op2.dat<1xi32>,
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<1>)
  op2.par_loop @computed over %s args(
      read %i : !op2.dat<1xi32>,
      rw %r : !op2.dat<2xf64> via %m[0] : !op2.map<1>)
  return
}
