// RUN: op2-opt %s --op2-raise-kernels | FileCheck %s --check-prefix=RAISED
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v3 --op2-raise-kernels --op2-plan --op2-vectorize | FileCheck %s
// RUN: op2-opt %s --op2-raise-kernels --op2-plan --op2-vectorize | FileCheck %s --check-prefix=SCALAR
// RUN: op2-opt %s --op2-raise-kernels --op2-split 2>&1 | FileCheck %s --check-prefix=SPLIT
//
// A kernel with a path that never returns: the frontend adds one without the
// path, and one that says whether an element takes it.

llvm.func @abort() attributes {passthrough = ["noreturn"]}

llvm.func @root.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  llvm.cond_br %1, ^left, ^usual
^left:
  llvm.call @abort() : () -> ()
  llvm.unreachable
^usual:
  %2 = llvm.intr.sqrt(%0) : (f64) -> f64
  llvm.store %2, %r : f64, !llvm.ptr
  %3 = llvm.load %sum : !llvm.ptr -> f64
  %4 = llvm.fadd %3, %2 : f64
  llvm.store %4, %sum : f64, !llvm.ptr
  llvm.return
}
llvm.func @root.usual.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> f64
  %2 = llvm.intr.sqrt(%0) : (f64) -> f64
  llvm.store %2, %r : f64, !llvm.ptr
  %3 = llvm.load %sum : !llvm.ptr -> f64
  %4 = llvm.fadd %3, %2 : f64
  llvm.store %4, %sum : f64, !llvm.ptr
  llvm.return
}
llvm.func @root.check.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) -> i1 {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  llvm.return %1 : i1
}

// What it checks depends on what other elements have added.
llvm.func @full.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) {
  llvm.call @abort() : () -> ()
  llvm.return
}
llvm.func @full.usual.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) {
  llvm.return
}
llvm.func @full.check.op2(%x: !llvm.ptr, %r: !llvm.ptr, %sum: !llvm.ptr) -> i1 {
  %limit = llvm.mlir.constant(4.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.load %sum : !llvm.ptr -> f64
  %2 = llvm.fadd %0, %1 : f64
  llvm.store %2, %r : f64, !llvm.ptr
  %3 = llvm.load %r : !llvm.ptr -> f64
  %4 = llvm.fcmp "ogt" %3, %limit : f64
  llvm.cond_br %4, ^left, ^usual
^left:
  %true = llvm.mlir.constant(true) : i1
  llvm.return %true : i1
^usual:
  %false = llvm.mlir.constant(false) : i1
  llvm.return %false : i1
}

// RAISED-LABEL: func.func private @root.check.op2.raised
// RAISED-SAME:  (%{{.*}}: memref<1xf64>, %{{.*}}: memref<1xf64>, %{{.*}}: memref<1xf64>) -> i1
// RAISED:       return %{{.*}} : i1
// RAISED-NOT:   @full.check.op2.raised
// RAISED-LABEL: func.func @f
// RAISED:       op2.par_loop @root.usual.op2.raised
// RAISED:       op2.not_raised = {{.*}}, op2.usual = [@root.check.op2.raised, @root.op2]}
// RAISED:       op2.par_loop @full.op2 over
// RAISED-NOT:   op2.usual

// Single elements, and vectors with an element that takes the path, go through
// the whole kernel. The check has memory of its own to write to.
// CHECK-LABEL: func.func @f
// CHECK:       op2.for_elements
// CHECK-NOT:     call @root.usual.op2.raised(
// CHECK:         llvm.call @root.op2(
// CHECK:       } lanes 4 %[[FIRST:.*]] {
// CHECK:         %[[OWN:.*]] = memref.alloca() {{.*}} : memref<1x4xf64>
// CHECK:         %[[FOUND:.*]] = {{(func\.)?}}call @root.check.op2.raised_x4(%{{.*}}, %{{.*}}, %{{.*}}) : {{.*}} -> vector<4xi1>
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[FOUND]]
// CHECK:         %[[TERMS:.*]] = scf.if %[[ANY]] -> (vector<4xf64>) {
// CHECK:           scf.for %[[LANE:.*]] =
// CHECK:             %[[ELEMENT:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK:             op2.row %{{.*}}[%[[ELEMENT]]] : memref<?x1xf64> -> !llvm.ptr
// CHECK:             llvm.call @root.op2(
// CHECK:             memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[LANE]]] : memref<1x4xf64>
// CHECK:         } else {
// CHECK:           call @root.usual.op2.raised_x4(
// CHECK:         }
// CHECK:         %[[TO:.*]] = op2.terms
// CHECK:         vector.store %[[TERMS]], %[[TO]]

// SCALAR-LABEL: func.func @f
// SCALAR-NOT:     lanes
// SCALAR-NOT:     usual.op2.raised(
// SCALAR:         llvm.call @root.op2(

// SPLIT: loop 'root.op2' is not split: its kernel has paths that print or do not return
func.func @f(%s: !op2.set, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %sum: memref<1xf64>) {
  op2.par_loop @root.op2 over %s args(read %x : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  op2.par_loop @full.op2 over %s args(read %x : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  return
}
