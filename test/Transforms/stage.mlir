// RUN: op2-opt %s --op2-plan="target=emulator" --cse --op2-stage --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=emulator" --cse --op2-stage=limit=1024 --split-input-file | FileCheck %s --check-prefix=LIMIT
// RUN: op2-opt %s --op2-plan="target=emulator strategy=global" --cse --op2-stage --split-input-file | FileCheck %s --check-prefix=GLOBAL
// RUN: op2-opt %s --op2-plan="target=emulator strategy=atomics" --cse --op2-stage --split-input-file | FileCheck %s --check-prefix=ATOMICS
// RUN: op2-opt %s --op2-plan --cse --op2-stage --split-input-file | FileCheck %s --check-prefix=OPENMP

// What is read is copied, what is incremented starts as zeros and is added
// afterwards; both arguments on a dat share its copy.

func.func private @flux(memref<2xf64>, memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @indirect
// LIMIT-LABEL: func.func @indirect
// LIMIT-NOT: op2.stage
// GLOBAL-LABEL: func.func @indirect
// GLOBAL-NOT: op2.stage
// ATOMICS-LABEL: func.func @indirect
// OPENMP-LABEL: func.func @indirect
// OPENMP-NOT: op2.stage
func.func @indirect(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                    %r: !op2.dat<2xf64>) {
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} staged}
  // CHECK-DAG: %[[Q:.*]] = op2.dat_data %{{.*}}
  // CHECK-DAG: %[[R:.*]] = op2.dat_data %{{.*}}
  // CHECK: op2.for_blocks %[[B:.*]] of
  // CHECK: %[[QS:.*]] = op2.stage %{{.*}} arg 0 of %[[PLAN]] block %[[B]] number 0 : memref<?x2xf64> -> memref<?x2xf64, #gpu.address_space<workgroup>>
  // CHECK: %[[RS:.*]] = op2.stage zero %[[RD:.*]] arg 1 of %[[PLAN]] block %[[B]] number 1
  // CHECK: op2.for_elements %[[E:.*]] of
  // CHECK: %[[L0:.*]] = op2.local_entry %[[PLAN]][%[[E]]] arg 0 row 0
  // CHECK: %[[Q0:.*]] = op2.row %[[QS]][%[[L0]]] : memref<?x2xf64, #gpu.address_space<workgroup>> -> memref<2xf64>
  // CHECK: %[[L1:.*]] = op2.local_entry %[[PLAN]][%[[E]]] arg 1 row 0
  // CHECK: %[[R0:.*]] = op2.row %[[RS]][%[[L1]]]
  // CHECK: %[[L2:.*]] = op2.local_entry %[[PLAN]][%[[E]]] arg 2 row 0
  // CHECK: %[[R1:.*]] = op2.row %[[RS]][%[[L2]]]
  // CHECK: call @flux(%[[Q0]], %[[R0]], %[[R1]])
  // CHECK: op2.unstage %[[RS]] to %[[RD]] arg 1 of %[[PLAN]] block %[[B]]

  // Without colours, sums go straight to the dat.
  // ATOMICS: op2.stage %{{.*}} arg 0
  // ATOMICS-NOT: op2.stage zero
  // ATOMICS-NOT: op2.unstage
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Not staged: rows of one value, what is read and changed, written or rw, what
// a direct argument reaches too, and optional arguments.

func.func private @many(memref<1xf64>, memref<2xf64>, memref<2xf64>,
                        memref<2xf64>, memref<2xf64>, memref<2xf64>,
                        memref<2xf64>)

// CHECK-LABEL: func.func @unstaged
// LIMIT-LABEL: func.func @unstaged
// GLOBAL-LABEL: func.func @unstaged
// ATOMICS-LABEL: func.func @unstaged
// OPENMP-LABEL: func.func @unstaged
// CHECK-NOT: op2.stage
// CHECK-NOT: staged
func.func @unstaged(%edges: !op2.set, %m: !op2.map<2>, %one: !op2.dat<1xf64>,
                    %both: !op2.dat<2xf64>, %rw: !op2.dat<2xf64>,
                    %direct: !op2.dat<2xf64>, %opt: !op2.dat<2xf64>,
                    %flag: i1) {
  op2.par_loop @many over %edges args(
      read %one : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      read %both : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %both : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      rw %rw : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read %direct : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read %direct : !op2.dat<2xf64>,
      if %flag read %opt : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// A vector argument: a local map for each of its slots.

llvm.func @rows(!llvm.ptr)

// CHECK-LABEL: func.func @vector
func.func @vector(%edges: !op2.set, %m: !op2.map<3>, %q: !op2.dat<2xf64>) {
  // CHECK: op2.stage
  // CHECK: op2.local_entry %{{.*}} arg 0 row 0
  // CHECK: op2.local_entry %{{.*}} arg 0 row 1
  // CHECK: op2.row_table
  op2.par_loop @rows over %edges args(
      read %q : !op2.dat<2xf64> via %m[1 to 3] : !op2.map<3>)
  return
}
