// Variables of the program that a kernel reaches only through a constant table get
// their values on the device, too.
//
// RUN: op2-opt %s --op2-to-gpu -o %t.mlir
// RUN: mlir-translate %t.mlir --mlir-to-llvmir | FileCheck %s

// CHECK-DAG: call void @op2rt_device_constant(ptr @__op2_image_op2_device, ptr @{{.*}}, ptr @one, i64 8)
// CHECK-DAG: call void @op2rt_device_constant(ptr @__op2_image_op2_device, ptr @{{.*}}, ptr @two, i64 8)

llvm.mlir.global external @one() : f64
llvm.mlir.global external @two() : f64
llvm.mlir.global internal constant @table() {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.undef : !llvm.array<2 x ptr>
  %1 = llvm.mlir.addressof @one : !llvm.ptr
  %2 = llvm.insertvalue %1, %0[0] : !llvm.array<2 x ptr>
  %3 = llvm.mlir.addressof @two : !llvm.ptr
  %4 = llvm.insertvalue %3, %2[1] : !llvm.array<2 x ptr>
  llvm.return %4 : !llvm.array<2 x ptr>
}

llvm.func internal @choose(%i: !llvm.ptr, %q: !llvm.ptr) attributes {dso_local, target_cpu = "x86-64"} {
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %n = llvm.load %i : !llvm.ptr -> i32
  %entry = llvm.getelementptr %table[%n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
  %a = llvm.load %entry : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %a : !llvm.ptr -> f64
  llvm.store %x, %q : f64, !llvm.ptr
  llvm.return
}

func.func @step(%cells: !op2.set, %i: !op2.dat<1xi32>, %q: !op2.dat<1xf64>) {
  op2.par_loop @choose over %cells args(read %i : !op2.dat<1xi32>, write %q : !op2.dat<1xf64>)
  return
}
