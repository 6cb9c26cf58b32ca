// The program's variables, and a kernel that Clang compiled for the host.
//
// RUN: op2-opt %s --op2-to-gpu -o %t.mlir
// RUN: %python %S/Inputs/ptx.py < %t.mlir | FileCheck %s --check-prefix=PTX
// RUN: mlir-translate %t.mlir --mlir-to-llvmir | FileCheck %s

// PTX: .visible .const .align 8 .{{[bf]}}64 gam
// PTX: .visible .entry op2_scale(
// PTX: ld.const.b64
// PTX: sqrt.rn.f64

// CHECK: call void @op2rt_device_constant(ptr @__op2_image_op2_device, ptr @{{.*}}, ptr @gam, i64 8)
// CHECK: call void @op2rt_device_launch(

llvm.mlir.global external @gam() : f64
llvm.func @sqrt(f64) -> f64

llvm.func internal @scale(%q: !llvm.ptr) attributes {dso_local, target_cpu = "x86-64"} {
  %a = llvm.mlir.addressof @gam : !llvm.ptr
  %g = llvm.load %a : !llvm.ptr -> f64
  %x = llvm.load %q : !llvm.ptr -> f64
  %r = llvm.call @sqrt(%x) : (f64) -> f64
  %y = llvm.fmul %r, %g : f64
  llvm.store %y, %q : f64, !llvm.ptr
  llvm.return
}

func.func @step(%cells: !op2.set, %q: !op2.dat<4xf64>) {
  op2.par_loop @scale over %cells args(rw %q : !op2.dat<4xf64>)
  return
}
