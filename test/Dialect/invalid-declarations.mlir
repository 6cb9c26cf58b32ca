// RUN: op2-opt %s -split-input-file -verify-diagnostics

// D1
func.func @map_type(%s: !op2.set, %t: memref<?x2xi64>) {
  // expected-error @+1 {{[D1] expected values of type 'i32', got 'memref<?x2xi64>'}}
  %m = op2.decl_map "m" %s to %s values %t : memref<?x2xi64> -> !op2.map<2>
  return
}

// -----

// D1
func.func @map_arity(%s: !op2.set, %t: memref<?x3xi32>) {
  // expected-error @+1 {{[D1] expected rows of 2 values, got 'memref<?x3xi32>'}}
  %m = op2.decl_map "m" %s to %s values %t : memref<?x3xi32> -> !op2.map<2>
  return
}

// -----

// D1
func.func @map_layout(%s: !op2.set, %t: memref<?x2xi32, strided<[4, 1]>>) {
  // expected-error @+1 {{[D1] expected a contiguous memref, got 'memref<?x2xi32, strided<[4, 1]>>'}}
  %m = op2.decl_map "m" %s to %s values %t : memref<?x2xi32, strided<[4, 1]>> -> !op2.map<2>
  return
}

// -----

func.func @map_dynamic(%s: !op2.set, %t: memref<?x3xi32>) {
  // expected-error @+1 {{[D1] the arity of a declared map must be static, got '!op2.map<?>'}}
  %m = op2.decl_map "m" %s to %s values %t : memref<?x3xi32> -> !op2.map<?>
  return
}

// -----

// D1
func.func @map_rank(%s: !op2.set, %t: memref<2x2x2xi32>) {
  // expected-error @+1 {{[D1] expected a memref of rank 1 or 2, got 'memref<2x2x2xi32>'}}
  %m = op2.decl_map "m" %s to %s values %t : memref<2x2x2xi32> -> !op2.map<2>
  return
}

// -----

// D1
func.func @map_layout(%s: !op2.set, %t: memref<?x2xi32, strided<[4, 1]>>) {
  // expected-error @+1 {{[D1] expected a contiguous memref}}
  %m = op2.decl_map "m" %s to %s values %t : memref<?x2xi32, strided<[4, 1]>> -> !op2.map<2>
  return
}

// -----

// D2
func.func @dat_type(%s: !op2.set, %t: memref<?x2xf32>) {
  // expected-error @+1 {{[D2] expected values of type 'f64', got 'memref<?x2xf32>'}}
  %m = op2.decl_dat "d" on %s values %t : memref<?x2xf32> -> !op2.dat<2xf64>
  return
}

// -----

// D2
func.func @dat_dim(%s: !op2.set, %t: memref<?x3xf64>) {
  // expected-error @+1 {{[D2] expected rows of 2 values, got 'memref<?x3xf64>'}}
  %m = op2.decl_dat "d" on %s values %t : memref<?x3xf64> -> !op2.dat<2xf64>
  return
}

// -----

// D2
func.func @dat_dynamic(%s: !op2.set) {
  // expected-error @+1 {{[D2] the dim of a declared dat must be static, got '!op2.dat<?xf64>'}}
  %m = op2.decl_dat "d" on %s : !op2.dat<?xf64>
  return
}

// -----

// D3
func.func @no_such_constant() {
  // expected-error @+1 {{[D3] 'gam' is not a memref.global}}
  op2.decl_const @gam : memref<1xf64>
  return
}

// -----

// D3
// expected-note @+1 {{declared here}}
memref.global @gam : memref<2xf64> = dense<1.4>
func.func @constant_type() {
  // expected-error @+1 {{[D3] expected 'memref<2xf64>', got 'memref<1xf64>'}}
  op2.decl_const @gam : memref<1xf64>
  return
}

// -----

// D3
func.func @constant_shape() {
  // expected-error @+1 {{[D3] expected a memref of static shape, got 'memref<?xf64>'}}
  op2.decl_const @gam : memref<?xf64>
  return
}

// -----

// D4
func.func @fetch_type(%d: !op2.dat<2xf64>, %t: memref<?x2xf32>) {
  // expected-error @+1 {{[D4] expected values of type 'f64', got 'memref<?x2xf32>'}}
  op2.fetch %d to %t : !op2.dat<2xf64>, memref<?x2xf32>
  return
}
