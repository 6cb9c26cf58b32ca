// RUN: op2-opt %s --convert-op2-to-scf -verify-diagnostics

// L12
func.func private @k(memref<1xf64>)
func.func @scratch(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L12] argument 0: access 'work' is not yet supported by this lowering}}
  op2.par_loop @k over %s args(work global %g : memref<1xf64>)
  return
}
