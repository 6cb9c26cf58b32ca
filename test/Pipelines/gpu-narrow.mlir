// Numbers of 8 and 16 bits: warps exchange words, and atomic additions change
// the word that a number is part of.
//
// RUN: op2-opt %s --op2-to-gpu=strategy=atomics | FileCheck %s
// RUN: %if ptxas %{ op2-opt %s --op2-to-gpu='strategy=atomics format=cubin cuda-path=%cuda' \
// RUN:   | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: \7FELF
//
// CHECK: .entry op2_count
// CHECK: atom.relaxed.gpu.global.cas.b32
// CHECK: shfl.sync.bfly.b32
// CHECK: .entry op2_most
// CHECK: shfl.sync.bfly.b32
// CHECK: max.u16

func.func private @count(%node: memref<1xi8>, %sum: memref<1xi16>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  %old = memref.load %node[%c0] : memref<1xi8>
  %new = arith.addi %old, %one : i8
  memref.store %new, %node[%c0] : memref<1xi8>
  %two = arith.constant 2 : i16
  %before = memref.load %sum[%c0] : memref<1xi16>
  %after = arith.addi %before, %two : i16
  memref.store %after, %sum[%c0] : memref<1xi16>
  return
}
func.func private @most(%x: memref<1xui16>, %max: memref<1xui16>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<1xui16>
  %old = memref.load %max[%c0] : memref<1xui16>
  %a = builtin.unrealized_conversion_cast %v : ui16 to i16
  %b = builtin.unrealized_conversion_cast %old : ui16 to i16
  %m = arith.maxui %a, %b : i16
  %r = builtin.unrealized_conversion_cast %m : i16 to ui16
  memref.store %r, %max[%c0] : memref<1xui16>
  return
}

func.func @step(%edges: !op2.set, %nodes: !op2.dat<1xi8>, %map: !op2.map<1>,
                %x: !op2.dat<1xui16>, %sum: memref<1xi16>, %max: memref<1xui16>) {
  op2.par_loop @count over %edges args(
      inc %nodes : !op2.dat<1xi8> via %map[0] : !op2.map<1>,
      inc global %sum : memref<1xi16>)
  op2.par_loop @most over %edges args(
      read %x : !op2.dat<1xui16>, max global %max : memref<1xui16>)
  return
}
