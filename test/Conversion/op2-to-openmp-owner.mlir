// Pieces of what a thread owns, one after the other: the chunk function in its
// versions, and one with private rows for elements at the border. Where elements
// are vectorized, those at the border do, too.

// RUN: op2-opt %s --op2-plan --cse --convert-op2-to-openmp --canonicalize | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse --convert-op2-to-openmp --canonicalize | FileCheck %s --check-prefix=LANES

func.func @flux(%q: memref<4xf64>, %r: memref<2xf64>) {
  return
}

// What a thread does with its part is long: one function for both versions, in
// threads and alone.

// CHECK-DAG: #[[NONE:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK-DAG: #[[ONCE:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[SHORT:.*]] = #llvm.loop_annotation<vectorize = #[[NONE]], unroll = #[[ONCE]]>

// CHECK-LABEL: func.func private @flux_block(
// CHECK-SAME: %[[B:.*]]: index, %[[PLAN:[^ ]*]]: !op2.plan, {{.*}}%[[FREE:[^ ]*]]: i1)
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK: %[[LO:.*]], %[[HI:.*]] = op2.owned_range %[[PLAN]][%[[B]]]
// CHECK: %[[N:.*]] = op2.num_pieces %[[PLAN]][%[[B]]]
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]]
// CHECK: %[[BEGIN:.*]], %[[END:.*]], %[[GUARD:.*]] = op2.piece %[[PLAN]][%[[B]], %[[I]]]
// CHECK: scf.if %[[GUARD]] {
// CHECK:   func.call @flux_chunk_guarded(%[[BEGIN]], %[[END]],{{.*}}%[[LO]], %[[HI]]
// CHECK: } else {
// CHECK:   scf.if %[[FREE]] {
// CHECK:     func.call @flux_chunk(%[[BEGIN]], %[[END]],
// CHECK:   } else {
// CHECK:     func.call @flux_chunk_general(%[[BEGIN]], %[[END]],

// CHECK-LABEL: func.func @divided
func.func @divided(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                   %r: !op2.dat<2xf64>) {
  // CHECK: %[[FREE:.*]] = op2.is_alias_free
  // CHECK: %[[PLAN:.*]] = op2.plan
  // CHECK: op2.thread_range
  // CHECK: scf.for %[[B:[^ ]*]] =
  // CHECK-NEXT: func.call @flux_block(%[[B]], %[[PLAN]],{{.*}}, %[[FREE]])
  // CHECK: } else {
  // CHECK: scf.for
  // CHECK: scf.for %[[B:[^ ]*]] = %
  // CHECK-NEXT: func.call @flux_block(%[[B]], %[[PLAN]],{{.*}}, %[[FREE]])
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}
// CHECK: func.func private @flux_chunk(
// CHECK-NOT: op2.owned_row
// CHECK-NOT: llvm.loop_annotation
// CHECK: func.func private @flux_chunk_general(
// CHECK-NOT: op2.owned_row
// CHECK: func.func private @flux_chunk_guarded(
// CHECK-NOT: noalias
// Guarded pieces are short: LLVM is to make neither groups nor copies.
// CHECK: scf.for
// CHECK: op2.owned_row
// CHECK: } {llvm.loop_annotation = #[[SHORT]]}

// LANES-LABEL: func.func private @flux_block(
// LANES: scf.if %{{.*}} {
// LANES:   scf.if %[[FREE:.*]] {
// LANES:     func.call @flux_chunk_guarded(
// LANES:   } else {
// LANES:     func.call @flux_chunk_guarded_general(
// LANES: } else {
// LANES:   scf.if %[[FREE]] {
// LANES:     func.call @flux_chunk(
// LANES:   } else {
// LANES:     func.call @flux_chunk_general(
// LANES: func.func private @flux_chunk(
// LANES-NOT: op2.owned_row
// LANES: func.func private @flux_chunk_guarded(
// LANES-SAME: llvm.noalias
// LANES-SAME: %[[LO:[^ ]*]]: index, %[[HI:[^ ]*]]: index
// Only what is added to is owned.
// LANES: scf.for %{{.*}} step %c8 {
// LANES:   op2.row %{{.*}} : memref<?x4xf64> -> memref<4xf64>
// LANES:   call @flux_x8
// LANES-COUNT-8: op2.owned_row %{{.*}} in %[[LO]] to %[[HI]] else %{{.*}} : memref<?x2xf64>, memref<2xf64> -> memref<2xf64>
// LANES-NOT: op2.owned_row
// LANES: scf.for %{{.*}} step %c1 {
// LANES:   op2.owned_row
// LANES:   call @flux(
// LANES: } {llvm.loop_annotation = #{{.*}}}
// LANES: func.func private @flux_chunk_guarded_general(
// LANES-NOT: noalias
// LANES-NOT: call @flux_x8
// LANES: op2.owned_row
// LANES: } {llvm.loop_annotation = #{{.*}}}
