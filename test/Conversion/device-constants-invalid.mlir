// RUN: op2-opt %s --op2-device-constants --verify-diagnostics --split-input-file

gpu.module @op2_device {
  llvm.mlir.global external @count() : !llvm.array<4 x f64>
  llvm.func @kernel(%x: f64) {
    %a = llvm.mlir.addressof @count : !llvm.ptr
    %p = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f64
    // expected-error@+1 {{'kernel' writes 'count', which kernels on a GPU can only read}}
    llvm.store %x, %p : f64, !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @op2_device {
  // expected-error@+1 {{variable 'f.counter' cannot be used on a GPU: PTX does not take its name}}
  llvm.mlir.global external @f.counter() : f64
}
