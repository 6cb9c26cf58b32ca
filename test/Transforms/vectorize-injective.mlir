// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse | FileCheck %s

// A map that leads no two elements to one row: rows are changed as direct ones
// are, each where it lies; what the kernel leaves keeps its value, and rows of
// which it leaves all are not stored.

func.func private @part(%q: memref<2xf64>, %w: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %q[%c0] : memref<2xf64>
  memref.store %0, %w[%c0] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @injective
// CHECK:       } lanes 8 %{{.*}} {
// CHECK-COUNT-16: vector.load %{{.*}} : memref<2xf64>, vector<2xf64>
// CHECK:         call @part{{.*}}(
// CHECK-COUNT-8: vector.store %{{.*}} : memref<2xf64>, vector<2xf64>
// CHECK-NOT:     memref<2xf64>, vector<2xf64>
func.func @injective(%s: !op2.set, %m: !op2.map<1>, %x: !op2.dat<2xf64>, %y: !op2.dat<2xf64>) {
  op2.par_loop @part over %s args(
      rw %x : !op2.dat<2xf64> via %m[0] injective : !op2.map<1>,
      write %y : !op2.dat<2xf64> via %m[0] injective : !op2.map<1>)
  return
}
