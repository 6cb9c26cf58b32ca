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

// -----

// Names that are the runtime's.

// expected-error @+1 {{has a name of the runtime's functions; expected one without 'op2rt_'}}
func.func private @op2rt_loop_begin() {
  return
}

// -----

// expected-error @+1 {{redefinition of function 'op2rt_decl_set' of different type}}
llvm.func @op2rt_decl_set(i32)
func.func @other_type(%n: index) {
  // expected-error @+1 {{incorrect number of operands}}
  %s = op2.decl_set "s" size %n
  return
}
