// RUN: op2-opt %s --op2-plan --cse --convert-op2-to-openmp --canonicalize --split-input-file | FileCheck %s

// One dat: nothing to confuse it with, one chunk function.

func.func private @scale(memref<4xf64>)

// CHECK-LABEL: func.func @one_dat
func.func @one_dat(%cells: !op2.set, %q: !op2.dat<4xf64>) {
  // CHECK: %[[PLAN:.*]] = op2.plan
  // CHECK: %[[D:.*]] = op2.dat_data
  // CHECK-NOT: op2.is_alias_free
  // CHECK: %[[P:.*]] = op2.ptr_cast %[[D]]
  // CHECK: %[[THREADS:.*]] = op2.uses_threads %[[PLAN]]
  // CHECK: scf.if %[[THREADS]] {
  // CHECK:   omp.parallel {
  // CHECK:     %[[N:.*]] = op2.num_colors %[[PLAN]]
  // CHECK:     scf.for %[[C:.*]] = %c0 to %[[N]]
  // CHECK:       %[[FIRST:.*]], %[[LAST:.*]] = op2.thread_range %[[PLAN]][%[[C]]]
  // CHECK:       scf.for %[[B:.*]] = %[[FIRST]] to %[[LAST]]
  // CHECK:         %[[BEGIN:.*]], %[[END:.*]] = op2.block_range %[[PLAN]][%[[B]]]
  // CHECK:         func.call @scale_chunk(%[[BEGIN]], %[[END]], %[[P]])
  // Threads wait between colours, not behind the last one.
  // CHECK:       %[[NEXT:.*]] = arith.addi %[[C]], %c1
  // CHECK:       %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
  // CHECK:       scf.if %[[MORE]] {
  // CHECK-NEXT:    omp.barrier
  // CHECK-NEXT:  }
  // CHECK-NEXT: }
  // CHECK:     omp.terminator
  // One thread does without OpenMP's library.
  // CHECK: } else {
  // CHECK-NOT: omp.
  // CHECK:   %[[N1:.*]] = op2.num_colors %[[PLAN]]
  // CHECK:   scf.for %[[C1:.*]] = %c0 to %[[N1]]
  // CHECK:     %[[FIRST1:.*]], %[[LAST1:.*]] = op2.color_range %[[PLAN]][%[[C1]]]
  // CHECK:     scf.for %[[B1:.*]] = %[[FIRST1]] to %[[LAST1]]
  // CHECK:       op2.block_range %[[PLAN]][%[[B1]]]
  // CHECK:       func.call @scale_chunk(
  // CHECK: op2.loop_end
  // CHECK-NOT: op2.for_
  op2.par_loop @scale over %cells args(rw %q : !op2.dat<4xf64>)
  return
}
// CHECK-LABEL: func.func private @scale_chunk
// CHECK-SAME: (%[[LO:.*]]: index, %[[HI:.*]]: index, %[[PTR:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK: %[[M:.*]] = op2.ptr_cast %[[PTR]] : !llvm.ptr -> memref<?x4xf64>
// CHECK: scf.for %[[E:.*]] = %[[LO]] to %[[HI]]
// CHECK: op2.row %[[M]][%[[E]]]
// CHECK: call @scale
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NOT: func.func private @scale_chunk_general

// -----

// Two dats, one written: noalias under a check, else the plain version, which
// LLVM need not look at for vectors.

func.func private @copy(memref<4xf64>, memref<4xf64>)

// CHECK: #[[SCALAR:.*]] = #llvm.loop_annotation<vectorize = {{.*}}, unroll = {{.*}}>
// CHECK-LABEL: func.func @two_dats
func.func @two_dats(%cells: !op2.set, %q: !op2.dat<4xf64>, %o: !op2.dat<4xf64>) {
  // CHECK: %[[FREE:.*]] = op2.is_alias_free
  // CHECK: omp.parallel
  // CHECK: scf.if %[[FREE]] {
  // CHECK:   func.call @copy_chunk(
  // CHECK: } else {
  // CHECK:   func.call @copy_chunk_general(
  op2.par_loop @copy over %cells args(
      read %q : !op2.dat<4xf64>, write %o : !op2.dat<4xf64>)
  return
}
// CHECK: func.func private @copy_chunk({{.*}}!llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
// CHECK: call @copy
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK: func.func private @copy_chunk_general({{.*}}!llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: call @copy
// CHECK-NEXT: } {llvm.loop_annotation = #[[SCALAR]]}

// -----

// A form of loops that is called where data do not overlap has no other version.

func.func private @ends(memref<1xf64>, memref<1xf64>)

// CHECK-LABEL: func.func @fused_form
func.func @fused_form(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>,
                      %o: !op2.dat<1xf64>) attributes {op2.variant = #op2.variant<fused>} {
  // CHECK-NOT: op2.is_alias_free
  // CHECK-NOT: _general
  // CHECK: func.call @ends_chunk(
  op2.par_loop @ends over %edges args(
      read %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>, write %o : !op2.dat<1xf64>)
  return
}
// CHECK: func.func private @ends_chunk({{.*}}!llvm.ptr {llvm.noalias}
// CHECK-NOT: _general

// -----

// Two dats that are only read cannot disturb each other; the terms of the sum
// are the function's own; the map is only read.

func.func private @norm(memref<4xf64>, memref<2xf64>, memref<1xf64>)

// CHECK-LABEL: func.func @only_read
func.func @only_read(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                     %x: !op2.dat<2xf64>, %s: memref<1xf64>) {
  // CHECK-NOT: op2.is_alias_free
  // CHECK: %[[RED:.*]] = op2.reduction_begin %{{.*}} arg 2 : !op2.reduction<1xf64>
  // CHECK: op2.thread_range
  // CHECK: func.call @norm_chunk(%{{.*}}, %{{.*}}, %[[RED]], {{.*}}) : (index, index, !op2.reduction<1xf64>, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  // CHECK: op2.reduction_end %[[RED]]
  op2.par_loop @norm over %edges args(
      read %q : !op2.dat<4xf64>,
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc global %s : memref<1xf64>)
  return
}
// CHECK: func.func private @norm_chunk
// CHECK-SAME: %[[SUM:[^ ]*]]: !op2.reduction<1xf64>
// CHECK-COUNT-3: !llvm.ptr {llvm.noalias}
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x2048xf64>
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %c2048
// CHECK:   %[[LAST:.*]] = arith.minsi
// CHECK:   scf.for %[[E:.*]] = %[[FIRST]] to %[[LAST]] step %c1
// CHECK:     memref.store %cst, %[[TERM:.*]][%c0
// CHECK:     func.call @norm(%{{.*}}, %{{.*}}, %[[TERM]])
// CHECK:     %[[N:.*]] = arith.subi %[[E]], %[[FIRST]]
// CHECK:     %[[VALUE:.*]] = memref.load %[[TERM]][%c0
// CHECK:     memref.store %[[VALUE]], %[[BUFFER]][%c0{{.*}}, %[[N]]] : memref<1x2048xf64>
// CHECK:   }
// CHECK:   %[[COUNT:.*]] = arith.subi %[[LAST]], %[[FIRST]]
// CHECK:   op2.reduction_add %[[BUFFER]] to %[[SUM]] elements %[[COUNT]] : memref<1x2048xf64>, !op2.reduction<1xf64>

// -----

// The same dat under one value, read and incremented: one noalias pointer.

func.func private @smooth(memref<1xf64>, memref<1xf64>)

// CHECK-LABEL: func.func @read_and_inc
func.func @read_and_inc(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>) {
  op2.par_loop @smooth over %edges args(
      read %q : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}
// CHECK: func.func private @smooth_chunk(%{{.*}}: index, %{{.*}}: index
// CHECK-SAME: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})

// -----

// A map of unknown arity: the loop uses slots 0 and 2, so the arity is most
// likely 3; the fast version has that stride as a constant.

llvm.func @ends(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @unknown_arity
func.func @unknown_arity(%edges: !op2.set, %m: !op2.map<?>, %q: !op2.dat<1xf64>) {
  // CHECK-NOT: op2.is_alias_free
  // CHECK: %[[TABLE:.*]] = op2.map_table
  // CHECK: %[[ARITY:.*]] = memref.dim %[[TABLE]], %c1
  // CHECK: %[[LIKELY:.*]] = arith.cmpi eq, %[[ARITY]], %c3
  // CHECK: scf.if %[[LIKELY]] {
  // CHECK:   func.call @ends_chunk(
  // CHECK: } else {
  // CHECK:   func.call @ends_chunk_general(
  op2.par_loop @ends over %edges args(
      read %q : !op2.dat<1xf64> via %m[0] : !op2.map<?>,
      read %q : !op2.dat<1xf64> via %m[2] : !op2.map<?>)
  return
}
// CHECK: func.func private @ends_chunk(
// CHECK: op2.ptr_cast %{{.*}} sizes(%c3) : !llvm.ptr -> memref<?x?xi32>
// CHECK: func.func private @ends_chunk_general(
// CHECK: op2.ptr_cast %{{.*}} sizes(%arg{{.*}}) : !llvm.ptr -> memref<?x?xi32>

// -----

// The function says that the map is likely to have more.

llvm.func @ends(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @likely_arity
func.func @likely_arity(%edges: !op2.set, %m: !op2.map<?> {op2.likely_arity = 5 : i64}, %q: !op2.dat<1xf64>) {
  // CHECK: arith.cmpi eq, %{{.*}}, %c5
  op2.par_loop @ends over %edges args(
      read %q : !op2.dat<1xf64> via %m[0] : !op2.map<?>,
      read %q : !op2.dat<1xf64> via %m[2] : !op2.map<?>)
  return
}
// CHECK: func.func private @ends_chunk(
// CHECK: op2.ptr_cast %{{.*}} sizes(%c5) : !llvm.ptr -> memref<?x?xi32>

// -----

// Sizes that are known at run time only travel with the pointer.

llvm.func @k(!llvm.ptr)

// CHECK-LABEL: func.func @run_time_dim
func.func @run_time_dim(%cells: !op2.set, %d: !op2.dat<?xf64>) {
  // CHECK: %[[DIM:.*]] = memref.dim %{{.*}}, %c1
  // CHECK: call @k_chunk(%{{.*}}, %{{.*}}, %{{.*}}, %[[DIM]])
  op2.par_loop @k over %cells args(rw %d : !op2.dat<?xf64>)
  return
}
// CHECK: func.func private @k_chunk(%{{.*}}: index, %{{.*}}: index, %[[P:.*]]: !llvm.ptr {llvm.noalias}, %[[D:.*]]: index)
// CHECK: op2.ptr_cast %[[P]] sizes(%[[D]]) : !llvm.ptr -> memref<?x?xf64>

// -----

// Two loops of one name get two chunk functions.

func.func private @zero(memref<1xf64>)

func.func @twice(%cells: !op2.set, %q: !op2.dat<1xf64>, %o: !op2.dat<1xf64>) {
  op2.par_loop @zero over %cells args(write %q : !op2.dat<1xf64>)
  op2.par_loop @zero over %cells args(write %o : !op2.dat<1xf64>)
  return
}
// CHECK-DAG: func.func private @zero_chunk(
// CHECK-DAG: func.func private @zero_chunk_0(

// -----

// The blocks of one colour, in somebody else's parallel region.

func.func private @touch(memref<4xf64>)

// CHECK-LABEL: func.func @one_color
func.func @one_color(%loop: !op2.loop, %c: index, %data: memref<?x4xf64>) {
  %plan = op2.plan %loop block_size 0
  // CHECK-NOT: omp.parallel
  // CHECK: op2.thread_range %{{.*}}[%{{.*}}]
  // CHECK: scf.for
  // CHECK:   func.call @op2_chunk(
  // CHECK: }
  // CHECK: omp.barrier
  op2.for_blocks %b of %plan color %c {
    op2.for_elements %e of %plan block %b {
      %row = op2.row %data[%e] : memref<?x4xf64> -> memref<4xf64>
      func.call @touch(%row) : (memref<4xf64>) -> ()
    }
  }
  return
}

// -----

// Elements that run faster one by one: LLVM is not to vectorize them, but
// may unroll the loop.

func.func private @waves(memref<1xf64>)

// CHECK: #[[NONE:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK: #[[ALONE:.*]] = #llvm.loop_annotation<vectorize = #[[NONE]]>
func.func @one_by_one(%loop: !op2.loop, %c: index, %data: memref<?x1xf64>) {
  %plan = op2.plan %loop block_size 0
  op2.for_blocks %b of %plan color %c {
    op2.for_elements %e of %plan block %b attributes {one_by_one} {
      %row = op2.row %data[%e] : memref<?x1xf64> -> memref<1xf64>
      func.call @waves(%row) : (memref<1xf64>) -> ()
    }
  }
  return
}
// CHECK: func.func private @op2_chunk(
// CHECK: scf.for
// CHECK:   call @waves(
// CHECK-NEXT: } {llvm.loop_annotation = #[[ALONE]]}

// -----

// What a body allocates that was written by hand: it is moved out of the loop
// if its size does not change, and it is freed.

// CHECK-LABEL: func.func private @own_chunk(
// CHECK: %[[SAME:.*]] = memref.alloc() : memref<4xf64>
// CHECK-NEXT: scf.for %[[E:.*]] =
// CHECK: memref.alloc(%[[E]])
// CHECK: memref.alloc() : memref<2xf64>
// CHECK: }
// CHECK-NEXT: memref.dealloc %[[SAME]]
func.func private @fill(memref<4xf64>, memref<?xf64>, memref<2xf64>)
func.func @own(%cells: !op2.set, %q: !op2.dat<4xf64>) {
  %loop = op2.loop_begin "own" over %cells args(rw %q : !op2.dat<4xf64>)
      {target = #op2.target<openmp>, strategy = "direct"}
  %plan = op2.plan %loop block_size 0
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        %same = memref.alloc() : memref<4xf64>
        %other = memref.alloc(%e) : memref<?xf64>
        %kept = memref.alloc() : memref<2xf64>
        func.call @fill(%same, %other, %kept) : (memref<4xf64>, memref<?xf64>, memref<2xf64>) -> ()
        memref.dealloc %other : memref<?xf64>
        memref.dealloc %same : memref<4xf64>
      }
    }
  }
  op2.loop_end %loop
  return
}
