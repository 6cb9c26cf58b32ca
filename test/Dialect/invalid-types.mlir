// RUN: op2-opt %s -split-input-file -verify-diagnostics

// T1
// expected-error @+1 {{[T1] the arity of a map must be '?' or a number from 1 to 2147483647, got 0}}
func.func private @no_arity(!op2.map<0>)

// -----

// T1
// expected-error @+1 {{[T1] the arity of a map must be '?' or a number from 1 to 2147483647, got -2}}
func.func private @negative_arity(!op2.map<-2>)

// -----

// T2
// expected-error @+1 {{[T2] dim must be '?' or a number from 1 to 2147483647, got 0}}
func.func private @no_dim(!op2.dat<0xf64>)

// -----

// T2
// expected-error @+1 {{[T2] dim must be '?' or a number from 1 to 2147483647, got 0}}
func.func private @no_dim_reduction(!op2.reduction<0xf64>)

// -----

// T1
// expected-error @+1 {{[T1] the arity of a map must be '?' or a number from 1 to 2147483647, got 2147483648}}
func.func private @large_arity(!op2.map<2147483648>)

// -----

// T2
// expected-error @+1 {{[T2] dim must be '?' or a number from 1 to 2147483647, got 2147483648}}
func.func private @large_dim(!op2.dat<2147483648xf64>)

// -----

// T3
// expected-error @+1 {{[T3] values must be f64, f32, i1 or integers (i, ui) of 8, 16, 32 or 64 bits, got 'f16'}}
func.func private @half(!op2.dat<1xf16>)

// -----

// T3
// expected-error @+1 {{[T3] values must be f64, f32, i1 or integers (i, ui) of 8, 16, 32 or 64 bits, got 'si32'}}
func.func private @signed(!op2.dat<1xsi32>)

// -----

// expected-error @+1 {{expected one dim, as in <4xf64>}}
func.func private @two_dims(!op2.dat<4x2xf64>)

// -----

// expected-error @+1 {{expected one dim, as in <4xf64>}}
func.func private @without_dim(!op2.dat<f64>)
