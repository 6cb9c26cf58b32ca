// MLIR's verifier takes allocas and addresses of types that have no size: such
// kernels are not raised.
//
// RUN: op2-opt %s --op2-raise-kernels --split-input-file --verify-diagnostics

llvm.func @k(%x: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  // expected-note @+1 {{here}}
  %local = llvm.alloca %one x memref<1xf64> : (i32) -> !llvm.ptr
  %0 = llvm.load %x : !llvm.ptr -> f64
  llvm.store %0, %local : f64, !llvm.ptr
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @+1 {{kernel 'k' is not raised: has a local variable that is not an array of numbers}}
  op2.par_loop @k over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @k(%x: !llvm.ptr) {
  // expected-note @+1 {{here}}
  %p = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, memref<1xf64>
  %0 = llvm.load %x : !llvm.ptr -> f64
  llvm.store %0, %p : f64, !llvm.ptr
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>) {
  // expected-remark @+1 {{kernel 'k' is not raised: uses a pointer that may point to different objects}}
  op2.par_loop @k over %s args(rw %x : !op2.dat<2xf64>)
  return
}
