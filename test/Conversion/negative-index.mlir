// Pointers of the program may lead into the middle of something: an index below
// zero is none that LLVM may take for impossible.
// RUN: op2-opt %s --convert-op2-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @read
// CHECK-NOT:     nuw
// CHECK:         llvm.getelementptr inbounds %{{.*}}[%{{.*}}]
func.func @read(%table: !llvm.ptr, %i: index) -> f64 {
  %memref = op2.ptr_cast %table : !llvm.ptr -> memref<?xf64>
  %value = memref.load %memref[%i] : memref<?xf64>
  return %value : f64
}
