// Errors that only the run shows: named, exit status 1, no crash.
//
// RUN: split-file %s %t
// RUN: not op2-run %t/map.mlir 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: not op2-run %t/size.mlir 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not op2-run %t/count.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not op2-run --target=seq %t/set.mlir 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not op2-run --target=openmp %t/set.mlir 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not op2-run --target=seq %t/injective.mlir 2>&1 | FileCheck %s --check-prefix=INJECTIVE
// RUN: not op2-run --target=openmp %t/injective.mlir 2>&1 | FileCheck %s --check-prefix=INJECTIVE
// RUN: not op2-run %t/entry.mlir 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not op2-run --entry=nothing %t/entry.mlir 2>&1 | FileCheck %s --check-prefix=NOENTRY
// RUN: not op2-run %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

// MAP: op2 error: {{.*}}m{{.*}}element 1{{.*}}slot 0{{.*}}7{{.*}}0{{.*}}2
//--- map.mlir
memref.global "private" constant @t : memref<3x1xi32> = dense<[[0], [7], [2]]>
func.func @main() {
  %n = arith.constant 3 : index
  %s = op2.decl_set "s" size %n
  %t = memref.get_global @t : memref<3x1xi32>
  %m = op2.decl_map "m" %s to %s values %t : memref<3x1xi32> -> !op2.map<1>
  return
}

// SIZE: op2 error: {{.*}}cells{{.*}}-4
//--- size.mlir
func.func @main() {
  %n = arith.constant -4 : index
  %s = op2.decl_set "cells" size %n
  return
}

// COUNT: op2 error: {{.*}}q{{.*}}3 values{{.*}}6
//--- count.mlir
memref.global "private" constant @t : memref<3xf64> = dense<1.0>
func.func @main() {
  %n = arith.constant 3 : index
  %s = op2.decl_set "s" size %n
  %t = memref.get_global @t : memref<3xf64>
  %d = op2.decl_dat "q" on %s values %t : memref<3xf64> -> !op2.dat<2xf64>
  return
}

// SET: op2 error: {{.*}}k{{.*}}argument 0{{.*}}nodes
//--- set.mlir
func.func private @k(%x: memref<1xf64>) {
  return
}
func.func @main() {
  %n = arith.constant 3 : index
  %s = op2.decl_set "nodes" size %n
  %e = op2.decl_set "edges" size %n
  %d = op2.decl_dat "q" on %s : !op2.dat<1xf64>
  op2.par_loop @k over %e args(read %d : !op2.dat<1xf64>)
  return
}

// INJECTIVE: op2 error: loop k{{.*}}argument 0: map m is said to be injective; expected one of dim 1 that leads no two elements to one row
//--- injective.mlir
memref.global "private" constant @t : memref<3x1xi32> = dense<[[0], [2], [0]]>
func.func private @k(%x: memref<1xf64>) {
  return
}
func.func @main() {
  %n = arith.constant 3 : index
  %s = op2.decl_set "s" size %n
  %t = memref.get_global @t : memref<3x1xi32>
  %m = op2.decl_map "m" %s to %s values %t : memref<3x1xi32> -> !op2.map<1>
  %d = op2.decl_dat "d" on %s : !op2.dat<1xf64>
  op2.par_loop @k over %s args(rw %d : !op2.dat<1xf64> via %m[0] injective : !op2.map<1>)
  return
}

// ENTRY: error: 'main' must have a body, take no parameters and return nothing or an i32
// NOENTRY: error: no function 'nothing' to run
//--- entry.mlir
func.func @main(%n: i32) {
  return
}

// MISSING: op2-run: error: {{.*}}missing.mlir
