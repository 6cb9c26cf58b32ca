// What would hang or misbehave on a GPU ends with a message and status 1.
//
// RUN: not op2-run --entry=divergent %s 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: not op2-run --entry=deadlock %s 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not op2-run --entry=shuffles %s 2>&1 | FileCheck %s --check-prefix=SHUFFLES
// RUN: not op2-run --entry=outside %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not op2-run --entry=large %s 2>&1 | FileCheck %s --check-prefix=LARGE

// DIVERGENT: op2 error: loop 'res_calc' (emulator): block (0,0,0): divergent barrier, of 32 threads at a barrier: 30, first thread (2,0,0); finished: 2, first thread (0,0,0)
// DEADLOCK: op2 error: loop 'wait' (emulator): block (0,0,0): deadlock, of 64 threads at a barrier: 36, first thread (0,0,0); at a shuffle: 28, first thread (4,1,0)
// SHUFFLES: op2 error: loop 'mix' (emulator): block (0,0,0): the lanes of a warp wait at different shuffles: thread (0,0,0) and thread (16,0,0)
// OUTSIDE: op2 error: loop 'write' (emulator): block (0,0,0): a thread wrote behind the 256 bytes of dynamic shared memory
// LARGE: op2 error: loop 'write' (emulator): blocks of (1025,1,1) threads

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @early_exit() kernel attributes {op2.loop_name = "res_calc"} {
      %c2 = arith.constant 2 : index
      %t = gpu.thread_id x
      %leaves = arith.cmpi slt, %t, %c2 : index
      cf.cond_br %leaves, ^out, ^in
    ^in:
      gpu.barrier
      cf.br ^out
    ^out:
      gpu.return
    }
    // All but some lanes of the second warp wait at a barrier.
    gpu.func @wait() kernel {
      %c36 = arith.constant 36 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %dim = gpu.block_dim x
      %row = arith.muli %y, %dim : index
      %t = arith.addi %row, %x : index
      %early = arith.cmpi slt, %t, %c36 : index
      scf.if %early {
        gpu.barrier
      }
      %f = arith.index_cast %x : index to i32
      %v, %p = gpu.shuffle xor %f, %one, %width : i32
      // A use: the op is pure, and would vanish.
      scf.if %p {
        gpu.barrier
      }
      gpu.return
    }
    // Half of the lanes exchange values of 32 bits, half of them of 64.
    gpu.func @mix() kernel {
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %x = gpu.thread_id x
      %i = arith.index_cast %x : index to i32
      %isLow = arith.cmpi slt, %x, %c16 : index
      %ok = scf.if %isLow -> i1 {
        %v, %p = gpu.shuffle xor %i, %one, %width : i32
        scf.yield %p : i1
      } else {
        %long = arith.extsi %i : i32 to i64
        %v, %p = gpu.shuffle xor %long, %one, %width : i64
        scf.yield %p : i1
      }
      scf.if %ok {
        gpu.barrier
      }
      gpu.return
    }
    gpu.func @write(%shift: index) kernel {
      %c1 = arith.constant 1.0 : f64
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %i = arith.addi %t, %shift : index
      %n = gpu.block_dim x
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %s = memref.view %bytes[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf64, #gpu.address_space<workgroup>>
      memref.store %c1, %s[%i] : memref<?xf64, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @divergent() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @device::@early_exit blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @deadlock() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @device::@wait blocks in (%c1, %c1, %c1) threads in (%c32, %c2, %c1)
    return
  }
  func.func @shuffles() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @device::@mix blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  func.func @outside() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 256 : i32
    gpu.launch_func @device::@write blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%c1 : index)
    return
  }
  func.func @large() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1025 = arith.constant 1025 : index
    gpu.launch_func @device::@write blocks in (%c1, %c1, %c1) threads in (%c1025, %c1, %c1) args(%c0 : index)
    return
  }
}
