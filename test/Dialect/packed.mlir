// Packed arguments: one operand for the rows of all slots.
//
// RUN: op2-opt %s | op2-opt | FileCheck %s
// RUN: op2-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: op2-opt %s --mlir-print-op-generic | op2-opt | FileCheck %s

func.func private @k(memref<8xf64>, memref<3xf64>, memref<2xf64>)
llvm.func @imported(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @loops
// GENERIC-LABEL: "loops"
func.func @loops(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<1xf64>, %m: !op2.map<4>, %flag: i1) {
  // CHECK: read packed %{{.*}} : !op2.dat<2xf64> via %{{.*}}[0 to 4] : !op2.map<4>,
  // CHECK-NEXT: inc packed %{{.*}} : !op2.dat<1xf64> via %{{.*}}[1 to 4] : !op2.map<4>,
  // CHECK-NEXT: read %{{.*}} : !op2.dat<2xf64> via
  // GENERIC: #op2.arg<kind = dat, access = read, slot = 0, count = 4, is_vector = true, is_packed = true, is_injective = false, is_optional = false>
  op2.par_loop @k over %s args(
      read packed %x : !op2.dat<2xf64> via %m[0 to 4] : !op2.map<4>,
      inc packed %y : !op2.dat<1xf64> via %m[1 to 4] : !op2.map<4>,
      read %x : !op2.dat<2xf64> via %m[2] : !op2.map<4>)
  // CHECK: if %{{.*}} rw packed soa %
  op2.par_loop @imported over %s args(
      if %flag rw packed soa %x : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<4>,
      write packed %y : !op2.dat<1xf64> via %m[0 to 1] : !op2.map<4>)
  return
}
