// Sums of blocks through dynamic and static shared memory, right in any order
// of threads; without the barriers they are wrong in any order.
//
// RUN: sed -e 's/BARRIER/gpu.barrier/' %s > %t.right.mlir
// RUN: sed -e 's/BARRIER//' %s > %t.wrong.mlir
// RUN: op2-run --target=seq --shared-libs=%runner_utils %t.right.mlir | FileCheck %s
// RUN: env OP2_EMULATOR_SEED=2 op2-run -O0 --shared-libs=%runner_utils %t.right.mlir | FileCheck %s
// RUN: env OP2_EMULATOR_SEED=3 op2-run --shared-libs=%runner_utils %t.right.mlir | FileCheck %s
// RUN: op2-run --shared-libs=%runner_utils %t.wrong.mlir | FileCheck %s --check-prefix=WRONG
// RUN: env OP2_EMULATOR_SEED=2 op2-run --shared-libs=%runner_utils %t.wrong.mlir | FileCheck %s --check-prefix=WRONG
// RUN: env OP2_EMULATOR_SEED=3 op2-run --shared-libs=%runner_utils %t.wrong.mlir | FileCheck %s --check-prefix=WRONG

module attributes {gpu.container_module} {
  func.func private @printF64(f64)
  func.func private @printNewline()

  gpu.module @device {
    llvm.mlir.global external @op2_shmem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

    // One sum per block, and the same over blocks by an atomic addition.
    gpu.func @sum(%in: memref<?xf64>, %out: memref<?xf64>, %n: index, %total: memref<1xf64>)
        workgroup(%first: memref<1xf64, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %dim = gpu.block_dim x
      %begin = arith.muli %b, %dim : index
      %i = arith.addi %begin, %t : index
      %inside = arith.cmpi slt, %i, %n : index
      %x = scf.if %inside -> f64 {
        %v = memref.load %in[%i] : memref<?xf64>
        scf.yield %v : f64
      } else {
        scf.yield %zero : f64
      }
      %shared = llvm.mlir.addressof @op2_shmem : !llvm.ptr<3>
      %t64 = arith.index_cast %t : index to i64
      %mine = llvm.getelementptr %shared[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f64
      llvm.store %x, %mine : f64, !llvm.ptr<3>
      %half = arith.shrui %dim, %c1 : index
      %end = scf.while (%h = %half) : (index) -> index {
        %more = arith.cmpi sgt, %h, %c0 : index
        scf.condition(%more) %h : index
      } do {
      ^bb0(%h: index):
        BARRIER
        %takes = arith.cmpi slt, %t, %h : index
        scf.if %takes {
          %other = arith.addi %t, %h : index
          %o64 = arith.index_cast %other : index to i64
          %p = llvm.getelementptr %shared[%o64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f64
          %a = llvm.load %mine : !llvm.ptr<3> -> f64
          %c = llvm.load %p : !llvm.ptr<3> -> f64
          %s = arith.addf %a, %c : f64
          llvm.store %s, %mine : f64, !llvm.ptr<3>
        }
        %next = arith.shrui %h, %c1 : index
        scf.yield %next : index
      }
      %isFirst = arith.cmpi eq, %t, %c0 : index
      scf.if %isFirst {
        %s = llvm.load %mine : !llvm.ptr<3> -> f64
        memref.store %s, %first[%c0] : memref<1xf64, 3>
      }
      BARRIER
      %isSecond = arith.cmpi eq, %t, %c1 : index
      scf.if %isSecond {
        %s = memref.load %first[%c0] : memref<1xf64, 3>
        memref.store %s, %out[%b] : memref<?xf64>
        %old = memref.atomic_rmw addf %s, %total[%c0] : (f64, memref<1xf64>) -> f64
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 600 : index
    %threads = arith.constant 256 : index
    %blocks = arith.constant 3 : index
    %bytes = arith.constant 2048 : i32
    %zero = arith.constant 0.0 : f64
    %in = memref.alloc(%n) : memref<?xf64>
    %out = memref.alloc(%blocks) : memref<?xf64>
    %total = memref.alloc() : memref<1xf64>
    memref.store %zero, %total[%c0] : memref<1xf64>
    scf.for %i = %c0 to %n step %c1 {
      %i64 = arith.index_cast %i : index to i64
      %x = arith.sitofp %i64 : i64 to f64
      memref.store %x, %in[%i] : memref<?xf64>
    }
    gpu.launch_func @device::@sum blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
        dynamic_shared_memory_size %bytes
        args(%in : memref<?xf64>, %out : memref<?xf64>, %n : index, %total : memref<1xf64>)
    // CHECK: 32640
    // WRONG-NOT: 32640
    %0 = memref.load %out[%c0] : memref<?xf64>
    func.call @printF64(%0) : (f64) -> ()
    func.call @printNewline() : () -> ()
    // CHECK-NEXT: 98176
    %1 = memref.load %out[%c1] : memref<?xf64>
    func.call @printF64(%1) : (f64) -> ()
    func.call @printNewline() : () -> ()
    // CHECK-NEXT: 48884
    %2 = memref.load %out[%c2] : memref<?xf64>
    func.call @printF64(%2) : (f64) -> ()
    func.call @printNewline() : () -> ()
    // CHECK-NEXT: 179700
    %3 = memref.load %total[%c0] : memref<1xf64>
    func.call @printF64(%3) : (f64) -> ()
    func.call @printNewline() : () -> ()
    return
  }
}
