// RUN: op2-opt %s --convert-op2-to-llvm --split-input-file -verify-diagnostics

// What was not lowered before is named.

llvm.func @k()
func.func @not_lowered(%s: !op2.set) {
  // expected-error @+1 {{failed to legalize operation 'op2.par_loop'}}
  op2.par_loop @k over %s args()
  return
}

// -----

func.func @not_openmp(%plan: !op2.plan) {
  // expected-error @+1 {{failed to legalize operation 'op2.for_colors'}}
  op2.for_colors %c of %plan {
  }
  return
}
