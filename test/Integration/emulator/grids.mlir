// Ids in three dimensions, more blocks than 65535, empty grids, atomic
// additions, helper functions and constants of the host.
//
// RUN: op2-run --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OP2_EMULATOR_SEED=5 op2-run -O0 --target=seq --shared-libs=%runner_utils %s | FileCheck %s

module attributes {gpu.container_module} {
  func.func private @printI64(i64)
  func.func private @printNewline()
  llvm.mlir.global external @scale(10 : i64) : i64

  gpu.module @device {
    llvm.mlir.global external @scale() {addr_space = 4 : i32} : i64
    memref.global "private" constant @offsets : memref<2xi64, 1> = dense<[1, 2]>

    llvm.func @scaled(%p: !llvm.ptr<1>, %x: i64) -> i64 {
      %0 = llvm.mlir.addressof @scale : !llvm.ptr<4>
      %1 = llvm.load %0 : !llvm.ptr<4> -> i64
      %2 = llvm.load %p : !llvm.ptr<1> -> i64
      %3 = llvm.mul %x, %1 : i64
      %4 = llvm.add %3, %2 : i64
      llvm.return %4 : i64
    }

    gpu.func @number(%out: memref<4x3x2x2x3x4xi64, 1>, %p: !llvm.ptr<1> {llvm.readonly}) kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %bz = gpu.block_id z
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %gx = gpu.global_id x
      %gy = gpu.global_id y
      %dim = gpu.block_dim x
      %grid = gpu.grid_dim z
      %0 = arith.muli %dim, %grid : index
      %1 = arith.addi %0, %gx : index
      %2 = arith.muli %1, %gy : index
      %3 = arith.index_cast %2 : index to i64
      %4 = llvm.call @scaled(%p, %3) : (!llvm.ptr<1>, i64) -> i64
      memref.store %4, %out[%bz, %by, %bx, %tz, %ty, %tx] : memref<4x3x2x2x3x4xi64, 1>
      gpu.return
    }

    gpu.func @count(%sum: memref<1xf64, 1>, %isOdd: i1, %f: f32) kernel {
      %c0 = arith.constant 0 : index
      %table = memref.get_global @offsets : memref<2xi64, 1>
      %c1 = arith.constant 1 : index
      %a = memref.load %table[%c0] : memref<2xi64, 1>
      %b = memref.load %table[%c1] : memref<2xi64, 1>
      %s = arith.select %isOdd, %a, %b : i64
      %x = arith.sitofp %s : i64 to f64
      %y = arith.extf %f : f32 to f64
      %z = arith.mulf %x, %y : f64
      %old = memref.atomic_rmw addf %z, %sum[%c0] : (f64, memref<1xf64, 1>) -> f64
      gpu.return
    }
  }

  func.func @count(%blocks: index, %y: index, %isOdd: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f64
    %half = arith.constant 0.5 : f32
    %sum = memref.alloc() : memref<1xf64>
    memref.store %zero, %sum[%c0] : memref<1xf64>
    %space = memref.memory_space_cast %sum : memref<1xf64> to memref<1xf64, 1>
    gpu.launch_func @device::@count blocks in (%blocks, %y, %c1) threads in (%c2, %c1, %c1)
        args(%space : memref<1xf64, 1>, %isOdd : i1, %half : f32)
    %s = memref.load %sum[%c0] : memref<1xf64>
    %i = arith.fptosi %s : f64 to i64
    func.call @printI64(%i) : (i64) -> ()
    func.call @printNewline() : () -> ()
    return
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %out = memref.alloc() : memref<4x3x2x2x3x4xi64, 1>
    %one = llvm.mlir.constant(1 : i64) : i64
    %seven = llvm.mlir.constant(7 : i64) : i64
    %cell = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
    llvm.store %seven, %cell : i64, !llvm.ptr
    %device = llvm.addrspacecast %cell : !llvm.ptr to !llvm.ptr<1>
    gpu.launch_func @device::@number blocks in (%c2, %c3, %c4) threads in (%c4, %c3, %c2)
        args(%out : memref<4x3x2x2x3x4xi64, 1>, %device : !llvm.ptr<1>)
    // (16 + 5) * 7 * 10 + 7: block (1,2,3), thread (1,1,0).
    // CHECK: 1477
    %v = memref.load %out[%c3, %c2, %c1, %c0, %c1, %c1] : memref<4x3x2x2x3x4xi64, 1>
    func.call @printI64(%v) : (i64) -> ()
    func.call @printNewline() : () -> ()

    // CHECK-NEXT: 100000
    // CHECK-NEXT: 600000
    // CHECK-NEXT: 0
    // CHECK-NEXT: 0
    %many = arith.constant 100000 : index
    %false = arith.constant false
    %true = arith.constant true
    func.call @count(%many, %c1, %true) : (index, index, i1) -> ()
    func.call @count(%many, %c3, %false) : (index, index, i1) -> ()
    func.call @count(%c0, %c1, %true) : (index, index, i1) -> ()
    func.call @count(%many, %c0, %true) : (index, index, i1) -> ()
    return
  }
}
