// RUN: op2-opt %s --pass-pipeline='builtin.module(op2-attach-machine{chips=sm_80,sm_90},gpu.module(convert-op2-device-to-llvm))' \
// RUN:   | FileCheck %s

// CHECK: gpu.module @op2_device [#nvvm.target<O = 3, chip = "sm_80">, #nvvm.target<O = 3, chip = "sm_90">]
gpu.module @op2_device {
  llvm.mlir.global external @op2_shmem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // What parameters promise is kept: loads become ld.global.nc.
  // CHECK: llvm.func @copy(%{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias, llvm.readonly},
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.noalias}) attributes {
  // CHECK-SAME: nvvm.kernel
  // CHECK-SAME: nvvm.maxntid = array<i32: 128, 1, 1>
  gpu.func @copy(%first: index, %x: !llvm.ptr {llvm.noalias, llvm.readonly},
                 %y: !llvm.ptr {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: nvvm.read.ptx.sreg.ctaid.x
    // CHECK: nvvm.read.ptx.sreg.tid.x
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.addi %b, %t : index
    %xm = op2.ptr_cast %x : !llvm.ptr -> memref<?x4xf64>
    %ym = op2.ptr_cast %y : !llvm.ptr -> memref<?x4xf64>
    %xr = op2.row %xm[%i] : memref<?x4xf64> -> memref<4xf64>
    %yr = op2.row %ym[%i] : memref<?x4xf64> -> memref<4xf64>
    // CHECK: llvm.call @kernel(%{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
    func.call @kernel(%xr, %yr) : (memref<4xf64>, memref<4xf64>) -> ()
    gpu.return
  }

  // Shared memory has pointers of its own, which become plain ones.
  // CHECK-LABEL: llvm.func @shared
  gpu.func @shared(%y: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %base = llvm.mlir.addressof @op2_shmem : !llvm.ptr<3>
    %s = op2.ptr_cast %base : !llvm.ptr<3> -> memref<?x4xf64, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
    %v = memref.load %s[%t, %c0] : memref<?x4xf64, #gpu.address_space<workgroup>>
    // CHECK: llvm.getelementptr %{{.*}} : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f64
    // CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr
    %row = op2.row %s[%t] : memref<?x4xf64, #gpu.address_space<workgroup>> -> memref<4xf64, #gpu.address_space<workgroup>>
    %plain = op2.ptr_cast %row : memref<4xf64, #gpu.address_space<workgroup>> -> !llvm.ptr
    %r = op2.ptr_cast %plain : !llvm.ptr -> memref<4xf64>
    %p = op2.ptr_cast %y : !llvm.ptr -> memref<4xf64>
    memref.store %v, %p[%c0] : memref<4xf64>
    // CHECK: nvvm.barrier
    gpu.barrier
    func.call @kernel(%r, %p) : (memref<4xf64>, memref<4xf64>) -> ()
    gpu.return
  }

  // Nobody waits for what others add: no fences.
  // CHECK-LABEL: llvm.func @atomics
  gpu.func @atomics(%y: !llvm.ptr) kernel {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f64
    %i = arith.constant 1 : i32
    %m = op2.ptr_cast %y : !llvm.ptr -> memref<4xf64>
    %n = op2.ptr_cast %y : !llvm.ptr -> memref<4xi32>
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr, f64
    memref.atomic_rmw addf %v, %m[%c0] : (f64, memref<4xf64>) -> f64
    // CHECK: llvm.atomicrmw _and
    memref.atomic_rmw andi %i, %n[%c0] : (i32, memref<4xi32>) -> i32
    gpu.return
  }

  // 64 bits are two shuffles.
  // CHECK-LABEL: llvm.func @shuffle
  // CHECK-COUNT-2: nvvm.shfl.sync bfly
  gpu.func @shuffle(%y: !llvm.ptr) kernel {
    %v = llvm.load %y : !llvm.ptr -> f64
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %w, %valid = gpu.shuffle xor %v, %c16, %c32 : f64
    llvm.store %w, %y : f64, !llvm.ptr
    gpu.return
  }

  // Instructions without libdevice where there are any.
  // CHECK: llvm.func @kernel
  func.func private @kernel(%x: memref<4xf64>, %y: memref<4xf64>) attributes {llvm.bareptr} {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<4xf64>
    // CHECK: llvm.intr.sqrt
    %a = math.sqrt %v : f64
    // CHECK: llvm.intr.floor
    %b = math.floor %a : f64
    // CHECK: llvm.call @__nv_exp(
    %c = math.exp %b : f64
    memref.store %c, %y[%c0] : memref<4xf64>
    return
  }

  // Of integers, too: found by op2-fuzz, which had math.absi left.
  // CHECK: llvm.func @integers
  func.func private @integers(%x: memref<4xi64>) attributes {llvm.bareptr} {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<4xi64>
    // CHECK: "llvm.intr.abs"(%{{.*}}) <{is_int_min_poison = false}>
    %a = math.absi %v : i64
    // CHECK: "llvm.intr.ctlz"(%{{.*}}) <{is_zero_poison = false}>
    %b = math.ctlz %a : i64
    // CHECK: "llvm.intr.cttz"(%{{.*}}) <{is_zero_poison = false}>
    %c = math.cttz %b : i64
    // CHECK: llvm.intr.ctpop
    %d = math.ctpop %c : i64
    memref.store %d, %x[%c0] : memref<4xi64>
    return
  }
}
