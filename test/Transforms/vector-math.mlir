// RUN: op2-opt %s --op2-attach-machine='cpu=x86-64-v4 vector-math' --op2-vector-math | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine='cpu=x86-64-v3 vector-math' --op2-vector-math | FileCheck %s --check-prefix=HALF
// RUN: op2-opt %s --op2-to-openmp | FileCheck %s --check-prefix=NONE
// RUN: op2-opt %s --op2-to-openmp='cpu=x86-64-v4 vector-math' | FileCheck %s --check-prefix=ASKED

// NONE-NOT: _ZGV
// NONE:     llvm.intr.exp

// One call for each register.

// CHECK-LABEL: func.func @functions
// CHECK:         %[[E:.*]] = llvm.call @_ZGVeN8v_exp(%arg0) : (vector<8xf64>) -> vector<8xf64>
// CHECK:         llvm.call @_ZGVeN8vv_pow(%[[E]], %arg0)
// CHECK:         llvm.call @_ZGVdN8v_cosf(%arg1) : (vector<8xf32>) -> vector<8xf32>
// CHECK:         %[[LOW:.*]] = vector.shuffle %arg2, %arg2 [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK:         %[[LOW_LOG:.*]] = llvm.call @_ZGVeN8v_log(%[[LOW]])
// CHECK:         %[[HIGH:.*]] = vector.shuffle %arg2, %arg2 [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:         %[[HIGH_LOG:.*]] = llvm.call @_ZGVeN8v_log(%[[HIGH]])
// CHECK:         vector.shuffle %[[LOW_LOG]], %[[HIGH_LOG]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// HALF-LABEL:  func.func @functions
// HALF-COUNT-2:  llvm.call @_ZGVdN4v_exp
// HALF-COUNT-2:  llvm.call @_ZGVdN4vv_pow
// HALF-COUNT-4:  llvm.call @_ZGVdN4v_log
// HALF-NOT:      _ZGVe
func.func @functions(%x: vector<8xf64>, %y: vector<8xf32>, %z: vector<16xf64>)
    -> (vector<8xf64>, vector<8xf32>, vector<16xf64>) {
  %0 = math.exp %x : vector<8xf64>
  %1 = math.powf %0, %x : vector<8xf64>
  %2 = math.cos %y : vector<8xf32>
  %3 = math.log %z : vector<16xf64>
  return %1, %2, %3 : vector<8xf64>, vector<8xf32>, vector<16xf64>
}

// What the machine has an instruction for, what libmvec does not have, numbers
// alone and vectors of less than a register stay.

// CHECK-LABEL: func.func @others
// CHECK-NOT:     llvm.call
// CHECK:         return
func.func @others(%x: vector<8xf64>, %y: vector<2xf32>, %z: f64)
    -> (vector<8xf64>, vector<8xf64>, vector<2xf32>, f64) {
  %0 = math.sqrt %x : vector<8xf64>
  %1 = math.floor %x : vector<8xf64>
  %2 = math.exp %y : vector<2xf32>
  %3 = math.exp %z : f64
  return %0, %1, %2, %3 : vector<8xf64>, vector<8xf64>, vector<2xf32>, f64
}

// CHECK: llvm.func @_ZGVeN8v_exp(vector<8xf64>) -> vector<8xf64> attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none{{.*}}>, no_unwind, will_return}

// A loop's kernel, vectorized across elements.

func.func private @decay(%x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = math.exp %0 : f64
  memref.store %1, %x[%c0] : memref<1xf64>
  return
}

// ASKED: llvm.func {{.*}}@decay_x8
// ASKED:   llvm.call @_ZGVeN8v_exp
func.func @decay_all(%cells: !op2.set, %x: !op2.dat<1xf64>) {
  op2.par_loop @decay over %cells args(rw %x : !op2.dat<1xf64>)
  return
}
