// Elements that run in several blocks would be reduced several times by a
// function of the program, and those of a block that owns rows do not follow one
// another.
//
// RUN: op2-opt %s --op2-plan=target=emulator --split-input-file --verify-diagnostics
// RUN: op2-opt %s --op2-plan --split-input-file --verify-diagnostics

func.func @k(%a: memref<1xf64>, %g: memref<1xf64>) {
  return
}

func.func @owned(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>, %f: !llvm.ptr,
                 %i: memref<1xf64>, %g: memref<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is a global that the loop changes; expected another strategy}}
  op2.par_loop @k over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      reduce %f from %i global %g : memref<1xf64>) {strategy = #op2.strategy<owner>}
  return
}
