// RUN: op2-opt %s --convert-op2-to-llvm --split-input-file | FileCheck %s

// A loop's description is constant data but for the runtime's own pointer.

// CHECK-DAG: llvm.mlir.global internal constant @[[NAME:.*]]("update\00")
// CHECK-DAG: llvm.mlir.global internal constant @__op2_args(dense<[1, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, -1, 1, -1, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 3, -1, 1, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0]> : tensor<42xi32>)
// CHECK-DAG: llvm.mlir.global internal @__op2_loop_desc()

// CHECK-LABEL: llvm.func @begin
// CHECK-SAME: %[[SET:[^:]*]]: !llvm.ptr, %[[M:[^:]*]]: !llvm.ptr
func.func @begin(%set: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                 %d: !op2.dat<?xf32>, %s: memref<1xf64>, %flag: i1) {
  // CHECK: %[[ARGS:.*]] = llvm.alloca %{{.*}} x !llvm.array<3 x struct<(ptr, ptr, i32, ptr, ptr)>>
  // CHECK: llvm.zext %{{.*}} : i1 to i32
  // CHECK: %[[DESC:.*]] = llvm.mlir.addressof @__op2_loop_desc
  // CHECK: %[[LOOP:.*]] = llvm.call @op2rt_loop_begin(%[[DESC]], %[[SET]], %[[ARGS]])
  %loop = op2.loop_begin "update" over %set args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      if %flag inc %d : !op2.dat<?xf32>,
      inc global %s : memref<1xf64>)
      {target = #op2.target<openmp>, strategy = "blocks"}
  // CHECK: llvm.call @op2rt_loop_range(%[[LOOP]]) : (!llvm.ptr) -> !llvm.struct<(i64, i64)>
  %first, %last = op2.loop_range %loop
  // CHECK: %[[ANSWER:.*]] = llvm.call @op2rt_loop_is_alias_free(%[[LOOP]])
  // CHECK: llvm.icmp "ne" %[[ANSWER]]
  %free = op2.is_alias_free %loop
  // CHECK: llvm.call @op2rt_loop_end(%[[LOOP]])
  op2.loop_end %loop
  return
}

// -----

// CHECK-LABEL: llvm.func @row_ends
func.func @row_ends(%loop: !op2.loop) -> index {
  // CHECK: %[[ARG:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[ENDS:.*]] = llvm.call @op2rt_loop_row_ends(%{{.*}}, %[[ARG]]) : (!llvm.ptr, i32) -> !llvm.struct<(ptr, i64)>
  // CHECK: llvm.extractvalue %[[ENDS]][0]
  // CHECK: llvm.extractvalue %[[ENDS]][1]
  %ends = op2.row_ends %loop arg 2 : memref<?xi32>
  %c0 = arith.constant 0 : index
  %count = memref.dim %ends, %c0 : memref<?xi32>
  return %count : index
}

// -----

// CHECK-LABEL: llvm.func @plan
func.func @plan(%loop: !op2.loop, %c: index) {
  // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(64 : i64)
  // CHECK: %[[PLAN:.*]] = llvm.call @op2rt_plan_get(%{{.*}}, %[[SIZE]], %{{.*}}) : (!llvm.ptr, i64, i32) -> !llvm.ptr
  %plan = op2.plan %loop block_size 64
  // CHECK: %[[THREADS:.*]] = llvm.call @op2rt_plan_uses_threads(%[[PLAN]])
  // CHECK: llvm.icmp "ne" %[[THREADS]]
  %threads = op2.uses_threads %plan
  // CHECK: %[[COUNT:.*]] = llvm.getelementptr %[[PLAN]][0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64, ptr, ptr, ptr)>
  // CHECK: llvm.load %[[COUNT]] : !llvm.ptr -> i64
  %n = op2.num_colors %plan
  // CHECK: llvm.getelementptr %[[PLAN]][0, 2]
  // CHECK: %[[COLORS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.getelementptr %[[COLORS]][%[[C:.*]]] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  // CHECK: %[[NEXT:.*]] = llvm.add %[[C]], %{{.*}} : i64
  // CHECK: llvm.getelementptr %[[COLORS]][%[[NEXT]]]
  %first, %last = op2.color_range %plan[%c]
  // CHECK: %[[OWN:.*]] = llvm.call @op2rt_plan_thread_range(%[[PLAN]], %[[C]]) : (!llvm.ptr, i64) -> !llvm.struct<(i64, i64)>
  // CHECK: llvm.extractvalue %[[OWN]][0]
  // CHECK: llvm.extractvalue %[[OWN]][1]
  %own, %others = op2.thread_range %plan[%c]
  // CHECK: llvm.getelementptr %[[PLAN]][0, 4]
  // CHECK: %[[PIECES:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.getelementptr %[[PIECES]][%[[C]], 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i64, i64, i64)>
  // CHECK: llvm.getelementptr %[[PIECES]][%[[C]], 1]
  %begin, %end = op2.block_range %plan[%c]
  // CHECK: llvm.getelementptr %[[PLAN]][0, 3]
  // CHECK: %[[BEGINS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.sub
  %pieces = op2.num_pieces %plan[%c]
  // CHECK: %[[BLOCK:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
  // CHECK: %[[NUMBER:.*]] = llvm.add %[[BLOCK]], %[[C]] : i64
  // CHECK: llvm.getelementptr %{{.*}}[%[[NUMBER]], 2]
  // CHECK: llvm.icmp "ne"
  %from, %to, %guarded = op2.piece %plan[%c, %c]
  // CHECK: %[[RED:.*]] = llvm.call @op2rt_reduction_begin(%{{.*}}, %{{.*}}, %[[PLAN]])
  %red = op2.reduction_begin %loop arg 2 over %plan : !op2.reduction<1xf64>
  // CHECK: llvm.call @op2rt_reduction_partial(%[[RED]], %[[C]])
  %p = op2.reduction_partial %red[%c] : !op2.reduction<1xf64> -> memref<1xf64>
  // CHECK: llvm.call @op2rt_reduction_end(%[[RED]])
  op2.reduction_end %red : !op2.reduction<1xf64>
  // CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[SUM:.*]] = llvm.call @op2rt_reduction_begin(%{{.*}}, %{{.*}}, %[[NONE]])
  %sum = op2.reduction_begin %loop arg 2 : !op2.reduction<1xf64>
  %terms = memref.alloca() : memref<1x8xf64>
  // CHECK: llvm.call @op2rt_reduction_add(%[[SUM]], %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
  op2.reduction_add %terms to %sum elements %c : memref<1x8xf64>, !op2.reduction<1xf64>
  %rows = memref.alloca() : memref<8x1xf64>
  // CHECK: llvm.call @op2rt_reduction_add_rows(%[[SUM]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  op2.reduction_add rows %rows to %sum elements %c : memref<8x1xf64>, !op2.reduction<1xf64>
  // CHECK: llvm.call @op2rt_reduction_split(%[[SUM]], %{{.*}}) : (!llvm.ptr, i64) -> !llvm.ptr
  %middles = op2.reduction_split %sum component %c : !op2.reduction<1xf64> -> memref<3xf64>
  %split = memref.alloca() : memref<1x5x4xi64>
  // CHECK: %[[LANES:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: llvm.call @op2rt_reduction_add_split(%[[SUM]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[LANES]])
  op2.reduction_add %terms to %sum elements %c split %split : memref<1x8xf64>, !op2.reduction<1xf64>, memref<1x5x4xi64>
  op2.reduction_end %sum : !op2.reduction<1xf64>
  return
}

// -----

// A row starts at base + index * dim, whatever the size of the dat.

llvm.func @use(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: llvm.func @rows
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr, %[[I:[^:]*]]: i64, %[[D:[^:]*]]: i64
func.func @rows(%p: !llvm.ptr, %i: index, %dim: index) {
  %m = op2.ptr_cast %p : !llvm.ptr -> memref<?x4xf64>
  // CHECK: %[[OFF:.*]] = llvm.mul %[[I]], %{{.*}} overflow<nsw> : i64
  // CHECK: %[[ROW:.*]] = llvm.getelementptr %{{.*}}[%[[OFF]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %row = op2.row %m[%i] : memref<?x4xf64> -> !llvm.ptr
  %n = op2.ptr_cast %p sizes(%dim) : !llvm.ptr -> memref<?x?xf32>
  // CHECK: llvm.getelementptr %{{.*}} -> !llvm.ptr, f32
  %dyn = op2.row %n[%i] : memref<?x?xf32> -> !llvm.ptr
  // CHECK: llvm.call @use(%[[ROW]],
  llvm.call @use(%row, %dyn) : (!llvm.ptr, !llvm.ptr) -> ()
  return
}

// -----

// Tables of pointers stand in the frame, not in the loop.

// CHECK-LABEL: llvm.func @tables
func.func @tables(%p: !llvm.ptr) {
  // CHECK: llvm.alloca %{{.*}} x !llvm.array<2 x ptr>
  // CHECK: llvm.br
  cf.br ^body
^body:
  // CHECK-NOT: llvm.alloca
  %t = op2.row_table %p, %p : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  cf.br ^body
}

// -----

memref.global @gam : memref<1xf64> = dense<1.4>

// CHECK-LABEL: llvm.func @declare
func.func @declare(%n: index, %table: memref<?x2xi32>, %x: memref<?xf32>) {
  // CHECK: llvm.call @op2rt_decl_set({{.*}}) : (i64, !llvm.ptr) -> !llvm.ptr
  %s = op2.decl_set "s" size %n
  // CHECK: llvm.call @op2rt_decl_map({{.*}}) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %m = op2.decl_map "m" %s to %s values %table : memref<?x2xi32> -> !op2.map<2>
  // CHECK: %[[F32:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @op2rt_decl_dat(%{{.*}}, %{{.*}}, %[[F32]], {{.*}}) : (!llvm.ptr, i32, i32, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %d = op2.decl_dat "d" on %s values %x : memref<?xf32> -> !op2.dat<3xf32>
  // CHECK: llvm.mlir.addressof @gam
  // CHECK: llvm.call @op2rt_decl_const
  op2.decl_const @gam : memref<1xf64>
  // CHECK: llvm.call @op2rt_fetch({{.*}}) : (!llvm.ptr, i32, !llvm.ptr, i64) -> ()
  op2.fetch %d to %x : !op2.dat<3xf32>, memref<?xf32>
  return
}

// -----

// Of two zeros the first one is the larger one; what LLVM lacks is expanded.

// CHECK-LABEL: llvm.func @numbers
// CHECK-SAME: (%[[A:.*]]: f64, %[[B:.*]]: f64, %{{.*}}: i32
// CHECK: %[[IS:.*]] = llvm.fcmp "ogt" %[[B]], %[[A]] : f64
// CHECK: %[[BETTER:.*]] = llvm.select %[[IS]], %[[B]], %[[A]] : i1, f64
// CHECK: %[[NAN:.*]] = llvm.fcmp "uno" %[[A]], %[[A]] : f64
// CHECK: llvm.select %[[NAN]], %[[B]], %[[BETTER]] : i1, f64
// CHECK: llvm.intr.minimum
// CHECK: llvm.sdiv
// CHECK: llvm.select
func.func @numbers(%a: f64, %b: f64, %i: i32, %j: i32) -> (f64, i32) {
  %0 = arith.maxnumf %a, %b : f64
  %1 = arith.minimumf %0, %b : f64
  %2 = arith.ceildivsi %i, %j : i32
  return %1, %2 : f64, i32
}

// -----

// Private memory is one array; in a parallel region it is each thread's own.

// CHECK-LABEL: llvm.func @arrays
// CHECK:         %[[OUTER:.*]] = llvm.alloca {{.*}} x !llvm.array<16 x f64>
// CHECK:         omp.parallel {
// CHECK-NEXT:      %{{.*}} = llvm.mlir.constant(1 : i64)
// CHECK-NEXT:      %[[INNER:.*]] = llvm.alloca {{.*}} x !llvm.array<8 x f64> {alignment = 64 : i64}
func.func @arrays(%x: f64) {
  %c0 = arith.constant 0 : index
  %0 = memref.alloca() : memref<2x8xf64>
  memref.store %x, %0[%c0, %c0] : memref<2x8xf64>
  omp.parallel {
    %1 = memref.alloca() {alignment = 64 : i64} : memref<1x8xf64>
    memref.store %x, %1[%c0, %c0] : memref<1x8xf64>
    omp.terminator
  }
  return
}

// -----

// What is asked of LLVM for a loop reaches the loop's branch.

#none = #llvm.loop_vectorize<disable = true>
#alone = #llvm.loop_annotation<vectorize = #none>

// CHECK: #[[ALONE:.*]] = #llvm.loop_annotation<
// CHECK-LABEL: llvm.func @annotated
// CHECK: llvm.br ^{{.*}} {loop_annotation = #[[ALONE]]}
// CHECK-NOT: llvm.loop_annotation
func.func @annotated(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index) {llvm.loop_annotation = #alone}
^end:
  return
}

// -----

// What a function of the program reduces: its address and the identity are part
// of the argument's value.

// CHECK-DAG: llvm.mlir.global internal constant @__op2_args(dense<[0, 7, -1, 1, 2, 0, 0, -1, 0, 0, 0, 0, 0, 0]> : tensor<14xi32>)

// CHECK-LABEL: llvm.func @merged
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[MERGE:[^:]*]]: !llvm.ptr
func.func @merged(%set: !op2.set, %merge: !llvm.ptr, %identity: memref<2xf64>,
                  %global: memref<2xf64>) {
  // CHECK: %[[M:.*]] = llvm.getelementptr %{{.*}}[0, 0, 3]
  // CHECK-NEXT: llvm.store %[[MERGE]], %[[M]]
  // CHECK: %[[I:.*]] = llvm.getelementptr %{{.*}}[0, 0, 4]
  // CHECK-NEXT: llvm.store %{{.*}}, %[[I]]
  %loop = op2.loop_begin "merged" over %set args(
      reduce %merge from %identity global %global : memref<2xf64>)
      {target = #op2.target<seq>, strategy = "sequential"}
  op2.loop_end %loop
  return
}
