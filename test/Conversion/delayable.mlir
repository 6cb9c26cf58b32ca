// A function whose loop may run later: the loop's description says how, by a
// function that takes the parameters from an array, and which of them each
// argument is.
//
// RUN: op2-opt %s --convert-op2-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// The last three of eleven numbers for each argument: data, map and flag; 0 for
// what there is not.
// CHECK-DAG: @[[ARGS:.*]](dense<[1, 3, 0, 1, 1, 0, 2, 0, 2, 3, 4, 0, 0, 2, 0, 0, -1, 1, 2, 0, 0, -1, 1, 0, 0, 0, 0, 0, 2, 0, -1, 1, 1, 2, 0, -1, 0, 0, 0, 0, 0, 0]> : tensor<42xi32>)
// CHECK-DAG: llvm.mlir.global internal @__op2_loop_desc.add()
// CHECK-DAG: llvm.mlir.addressof @__op2_run_of.add : !llvm.ptr
// CHECK-LABEL: llvm.func @add(
// CHECK:         llvm.mlir.addressof @__op2_loop_desc.add :
func.func @add(%set: !op2.set, %a: memref<2xf64>, %x: !op2.dat<1xf64>, %m: !op2.map<2>, %flag: i1)
    attributes {op2.delayable, llvm.bareptr} {
  %loop = op2.loop_begin "add" over %set args(
      if %flag inc %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      read global %a : memref<2xf64>,
      index) {target = #op2.target<openmp>, strategy = "s"}
  op2.loop_end %loop
  return
}
// CHECK-LABEL: llvm.func internal @__op2_run_of.add(%{{.*}}: !llvm.ptr)
// CHECK-COUNT-5: llvm.load
// CHECK:         %[[FLAG:.*]] = llvm.icmp "ne"
// CHECK:         llvm.call @add(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FLAG]]) :

// -----

// expected-error @+1 {{with 'op2.delayable' must run one loop, got 2}}
func.func @two(%set: !op2.set) attributes {op2.delayable} {
  %a = op2.loop_begin "a" over %set args() {target = #op2.target<openmp>, strategy = "s"}
  op2.loop_end %a
  %b = op2.loop_begin "b" over %set args() {target = #op2.target<openmp>, strategy = "s"}
  op2.loop_end %b
  return
}

// -----

func.func @local(%set: !op2.set) attributes {op2.delayable} {
  %total = memref.alloca() : memref<1xf64>
  // expected-error @+1 {{in a function with 'op2.delayable' must take its set and its arguments from the function's parameters}}
  %a = op2.loop_begin "a" over %set args(
      inc global %total : memref<1xf64>) {target = #op2.target<openmp>, strategy = "s"}
  op2.loop_end %a
  return
}
