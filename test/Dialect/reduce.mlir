// Reductions by functions of the program.
//
// RUN: op2-opt %s | op2-opt | FileCheck %s
// RUN: op2-opt %s --mlir-print-op-generic | op2-opt | FileCheck %s

func.func private @k(memref<6xf64>, memref<1xi32>)
llvm.func @join(!llvm.ptr, !llvm.ptr)
llvm.func @imported(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[EMPTY:[^:]*]]: memref<6xf64>, %[[BOX:[^:]*]]: memref<6xf64>
func.func @loops(%s: !op2.set, %x: !op2.dat<1xf64>, %empty: memref<6xf64>, %box: memref<6xf64>, %flag: i1) {
  // CHECK: %[[JOIN:.*]] = llvm.mlir.addressof @join
  %join = llvm.mlir.addressof @join : !llvm.ptr
  // CHECK: reduce %[[JOIN]] from %[[EMPTY]] global %[[BOX]] : memref<6xf64>,
  // CHECK-NEXT: index)
  op2.par_loop @k over %s args(reduce %join from %empty global %box : memref<6xf64>, index)
  // CHECK: read %{{.*}} : !op2.dat<1xf64>,
  // CHECK-NEXT: if %{{.*}} reduce %[[JOIN]] from %[[EMPTY]] global %[[BOX]] : memref<6xf64>)
  op2.par_loop @imported over %s args(
      read %x : !op2.dat<1xf64>,
      if %flag reduce %join from %empty global %box : memref<6xf64>)
  // CHECK: op2.reduction_begin %{{.*}} arg 0 : !op2.reduction<6xf64>
  %loop = op2.loop_begin "k" over %s args(reduce %join from %empty global %box : memref<6xf64>) {target = #op2.target<seq>, strategy = "sequential"}
  %r = op2.reduction_begin %loop arg 0 : !op2.reduction<6xf64>
  return
}
