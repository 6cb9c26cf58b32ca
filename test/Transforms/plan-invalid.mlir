// RUN: op2-opt %s --op2-plan -split-input-file -verify-diagnostics

// L12
func.func private @k(memref<1xf64>)
func.func @written_global(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L12] argument 0: a global with access 'write' is not yet supported by this lowering; use --op2-to-seq}}
  op2.par_loop @k over %s args(write global %g : memref<1xf64>)
  return
}

// -----

// L12
func.func private @k(memref<1xf64>)
func.func @optional_reduction(%s: !op2.set, %g: memref<1xf64>, %f: i1) {
  // expected-error @+1 {{[L12] argument 0: an optional reduction is not yet supported}}
  op2.par_loop @k over %s args(if %f inc global %g : memref<1xf64>)
  return
}
