// RUN: op2-opt %s --op2-plan=target=emulator -split-input-file -verify-diagnostics
// RUN: op2-opt %s --op2-plan=target=openmp -split-input-file -o %t

// L17: what each thread of a device would have for itself
func.func private @k(memref<4096xf64>, memref<8192xi32>, memref<1xf32>)
func.func @globals(%s: !op2.set, %g: memref<4096xf64>, %h: memref<8192xi32>, %i: memref<1xf32>) {
  // expected-error @+1 {{[L17] its globals that are not 'read' have 65540 bytes, which every thread of a device would need for itself; expected at most 65536}}
  op2.par_loop @k over %s args(inc global %g : memref<4096xf64>, max global %h : memref<8192xi32>, work global %i : memref<1xf32>)
  return
}

// -----

// Those that are read have no copies.
func.func private @k(memref<4096xf64>, memref<8192xi32>, memref<2147483647xf64>)
func.func @fit(%s: !op2.set, %g: memref<4096xf64>, %h: memref<8192xi32>, %i: memref<2147483647xf64>) {
  op2.par_loop @k over %s args(inc global %g : memref<4096xf64>, max global %h : memref<8192xi32>, read global %i : memref<2147483647xf64>)
  return
}

// -----

// L17: the largest that there can be
func.func private @k(memref<2147483647xf64>)
func.func @largest(%s: !op2.set, %g: memref<2147483647xf64>) {
  // expected-error @+1 {{[L17] its globals that are not 'read' have 17179869176 bytes}}
  op2.par_loop @k over %s args(min global %g : memref<2147483647xf64>)
  return
}

// -----

// L17: results that a function of the program combines are there, too.
func.func private @k(memref<8193xf64>)
func.func @merged(%s: !op2.set, %f: !llvm.ptr, %i: memref<8193xf64>, %g: memref<8193xf64>) {
  // expected-error @+1 {{[L17] its globals that are not 'read' have 65544 bytes}}
  op2.par_loop @k over %s args(reduce %f from %i global %g : memref<8193xf64>)
  return
}
