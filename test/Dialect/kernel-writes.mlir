// What rule L16 leaves alone: what is no write, or not certainly one to memory
// that is only read.
//
// RUN: op2-opt %s -allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func @kernel
func.func @kernel(%a: memref<4xf64>, %b: memref<4xf64>, %i: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = memref.load %a[%c0] : memref<4xf64>
  memref.prefetch %a[%c0], write, locality<3>, data : memref<4xf64>
  // The copy of what is read is not.
  %own = memref.alloca() : memref<4xf64>
  memref.copy %a, %own : memref<4xf64> to memref<4xf64>
  memref.store %v, %own[%c0] : memref<4xf64>
  memref.copy %a, %b : memref<4xf64> to memref<4xf64>
  // One of two, of which one may be written.
  %is = arith.cmpf olt, %v, %v : f64
  %m = arith.select %is, %a, %b : memref<4xf64>
  memref.store %v, %m[%c0] : memref<4xf64>
  %n = scf.if %is -> memref<4xf64> {
    scf.yield %a : memref<4xf64>
  } else {
    scf.yield %own : memref<4xf64>
  }
  memref.store %v, %n[%c0] : memref<4xf64>
  %o = func.call @other(%a, %b) : (memref<4xf64>, memref<4xf64>) -> memref<4xf64>
  memref.store %v, %o[%c0] : memref<4xf64>
  // Nobody knows what that does, and what it returns.
  %p = func.call @unknown(%a) : (memref<4xf64>) -> memref<4xf64>
  memref.store %v, %p[%c0] : memref<4xf64>
  %q = scf.execute_region -> memref<4xf64> {
    cf.cond_br %is, ^bb1(%a : memref<4xf64>), ^bb1(%p : memref<4xf64>)
  ^bb1(%r: memref<4xf64>):
    scf.yield %r : memref<4xf64>
  }
  memref.store %v, %q[%c0] : memref<4xf64>
  %s = "test.view"(%a) : (memref<4xf64>) -> memref<4xf64>
  memref.store %v, %s[%c0] : memref<4xf64>
  // An index is the element's own.
  memref.store %zero, %i[%c0] : memref<1xi32>
  return
}
func.func private @other(%a: memref<4xf64>, %b: memref<4xf64>) -> memref<4xf64> {
  return %b : memref<4xf64>
}
func.func private @unknown(memref<4xf64>) -> memref<4xf64>

// CHECK-LABEL: func @loop
// CHECK: op2.par_loop @kernel
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  op2.par_loop @kernel over %s args(
      read %d : !op2.dat<4xf64>, rw %e : !op2.dat<4xf64>, index)
  return
}

// An imported kernel keeps the promise S3, or does not.
llvm.func @imported(%a: !llvm.ptr, %b: !llvm.ptr) {
  %v = llvm.load %b : !llvm.ptr -> f64
  llvm.store %v, %a : f64, !llvm.ptr
  llvm.return
}
// CHECK-LABEL: func @promise
// CHECK: op2.par_loop @imported
func.func @promise(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  op2.par_loop @imported over %s args(
      read %d : !op2.dat<4xf64>, rw %e : !op2.dat<4xf64>)
  return
}
