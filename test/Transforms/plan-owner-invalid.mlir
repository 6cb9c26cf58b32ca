// A loop that asks for ownership and cannot have it, by threads or by blocks of a
// device.

// RUN: op2-opt %s --op2-plan --split-input-file --verify-diagnostics
// RUN: op2-opt %s --op2-plan=target=cuda --split-input-file --verify-diagnostics

func.func @kernel(%r: memref<1xf64>, %d: memref<1xf64>, %s: memref<1xf64>) {
  return
}

func.func @direct(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                  %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is changed directly; expected another strategy}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, rw %d : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func private @kernel(memref<1xf64>, memref<1xf64>)

func.func @unknown(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel has no body here; expected another strategy}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

llvm.func @for_debuggers(!llvm.ptr, !llvm.ptr) attributes {op2.missing_body = "is not optimised (-O0)"}

func.func @unknown(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because its kernel is not optimised (-O0)}}
  op2.par_loop @for_debuggers over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %d: memref<1xf64>, %o: memref<1xf64>,
                  %s: memref<1xf64>) {
  return
}

// Where one element runs several times, it must not read what it has written.
func.func @written(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is changed}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, write %d : !op2.dat<1xf64>,
      read %d : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

func.func @kernel(%r: memref<1xf64>, %d: memref<1xf64>) {
  return
}

func.func @maximum(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                   %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 has access 'max' through a map; expected another strategy}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      max %d : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<owner>}
  return
}
