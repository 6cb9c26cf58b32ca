// Reductions by functions of the program: each thread takes elements that follow
// one another, and leaves one result; where a plan has colours, a result for
// each element. No kernel combines them: the runtime calls the function when the
// reduction ends.
//
// RUN: op2-opt %s --op2-plan=target=cuda --op2-color-increments --convert-op2-to-gpu \
// RUN:   --canonicalize --cse --split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-plan="target=emulator strategy=global" --op2-color-increments \
// RUN:   --convert-op2-to-gpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,GLOBAL
// RUN: op2-opt %s --op2-to-gpu=chips=sm_90 --split-input-file | FileCheck %s --check-prefix=LLVM

func.func private @visit(%x: memref<1xf64>, %word: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<1xf64>
  memref.store %v, %word[%c0] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @runs
// LLVM-LABEL: llvm.func @runs
func.func @runs(%s: !op2.set, %x: !op2.dat<1xf64>, %f: !llvm.ptr, %i: memref<2xf64>,
                %g: memref<2xf64>, %on: i1) {
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 4096 {coloring = #op2.coloring<none>}
  // CHECK: %[[BLOCKS:.*]] = op2.num_blocks %[[PLAN]]
  // CHECK: %[[COUNT:.*]] = arith.muli %[[BLOCKS]], %c128
  // CHECK: %[[R:.*]], %[[RESULTS:.*]] = op2.device_reduction_begin %{{.*}} arg 1 count %[[COUNT]]
  // The identity: what a device has of a global that is reduced so.
  // CHECK: %[[IDENTITY:.*]], %{{.*}} = op2.device_storage global %{{.*}} arg 1
  // CHECK: gpu.launch_func @op2_device::@op2_visit {{.*}} threads in (%c128, %c1, %c1)
  // CHECK-NOT: gpu.launch_func
  // CHECK: op2.device_reduction_end %[[R]]
  // LLVM: llvm.call @op2rt_device_reduction_begin(
  // LLVM: llvm.call @op2rt_device_launch(
  // LLVM-NOT: llvm.call @op2rt_device_launch(
  // LLVM: llvm.call @op2rt_device_reduction_end(
  op2.par_loop @visit over %s args(read %x : !op2.dat<1xf64>,
      if %on reduce %f from %i global %g : memref<2xf64>)
  return
}

// CHECK: gpu.func @op2_visit(
// CHECK: %[[ROW:.*]] = memref.alloca() {alignment = 16 : i64} : memref<2xf64>
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[BLOCK:.*]] = arith.addi
// An optional one that is off is left alone.
// CHECK: scf.if %[[ON:.*]] {
// CHECK: memref.store %{{.*}}, %[[ROW]][%c0]
// CHECK: memref.store %{{.*}}, %[[ROW]][%c1]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[THREAD]], %c32
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[OFFSET]]
// CHECK: scf.for %[[N:.*]] = %c0 to %c32 step %c1 {
// CHECK: arith.addi %[[FIRST]], %[[N]]
// CHECK: arith.cmpi slt
// CHECK: func.call @visit(%{{.*}}, %[[ROW]])
// CHECK: %[[OF:.*]] = arith.muli %[[BLOCK]], %c128
// CHECK: %[[PLACE:.*]] = arith.addi %[[OF]], %[[THREAD]]
// CHECK: scf.if %[[ON]] {
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[PLACE]], %c0] : memref<?x2xf64>
// CHECK: gpu.return

// -----

func.func private @spread(%x: memref<1xf64>, %y: memref<1xf64>, %word: memref<1xi32>) {
  return
}

// CHECK-LABEL: func.func @colours
func.func @colours(%s: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %f: !llvm.ptr,
                   %i: memref<1xi32>, %g: memref<1xi32>) {
  // CHECK: %{{.*}}, %[[END:.*]] = op2.loop_range
  // CHECK: op2.device_reduction_begin %{{.*}} arg 2 count %[[END]]
  // CHECK: gpu.launch_func
  // CHECK-NOT: gpu.launch_func
  // CHECK: op2.device_reduction_end
  op2.par_loop @spread over %s args(
      inc %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %x : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      reduce %f from %i global %g : memref<1xi32>)
  return
}

// Each element begins anew, and has a place by its number.
// CHECK: gpu.func @op2_spread(
// CHECK: %[[WORD:.*]] = memref.alloca() {alignment = 4 : i64} : memref<1xi32>
// CHECK: memref.store %{{.*}}, %[[WORD]][%c0]
// CHECK: %[[POSITION:.*]] = arith.addi %{{.*}}, %thread_id_x
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[POSITION]]
// CHECK: func.call @spread(%{{.*}}, %{{.*}}, %[[WORD]])
// CHECK: scf.if %[[IS]] {
// GLOBAL: %[[ENTRY:.*]] = memref.load %{{.*}}[%[[POSITION]]] : memref<?xi32>
// GLOBAL: %[[POSITION:.*]] = arith.index_cast %[[ENTRY]]
// CHECK: %[[VALUE:.*]] = memref.load %[[WORD]][%c0]
// CHECK: memref.store %[[VALUE]], %{{.*}}[%[[POSITION]], %c0] : memref<?x1xi32>
// CHECK: gpu.return
