// RUN: op2-opt %s --convert-gpu-to-emulator --split-input-file -verify-diagnostics

gpu.module @device {
  gpu.func @k(%x: f32) kernel {
    // expected-error @+1 {{'gpu.subgroup_reduce' op cannot be emulated}}
    %0 = gpu.subgroup_reduce add %x : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @device {
  llvm.func @helper() {
    // expected-error @+1 {{'nvvm.barrier0' op cannot be emulated}}
    nvvm.barrier0
    llvm.return
  }
}

// -----

gpu.module @device {
  gpu.func @k(%x: f32, %c: i1) kernel {
    scf.if %c {
      // expected-error @+1 {{'gpu.all_reduce' op cannot be emulated unless it is uniform}}
      %0 = gpu.all_reduce add %x {} : (f32) -> f32
    }
    gpu.return
  }
}

// -----

gpu.module @device {
  gpu.func @k(%x: vector<4xf32>, %o: i32) kernel {
    // expected-error @+1 {{'gpu.shuffle' op cannot be emulated on values of type 'vector<4xf32>'}}
    %0, %1 = gpu.shuffle xor %x, %o, %o : vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @device {
  // expected-error @+1 {{'gpu.func' op cannot be emulated: workgroup memory of dynamic size or with a layout: 'memref<?xf32, 3>'}}
  gpu.func @k() workgroup(%w: memref<?xf32, 3>) kernel {
    gpu.return
  }
}

// -----

gpu.module @device {
  // expected-error @+1 {{'gpu.func' op cannot be emulated: argument 1 is of type 'memref<*xf32>'}}
  gpu.func @k(%x: f32, %m: memref<*xf32>) kernel {
    gpu.return
  }
}

// -----

// expected-note @+1 {{the host's symbol}}
llvm.func @exp(f64) -> f64
gpu.module @device {
  // expected-error @+1 {{'exp' is declared here, but the host has 'llvm.func' of that name}}
  func.func private @exp(f64) -> f64
}

// -----

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @main(%n: index) {
    // expected-error @+1 {{'gpu.launch_func' op cannot be emulated: it is asynchronous}}
    %0 = gpu.launch_func async @device::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @main(%n: index) {
    // expected-error @+1 {{'gpu.launch_func' op cannot be emulated: it has clusters}}
    gpu.launch_func @device::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @main(%n: index) {
  // expected-error @+1 {{'gpu.launch' op cannot be emulated}}
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n)
      threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) {
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch_func' op cannot be emulated outside of a function}}
  gpu.launch_func @device::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
}
