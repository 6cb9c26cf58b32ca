// What blocks of a device that own rows would add in another order than the
// kernel, or have no room for.

// RUN: op2-opt %s --op2-plan=target=cuda --split-input-file --verify-diagnostics
// Threads add in place.
// RUN: op2-opt %s --op2-plan --split-input-file | FileCheck %s
// CHECK: strategy = "ownership"

// (r + 1) + 1 is not r + (1 + 1).
func.func @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c0] : memref<1xf64>
  %y = arith.addf %x, %one : f64
  %z = arith.addf %y, %one : f64
  memref.store %z, %a[%c0] : memref<1xf64>
  return
}

func.func @two_additions(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel does more than one addition for each component of argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// A product that is added has one rounding in place, and two by way of memory.
func.func @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c0] : memref<1xf64>
  %y = math.fma %one, %one, %x : f64
  memref.store %y, %a[%c0] : memref<1xf64>
  return
}

func.func @fused(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel does more than one addition for each component of argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// 1 - r is no increment.
func.func @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c0] : memref<1xf64>
  %y = arith.subf %one, %x : f64
  memref.store %y, %a[%c0] : memref<1xf64>
  return
}

func.func @taken_from(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel does more than one addition for each component of argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// What is done by way of a view is not followed.
func.func @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %v = memref.cast %a : memref<1xf64> to memref<?xf64>
  memref.store %one, %v[%c0] : memref<?xf64>
  return
}

func.func @viewed(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel does more than one addition for each component of argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// One component twice, the second time to what was there before the first one.
func.func @k(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %a[%c1] : memref<2xf64>
  %y = memref.load %a[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%c1] : memref<2xf64>
  %ys = arith.addf %y, %one : f64
  memref.store %ys, %a[%c1] : memref<2xf64>
  return
}

func.func @again(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel may add several times to argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// More rows than there is room for.
func.func @k(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c33 step %c1 {
  %x = memref.load %a[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%c1] : memref<2xf64>
  }
  return
}

func.func @in_a_loop(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel may add several times to argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// In each turn of the outer one, nobody knows how often.
func.func @k(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %some = arith.fptosi %one : f64 to i32
  %end = arith.index_cast %some : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
  %x = memref.load %a[%j] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%j] : memref<2xf64>
    }
  }
  return
}

func.func @in_two_loops(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel may add several times to argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// The two rows of an element may be one: then the first addition is lost.
func.func @k(%a: memref<2xf64>, %b: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %b[%c1] : memref<2xf64>
  %y = memref.load %a[%c1] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %b[%c1] : memref<2xf64>
  %ys = arith.addf %y, %one : f64
  memref.store %ys, %a[%c1] : memref<2xf64>
  return
}

func.func @backwards(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel adds not in the order of the arguments to argument 0; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// The second row gets its component 1 a turn before the first one does.
func.func @k(%a: memref<2xf64>, %b: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c1 step %c1 {
    %j = arith.addi %i, %c1 : index
  %x = memref.load %a[%i] : memref<2xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %a[%i] : memref<2xf64>
  %y = memref.load %b[%j] : memref<2xf64>
  %ys = arith.addf %y, %one : f64
  memref.store %ys, %b[%j] : memref<2xf64>
  }
  return
}

func.func @shifted(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel adds not in the order of the arguments to argument 1; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// Packed rows are added behind the kernel.
func.func @k(%a: memref<2xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %x = memref.load %b[%c0] : memref<1xf64>
  %xs = arith.addf %x, %one : f64
  memref.store %xs, %b[%c0] : memref<1xf64>
  return
}

func.func @behind_packed(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel adds not in the order of the arguments to argument 1; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc packed %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// A single element must fit.
func.func @k(%a: memref<6145xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64

  return
}

func.func @too_large(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<6145xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its increments have 49160 bytes, more than the 49152 of a block's shared memory; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<6145xf64> via %m[0] : !op2.map<2>) {strategy = #op2.strategy<owner>}
  return
}

// -----

// Several blocks write the row of an element at a border: none may read what
// another one is about to write, and copies have an end. Threads leave it to its
// owner.
// CHECK-LABEL: func.func @read_again
// CHECK: strategy = "ownership"
func.func @k(%a: memref<1xf64>, %w: memref<65xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %w[%c0] : memref<65xf64>
  %x = memref.load %w[%c0] : memref<65xf64>
  %y = arith.addf %x, %one : f64
  memref.store %y, %w[%c0] : memref<65xf64>
  return
}

func.func @read_again(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                      %w: !op2.dat<65xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is read again by the kernel that has written it}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, write %w : !op2.dat<65xf64>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @k(%a: memref<1xf64>, %g: memref<1xf64>) {
  return
}

func.func @optional(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                    %w: !op2.dat<1xf64>, %is: i1) {
  // expected-error @+1 {{because all that it adds through maps is optional, so that an element may have no owner to do the rest}}
  op2.par_loop @k over %edges args(
      if %is inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      write %w : !op2.dat<1xf64>) {strategy = #op2.strategy<owner>}
  return
}
