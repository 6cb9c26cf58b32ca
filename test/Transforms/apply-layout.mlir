// RUN: op2-opt %s --op2-choose-layout=layout=soa --op2-plan="target=emulator strategy=atomics" --cse --op2-color-increments --op2-apply-layout --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-choose-layout=layout=soa --op2-plan="target=emulator strategy=two-level" --cse --op2-color-increments --op2-apply-layout --split-input-file | FileCheck %s --check-prefix=WHOLE

// What is read is copied before the call, what is added goes where it belongs.

func.func private @flux(memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @indirect
func.func @indirect(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>) {
  // CHECK: %[[Q:.*]] = op2.dat_data %{{.*}} -> memref<?x4xf64, strided<[1, ?]>>
  // CHECK: %[[SUM:.*]] = memref.alloca
  // CHECK: %[[ROW:.*]] = op2.row %[[Q]][%{{.*}}] : {{.*}} -> memref<4xf64, strided<[?]>>
  // CHECK-COUNT-4: memref.store %{{.*}}, %[[SUM]][
  // CHECK: %[[COPY:.*]] = op2.gather_row %[[ROW]] : memref<4xf64, strided<[?]>> -> memref<4xf64>
  // CHECK-NEXT: func.call @flux(%[[COPY]], %[[SUM]])
  // CHECK-NEXT: %[[TARGET:.*]] = op2.row
  // CHECK-NEXT: op2.increment atomic %[[SUM]] to %[[TARGET]] : memref<4xf64>, memref<4xf64, strided<[?]>>
  // CHECK-NOT: op2.scatter_row
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Where colours control the whole kernel, its copies are made in its turn.

func.func private @whole(memref<4xf64>, memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @whole_kernel
// WHOLE-LABEL: func.func @whole_kernel
func.func @whole_kernel(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>,
                        %w: !op2.dat<4xf64>) {
  // WHOLE: %[[SUM:.*]] = memref.alloca
  // WHOLE: op2.by_color
  // WHOLE-COUNT-4: memref.store %{{.*}}, %[[SUM]][
  // WHOLE-NEXT: op2.gather_row
  // WHOLE-NEXT: %[[CHANGED:.*]] = op2.gather_row
  // WHOLE-NEXT: func.call @whole(%{{.*}}, %[[SUM]], %[[CHANGED]])
  // WHOLE-DAG: op2.increment %[[SUM]]
  // WHOLE-DAG: op2.scatter_row %[[CHANGED]]
  op2.par_loop @whole over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      rw %w : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// One copy of a row for all arguments that mean it, brought back once.

llvm.func @change(!llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @direct
// CHECK-SAME: %[[FLAG:.*]]: i1
func.func @direct(%flag: i1, %cells: !op2.set, %q: !op2.dat<3xf32>, %r: !op2.dat<3xf32>) {
  // CHECK: %[[COPY:.*]] = op2.gather_row %[[ROW:.*]] : memref<3xf32, strided<[?]>> -> memref<3xf32>
  // CHECK: %[[P:.*]] = op2.ptr_cast %[[COPY]]
  // CHECK: %[[MAYBE:.*]] = op2.gather_row %[[ROW2:.*]] if %[[FLAG]] :
  // CHECK: %[[P2:.*]] = op2.ptr_cast %[[MAYBE]]
  // CHECK: %[[SELECTED:.*]] = llvm.select %[[FLAG]], %[[P2]],
  // CHECK: llvm.call @change(%[[P]], %[[P]], %[[SELECTED]])
  // CHECK-DAG: op2.scatter_row %[[COPY]] to %[[ROW]] : memref<3xf32>, memref<3xf32, strided<[?]>>
  // CHECK-DAG: op2.scatter_row %[[MAYBE]] to %[[ROW2]] if %[[FLAG]] :
  op2.par_loop @change over %cells args(
      rw %q : !op2.dat<3xf32>,
      read %q : !op2.dat<3xf32>,
      if %flag write %r : !op2.dat<3xf32>)
  return
}

// -----

// A table of copies.

llvm.func @rows(!llvm.ptr)

// CHECK-LABEL: func.func @vector
func.func @vector(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>) {
  // CHECK: %[[A:.*]] = op2.gather_row
  // CHECK: %[[PA:.*]] = op2.ptr_cast %[[A]]
  // CHECK: %[[B:.*]] = op2.gather_row
  // CHECK: %[[PB:.*]] = op2.ptr_cast %[[B]]
  // CHECK: %[[T:.*]] = op2.row_table %[[PA]], %[[PB]]
  // CHECK: llvm.call @rows(%[[T]])
  op2.par_loop @rows over %edges args(
      read %q : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// Two loops on one dat, in different layouts.

func.func private @k(memref<2xf64>)

// CHECK-LABEL: func.func @two
func.func @two(%cells: !op2.set, %q: !op2.dat<2xf64>) {
  // CHECK: op2.row %{{.*}} : memref<?x2xf64> -> memref<2xf64>
  op2.par_loop @k over %cells args(rw aos %q : !op2.dat<2xf64>)
  // CHECK: op2.dat_data %{{.*}} -> memref<?x2xf64, strided<[1, ?]>>
  // CHECK: op2.row %{{.*}} -> memref<2xf64, strided<[?]>>
  op2.par_loop @k over %cells args(rw %q : !op2.dat<2xf64>)
  return
}
