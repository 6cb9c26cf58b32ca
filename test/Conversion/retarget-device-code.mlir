// RUN: op2-opt %s --pass-pipeline='builtin.module(gpu.module(op2-retarget-device-code))' | FileCheck %s

gpu.module @op2_device {
  // CHECK-NOT: llvm.func @pow(
  // CHECK-NOT: llvm.func @sqrt(
  llvm.func @pow(f64, f64) -> f64
  llvm.func @powf(f32, f32) -> f32
  llvm.func @sqrt(f64) -> f64
  llvm.func @fmax(f64, f64) -> f64
  llvm.func @unused(f64) -> f64

  // CHECK: llvm.func @main(%{{.*}}: !llvm.ptr) attributes {nvvm.kernel
  llvm.func @main(%x: !llvm.ptr) attributes {nvvm.kernel, op2.loop_name = "step"} {
    llvm.call @kernel(%x) : (!llvm.ptr) -> ()
    llvm.return
  }

  // Nothing of the host is left; what keeps rows in memory neither.
  // CHECK: llvm.func internal @kernel(%{{.*}}: !llvm.ptr) attributes {always_inline}
  llvm.func @kernel(%x: !llvm.ptr) attributes {
      dso_local, target_cpu = "x86-64", tune_cpu = "generic", no_inline, optimize_none,
      target_features = #llvm.target_features<["+avx2"]>, uwtable_kind = #llvm.uwtableKind<async>,
      frame_pointer = #llvm.framePointerKind<all>, passthrough = ["nofree"]} {
    %v = llvm.load %x : !llvm.ptr -> f64
    %s = llvm.load %x : !llvm.ptr -> f32
    // CHECK: llvm.call @__nv_pow(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
    %a = llvm.call @pow(%v, %v) : (f64, f64) -> f64
    // CHECK: llvm.call @__nv_powf(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
    %b = llvm.call @powf(%s, %s) : (f32, f32) -> f32
    // CHECK: llvm.intr.sqrt(%{{.*}}) : (f64) -> f64
    %c = llvm.call @sqrt(%a) : (f64) -> f64
    // CHECK: llvm.intr.maxnum(%{{.*}}, %{{.*}}) : (f64, f64) -> f64
    %d = llvm.call @fmax(%c, %v) : (f64, f64) -> f64
    // CHECK: llvm.call @__nv_exp(
    %e = llvm.intr.exp(%d) : (f64) -> f64
    // CHECK: llvm.call @__nv_sinf(
    %f = llvm.intr.sin(%b) : (f32) -> f32
    // CHECK: llvm.intr.fabs
    %g = llvm.intr.fabs(%e) : (f64) -> f64
    llvm.store %g, %x : f64, !llvm.ptr
    llvm.store %f, %x : f32, !llvm.ptr
    llvm.return
  }
  // CHECK-NOT: @unused
}
