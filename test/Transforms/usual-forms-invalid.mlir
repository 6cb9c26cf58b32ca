// Loops whose kernels lack paths, where they cannot run, or whose other functions
// are not there.
//
// RUN: op2-opt %s --op2-plan --op2-vectorize -split-input-file -verify-diagnostics
// RUN: sed 's/expected-error/expected-note/' %s > %t.mlir
// RUN: not op2-opt %t.mlir -split-input-file --op2-to-seq 2>&1 | FileCheck %s --check-prefix=SEQ
// RUN: not op2-opt %t.mlir -split-input-file --op2-plan=target=emulator 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not op2-opt %t.mlir -split-input-file --op2-plan --convert-op2-to-openmp 2>&1 | FileCheck %s --check-prefix=OPENMP
//
// SEQ: 'op2.par_loop' op lacks the paths of its kernel that print or do not return; expected the kernel as it was before op2-raise-kernels{{$}}
// DEVICE: 'op2.par_loop' op lacks the paths of its kernel that print or do not return; expected the kernel as it was before op2-raise-kernels, or target openmp
// OPENMP: 'op2.loop_begin' op lacks the paths of its kernel that print or do not return; expected op2-vectorize before

func.func private @check(%x: memref<1xf64>) -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func private @usual(%x: memref<1xf64>) {
  return
}
llvm.func @whole(!llvm.ptr, !llvm.ptr)
func.func @f(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-error @+1 {{[T4] 'op2.usual' names @whole, expected an imported kernel that takes 1 pointers}}
  op2.par_loop @usual over %s args(read %x : !op2.dat<1xf64>) {op2.usual = [@check, @whole]}
  return
}

// -----

func.func private @usual(%x: memref<1xf64>) {
  return
}
llvm.func @whole(!llvm.ptr)
func.func @f(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-error @+1 {{[T4] 'op2.usual' names @usual, expected a function '(memref<1xf64>) -> i1' with a body}}
  op2.par_loop @usual over %s args(read %x : !op2.dat<1xf64>) {op2.usual = [@usual, @whole]}
  return
}

// -----

llvm.func @usual(%x: !llvm.ptr) {
  llvm.return
}
func.func @f(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-error @+1 {{[T4] 'op2.usual' is of loops with one raised kernel}}
  op2.par_loop @usual over %s args(read %x : !op2.dat<1xf64>) {op2.usual = [@usual, @usual]}
  return
}
