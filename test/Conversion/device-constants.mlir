// RUN: op2-opt %s --op2-device-constants | FileCheck %s

module attributes {gpu.container_module} {
  llvm.mlir.global external @gam() : f64
  llvm.mlir.global external @table() : !llvm.array<8000 x f64>
  llvm.mlir.global external @large() : !llvm.array<1000 x f64>

  // Once for each loop, before its first launch.
  // CHECK: op2.loop_begin
  // CHECK-DAG: op2.device_constant @op2_device::@gam bytes 8
  // CHECK-DAG: op2.device_constant @op2_device::@table bytes 64000
  // CHECK-DAG: op2.device_constant @op2_device::@large bytes 8000
  // CHECK-NOT: op2.device_constant
  // CHECK: op2.launch
  func.func @step(%s: !op2.set, %n: index) {
    %loop = op2.loop_begin "k" over %s args() {strategy = "s", target = #op2.target<cuda>}
    op2.launch %loop @op2_device::@main blocks %n threads %n shared %n
    op2.launch %loop @op2_device::@main blocks %n threads %n shared %n
    op2.launch %loop @op2_device::@other blocks %n threads %n shared %n
    op2.loop_end %loop
    return
  }

  // CHECK: gpu.module @op2_device
  gpu.module @op2_device {
    // CHECK: llvm.mlir.global external @gam() {addr_space = 4 : i32{{.*}}externally_initialized} : f64
    llvm.mlir.global external @gam() : f64
    // CHECK: llvm.mlir.global external @table() {addr_space = 4 : i32
    llvm.mlir.global external @table() : !llvm.array<8000 x f64>
    // What does not fit into constant memory.
    // CHECK: llvm.mlir.global external @large() {addr_space = 1 : i32
    llvm.mlir.global external @large() : !llvm.array<1000 x f64>
    // CHECK: llvm.mlir.global internal constant @fixed(2.000000e+00 : f64)
    llvm.mlir.global internal constant @fixed(2.0 : f64) : f64

    llvm.func @main() attributes {nvvm.kernel} {
      llvm.call @kernel() : () -> ()
      llvm.return
    }
    llvm.func @other() attributes {nvvm.kernel} {
      %a = llvm.mlir.addressof @fixed : !llvm.ptr
      %x = llvm.load %a : !llvm.ptr -> f64
      llvm.return
    }
    llvm.func @kernel() {
      // CHECK: %[[A:.*]] = llvm.mlir.addressof @gam : !llvm.ptr<4>
      // CHECK: llvm.addrspacecast %[[A]] : !llvm.ptr<4> to !llvm.ptr
      %a = llvm.mlir.addressof @gam : !llvm.ptr
      %b = llvm.mlir.addressof @table : !llvm.ptr
      // CHECK: llvm.mlir.addressof @large : !llvm.ptr<1>
      %c = llvm.mlir.addressof @large : !llvm.ptr
      %x = llvm.load %a : !llvm.ptr -> f64
      %y = llvm.load %b : !llvm.ptr -> f64
      %z = llvm.load %c : !llvm.ptr -> f64
      llvm.return
    }
  }
}
