// What the runtime answers is asked between the ops that begin and end a loop,
// whatever upstream's passes do: those may renumber, free and move data.
//
// RUN: op2-opt %s --op2-plan=strategy=owner --loop-invariant-code-motion --cse \
// RUN:   --control-flow-sink --split-input-file | FileCheck %s --check-prefixes=CHECK,PLAN
// RUN: op2-opt %s --op2-plan --loop-invariant-code-motion --cse \
// RUN:   --convert-op2-to-openmp --loop-invariant-code-motion --cse \
// RUN:   --control-flow-sink --split-input-file | FileCheck %s --check-prefixes=CHECK

func.func private @k(%a: memref<2xf64>, %b: memref<2xf64>) {
  return
}

// Two executions of a loop in a time loop, which share nothing.
// CHECK-LABEL: func.func @time_loop
func.func @time_loop(%s: !op2.set, %d: !op2.dat<2xf64>, %e: !op2.dat<2xf64>,
                     %m: !op2.map<2>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: op2.{{dat_data|map_table}}
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: op2.loop_begin "k"
    // CHECK-DAG: op2.plan
    // CHECK-DAG: op2.dat_data %{{.*}} : !op2.dat<2xf64>
    // CHECK-DAG: op2.dat_data %{{.*}} : !op2.dat<2xf64>
    // CHECK-DAG: op2.map_table
    // PLAN: op2.for_elements
    // CHECK: op2.loop_end
    op2.par_loop @k over %s args(
        read %d : !op2.dat<2xf64>,
        inc %e : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
    // CHECK-NEXT: op2.loop_begin "k"
    // CHECK-DAG: op2.dat_data %{{.*}} : !op2.dat<2xf64>
    // CHECK-DAG: op2.dat_data %{{.*}} : !op2.dat<2xf64>
    // CHECK-DAG: op2.map_table
    // PLAN: op2.for_elements
    // CHECK: op2.loop_end
    op2.par_loop @k over %s args(
        read %d : !op2.dat<2xf64>,
        inc %e : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  }
  return
}

// -----

// What is asked of a loop or a plan is not put off until the loop has ended,
// nor asked where the program may not.
// CHECK-LABEL: func.func @asked
func.func @asked(%s: !op2.set, %d: !op2.dat<2xf64>, %c: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: op2.loop_begin
  %loop = op2.loop_begin "k" over %s args(read %d : !op2.dat<2xf64>)
      {target = #op2.target<openmp>, strategy = "direct"}
  %plan = op2.plan %loop block_size 0
  // CHECK: op2.loop_range
  // CHECK: op2.is_alias_free
  // CHECK: op2.num_colors
  // CHECK: op2.uses_threads
  %begin, %size = op2.loop_range %loop
  %free = op2.is_alias_free %loop
  %colors = op2.num_colors %plan
  %threads = op2.uses_threads %plan
  // CHECK: scf.for
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%old = %c0) -> index {
    // CHECK: op2.color_range
    // CHECK: op2.block_range
    // CHECK: op2.num_pieces
    // CHECK: op2.piece
    // CHECK: op2.permuted_element
    %b, %e = op2.color_range %plan[%colors]
    %b1, %e1 = op2.block_range %plan[%b]
    %count = op2.num_pieces %plan[%b]
    %b2, %e2, %g = op2.piece %plan[%b, %count]
    %p = op2.permuted_element %plan[%b]
    %s0 = arith.addi %old, %e1 : index
    %s1 = arith.addi %s0, %b2 : index
    %s2 = arith.addi %s1, %p : index
    scf.yield %s2 : index
  }
  // CHECK: op2.loop_end
  op2.loop_end %loop
  // CHECK-NOT: op2.
  // CHECK: return
  %result = scf.if %c -> index {
    %x = scf.if %free -> index {
      scf.yield %size : index
    } else {
      scf.yield %colors : index
    }
    %y = arith.select %threads, %x, %sum : index
    scf.yield %y : index
  } else {
    scf.yield %c0 : index
  }
  return %result : index
}

// -----

// The same for addresses and strides on a device.
// CHECK-LABEL: func.func @device
func.func @device(%s: !op2.set, %d: !op2.dat<2xf64>, %m: !op2.map<2>, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %loop = op2.loop_begin "k" over %s args(read %d : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
      {target = #op2.target<cuda>, strategy = "direct"}
  %plan = op2.plan %loop block_size 64
  // CHECK: op2.device_storage soa
  // CHECK: op2.device_storage map
  // CHECK: op2.num_blocks
  // CHECK: op2.loop_end
  // CHECK-NOT: op2.
  // CHECK: return
  %data, %stride = op2.device_storage soa %loop arg 0 : !llvm.ptr
  %map, %far = op2.device_storage map %loop arg 0 : !llvm.ptr
  %blocks = op2.num_blocks %plan
  op2.loop_end %loop
  %result = scf.if %c -> index {
    %a = arith.addi %stride, %far : index
    %r = arith.addi %a, %blocks : index
    scf.yield %r : index
  } else {
    scf.yield %c0 : index
  }
  return %result : index
}
