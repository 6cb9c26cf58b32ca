// RUN: op2-opt %s --op2-bind-launches --split-input-file --verify-diagnostics | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @op2_device {
    // Where dats begin is known.
    // CHECK: gpu.func @main(%{{.*}}: index, %{{.*}}: !llvm.ptr {llvm.align = 32 : i64, llvm.noalias})
    gpu.func @main(%n: index, %d: !llvm.ptr {llvm.noalias}) kernel {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @step
  func.func @step(%s: !op2.set, %q: !op2.dat<4xf64>, %n: index, %bytes: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: %[[LOOP:.*]] = op2.loop_begin
    %loop = op2.loop_begin "k" over %s args(read %q : !op2.dat<4xf64>) {strategy = "s", target = #op2.target<cuda>}
    %d, %none = op2.device_storage aos %loop arg 0 : !llvm.ptr
    scf.for %i = %c0 to %n step %c1 {
      // CHECK: %[[BYTES:.*]] = arith.index_cast %{{.*}} : i32 to index
      // CHECK: op2.launch %[[LOOP]] @op2_device::@main blocks %{{.*}} threads %{{.*}} shared %[[BYTES]]
      // CHECK-SAME: args(%{{.*}}, %{{.*}} : index, !llvm.ptr)
      gpu.launch_func @op2_device::@main blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
          dynamic_shared_memory_size %bytes args(%i : index, %d : !llvm.ptr)
    }
    op2.loop_end %loop
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @op2_device {
    gpu.func @main() kernel {
      gpu.return
    }
  }
  func.func @step(%s: !op2.set, %n: index) {
    %c1 = arith.constant 1 : index
    %loop = op2.loop_begin "k" over %s args() {strategy = "s", target = #op2.target<cuda>}
    op2.loop_end %loop
    // expected-error@+1 {{expected a loop in progress, between op2.loop_begin and op2.loop_end}}
    gpu.launch_func @op2_device::@main blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @op2_device {
    gpu.func @main() kernel {
      gpu.return
    }
  }
  func.func @step(%s: !op2.set, %n: index) {
    %c1 = arith.constant 1 : index
    %loop = op2.loop_begin "k" over %s args() {strategy = "s", target = #op2.target<cuda>}
    // expected-error@+1 {{its grid has more than one dimension}}
    gpu.launch_func @op2_device::@main blocks in (%n, %n, %c1) threads in (%n, %c1, %c1)
    op2.loop_end %loop
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @op2_device {
    gpu.func @main() kernel {
      gpu.return
    }
  }
  func.func @step(%s: !op2.set, %n: index) {
    %c1 = arith.constant 1 : index
    %loop = op2.loop_begin "k" over %s args() {strategy = "s", target = #op2.target<cuda>}
    // expected-error@+1 {{it is asynchronous or has clusters}}
    %t = gpu.launch_func async @op2_device::@main blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    op2.loop_end %loop
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @op2_device {
    gpu.func @main() kernel {
      gpu.return
    }
  }
  func.func @noLoop(%n: index) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a loop in progress, between op2.loop_begin and op2.loop_end}}
    gpu.launch_func @op2_device::@main blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
}
