// RUN: op2-opt %s --op2-plan="target=emulator block-size=48" --cse --op2-color-increments --convert-op2-to-gpu --cse --split-input-file | FileCheck %s

// A block of threads for each block of the plan: 48 elements take two warps.
// All threads go through the colours together.

func.func private @flux(memref<2xf64>, memref<2xf64>) attributes {llvm.bareptr}

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @indirect
func.func @indirect(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                    %r: !op2.dat<2xf64>) {
  // CHECK: %[[PLAN:.*]] = op2.plan
  // What a kernel takes is asked for where it is launched.
  // CHECK: %[[FREE:.*]] = op2.is_alias_free
  // CHECK: scf.if %[[FREE]] {
  // CHECK: %[[BEGIN:.*]] = op2.device_plan_array %{{.*}}, %[[PLAN]] <block_begin>
  // CHECK: op2.device_storage aos %{{.*}} arg 0
  // CHECK: op2.device_plan_array %{{.*}} <element_colors>
  // CHECK: scf.for %[[C:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[FIRST:.*]], %[[END:.*]] = op2.color_range %[[PLAN]][%[[C]]]
  // CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[FIRST]]
  // CHECK: gpu.launch_func @op2_device::@op2_flux blocks in (%[[COUNT]], %{{.*}}, %{{.*}}) threads in (%c64
  // CHECK-SAME: dynamic_shared_memory_size %{{.*}} args(%[[FIRST]] : index, %[[BEGIN]] : !llvm.ptr,
  // CHECK: } else {
  // CHECK: op2.device_storage aos %{{.*}} arg 0
  // CHECK: gpu.launch_func @op2_device::@op2_flux_aliased
  // CHECK-NOT: op2.for_
  // CHECK: op2.loop_end
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// The array of shared memory is external: its size is the launch's.
// CHECK: gpu.module @op2_device
// CHECK: llvm.mlir.global external @op2_shmem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK: gpu.func @op2_flux(%{{.*}}: index, %{{.*}}: !llvm.ptr {llvm.noalias},
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 64, 1, 1>, op2.loop_name = "flux"}
// CHECK: gpu.block_id x
// CHECK: gpu.thread_id x
// CHECK-NOT: scf.for
// CHECK: %[[COLOR:.*]] = scf.if
// CHECK: func.call @flux
// CHECK: scf.for %[[TURN:.*]] =
// CHECK: arith.cmpi eq, %[[COLOR]], %[[TURN]]
// CHECK: scf.if
// CHECK: arith.addf
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return

// Where the dats may be one, nothing is promised about them.
// CHECK: gpu.func @op2_flux_aliased
// CHECK-SAME: %{{.*}}: !llvm.ptr,

// What kernels call is copied.
// CHECK: func.func private @flux

// -----

// Increments of two dats, colour after colour, in one turn.

func.func private @both(memref<2xf64>, memref<2xf64>) attributes {llvm.bareptr}

func.func @two_increments(%edges: !op2.set, %m: !op2.map<2>, %a: !op2.dat<2xf64>,
                          %b: !op2.dat<2xf64>) {
  op2.par_loop @both over %edges args(
      inc %a : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %b : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// CHECK-LABEL: gpu.func @op2_both(
// CHECK: func.call @both
// CHECK: scf.for
// CHECK: scf.if
// CHECK-COUNT-4: arith.addf
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return

// -----

// Both versions of a kernel write their partial results to the same place, and
// that is what is combined.

func.func private @sum(memref<1xf64>, memref<1xf64>, memref<3xf64>) attributes {llvm.bareptr}

// CHECK-LABEL: func.func @reduction
func.func @reduction(%set: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>,
                     %sum: memref<3xf64>) {
  // CHECK-COUNT-1: %[[RED:.*]], %[[DATA:.*]] = op2.device_reduction_begin %{{.*}} arg 2 count %[[BLOCKS:.*]] : !op2.reduction<3xf64>
  // CHECK-NOT: op2.device_reduction_begin
  // CHECK: gpu.launch_func @op2_device::@op2_sum blocks
  // CHECK-SAME: %[[DATA]] : !llvm.ptr
  // CHECK: gpu.launch_func @op2_device::@op2_sum_aliased blocks
  // CHECK-SAME: %[[DATA]] : !llvm.ptr
  // CHECK: arith.cmpi sgt, %[[BLOCKS]], %c0
  // CHECK: scf.if
  // CHECK: %[[RESULT:.*]], %{{.*}} = op2.device_storage global %{{.*}} arg 2
  // CHECK: gpu.launch_func @op2_device::@op2_finish_min_f64 blocks in (%c3, %c1, %c1) threads in (%c512, %c1, %c1)
  // CHECK-SAME: args(%[[DATA]] : !llvm.ptr, %[[BLOCKS]] : index, %c3 : index, %[[RESULT]] : !llvm.ptr)
  // CHECK: op2.device_reduction_end %[[RED]]
  // CHECK-NOT: op2.reduction_begin
  op2.par_loop @sum over %set args(
      read %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>,
      min global %sum : memref<3xf64>)
  return
}

// Lanes by shuffles, warps through shared memory.
// CHECK: gpu.func @op2_sum(
// CHECK: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}} : memref<2xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier

// A component has a block of threads, which combine what the blocks found, in
// an order that depends on how many there were only, and then the global.
// CHECK: gpu.func @op2_finish_min_f64(%[[P:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[N:.*]]: index, %[[DIM:.*]]: index, %[[G:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-SAME: known_block_size = array<i32: 512, 1, 1>
// CHECK: %[[COMPONENT:.*]] = gpu.block_id x
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: scf.for %[[I:.*]] = %[[THREAD]] to %[[N]] step %c512
// CHECK: memref.load %{{.*}}[%[[I]], %[[COMPONENT]]] : memref<?x?xf64>
// CHECK: gpu.shuffle xor
// CHECK: memref.store %{{.*}} : memref<16xf64, #gpu.address_space<workgroup>>
// CHECK: %[[OLD:.*]] = memref.load %{{.*}}[%[[COMPONENT]]] : memref<?xf64>
// CHECK: arith.cmpf olt, %{{.*}}, %[[OLD]]
// CHECK-NOT: gpu.func @op2_finish

// -----

// Sums of floats are exact: each element's term goes to the words of a sum, as
// integers; elements that are not there have -0.0. A kernel rounds them.

func.func private @add(memref<1xf64>, memref<1xf64>, memref<3xf64>) attributes {llvm.bareptr}

// CHECK-LABEL: func.func @exact
func.func @exact(%set: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>,
                 %sum: memref<3xf64>) {
  // CHECK-COUNT-1: %[[RED:.*]], %[[DATA:.*]] = op2.device_reduction_begin %{{.*}} arg 2 count %[[BLOCKS:.*]] : !op2.reduction<3xf64>
  // CHECK-NOT: op2.device_reduction_begin
  // CHECK: gpu.launch_func @op2_device::@op2_add blocks
  // CHECK-SAME: %[[DATA]] : !llvm.ptr
  // CHECK: gpu.launch_func @op2_device::@op2_add_aliased blocks
  // CHECK-SAME: %[[DATA]] : !llvm.ptr
  // CHECK: arith.cmpi sgt, %[[BLOCKS]], %c0
  // CHECK: scf.if
  // CHECK: %[[RESULT:.*]], %{{.*}} = op2.device_storage global %{{.*}} arg 2
  // CHECK: gpu.launch_func @op2_device::@__op2_finish_sum_f64 blocks in (%c3, %c1, %c1) threads in (%c96, %c1, %c1)
  // CHECK-SAME: args(%[[DATA]] : !llvm.ptr, %c3 : index, %[[RESULT]] : !llvm.ptr)
  // CHECK: op2.device_reduction_end %[[RED]]
  op2.par_loop @add over %set args(
      read %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>,
      inc global %sum : memref<3xf64>)
  return
}

// CHECK: gpu.func @op2_add(
// CHECK: %[[TERMS:.*]] = memref.alloca() {alignment = 8 : i64} : memref<3xf64>
// CHECK-COUNT-3: memref.store %{{.*}}, %[[TERMS]][
// CHECK: scf.if
// CHECK: func.call @add(%{{.*}}, %{{.*}}, %[[TERMS]])
// CHECK: %[[TERM:.*]] = memref.load %[[TERMS]][%c0
// CHECK: %[[WORDS:.*]] = op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<?x72xi64>
// CHECK: %[[SUM:.*]] = op2.row %[[WORDS]][%{{.*}}] : memref<?x72xi64> -> !llvm.ptr
// CHECK: func.call @__op2_add_term(%[[TERM]], %[[SUM]])
// CHECK-COUNT-2: func.call @__op2_add_term(
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return

// CHECK: func.func private @__op2_add_term(%{{.*}}: f64, %{{.*}}: !llvm.ptr)
// CHECK: memref.atomic_rmw addi
// CHECK: gpu.func @__op2_finish_sum_f64(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: index, %{{.*}}: !llvm.ptr {llvm.noalias}) workgroup(%[[DIGITS:.*]] : memref<78xi64, #gpu.address_space<workgroup>>)
// CHECK-SAME: known_block_size = array<i32: 96, 1, 1>
// CHECK: func.call @__op2_add_term(
// CHECK: gpu.barrier
// Copies of a word are not asked for one after the other.
// CHECK-COUNT-32: memref.load %{{.*}} {alignment = 8 : i64} : memref<?x72xi64>
// CHECK-COUNT-32: memref.store %{{.*}} {alignment = 8 : i64} : memref<?x72xi64>
// CHECK: func.call @__op2_keep_word(%[[DIGITS]],
// CHECK: gpu.barrier
// CHECK: func.call @__op2_round_sum(%[[DIGITS]],

// -----

// The storage is asked for through an argument that is active.

llvm.func @both(!llvm.ptr, !llvm.ptr)
llvm.func @either(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @optional
// CHECK-SAME: %[[A:[^ ]*]]: i1, %[[B:[^ ]*]]: i1
func.func @optional(%a: i1, %b: i1, %set: !op2.set, %x: !op2.dat<1xf64>) {
  // CHECK: op2.loop_begin "both"
  // CHECK: op2.device_storage aos %{{.*}} arg 1
  // CHECK-NOT: arith.select
  // CHECK: op2.loop_end
  op2.par_loop @both over %set args(
      if %a read %x : !op2.dat<1xf64>, read %x : !op2.dat<1xf64>)
  // CHECK: op2.loop_begin "either"
  // CHECK: %[[SECOND:.*]], %{{.*}} = op2.device_storage aos %{{.*}} arg 1
  // CHECK: %[[FIRST:.*]], %{{.*}} = op2.device_storage aos %{{.*}} arg 0
  // CHECK: arith.select %[[A]], %[[FIRST]], %[[SECOND]] : !llvm.ptr
  op2.par_loop @either over %set args(
      if %a read %x : !op2.dat<1xf64>, if %b read %x : !op2.dat<1xf64>)
  return
}

// -----

// Atomic operations take integers without a sign.

func.func private @count(memref<1xui32>) attributes {llvm.bareptr}

func.func @atomics(%set: !op2.set, %m: !op2.map<1>, %n: !op2.dat<1xui32>) {
  op2.par_loop @count over %set args(
      inc %n : !op2.dat<1xui32> via %m[0] : !op2.map<1>)
      {strategy = #op2.strategy<atomics>}
  return
}
// CHECK: gpu.func @op2_count(
// CHECK: memref.atomic_rmw addi %{{.*}} : (i32, memref<1xi32>) -> i32

// -----

// A loop without arguments has a plan's arrays all the same.

func.func private @nothing()

func.func @alone(%set: !op2.set) {
  op2.par_loop @nothing over %set args()
  return
}
// CHECK-LABEL: func.func @alone
// CHECK: op2.device_plan_array %{{.*}} <block_begin> : !llvm.ptr
// CHECK: gpu.launch_func
