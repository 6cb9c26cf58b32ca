// Blocks that own rows for which shared memory has no room: elements have rows in
// the device's memory, begun with additive identities, which the kernel takes in
// place of the dat's. Launches have as many blocks as there are such rows for. A
// thread adds one value.
//
// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner" --cse --op2-color-increments | FileCheck %s --check-prefix=ROWS
// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner" --cse \
// RUN:   --op2-color-increments --convert-op2-to-gpu --canonicalize --cse | FileCheck %s
// RUN: op2-opt %s --op2-to-gpu="strategy=owner" \
// RUN:   | %python %S/../Pipelines/Inputs/ptx.py | FileCheck %s --check-prefix=PTX
// By default these have colours.
// RUN: op2-opt %s --op2-plan=target=cuda | FileCheck %s --check-prefix=DEFAULT

llvm.func @k(%v: !llvm.ptr, %r: !llvm.ptr) {
  %x = llvm.load %v : !llvm.ptr -> f64
  %old = llvm.load %r : !llvm.ptr -> f64
  %new = llvm.fadd %old, %x : f64
  llvm.store %new, %r : f64, !llvm.ptr
  llvm.return
}

// ROWS-LABEL: func.func @lengths
// ROWS: %[[W:.*]] = op2.owned_increments %[[PLAN:.*]] block %[[B:.*]] arg 1 number 0 rows 128 : memref<?x?xf64>
// ROWS: op2.for_elements
// ROWS:   %[[ROW:.*]] = op2.row %[[W]][%{{.*}}] : memref<?x?xf64> -> memref<?xf64>
// ROWS:   memref.dim %[[ROW]]
// ROWS:   scf.for
// ROWS:     memref.store %{{.*}}, %[[ROW]]
// ROWS:   %[[P:.*]] = op2.ptr_cast %[[ROW]]
// ROWS:   llvm.call @k(%{{.*}}, %[[P]])
// ROWS-NOT: op2.increment
// ROWS-NOT: op2.scatter_row
// ROWS: op2.add_owned %[[W]] to %{{.*}} arg 1 of %[[PLAN]] block %[[B]] : memref<?x?xf64>, memref<?x?xf64>
//
// DEFAULT: op2.not_owned = "what its elements add has no room in the shared memory of a block"
// DEFAULT: coloring = #op2.coloring<two_level>
//
// CHECK-LABEL: func.func @lengths
// CHECK: %[[MEMORY:.*]] = op2.device_plan_array %{{.*}} <increments> {arg = 1
// CHECK: %[[FIRST:.*]], %[[END:.*]] = op2.color_range
// CHECK: scf.for %[[PART:.*]] = %[[FIRST]] to %[[END]] step %c4096
// CHECK:   %[[LAST:.*]] = arith.addi %[[PART]], %c4096
// CHECK:   %[[STOP:.*]] = arith.minsi %[[END]], %[[LAST]]
// CHECK:   %[[COUNT:.*]] = arith.subi %[[STOP]], %[[PART]]
// CHECK:   gpu.launch_func {{.*}} blocks in (%[[COUNT]],
// CHECK-SAME: args(%[[PART]] : index{{.*}}%[[MEMORY]] : !llvm.ptr
//
// Other threads' additions come behind the barrier: this is no memory of one
// pointer's own.
// CHECK: gpu.func @op2_k(
// CHECK-SAME: %[[AT:[a-z0-9]+]]: !llvm.ptr,
// CHECK: llvm.getelementptr %[[AT]]
// CHECK: gpu.barrier
// CHECK: arith.divui
// CHECK: scf.for {{.*}} iter_args
//
// PTX-NOT: .local
// PTX: bar.sync
// PTX: ld.global.b64
// PTX: add.rn.f64
func.func @lengths(%edges: !op2.set, %m: !op2.map<2>, %v: !op2.dat<2xf64>, %r: !op2.dat<?xf64>) {
  op2.par_loop @k over %edges args(
      read %v : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>)
  return
}
