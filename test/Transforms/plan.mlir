// RUN: op2-opt %s --op2-plan --cse --split-input-file | FileCheck %s

// An indirect loop with increments, and the example in the pass's description.

// CHECK: func.func private @flux(memref<4xf64>, memref<4xf64>) attributes {llvm.bareptr}
func.func private @flux(memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @indirect
// CHECK-SAME: %[[EDGES:[^:]*]]: !op2.set, %[[M:[^:]*]]: !op2.map<2>, %[[Q:[^:]*]]: !op2.dat<4xf64>, %[[R:[^:]*]]: !op2.dat<4xf64>
func.func @indirect(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                    %r: !op2.dat<4xf64>) {
  // CHECK-DAG: %[[LOOP:.*]] = op2.loop_begin "flux" over %[[EDGES]]
  // CHECK: strategy = "block colours", target = #op2.target<openmp>
  // CHECK: %[[PLAN:.*]] = op2.plan %[[LOOP]] block_size 0
  // CHECK-DAG: %[[QD:.*]] = op2.dat_data %[[Q]]
  // CHECK-DAG: %[[RD:.*]] = op2.dat_data %[[R]]
  // CHECK-DAG: %[[T:.*]] = op2.map_table %[[M]]
  // CHECK: op2.for_colors %[[C:.*]] of %[[PLAN]] {
  // CHECK: op2.for_blocks %[[B:.*]] of %[[PLAN]] color %[[C]] {
  // CHECK: op2.for_elements %[[E:.*]] of %[[PLAN]] block %[[B]] {
  // CHECK: %[[I0:.*]] = memref.load %[[T]][%[[E]], %c0]
  // CHECK: %[[N0:.*]] = arith.index_cast %[[I0]]
  // CHECK: %[[Q0:.*]] = op2.row %[[QD]][%[[N0]]] : memref<?x4xf64> -> memref<4xf64>
  // CHECK: %[[I1:.*]] = memref.load %[[T]][%[[E]], %c1]
  // CHECK: %[[N1:.*]] = arith.index_cast %[[I1]]
  // CHECK: %[[R1:.*]] = op2.row %[[RD]][%[[N1]]] : memref<?x4xf64> -> memref<4xf64>
  // CHECK: func.call @flux(%[[Q0]], %[[R1]])
  // CHECK: op2.loop_end %[[LOOP]]
  // CHECK-NOT: op2.par_loop
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// A sum of floats is exact: each element has its terms. No plan matters to it.

func.func private @add(memref<1xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @exact_sum
func.func @exact_sum(%set: !op2.set, %d: !op2.dat<1xf64>, %s: memref<2xf64>) {
  // CHECK: %[[SUM:.*]] = op2.reduction_begin %{{.*}} arg 1 : !op2.reduction<2xf64>
  // CHECK: op2.for_elements
  // CHECK-NEXT: %[[T:.*]] = op2.terms %[[SUM]] : !op2.reduction<2xf64> -> memref<2xf64>
  // CHECK: func.call @add(%{{.*}}, %[[T]])
  // CHECK: op2.reduction_end %[[SUM]]
  op2.par_loop @add over %set args(read %d : !op2.dat<1xf64>,
      inc global %s : memref<2xf64>)
  return
}

// -----

// A sum of many components is not exact: elements do not have terms for all.

func.func private @count(%a: memref<65xf64>) {
  return
}

// CHECK-LABEL: func.func @histogram
func.func @histogram(%set: !op2.set, %s: memref<65xf64>) {
  // CHECK: %[[RED:.*]] = op2.reduction_begin %{{.*}} arg 0 over %{{.*}} : !op2.reduction<65xf64>
  // CHECK-NOT: op2.terms
  // CHECK: op2.reduction_partial %[[RED]]
  op2.par_loop @count over %set args(inc global %s : memref<65xf64>)
  return
}

// -----

// Of others a reduced global is a partial result per block; a read one is
// passed on.

func.func private @sum(memref<1xf64>, memref<2xf64>, memref<1xf64>)

// CHECK-LABEL: func.func @reduction
// CHECK-SAME: %[[G:[^:]*]]: memref<2xf64>, %[[S:[^:]*]]: memref<1xf64>
func.func @reduction(%set: !op2.set, %d: !op2.dat<1xf64>, %g: memref<2xf64>,
                     %s: memref<1xf64>) {
  // CHECK: strategy = "direct"
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 64
  // CHECK: %[[RED:.*]] = op2.reduction_begin %{{.*}} arg 2 over %[[PLAN]] : !op2.reduction<1xf64>
  // CHECK: op2.for_blocks %[[B:.*]] of
  // CHECK: %[[P:.*]] = op2.reduction_partial %[[RED]][%[[B]]]
  // CHECK: op2.for_elements
  // CHECK: func.call @sum(%{{.*}}, %[[G]], %[[P]])
  // CHECK: op2.reduction_end %[[RED]]
  // CHECK: op2.loop_end
  op2.par_loop @sum over %set args(read %d : !op2.dat<1xf64>,
      read global %g : memref<2xf64>, max global %s : memref<1xf64>)
      {block_size = 64 : i64}
  return
}

// -----

// An imported kernel takes pointers; vector arguments as arrays of pointers.

llvm.func @vec(!llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @imported
func.func @imported(%set: !op2.set, %m: !op2.map<3>, %d: !op2.dat<?xf64>,
                    %g: memref<1xf64>) {
  // CHECK: strategy = "blocks"
  // CHECK: op2.for_elements %[[E:.*]] of
  // CHECK-NEXT: %[[CELL:.*]] = memref.alloca() {alignment = 4 : i64} : memref<1xi32>
  // CHECK-COUNT-2: op2.row %{{.*}} : memref<?x?xf64> -> !llvm.ptr
  // CHECK: %[[P:.*]] = op2.ptr_cast %{{.*}} : memref<1xf64> -> !llvm.ptr
  // CHECK: %[[T:.*]] = op2.row_table %{{.*}}, %{{.*}} : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  // CHECK: %[[NUMBER:.*]] = arith.index_cast %[[E]] : index to i32
  // CHECK: memref.store %[[NUMBER]], %[[CELL]][
  // CHECK: %[[I:.*]] = op2.ptr_cast %[[CELL]] : memref<1xi32> -> !llvm.ptr
  // CHECK: llvm.call @vec(%[[T]], %[[I]], %[[P]])
  op2.par_loop @vec over %set args(
      read %d : !op2.dat<?xf64> via %m[1 to 3] : !op2.map<3>,
      index, read global %g : memref<1xf64>)
  return
}

// -----

// The map of an optional argument is followed only if the argument is there.

func.func private @opt(memref<1xf64>)

// CHECK-LABEL: func.func @optional
// CHECK-SAME: %[[FLAG:[^:]*]]: i1
func.func @optional(%set: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>,
                    %flag: i1) {
  // CHECK: op2.loop_begin "with_flag"
  // CHECK: op2.for_elements
  // CHECK: scf.if %[[FLAG]]
  // CHECK: memref.load
  // CHECK: else
  // CHECK: scf.yield %c0
  op2.par_loop @opt over %set args(
      if %flag inc %d : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
      {loop_name = "with_flag"}
  return
}

// -----

// Infos and scratch memory have a place for each block, too.

func.func private @best(memref<1xf64>, memref<2xi32>, memref<3xf32>)

// CHECK-LABEL: func.func @private_globals
func.func @private_globals(%set: !op2.set, %g: memref<1xf64>, %i: memref<2xi32>,
                           %w: memref<3xf32>) {
  // CHECK: %[[R0:.*]] = op2.reduction_begin %{{.*}} arg 0 over %{{.*}} : !op2.reduction<1xf64>
  // CHECK: %[[R1:.*]] = op2.reduction_begin %{{.*}} arg 1 over %{{.*}} : !op2.reduction<2xi32>
  // CHECK: %[[R2:.*]] = op2.reduction_begin %{{.*}} arg 2 over %{{.*}} : !op2.reduction<3xf32>
  // CHECK: %[[P0:.*]] = op2.reduction_partial %[[R0]]
  // CHECK: %[[P1:.*]] = op2.reduction_partial %[[R1]]
  // CHECK: %[[P2:.*]] = op2.reduction_partial %[[R2]]
  // CHECK: func.call @best(%[[P0]], %[[P1]], %[[P2]])
  // CHECK: op2.reduction_end %[[R0]]
  // CHECK: op2.reduction_end %[[R1]]
  // CHECK: op2.reduction_end %[[R2]]
  op2.par_loop @best over %set args(max global %g : memref<1xf64>,
      max info of 0 %i : memref<2xi32>, work global %w : memref<3xf32>)
  return
}

// -----

func.func private @numbered(memref<2xf64>, memref<1xi32>, memref<2xf64>)

// One slot of a map is loaded once, also where private memory is written.
// CHECK-LABEL: func.func @one_load
func.func @one_load(%set: !op2.set, %m: !op2.map<2>, %d: !op2.dat<2xf64>,
                    %e: !op2.dat<2xf64>) {
  // CHECK: op2.for_elements
  // CHECK-COUNT-1: memref.load
  // CHECK-NOT: memref.load
  // CHECK: memref.store
  // CHECK: call @numbered
  op2.par_loop @numbered over %set args(
      read %d : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      index via %m[0] : !op2.map<2>,
      read %e : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}
