// RUN: op2-opt %s --convert-op2-to-scf --split-input-file | FileCheck %s

// CHECK: func.func private @scale(memref<4xf64>) attributes {llvm.bareptr}
func.func private @scale(memref<4xf64>)

// CHECK-LABEL: func.func @direct
// CHECK-SAME: %[[SET:[^:]*]]: !op2.set, %[[Q:[^:]*]]: !op2.dat<4xf64>
func.func @direct(%cells: !op2.set, %q: !op2.dat<4xf64>) {
  // CHECK: %[[LOOP:.*]] = op2.loop_begin "scale" over %[[SET]]
  // CHECK: strategy = "sequential", target = #op2.target<seq>
  // CHECK: %[[D:.*]] = op2.dat_data %[[Q]]
  // CHECK: %[[BEGIN:.*]], %[[END:.*]] = op2.loop_range %[[LOOP]]
  // CHECK: scf.for %[[E:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
  // CHECK: %[[R:.*]] = op2.row %[[D]][%[[E]]]
  // CHECK: func.call @scale(%[[R]])
  // CHECK: op2.loop_end %[[LOOP]]
  op2.par_loop @scale over %cells args(rw %q : !op2.dat<4xf64>)
  return
}

// -----

// Reductions and written globals go straight to the global, but for sums of
// floats, which are exact: elements have terms.

func.func private @sum(memref<1xi64>, memref<1xf64>, memref<1xi32>)

// CHECK-LABEL: func.func @globals
// CHECK-SAME: %[[S:[^:]*]]: memref<1xi64>, %[[W:[^:]*]]: memref<1xf64>
func.func @globals(%set: !op2.set, %m: !op2.map<2>, %s: memref<1xi64>,
                   %w: memref<1xf64>) {
  // CHECK: %[[I:.*]] = memref.alloca() {alignment = 4 : i64} : memref<1xi32>
  // CHECK: scf.for %[[E:.*]] =
  // CHECK: memref.store %{{.*}}, %[[I]][
  // CHECK: func.call @sum(%[[S]], %[[W]], %[[I]])
  op2.par_loop @sum over %set args(inc global %s : memref<1xi64>,
      write global %w : memref<1xf64>, index via %m[1] : !op2.map<2>)
  return
}

func.func private @add(memref<20xf32>)

// Buffers for many values have fewer elements, each of which has a row there.
// CHECK-LABEL: func.func @exact_sum
func.func @exact_sum(%set: !op2.set, %s: memref<20xf32>) {
  // CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x20xf32>
  // CHECK: %[[RED:.*]] = op2.reduction_begin %{{.*}} arg 0 : !op2.reduction<20xf32>
  // CHECK: %[[BEGIN:.*]], %[[END:.*]] = op2.loop_range
  // CHECK: scf.for %[[FIRST:.*]] = %[[BEGIN]] to %[[END]] step %c64 {
  // CHECK:   scf.for %[[E:.*]] = %[[FIRST]] to %[[LAST:.*]] step %c1 {
  // CHECK:     %[[N:.*]] = arith.subi %[[E]], %[[FIRST]]
  // CHECK:     %[[ROW:.*]] = op2.row %{{.*}}[%[[N]]]
  // CHECK:     %[[TERM:.*]] = op2.ptr_cast %[[ROW]]
  // CHECK:     memref.store %{{.*}}, %[[TERM]][%{{.*}}] : memref<20xf32>
  // CHECK:     func.call @add(%[[TERM]]) :
  // CHECK:   }
  // CHECK:   op2.reduction_add rows %[[BUFFER]] to %[[RED]] elements
  // CHECK: }
  // CHECK: op2.reduction_end %[[RED]]
  // CHECK: op2.loop_end
  op2.par_loop @add over %set args(inc global %s : memref<20xf32>)
  return
}

// -----

// Scratch memory is the loop's own copy of the global.

func.func private @scratch(memref<3xf64>, memref<2xi32>)

// CHECK-LABEL: func.func @scratch_memory
// CHECK-SAME: %[[G:[^:]*]]: memref<3xf64>, %[[H:[^:]*]]: memref<2xi32>, %[[FLAG:[^:]*]]: i1
// A loop around it does not allocate again and again.
func.func @scratch_memory(%set: !op2.set, %g: memref<3xf64>, %h: memref<2xi32>,
                          %flag: i1, %steps: index) {
  // CHECK: %[[A:.*]] = memref.alloca() {alignment = 8 : i64} : memref<3xf64>
  // CHECK: %[[B:.*]] = memref.alloca() {alignment = 8 : i64} : memref<2xi32>
  // CHECK: scf.for
  // CHECK: memref.copy %[[G]], %[[A]]
  // CHECK: scf.if %[[FLAG]]
  // CHECK-NEXT: memref.copy %[[H]], %[[B]]
  // CHECK: func.call @scratch(%[[A]], %[[B]])
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %step = %c0 to %steps step %c1 {
    op2.par_loop @scratch over %set args(work global %g : memref<3xf64>,
        if %flag work global %h : memref<2xi32>)
  }
  return
}

// -----

// A function of the program has one result to combine with the global.

func.func private @enclose(memref<2xf64>, memref<1xi32>)

// CHECK-LABEL: func.func @merged
func.func @merged(%set: !op2.set, %join: !llvm.ptr, %empty: memref<2xf64>,
                  %box: memref<2xf64>) {
  // CHECK: %[[LOOP:.*]] = op2.loop_begin
  // CHECK: %[[R:.*]] = op2.reduction_begin %[[LOOP]] arg 0 : !op2.reduction<2xf64>
  // CHECK: %[[P:.*]] = op2.reduction_partial %[[R]][%c0
  // CHECK: scf.for
  // CHECK: func.call @enclose(%[[P]],
  // CHECK: op2.reduction_end %[[R]]
  // CHECK: op2.loop_end %[[LOOP]]
  op2.par_loop @enclose over %set args(
      reduce %join from %empty global %box : memref<2xf64>, index)
  return
}
