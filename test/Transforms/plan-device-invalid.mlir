// RUN: op2-opt %s --op2-plan=target=cuda -split-input-file -verify-diagnostics

// L12
func.func private @k(memref<1xf64>)
func.func @scratch(%s: !op2.set, %g: memref<1xf64>) {
  // expected-error @+1 {{[L12] argument 0: a global with access 'work' is not yet supported}}
  op2.par_loop @k over %s args(work global %g : memref<1xf64>)
  return
}

// -----

// L12
func.func private @k(memref<1xf64>, memref<1xi32>)
func.func @info(%s: !op2.set, %g: memref<1xf64>, %i: memref<1xi32>) {
  // expected-error @+1 {{[L12] argument 1: an info is not yet supported by lowerings for devices; use --op2-to-openmp or --op2-to-seq}}
  op2.par_loop @k over %s args(max global %g : memref<1xf64>, max info of 0 %i : memref<1xi32>)
  return
}
