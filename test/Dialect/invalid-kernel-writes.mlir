// RUN: op2-opt %s -split-input-file -verify-diagnostics

// L16: a store
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{written here}}
  memref.store %one, %a[%c0] : memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: a store in a branch of a loop
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %b[%i] : memref<4xf64>
    %is = arith.cmpf olt, %v, %one : f64
    scf.if %is {
      // expected-note @+1 {{written here}}
      memref.store %v, %a[%i] : memref<4xf64>
    }
  }
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: through views
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %view = memref.subview %a[1] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 1>>
  %cast = memref.cast %view : memref<2xf64, strided<[1], offset: 1>> to memref<?xf64, strided<[1], offset: ?>>
  // expected-note @+1 {{written here}}
  memref.store %one, %cast[%c0] : memref<?xf64, strided<[1], offset: ?>>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: through other views
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %flat = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf64> to memref<2x2xf64>
  %back = memref.collapse_shape %flat [[0, 1]] : memref<2x2xf64> into memref<4xf64>
  // expected-note @+1 {{written here}}
  memref.store %one, %back[%c0] : memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: a vector
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %v = vector.broadcast %one : f64 to vector<2xf64>
  // expected-note @+1 {{written here}}
  vector.store %v, %a[%c0] : memref<4xf64>, vector<2xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: a masked transfer
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %v = vector.broadcast %one : f64 to vector<2xf64>
  // expected-note @+1 {{written here}}
  vector.transfer_write %v, %a[%c0] : vector<2xf64>, memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: a scatter
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %v = vector.broadcast %one : f64 to vector<2xf64>
  %i = arith.constant dense<[0, 1]> : vector<2xi32>
  %mask = vector.constant_mask [2] : vector<2xi1>
  // expected-note @+1 {{written here}}
  vector.scatter %a[%c0] [%i], %mask, %v : memref<4xf64>, vector<2xi32>, vector<2xi1>, vector<2xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: an atomic addition
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{written here}}
  %old = memref.atomic_rmw addf %one, %a[%c0] : (f64, memref<4xf64>) -> f64
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: any atomic change
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{written here}}
  %old = memref.generic_atomic_rmw %a[%c0] : memref<4xf64> {
  ^bb0(%value: f64):
    memref.atomic_yield %value : f64
  }
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: a copy
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{written here}}
  memref.copy %b, %a : memref<4xf64> to memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: as a pointer
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %p = op2.ptr_cast %a : memref<4xf64> -> !llvm.ptr
  %q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, f64
  // expected-note @+1 {{written here}}
  llvm.store %one, %q : f64, !llvm.ptr
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: in a function that the kernel calls
func.func private @inner(%m: memref<4xf64>, %v: f64) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{written here}}
  memref.store %v, %m[%c0] : memref<4xf64>
  return
}
func.func private @outer(%v: f64, %m: memref<4xf64>) {
  call @inner(%m, %v) : (memref<4xf64>, f64) -> ()
  return
}
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  call @outer(%one, %a) : (f64, memref<4xf64>) -> ()
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: to what a function returns
func.func private @same(%m: memref<4xf64>) -> memref<4xf64> {
  return %m : memref<4xf64>
}
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %m = call @same(%a) : (memref<4xf64>) -> memref<4xf64>
  // expected-note @+1 {{written here}}
  memref.store %one, %m[%c0] : memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: in a function that calls itself
func.func private @again(%m: memref<4xf64>, %v: f64) {
  %c0 = arith.constant 0 : index
  %old = memref.load %m[%c0] : memref<4xf64>
  %more = arith.cmpf olt, %old, %v : f64
  scf.if %more {
    // expected-note @+1 {{written here}}
    memref.store %v, %m[%c0] : memref<4xf64>
    func.call @again(%m, %v) : (memref<4xf64>, f64) -> ()
  }
  return
}
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  call @again(%a, %one) : (memref<4xf64>, f64) -> ()
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: around a loop
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %a) -> memref<4xf64> {
    // expected-note @+1 {{written here}}
    memref.store %one, %m[%i] : memref<4xf64>
    scf.yield %m : memref<4xf64>
  }
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'; expected 'write', 'rw' or 'inc'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, inc %e : !op2.dat<4xf64>)
  return
}

// -----

// L16: one of two, both of which are read
func.func @k(%a: memref<4xf64>, %b: memref<4xf64>, %c: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %c[%c0] : memref<4xf64>
  %is = arith.cmpf olt, %v, %v : f64
  %m = arith.select %is, %a, %b : memref<4xf64>
  %n = scf.if %is -> memref<4xf64> {
    scf.yield %m : memref<4xf64>
  } else {
    scf.yield %b : memref<4xf64>
  }
  // expected-note @+1 {{written here}}
  memref.store %v, %n[%c0] : memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %g: memref<4xf64>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 0, for which argument 0 has access 'read'}}
  op2.par_loop @k over %s args(read %d : !op2.dat<4xf64>, read global %g : memref<4xf64>, rw %d : !op2.dat<4xf64>)
  return
}

// -----

// L16: a row of a vector argument, between blocks
func.func @k(%a: memref<1xf64>, %b: memref<4xf64>, %c: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %is = arith.cmpf olt, %v, %v : f64
  cf.cond_br %is, ^bb1(%b : memref<4xf64>), ^bb1(%c : memref<4xf64>)
^bb1(%m: memref<4xf64>):
  // expected-note @+1 {{written here}}
  memref.store %v, %m[%c0] : memref<4xf64>
  return
}
func.func @loop(%s: !op2.set, %d: !op2.dat<4xf64>, %e: !op2.dat<1xf64>, %m: !op2.map<2>) {
  // expected-error @+1 {{[L16] kernel 'k' writes to parameter 1, for which argument 1 has access 'read'}}
  op2.par_loop @k over %s args(rw %e : !op2.dat<1xf64>, read %d : !op2.dat<4xf64> via %m[0 to 2] : !op2.map<2>)
  return
}
