// RUN: op2-opt %s --op2-plan="target=emulator" --cse --op2-color-increments --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=emulator strategy=atomics" --cse --op2-color-increments --split-input-file | FileCheck %s --check-prefix=ATOMICS
// RUN: op2-opt %s --op2-plan="target=emulator strategy=global" --cse --op2-color-increments --split-input-file | FileCheck %s --check-prefix=GLOBAL

// The kernel adds to private rows; they are added to the real ones colour after
// colour, atomically, or at once where all elements that run together are of
// one colour.

func.func private @flux(memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @increments
// ATOMICS-LABEL: func.func @increments
// GLOBAL-LABEL: func.func @increments
func.func @increments(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                      %r: !op2.dat<2xf64>) {
  // CHECK: op2.for_elements %[[E:.*]] of %[[PLAN:.*]] block %[[B:.*]] {
  // CHECK-NEXT: %[[P:.*]] = memref.alloca() {alignment = 16 : i64} : memref<2xf64>
  // CHECK: op2.row
  // CHECK: %[[IDENTITY:.*]] = arith.constant -0.0
  // CHECK: memref.store %[[IDENTITY]], %[[P]][%c0
  // CHECK: memref.store %[[IDENTITY]], %[[P]][%c1
  // CHECK: func.call @flux(%{{.*}}, %[[P]])
  // The address of what is added to is not kept while the kernel runs.
  // CHECK-NEXT: %[[R:.*]] = op2.row %{{.*}} : memref<?x2xf64> -> memref<2xf64>
  // CHECK-NEXT: op2.by_color %[[E]] of %[[PLAN]] block %[[B]] {
  // CHECK-NEXT: op2.increment %[[P]] to %[[R]]
  // CHECK-NEXT: }

  // ATOMICS: func.call @flux(%{{[^)]*}}, %[[P:[^)]*]])
  // ATOMICS-NEXT: op2.row
  // ATOMICS-NEXT: op2.increment atomic %[[P]] to

  // GLOBAL: func.call @flux(%{{[^)]*}}, %[[P:[^)]*]])
  // GLOBAL-NEXT: op2.row
  // GLOBAL-NEXT: op2.increment %[[P]] to
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// A direct increment has its data to itself.

func.func private @own(memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @direct
// CHECK-NOT: memref.alloca
// CHECK-NOT: op2.by_color
func.func @direct(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                  %r: !op2.dat<2xf64>) {
  op2.par_loop @own over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64>)
  return
}

// -----

// A table of rows becomes a table of private rows.

llvm.func @rows(!llvm.ptr)

// CHECK-LABEL: func.func @vector
func.func @vector(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // CHECK: %[[P0:.*]] = memref.alloca
  // CHECK: %[[P1:.*]] = memref.alloca
  // CHECK: %[[K0:.*]] = op2.ptr_cast %[[P0]]
  // CHECK: %[[K1:.*]] = op2.ptr_cast %[[P1]]
  // CHECK: %[[TABLE:.*]] = op2.row_table %[[K0]], %[[K1]]
  // CHECK: llvm.call @rows(%[[TABLE]])
  // CHECK: %[[R0:.*]] = op2.row %{{.*}} -> !llvm.ptr
  // CHECK: %[[T0:.*]] = op2.ptr_cast %[[R0]]
  // CHECK: %[[R1:.*]] = op2.row %{{.*}} -> !llvm.ptr
  // CHECK: %[[T1:.*]] = op2.ptr_cast %[[R1]]
  // CHECK: op2.by_color
  // CHECK-NEXT: op2.increment %[[P0]] to %[[T0]]
  // CHECK-NEXT: op2.increment %[[P1]] to %[[T1]]
  op2.par_loop @rows over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// An argument that is off is NULL, and nothing is added.

llvm.func @maybe(!llvm.ptr)

// CHECK-LABEL: func.func @optional
// CHECK-SAME: %[[FLAG:[^ ]*]]: i1
// ATOMICS-LABEL: func.func @optional
func.func @optional(%flag: i1, %edges: !op2.set, %m: !op2.map<2>,
                    %r: !op2.dat<2xf64>) {
  // CHECK: %[[P:.*]] = memref.alloca
  // CHECK: %[[K:.*]] = op2.ptr_cast %[[P]]
  // CHECK: %[[A:.*]] = llvm.select %[[FLAG]], %[[K]], %{{.*}} : i1, !llvm.ptr
  // CHECK: llvm.call @maybe(%[[A]])
  // CHECK: op2.increment %[[P]] to %{{.*}} if %[[FLAG]] :
  // ATOMICS: op2.increment atomic %{{.*}} to %{{.*}} if %{{.*}} :
  op2.par_loop @maybe over %edges args(
      if %flag inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// No private rows for rw, nor for rows of run-time length: colours control the
// kernel itself.

llvm.func @change(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @whole
// CHECK-NOT: memref.alloca
// ATOMICS-LABEL: func.func @whole
// ATOMICS-NOT: memref.alloca
// GLOBAL-LABEL: func.func @whole
// GLOBAL-NOT: memref.alloca
// GLOBAL-NOT: op2.by_color
func.func @whole(%edges: !op2.set, %m: !op2.map<2>, %rw: !op2.dat<2xf64>,
                 %wide: !op2.dat<?xf64>) {
  // CHECK: op2.by_color
  // CHECK-NEXT: llvm.call @change
  // ATOMICS: op2.by_color
  // ATOMICS-NEXT: llvm.call @change
  op2.par_loop @change over %edges args(
      rw %rw : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %wide : !op2.dat<?xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

func.func private @large(memref<8193xf64>)

// Rows that are too large to be private: the whole kernel goes by colours, also
// where atomic additions are asked for.
// CHECK-LABEL: func.func @large_rows
// ATOMICS-LABEL: func.func @large_rows
// GLOBAL-LABEL: func.func @large_rows
func.func @large_rows(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<8193xf64>) {
  // CHECK-NOT: memref.alloca
  // CHECK: op2.by_color
  // CHECK-NEXT: func.call @large
  // ATOMICS-NOT: memref.alloca
  // ATOMICS: op2.by_color
  // ATOMICS-NEXT: func.call @large
  // GLOBAL-NOT: memref.alloca
  // GLOBAL: call @large
  op2.par_loop @large over %edges args(
      inc %r : !op2.dat<8193xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// What an element adds directly may meet what others add through a map: with
// atomic operations, all of that is atomic. Dats of another type are others.

func.func private @both(memref<2xf64>, memref<2xf64>, memref<2xf64>, memref<3xf64>)

// ATOMICS-LABEL: func.func @directly_too
func.func @directly_too(%cells: !op2.set, %next: !op2.map<1>, %r: !op2.dat<2xf64>,
                        %same: !op2.dat<2xf64>, %other: !op2.dat<3xf64>) {
  // ATOMICS: func.call @both(%[[P:[^,]*]], %[[Q:[^,]*]], %[[S:[^,]*]], %{{[^,]*}})
  // ATOMICS: op2.increment atomic %[[P]] to
  // ATOMICS: op2.increment atomic %[[Q]] to
  // ATOMICS: op2.increment atomic %[[S]] to
  // ATOMICS-NOT: op2.increment
  op2.par_loop @both over %cells args(
      inc %r : !op2.dat<2xf64>,
      inc %r : !op2.dat<2xf64> via %next[0] : !op2.map<1>,
      inc %same : !op2.dat<2xf64>,
      inc %other : !op2.dat<3xf64>)
  return
}

// -----

// Other changes are not additions: colours keep them apart from those of others.

func.func private @change(memref<2xf64>, memref<2xf64>)

// ATOMICS-LABEL: func.func @changed_directly
func.func @changed_directly(%cells: !op2.set, %next: !op2.map<1>, %r: !op2.dat<2xf64>) {
  // ATOMICS: op2.plan {{.*}}coloring = #op2.coloring<two_level>
  // ATOMICS: op2.by_color
  op2.par_loop @change over %cells args(
      rw %r : !op2.dat<2xf64>,
      inc %r : !op2.dat<2xf64> via %next[0] : !op2.map<1>)
  return
}
