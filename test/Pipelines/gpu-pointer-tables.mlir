// What a pointer of the program leads to is read from a copy on the device, in
// global memory that no kernel changes.
//
// RUN: op2-opt %s --op2-to-gpu -o %t.mlir
// RUN: %python %S/Inputs/ptx.py < %t.mlir | FileCheck %s --check-prefix=PTX
// RUN: mlir-translate %t.mlir --mlir-to-llvmir | FileCheck %s
// RUN: not op2-opt %S/Inputs/written-table.mlir --op2-to-gpu 2>&1 | FileCheck %s --check-prefix=WRITTEN

// PTX: .visible .const .align 8 .{{[bu]}}64 weights
// PTX: .visible .entry op2_scale(
// PTX: ld.const.b64
// PTX: ld.global.nc.b64

// CHECK: call void @op2rt_device_table(ptr @__op2_image_op2_device, ptr @{{.*}}, ptr @weights)
// CHECK: call void @op2rt_device_launch(

// WRITTEN: written-table.mlir:{{[0-9]+}}:{{[0-9]+}}: error: writes what the pointer 'weights' leads to, of which a GPU has a copy to read

llvm.mlir.global external @weights() : !llvm.ptr

llvm.func internal @scale(%n: !llvm.ptr, %q: !llvm.ptr) attributes {dso_local, target_cpu = "x86-64"} {
  %a = llvm.mlir.addressof @weights : !llvm.ptr
  %w = llvm.load %a : !llvm.ptr -> !llvm.ptr
  %i = llvm.load %n : !llvm.ptr -> i32
  %p = llvm.getelementptr %w[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f64
  %g = llvm.load %p : !llvm.ptr -> f64
  %x = llvm.load %q : !llvm.ptr -> f64
  %y = llvm.fmul %x, %g : f64
  llvm.store %y, %q : f64, !llvm.ptr
  llvm.return
}

func.func @step(%cells: !op2.set, %n: !op2.dat<1xi32>, %q: !op2.dat<1xf64>) {
  op2.par_loop @scale over %cells args(read %n : !op2.dat<1xi32>, rw %q : !op2.dat<1xf64>)
  return
}
