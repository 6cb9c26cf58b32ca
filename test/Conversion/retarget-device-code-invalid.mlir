// RUN: op2-opt %s --verify-diagnostics --split-input-file \
// RUN:   --pass-pipeline='builtin.module(gpu.module(op2-retarget-device-code))'

gpu.module @op2_device {
  llvm.func @rand() -> i32
  llvm.func @main() attributes {nvvm.kernel, op2.loop_name = "scatter"} {
    llvm.call @kernel() : () -> ()
    llvm.return
  }
  llvm.func @kernel() {
    // expected-error@+1 {{loop 'scatter' cannot run on a GPU: 'kernel' calls 'rand', which has no body here and no equivalent there}}
    %r = llvm.call @rand() : () -> i32
    llvm.return
  }
}

// -----

gpu.module @op2_device {
  llvm.func @main(%f: !llvm.ptr) attributes {nvvm.kernel, op2.loop_name = "scatter"} {
    // expected-error@+1 {{loop 'scatter' cannot run on a GPU: 'main' calls through a pointer}}
    llvm.call %f() : !llvm.ptr, () -> ()
    llvm.return
  }
}
