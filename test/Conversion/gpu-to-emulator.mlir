// RUN: op2-opt %s --convert-gpu-to-emulator --allow-unregistered-dialect --split-input-file | FileCheck %s

// The example of the pass: a kernel becomes a function for one thread and an
// entry that loads its parameters; the launch stores them.

// CHECK: func.func private @op2emu_launch(!llvm.ptr, (!llvm.ptr) -> (), !llvm.ptr, i64, i64, i64, i32, i32, i32, i64, i64, i32)
// CHECK: func.func private @op2emu_self() -> !llvm.ptr attributes {llvm.readnone}

// CHECK-LABEL: func.func private @zero_thread(
// CHECK-SAME:    %[[X:.*]]: memref<8xf64>) attributes {llvm.linkage = #llvm.linkage<internal>, op2.emulated}
// CHECK:         %[[SELF:.*]] = call @op2emu_self() : () -> !llvm.ptr
// CHECK:         %[[P:.*]] = llvm.getelementptr %[[SELF]][0] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         %[[I:.*]] = llvm.load %[[P]] : !llvm.ptr -> i64
// CHECK:         %[[T:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK:         memref.store %{{.*}}, %[[X]][%[[T]]] : memref<8xf64>
// CHECK:         return

// CHECK:       llvm.mlir.global internal constant @__op2_emulator_name_zero("zero\00")

// CHECK-LABEL: func.func private @zero(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK:         %[[E:.*]] = llvm.getelementptr %[[ARGS]][0]
// CHECK:         %[[A:.*]] = llvm.load %[[E]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[D:.*]] = llvm.load %[[A]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[M:.*]] = op2.ptr_cast %[[D]] : !llvm.ptr -> memref<f64>
// CHECK:         %[[R:.*]] = memref.reinterpret_cast %[[M]] to offset: [0], sizes: [8], strides: [1] : memref<f64> to memref<8xf64>
// CHECK:         call @zero_thread(%[[R]])

// CHECK-NOT:   gpu.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[TABLE:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK:         %[[NAME:.*]] = llvm.mlir.addressof @__op2_emulator_name_zero
// CHECK:         %[[ENTRY:.*]] = constant @zero : (!llvm.ptr) -> ()
// CHECK:         %[[STATIC:.*]] = arith.constant 0 : i64
// CHECK:         %[[DYNAMIC:.*]] = arith.constant 0 : i64
// CHECK:         %[[INDEPENDENT:.*]] = arith.constant 1 : i32
// CHECK:         call @op2emu_launch(%[[NAME]], %[[ENTRY]], %[[TABLE]], {{.*}}, %[[STATIC]], %[[DYNAMIC]], %[[INDEPENDENT]])
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @zero(%x: memref<8xf64>) kernel {
      %c0 = arith.constant 0.0 : f64
      %t = gpu.thread_id x
      memref.store %c0, %x[%t] : memref<8xf64>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xf64>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @device::@zero blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<8xf64>)
    return
  }
}

// -----

// The places of a thread, by their offsets in op2emu.h.

// CHECK-LABEL: func.func private @places_thread
// CHECK: call @op2emu_self
// CHECK-NEXT: getelementptr {{.*}}[8]
// CHECK: call @op2emu_self
// CHECK-NEXT: getelementptr {{.*}}[24]
// CHECK: call @op2emu_self
// CHECK-NEXT: getelementptr {{.*}}[32]
// CHECK: call @op2emu_group
// CHECK-NEXT: getelementptr {{.*}}[16]
// CHECK: call @op2emu_group
// CHECK-NEXT: getelementptr {{.*}}[24]
// CHECK: call @op2emu_group
// CHECK-NEXT: getelementptr {{.*}}[56]
// CHECK: call @op2emu_group
// CHECK-NEXT: getelementptr {{.*}}[72]
// CHECK: arith.constant 32 : index
gpu.module @device {
  gpu.func @places() kernel {
    %0 = gpu.thread_id y
    %1 = gpu.lane_id
    %2 = gpu.subgroup_id : index
    %3 = gpu.block_id z
    %4 = gpu.block_dim x
    %5 = gpu.grid_dim y
    %6 = gpu.num_subgroups : index
    %7 = gpu.subgroup_size : index
    gpu.return
  }
}

// -----

// A barrier anywhere below a kernel makes its threads fibres; a loop has its
// name in messages; dynamic memrefs go in parts.

// CHECK: @__op2_emulator_name_k("res_calc\00")
// CHECK-LABEL: func.func private @k(
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: call @k_thread(%{{.*}}) : (memref<?x4xf64, strided<[?, 1], offset: ?>>) -> ()
// CHECK: func.func private @sync() attributes {llvm.linkage = #llvm.linkage<internal>, op2.emulated} {
// CHECK-NEXT: call @op2emu_barrier() : () -> ()
// CHECK-LABEL: func.func @main(
// CHECK: %[[SHARED:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[FLAGS:.*]] = arith.constant 0 : i32
// CHECK: call @op2emu_launch(%{{.*}}, %[[SHARED]], %[[FLAGS]])
module attributes {gpu.container_module} {
  gpu.module @device {
    func.func @sync() {
      gpu.barrier
      return
    }
    func.func @outer() {
      call @sync() : () -> ()
      return
    }
    gpu.func @k(%x: memref<?x4xf64, strided<[?, 1], offset: ?>>) kernel attributes {op2.loop_name = "res_calc"} {
      func.call @outer() : () -> ()
      gpu.return
    }
  }
  func.func @main(%x: memref<?x4xf64, strided<[?, 1], offset: ?>>, %n: index, %bytes: i32) {
    gpu.launch_func @device::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %bytes args(%x : memref<?x4xf64, strided<[?, 1], offset: ?>>)
    return
  }
}

// -----

// Shared memory: globals first, 16 bytes apart at least, then a kernel's own.
// An array of no elements is the dynamic part. No address space is left.

// CHECK-NOT: @buffer
// CHECK-NOT: @op2_shmem
// CHECK-LABEL: func.func private @shared_thread(
// CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: memref<4xf64>)
// CHECK: getelementptr {{.*}}[80]
// CHECK: getelementptr {{.*}}[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT: op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<8xf32>
// CHECK: memref.alloca() : memref<2xf64>
// CHECK: getelementptr {{.*}}[88]
// CHECK-NEXT: %[[DYNAMIC:.*]] = llvm.load
// CHECK-NEXT: "use"(%[[DYNAMIC]], %[[DYNAMIC]])
// CHECK: getelementptr {{.*}}[80]
// CHECK: %[[STATIC:.*]] = llvm.getelementptr {{.*}}[0]
// CHECK: llvm.load %[[STATIC]] : !llvm.ptr -> i8
// CHECK: getelementptr {{.*}}[32]
// CHECK-NEXT: op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<2xf64>
// CHECK: getelementptr {{.*}}[88]
// CHECK: getelementptr {{.*}}[96]
// CHECK: memref.reinterpret_cast {{.*}} : memref<?xi8> to memref<?xi8>
gpu.module @device {
  llvm.mlir.global external @op2_shmem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @bytes() {addr_space = 3 : i32} : !llvm.array<17 x i8>
  memref.global "private" @buffer : memref<2xf64, #gpu.address_space<workgroup>> = uninitialized
  gpu.func @shared(%p: !llvm.ptr<1> {llvm.noalias}, %m: memref<4xf64, 1>)
      workgroup(%w: memref<8xf32, 3>) private(%own: memref<2xf64, 5>) kernel {
    "use"(%w, %own) : (memref<8xf32, 3>, memref<2xf64, 5>) -> ()
    %0 = llvm.mlir.addressof @op2_shmem : !llvm.ptr<3>
    %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
    "use"(%0, %1) : (!llvm.ptr<3>, !llvm.ptr) -> ()
    %2 = llvm.mlir.addressof @bytes : !llvm.ptr<3>
    %3 = llvm.load %2 : !llvm.ptr<3> -> i8
    %4 = memref.get_global @buffer : memref<2xf64, #gpu.address_space<workgroup>>
    %5 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    "use"(%4, %5) : (memref<2xf64, #gpu.address_space<workgroup>>, memref<?xi8, #gpu.address_space<workgroup>>) -> ()
    gpu.return
  }
}

// -----

// CHECK-LABEL: func.func private @shuffle_thread(
// CHECK-SAME:    %[[X:.*]]: f32
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK:         %[[WIDE:.*]] = arith.extui %[[BITS]] : i32 to i64
// CHECK:         %[[MODE:.*]] = arith.constant 2 : i32
// CHECK:         %[[SIZE:.*]] = arith.constant 32 : i32
// CHECK:         %[[R:.*]]:2 = call @op2emu_shuffle(%[[WIDE]], %{{.*}}, %{{.*}}, %[[MODE]], %[[SIZE]])
// CHECK:         %[[NARROW:.*]] = arith.trunci %[[R]]#0 : i64 to i32
// CHECK:         arith.bitcast %[[NARROW]] : i32 to f32
// CHECK:         arith.trunci %[[R]]#1 : i64 to i1
gpu.module @device {
  gpu.func @shuffle(%x: f32, %o: i32, %w: i32) kernel {
    %v, %valid = gpu.shuffle up %x, %o, %w : f32
    "use"(%v, %valid) : (f32, i1) -> ()
    gpu.return
  }
}

// -----

// Names that the host has: declarations and copies are the host's, other
// definitions are renamed.

// CHECK: llvm.mlir.global external @gam(1.400000e+00 : f64)
// CHECK: func.func @helper() {
// CHECK-LABEL: func.func private @k_0_thread
// CHECK: call @helper_0()
// CHECK: call @same()
// CHECK: llvm.mlir.addressof @gam : !llvm.ptr
// CHECK: func.func private @k_0(
// CHECK: func.func private @helper_0(
// CHECK-NOT: @same
// CHECK: func.func private @k_thread
// CHECK-LABEL: func.func @main
// CHECK: constant @k_0 :
module attributes {gpu.container_module} {
  llvm.mlir.global external @gam(1.4 : f64) : f64
  func.func @helper() {
    return
  }
  func.func private @copy() {
    return
  }
  func.func @k() {
    return
  }
  func.func @same() {
    return
  }
  gpu.module @device {
    llvm.mlir.global external @gam() {addr_space = 4 : i32} : f64
    func.func @helper() {
      "use"() : () -> ()
      return
    }
    func.func @same() {
      return
    }
    gpu.func @k() kernel {
      func.call @helper() : () -> ()
      func.call @same() : () -> ()
      %0 = llvm.mlir.addressof @gam : !llvm.ptr<4>
      "use"(%0) : (!llvm.ptr<4>) -> ()
      gpu.return
    }
  }
  gpu.module @other {
    func.func @k_thread() {
      return
    }
  }
  func.func @main(%n: index) {
    gpu.launch_func @device::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
