// Threads cannot tell which of an element's executions counts in a reduction;
// blocks of a device can (plan-owned-rows.mlir).

// RUN: op2-opt %s --op2-plan --verify-diagnostics

func.func @kernel(%r: memref<1xf64>, %g: memref<1xf64>) {
  return
}

func.func @reduction(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                     %g: memref<1xf64>) {
  // expected-error @+1 {{cannot be divided by ownership because argument 1 is a global that the loop changes; expected another strategy}}
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc global %g : memref<1xf64>) {strategy = #op2.strategy<owner>}
  return
}
