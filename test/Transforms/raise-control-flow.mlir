// RUN: op2-opt %s --op2-raise-kernels --split-input-file | FileCheck %s

// Branches.

// CHECK-LABEL: func.func private @branch.raised(
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK: math.sin
// CHECK: } else {
// CHECK: math.cos
// CHECK: }
// CHECK: memref.store %[[IF]], %{{.*}}
// CHECK-NOT: cf.
llvm.func @branch(%x: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  llvm.cond_br %1, ^neg, ^pos
^neg:
  %2 = llvm.intr.sin(%0) : (f64) -> f64
  llvm.br ^end(%2 : f64)
^pos:
  %3 = llvm.intr.cos(%0) : (f64) -> f64
  llvm.br ^end(%3 : f64)
^end(%4: f64):
  llvm.store %4, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  op2.par_loop @branch over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

// An early return; a branch that cannot happen.

// CHECK-LABEL: func.func private @early.raised(
// CHECK: %[[CASE:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: scf.if
// CHECK: memref.store
// CHECK: return
// CHECK-NEXT: }
llvm.func @early(%x: !llvm.ptr, %n: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %n : !llvm.ptr -> i32
  llvm.switch %0 : i32, ^stop [
    1: ^never,
    2: ^work
  ]
^never:
  llvm.unreachable
^work:
  llvm.store %zero, %x : f64, !llvm.ptr
  llvm.return
^stop:
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: memref<1xi32>) {
  op2.par_loop @early over %s args(rw %x : !op2.dat<1xf64>, read global %n : memref<1xi32>)
  return
}

// -----

// A loop that counts.

// CHECK-LABEL: func.func private @counted.raised(
// CHECK-SAME: %[[X:.*]]: memref<1xf64>, %[[N:.*]]: memref<1xi32>)
// CHECK: %[[END:.*]] = memref.load %[[N]]
// CHECK: %[[MAX:.*]] = arith.maxsi %[[END]], %c1_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[MAX]] step %c1_i32 iter_args(%{{.*}} = %{{.*}}) -> (f64) : i32
// CHECK-NOT: scf.while
llvm.func @counted(%x: !llvm.ptr, %n: !llvm.ptr) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %end = llvm.load %n : !llvm.ptr -> i32
  %v = llvm.load %x : !llvm.ptr -> f64
  llvm.br ^body(%c0, %v : i32, f64)
^body(%i: i32, %sum: f64):
  %0 = llvm.intr.sin(%sum) : (f64) -> f64
  %1 = llvm.add %i, %c1 overflow<nsw> : i32
  %2 = llvm.icmp "slt" %1, %end : i32
  llvm.cond_br %2, ^body(%1, %0 : i32, f64), ^exit
^exit:
  llvm.store %0, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: memref<1xi32>) {
  op2.par_loop @counted over %s args(rw %x : !op2.dat<1xf64>, read global %n : memref<1xi32>)
  return
}

// -----

// A loop that runs until something is found.

// CHECK-LABEL: func.func private @until.raised(
// CHECK: scf.while
// CHECK: math.sqrt
llvm.func @until(%x: !llvm.ptr) {
  %one = llvm.mlir.constant(1.5 : f64) : f64
  %v = llvm.load %x : !llvm.ptr -> f64
  llvm.br ^body(%v : f64)
^body(%sum: f64):
  %0 = llvm.intr.sqrt(%sum) : (f64) -> f64
  %1 = llvm.fcmp "ogt" %0, %one : f64
  llvm.cond_br %1, ^body(%0 : f64), ^exit
^exit:
  llvm.store %0, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  op2.par_loop @until over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

// Pointers into one row that depend on the way become indices.

// CHECK-LABEL: func.func private @pointers.raised(
// CHECK-SAME: %[[X:.*]]: memref<4xf64>)
// CHECK: %[[I:.*]] = arith.select %{{.*}}, %c1, %c2 : index
// CHECK: memref.store %{{.*}}, %[[X]][%[[I]]]
// CHECK: scf.while
// CHECK: memref.store %{{.*}}, %[[X]][%{{.*}}]
llvm.func @pointers(%x: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  %2 = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %3 = llvm.getelementptr %x[2] : (!llvm.ptr) -> !llvm.ptr, f64
  %4 = llvm.select %1, %2, %3 : i1, !llvm.ptr
  llvm.store %0, %4 : f64, !llvm.ptr
  llvm.br ^body(%x : !llvm.ptr)
^body(%p: !llvm.ptr):
  llvm.store %zero, %p : f64, !llvm.ptr
  %6 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %7 = llvm.load %6 : !llvm.ptr -> f64
  %8 = llvm.fcmp "olt" %7, %zero : f64
  llvm.cond_br %8, ^body(%6 : !llvm.ptr), ^exit
^exit:
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<4xf64>) {
  op2.par_loop @pointers over %s args(rw %x : !op2.dat<4xf64>)
  return
}

// -----

// One of two rows is read: both are there.

// CHECK-LABEL: func.func private @choice.raised(
// CHECK-SAME: %[[X:.*]]: memref<2xf64>, %[[Y:.*]]: memref<2xf64>)
// CHECK-DAG: %[[A:.*]] = memref.load %[[X]][%c1]
// CHECK-DAG: %[[B:.*]] = memref.load %[[Y]][%c0]
// CHECK: arith.select %{{.*}}, %[[A]], %[[B]] : f64
llvm.func @choice(%x: !llvm.ptr, %y: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  %2 = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %3 = llvm.select %1, %2, %y : i1, !llvm.ptr
  %4 = llvm.load %3 : !llvm.ptr -> f64
  llvm.store %4, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<2xf64>) {
  op2.par_loop @choice over %s args(rw %x : !op2.dat<2xf64>, read %y : !op2.dat<2xf64>)
  return
}
