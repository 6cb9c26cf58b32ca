// RUN: op2-opt %s --op2-plan -split-input-file -verify-diagnostics
// RUN: op2-opt %s --op2-plan=target=cuda -split-input-file -verify-diagnostics

// L12
func.func private @k(memref<1xf64>)
func.func @changed_global(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L12] argument 0: a global with access 'rw' has no meaning when elements run in parallel, because each sees what those before it have left; expected 'inc', 'min', 'max' or 'write', or --op2-to-seq}}
  op2.par_loop @k over %s args(rw global %g : memref<1xf64>)
  return
}
