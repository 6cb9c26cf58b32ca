// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

// CHECK-LABEL: func.func @execution
func.func @execution(%set: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                     %rms: memref<1xf64>) {
  // CHECK: %[[LOOP:.*]] = op2.loop_begin "update" over %{{.*}} args(
  // CHECK-NEXT: read %{{.*}} : !op2.dat<4xf64> via %{{.*}}[0] : !op2.map<2>,
  // CHECK-NEXT: inc global %{{.*}} : memref<1xf64>)
  // CHECK-SAME: target = #op2.target<openmp>
  %loop = op2.loop_begin "update" over %set args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc global %rms : memref<1xf64>)
      {target = #op2.target<openmp>, strategy = "blocks"}
  // CHECK: op2.loop_range %[[LOOP]]
  %from, %to = op2.loop_range %loop
  // CHECK: op2.is_alias_free %[[LOOP]]
  %free = op2.is_alias_free %loop
  // CHECK: %[[PLAN:.*]] = op2.plan %[[LOOP]] block_size 128
  %plan = op2.plan %loop block_size 128
  // CHECK: op2.uses_threads %[[PLAN]]
  %threads = op2.uses_threads %plan
  // CHECK: op2.num_colors %[[PLAN]]
  %colors = op2.num_colors %plan
  // CHECK: %[[RED:.*]] = op2.reduction_begin %[[LOOP]] arg 1 over %[[PLAN]] : !op2.reduction<1xf64>
  %red = op2.reduction_begin %loop arg 1 over %plan : !op2.reduction<1xf64>
  // CHECK: %[[SUM:.*]] = op2.reduction_begin %[[LOOP]] arg 1 : !op2.reduction<1xf64>
  %sum = op2.reduction_begin %loop arg 1 : !op2.reduction<1xf64>
  // CHECK: %[[DATA:.*]] = op2.dat_data %{{.*}} : !op2.dat<4xf64> -> memref<?x4xf64>
  %data = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
  // CHECK: op2.map_table %{{.*}} : !op2.map<2> -> memref<?x2xi32>
  %table = op2.map_table %m : !op2.map<2> -> memref<?x2xi32>
  // CHECK: op2.for_colors %[[C:.*]] of %[[PLAN]] {
  op2.for_colors %c of %plan {
    // CHECK: op2.color_range %[[PLAN]][%[[C]]]
    %first, %last = op2.color_range %plan[%c]
    // CHECK: op2.thread_range %[[PLAN]][%[[C]]]
    %own, %others = op2.thread_range %plan[%c]
    // CHECK: op2.for_blocks %[[B:.*]] of %[[PLAN]] color %[[C]] {
    op2.for_blocks %b of %plan color %c {
      // CHECK: op2.block_range %[[PLAN]][%[[B]]]
      %begin, %end = op2.block_range %plan[%b]
      // CHECK: op2.reduction_partial %[[RED]][%[[B]]] : !op2.reduction<1xf64> -> memref<1xf64>
      %p = op2.reduction_partial %red[%b] : !op2.reduction<1xf64> -> memref<1xf64>
      // CHECK: op2.for_elements %[[E:.*]] of %[[PLAN]] block %[[B]] {
      op2.for_elements %e of %plan block %b {
        // CHECK: %[[ROW:.*]] = op2.row %[[DATA]][%[[E]]] : memref<?x4xf64> -> !llvm.ptr
        %r = op2.row %data[%e] : memref<?x4xf64> -> !llvm.ptr
        // CHECK: op2.row %[[DATA]][%[[E]]] : memref<?x4xf64> -> memref<4xf64>
        %r2 = op2.row %data[%e] : memref<?x4xf64> -> memref<4xf64>
        // CHECK: op2.terms %[[SUM]] : !op2.reduction<1xf64> -> memref<1xf64>
        %term = op2.terms %sum : !op2.reduction<1xf64> -> memref<1xf64>
        // CHECK: op2.row_table %[[ROW]], %[[ROW]] : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
        %t = op2.row_table %r, %r : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
        // CHECK: op2.ptr_cast %[[ROW]] : !llvm.ptr -> memref<?x4xf64>
        %cast = op2.ptr_cast %r : !llvm.ptr -> memref<?x4xf64>
        // CHECK: op2.ptr_cast %[[ROW]] sizes(%[[E]]) : !llvm.ptr -> memref<?x?xf64>
        %dynamic = op2.ptr_cast %r sizes(%e) : !llvm.ptr -> memref<?x?xf64>
      // CHECK: } lanes 8 %[[FIRST:.*]] {
      } lanes 8 %group {
        // CHECK: op2.row %[[DATA]][%[[FIRST]]]
        %r = op2.row %data[%group] : memref<?x4xf64> -> memref<4xf64>
      }
      // CHECK: op2.for_elements %{{.*}} of %[[PLAN]] block %[[B]] attributes {one_by_one, prefetch} {
      op2.for_elements %e of %plan block %b attributes {one_by_one, prefetch} {
      }
    }
  }
  %terms = memref.alloca() : memref<1x8xf64>
  // CHECK: op2.reduction_add %{{.*}} to %[[SUM]] elements %{{.*}} : memref<1x8xf64>, !op2.reduction<1xf64>
  op2.reduction_add %terms to %sum elements %from : memref<1x8xf64>, !op2.reduction<1xf64>
  %rows = memref.alloca() : memref<8x1xf64>
  // CHECK: op2.reduction_add rows %{{.*}} to %[[SUM]] elements %{{.*}} : memref<8x1xf64>, !op2.reduction<1xf64>
  op2.reduction_add rows %rows to %sum elements %from : memref<8x1xf64>, !op2.reduction<1xf64>
  // CHECK: op2.reduction_split %[[SUM]] component %{{.*}} : !op2.reduction<1xf64> -> memref<3xf64>
  %middles = op2.reduction_split %sum component %from : !op2.reduction<1xf64> -> memref<3xf64>
  %split = memref.alloca() : memref<1x5x4xi64>
  // CHECK: op2.reduction_add %{{.*}} to %[[SUM]] elements %{{.*}} split %{{.*}} : memref<1x8xf64>, !op2.reduction<1xf64>, memref<1x5x4xi64>
  op2.reduction_add %terms to %sum elements %from split %split : memref<1x8xf64>, !op2.reduction<1xf64>, memref<1x5x4xi64>
  op2.reduction_end %sum : !op2.reduction<1xf64>
  // CHECK: op2.reduction_end %[[RED]] : !op2.reduction<1xf64>
  op2.reduction_end %red : !op2.reduction<1xf64>
  // CHECK: op2.loop_end %[[LOOP]]
  op2.loop_end %loop
  return
}

// CHECK-LABEL: func.func @ownership
func.func @ownership(%loop: !op2.loop, %c: index, %q: !op2.dat<4xf64>,
                     %data: memref<?x4xf64>) {
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 0 {coloring = #op2.coloring<owner>}
  %plan = op2.plan %loop block_size 0 {coloring = #op2.coloring<owner>}
  op2.for_blocks %b of %plan color %c {
    // CHECK: op2.num_pieces %[[PLAN]][%[[B:.*]]]
    %n = op2.num_pieces %plan[%b]
    // CHECK: op2.piece %[[PLAN]][%[[B]], %{{.*}}]
    %begin, %end, %guarded = op2.piece %plan[%b, %c]
    // CHECK: %[[LO:.*]], %[[HI:.*]] = op2.owned_range %[[PLAN]][%[[B]]] of %{{.*}} : !op2.dat<4xf64>
    %lo, %hi = op2.owned_range %plan[%b] of %q : !op2.dat<4xf64>
    // CHECK: op2.for_elements
    op2.for_elements %e of %plan block %b {
    // CHECK: } lanes 4 %{{.*}} {
    } lanes 4 %first {
    // CHECK: } guarded %[[G:.*]] {
    } guarded %g {
      // CHECK: %[[SPARE:.*]] = memref.alloca()
      // CHECK: op2.owned_row %{{.*}}[%[[G]]] in %[[LO]] to %[[HI]] else %[[SPARE]] : memref<?x4xf64>, memref<4xf64> -> memref<4xf64>
      %spare = memref.alloca() : memref<4xf64>
      %r = op2.owned_row %data[%g] in %lo to %hi else %spare : memref<?x4xf64>, memref<4xf64> -> memref<4xf64>
      // CHECK: op2.owned_row %{{.*}} : memref<?x4xf64>, memref<4xf64> -> !llvm.ptr
      %p = op2.owned_row %data[%g] in %lo to %hi else %spare : memref<?x4xf64>, memref<4xf64> -> !llvm.ptr
    }
    // CHECK: op2.for_elements
    op2.for_elements %e of %plan block %b {
    // CHECK: } guarded %{{.*}} {
    } guarded %g {
    }
  }
  return
}
