// What threads that own rows cannot do, and blocks of a device can
// (plan-owned-rows.mlir): partial results that depend on how many there are,
// writing through maps what others write as well.

// RUN: op2-opt %s --op2-plan --split-input-file --verify-diagnostics

func.func @kernel(%r: memref<1xf64>, %g: memref<1xf64>, %i: memref<1xi32>) {
  return
}

// Threads would have a partial result each, and of those that are equal the
// first brings its info.
func.func @maximum(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %g: memref<1xf64>, %i: memref<1xi32>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is a global whose result would depend on the number of threads; expected another strategy}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      max global %g : memref<1xf64>,
      max info of 1 %i : memref<1xi32>) {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %g: memref<65xf64>) {
  return
}

func.func @long(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                %g: memref<65xf64>) {
  // expected-error @+1 {{because argument 1 is a global whose result would depend on the number of threads}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc global %g : memref<65xf64>) {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %g: memref<65xf64>) {
  return
}

func.func @many_maxima(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                       %g: memref<65xf64>) {
  // expected-error @+1 {{because argument 1 is a global whose result would depend on the number of threads}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      max global %g : memref<65xf64>) {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %g: memref<1xf64>) {
  return
}

func.func @optional(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                    %g: memref<1xf64>, %is: i1) {
  // expected-error @+1 {{because argument 1 is a sum, and no argument is always there whose owner could count the element}}
  op2.par_loop @kernel over %edges args(
      if %is inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc global %g : memref<1xf64>) {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %s: memref<1xf64>, %w: memref<1xf64>) {
  return
}

func.func @through_map(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                       %w: !op2.dat<1xf64>) {
  // expected-error @+1 {{because argument 2 has access 'write' through a map}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      write %w : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<owner>}
  return
}
