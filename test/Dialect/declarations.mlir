// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

memref.global @gam : memref<1xf64> = dense<1.4>

// CHECK-LABEL: func.func @mesh
func.func @mesh(%n: index, %table: memref<?x2xi32>, %flat: memref<?xi32>,
                %x0: memref<?x3xf32>, %out: memref<?xf32>) {
  // CHECK: %[[EDGES:.*]] = op2.decl_set "edges" size %{{.*}}
  %edges = op2.decl_set "edges" size %n
  // CHECK: %[[NODES:.*]] = op2.decl_set "nodes"
  %nodes = op2.decl_set "nodes" size %n
  // CHECK: op2.decl_map "pedge" %[[EDGES]] to %[[NODES]] values %{{.*}} : memref<?x2xi32> -> !op2.map<2>
  %m = op2.decl_map "pedge" %edges to %nodes values %table : memref<?x2xi32> -> !op2.map<2>
  // CHECK: op2.decl_map "flat" {{.*}} : memref<?xi32> -> !op2.map<3>
  %f = op2.decl_map "flat" %edges to %nodes values %flat : memref<?xi32> -> !op2.map<3>
  // CHECK: %[[X:.*]] = op2.decl_dat "x" on %[[NODES]] values %{{.*}} : memref<?x3xf32> -> !op2.dat<3xf32>
  %x = op2.decl_dat "x" on %nodes values %x0 : memref<?x3xf32> -> !op2.dat<3xf32>
  // CHECK: op2.decl_dat "r" on %[[NODES]] : !op2.dat<4xf64>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<4xf64>
  // CHECK: op2.decl_const @gam : memref<1xf64>
  op2.decl_const @gam : memref<1xf64>
  // CHECK: op2.fetch %[[X]] to %{{.*}} : !op2.dat<3xf32>, memref<?xf32>
  op2.fetch %x to %out : !op2.dat<3xf32>, memref<?xf32>
  return
}
