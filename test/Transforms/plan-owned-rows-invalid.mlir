// What may not run twice, in blocks of a device that own rows.

// RUN: op2-opt %s --op2-plan=target=cuda --split-input-file --verify-diagnostics
// Threads add to the data themselves.
// RUN: op2-opt %s --op2-plan --split-input-file | FileCheck %s

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
  // expected-error @+1 {{cannot be divided by ownership because argument 1 may be read again by the kernel that has written it}}
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

// -----

// In place, by the element that counts: who adds to the same rows through a map
// would have to come at its place in the order of the elements.
func.func @k(%a: memref<1xf64>, %w: memref<1xf64>) {
  return
}

func.func @both_ways(%cells: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is changed directly}}
  op2.par_loop @k over %cells args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, inc %r : !op2.dat<1xf64>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

// Other blocks would read what the one in which the element counts has changed.
func.func @k(%a: memref<1xf64>, %w: memref<1xf64>) {
  return
}

func.func @changed(%cells: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>, %w: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is changed directly}}
  op2.par_loop @k over %cells args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, rw %w : !op2.dat<1xf64>)
      {strategy = #op2.strategy<owner>}
  return
}
