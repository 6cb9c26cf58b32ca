// Sums over a warp by shuffles of every type, over a block by all_reduce, and
// the valid bit. 40 threads: the second warp has 8.
//
// RUN: op2-run --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OP2_EMULATOR_SEED=77 op2-run -O0 --target=seq --shared-libs=%runner_utils %s | FileCheck %s

module attributes {gpu.container_module} {
  func.func private @printF64(f64)
  func.func private @printNewline()

  gpu.module @device {
    gpu.func @sums(%out: memref<?x40xf64>) kernel {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %i64 = arith.index_cast %t : index to i64
      %i32 = arith.index_cast %t : index to i32
      %f64 = arith.sitofp %i64 : i64 to f64
      %f32 = arith.sitofp %i64 : i64 to f32
      // The lanes that exist: 32 in the first warp, 8 in the second.
      %warp = gpu.subgroup_id : index
      %isFirst = arith.cmpi eq, %warp, %c0 : index
      %lanes = arith.select %isFirst, %c32, %c8 : index
      %width = arith.index_cast %lanes : index to i32
      %r:4 = scf.for %step = %c0 to %c5 step %c1 iter_args(%a = %f64, %b = %f32, %c = %i64, %d = %i32) -> (f64, f32, i64, i32) {
        %one = arith.constant 1 : i32
        %s32 = arith.index_cast %step : index to i32
        %offset = arith.shli %one, %s32 : i32
        %av, %p0 = gpu.shuffle xor %a, %offset, %width : f64
        %bv, %p1 = gpu.shuffle xor %b, %offset, %width : f32
        %cv, %p2 = gpu.shuffle xor %c, %offset, %width : i64
        %dv, %p3 = gpu.shuffle xor %d, %offset, %width : i32
        %as = arith.addf %a, %av : f64
        %bs = arith.addf %b, %bv : f32
        %cs = arith.addi %c, %cv : i64
        %ds = arith.addi %d, %dv : i32
        %an = arith.select %p0, %as, %a : f64
        %bn = arith.select %p1, %bs, %b : f32
        %cn = arith.select %p2, %cs, %c : i64
        %dn = arith.select %p3, %ds, %d : i32
        scf.yield %an, %bn, %cn, %dn : f64, f32, i64, i32
      }
      memref.store %r#0, %out[%c0, %t] : memref<?x40xf64>
      %bd = arith.extf %r#1 : f32 to f64
      memref.store %bd, %out[%c1, %t] : memref<?x40xf64>
      %cd = arith.sitofp %r#2 : i64 to f64
      memref.store %cd, %out[%c2, %t] : memref<?x40xf64>
      %dd = arith.sitofp %r#3 : i32 to f64
      memref.store %dd, %out[%c3, %t] : memref<?x40xf64>

      %three = arith.constant 3 : i32
      %full = arith.constant 32 : i32
      %minus = arith.constant -1.0 : f64
      %uv, %up = gpu.shuffle up %f64, %three, %full : f64
      %u = arith.select %up, %uv, %minus : f64
      memref.store %u, %out[%c4, %t] : memref<?x40xf64>
      %dnv, %dnp = gpu.shuffle down %f64, %three, %full : f64
      %down = arith.select %dnp, %dnv, %minus : f64
      memref.store %down, %out[%c5, %t] : memref<?x40xf64>
      %idv, %idp = gpu.shuffle idx %f64, %three, %full : f64
      memref.store %idv, %out[%c6, %t] : memref<?x40xf64>
      %all = gpu.all_reduce add %f64 uniform {} : (f64) -> (f64)
      memref.store %all, %out[%c7, %t] : memref<?x40xf64>
      gpu.return
    }
  }

  func.func @print(%out: memref<?x40xf64>, %row: index, %column: index) {
    %v = memref.load %out[%row, %column] : memref<?x40xf64>
    func.call @printF64(%v) : (f64) -> ()
    func.call @printNewline() : () -> ()
    return
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c31 = arith.constant 31 : index
    %c35 = arith.constant 35 : index
    %threads = arith.constant 40 : index
    %out = memref.alloc(%c8) : memref<?x40xf64>
    gpu.launch_func @device::@sums blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%out : memref<?x40xf64>)
    scf.for %row = %c0 to %c8 step %c1 {
      func.call @print(%out, %row, %c7) : (memref<?x40xf64>, index, index) -> ()
      func.call @print(%out, %row, %c35) : (memref<?x40xf64>, index, index) -> ()
    }
    // Up from lane 3 of the second warp, and down beyond the first.
    // CHECK: 496
    // CHECK-NEXT: 284
    // CHECK-NEXT: 496
    // CHECK-NEXT: 284
    // CHECK-NEXT: 496
    // CHECK-NEXT: 284
    // CHECK-NEXT: 496
    // CHECK-NEXT: 284
    // CHECK-NEXT: 4
    // CHECK-NEXT: 32
    // CHECK-NEXT: 10
    // CHECK-NEXT: 38
    // CHECK-NEXT: 3
    // CHECK-NEXT: 35
    // CHECK-NEXT: 780
    // CHECK-NEXT: 780
    // CHECK-NEXT: -1
    // CHECK-NEXT: -1
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    func.call @print(%out, %c4, %c1) : (memref<?x40xf64>, index, index) -> ()
    func.call @print(%out, %c5, %c31) : (memref<?x40xf64>, index, index) -> ()
    return
  }
}
