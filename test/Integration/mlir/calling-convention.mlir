// Kernels of another calling convention than C's are called by it.
//
// RUN: op2-run --target=seq %s | FileCheck %s
// RUN: op2-run --target=openmp --raise=0 %s | FileCheck %s
// RUN: op2-run --target=openmp %s | FileCheck %s
// RUN: op2-run --target=emulator --raise=0 %s | FileCheck %s
// CHECK: 11.000

llvm.mlir.global private constant @format("%.3f\0A\00")
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func fastcc @sum(%d: !llvm.ptr, %g: !llvm.ptr) {
  %a = llvm.load %d : !llvm.ptr -> f64
  %b = llvm.load %g : !llvm.ptr -> f64
  %c = llvm.fadd %a, %b : f64
  llvm.store %c, %g : f64, !llvm.ptr
  llvm.return
}

func.func @main() {
  %n = arith.constant 10 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %m = memref.alloc() : memref<10xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %m[%i] : memref<10xf64>
  }
  %s = op2.decl_set "s" size %n
  %d = op2.decl_dat "d" on %s values %m : memref<10xf64> -> !op2.dat<1xf64>
  %g = memref.alloc() : memref<1xf64>
  memref.store %one, %g[%c0] : memref<1xf64>
  op2.par_loop @sum over %s args(read %d : !op2.dat<1xf64>, inc global %g : memref<1xf64>)
  %z = memref.load %g[%c0] : memref<1xf64>
  %f = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%f, %z) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
  return
}
