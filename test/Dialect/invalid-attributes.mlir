// RUN: op2-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{[T4] vector_bits must be 0, 128, 256 or 512, got 1024}}
module attributes {op2.machine = #op2.machine<vector_bits = 1024>} {}

// -----

// expected-error@+1 {{[T4] vector_math_bits must be 0, 128, 256 or 512, got 64}}
module attributes {op2.machine = #op2.machine<vector_math_bits = 64>} {}

// -----

// expected-error@+1 {{[T4] chips must be names, such as "sm_90", got 90}}
module attributes {op2.machine = #op2.machine<chips = [90]>} {}

// -----

// expected-error@+1 {{[T4] 'op2.machine' must be #op2.machine<…>, got 512 : i64}}
module attributes {op2.machine = 512} {}

// -----

// expected-error@+1 {{[T4] 'op2.machine' belongs to modules}}
func.func private @f() attributes {op2.machine = #op2.machine<>}

// -----

// expected-error@+1 {{[T4] 'op2.fusible' must be a unit, got true}}
func.func private @f() attributes {op2.fusible = true}

// -----

// expected-error@+1 {{[T4] 'op2.variant' must be #op2.variant<fused> or #op2.variant<split>, got "fused"}}
func.func private @f() attributes {op2.variant = "fused"}

// -----

// expected-error@+1 {{[T4] 'op2.likely_arity' belongs to parameters that are maps}}
func.func private @f(!op2.set {op2.likely_arity = 3 : i64})

// -----

// expected-error@+1 {{[T4] 'op2.likely_arity' must be an i64 from 1 to 2147483647, got 0 : i64}}
func.func private @f(!op2.map<?> {op2.likely_arity = 0 : i64})

// -----

// expected-error@+1 {{[T4] 'op2.likely_arity' must be an i64 from 1 to 2147483647, got unit}}
func.func private @f(!op2.map<?> {op2.likely_arity})

// -----

// expected-error@+1 {{[T4] 'op2.fusible' is no attribute of the op2 dialect for parameters}}
func.func private @f(!op2.map<?> {op2.fusible})

// -----

// expected-error@+1 {{[T4] 'op2.likely_arity' is no attribute of the op2 dialect}}
func.func private @f(!op2.map<?>) attributes {op2.likely_arity = 3 : i64}

// -----

// expected-error@+1 {{[T4] 'op2.not_raised' belongs to loops}}
func.func private @f() attributes {op2.not_raised = "because"}

// -----

// expected-error@+1 {{[T4] 'op2.fusable' is no attribute of the op2 dialect}}
func.func private @f() attributes {op2.fusable}

// -----

func.func @f(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error@+1 {{[T4] 'op2.in_place' must be an array of i64, got unit}}
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>) {op2.in_place}
  return
}

// -----

func.func @f(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error@+1 {{[T4] 'op2.in_place': argument 0 is no dat with access 'inc'}}
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>) {op2.in_place = array<i64: 0>}
  return
}

// -----

func.func @f(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error@+1 {{[T4] 'op2.in_place': argument 1 is no dat with access 'inc'}}
  op2.par_loop @k over %s args(inc %d : !op2.dat<1xf64>) {op2.in_place = array<i64: 0, 1>}
  return
}

// -----

func.func @f(%s: !op2.set, %d: !op2.dat<1xf64>) {
  // expected-error@+1 {{[T4] 'op2.usual' must be the symbols of two functions, got [@check]}}
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64>) {op2.usual = [@check]}
  return
}

// -----

// expected-error@+1 {{[T4] 'op2.saved_bytes' must be an i64, got 8 : i32}}
func.func private @f() attributes {op2.saved_bytes = 8 : i32}
