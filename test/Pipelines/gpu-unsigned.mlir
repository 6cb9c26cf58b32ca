// Reductions of unsigned numbers compare as such, and of every type there is
// code.
//
// RUN: op2-opt %s --op2-to-gpu | FileCheck %s
//
// CHECK: max.u32
// CHECK: min.s64
// CHECK: min.u64

func.func private @largest(%x: memref<1xui32>, %max: memref<1xui32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<1xui32>
  %old = memref.load %max[%c0] : memref<1xui32>
  %a = builtin.unrealized_conversion_cast %v : ui32 to i32
  %b = builtin.unrealized_conversion_cast %old : ui32 to i32
  %m = arith.maxui %a, %b : i32
  %r = builtin.unrealized_conversion_cast %m : i32 to ui32
  memref.store %r, %max[%c0] : memref<1xui32>
  return
}
func.func private @least(%x: memref<1xi64>, %y: memref<1xui64>, %min: memref<1xi64>, %umin: memref<1xui64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<1xi64>
  %old = memref.load %min[%c0] : memref<1xi64>
  %m = arith.minsi %v, %old : i64
  memref.store %m, %min[%c0] : memref<1xi64>
  %u = memref.load %y[%c0] : memref<1xui64>
  %uold = memref.load %umin[%c0] : memref<1xui64>
  %a = builtin.unrealized_conversion_cast %u : ui64 to i64
  %b = builtin.unrealized_conversion_cast %uold : ui64 to i64
  %um = arith.minui %a, %b : i64
  %r = builtin.unrealized_conversion_cast %um : i64 to ui64
  memref.store %r, %umin[%c0] : memref<1xui64>
  return
}

func.func @step(%cells: !op2.set, %x: !op2.dat<1xui32>, %max: memref<1xui32>,
                %y: !op2.dat<1xi64>, %z: !op2.dat<1xui64>, %min: memref<1xi64>, %umin: memref<1xui64>) {
  op2.par_loop @largest over %cells args(
      read %x : !op2.dat<1xui32>, max global %max : memref<1xui32>)
  op2.par_loop @least over %cells args(
      read %y : !op2.dat<1xi64>, read %z : !op2.dat<1xui64>,
      min global %min : memref<1xi64>, min global %umin : memref<1xui64>)
  return
}
