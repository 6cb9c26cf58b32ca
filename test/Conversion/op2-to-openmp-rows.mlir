// RUN: op2-opt %s --op2-plan --cse --convert-op2-to-openmp --canonicalize | FileCheck %s

// Row after row, where elements go that way: the inner loop has one row, whose
// number is not read from the map. Of a part of a row's elements, too.

func.func private @add(%x: memref<1xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %value = memref.load %x[%c0] : memref<1xf64>
  %old = memref.load %r[%c0] : memref<1xf64>
  %new = arith.addf %old, %value : f64
  memref.store %new, %r[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func private @add_block(
// CHECK: scf.if %{{.*}} {
// CHECK:   call @add_chunk_guarded(
// CHECK: } else {
// CHECK:   scf.if %[[ROWS:[^ ]*]] {
// CHECK:     call @add_chunk_rows(
// CHECK:   } else {
// CHECK:     scf.if %[[FREE:[^ ]*]] {
// CHECK:       call @add_chunk(
// CHECK:     } else {
// CHECK:       call @add_chunk_general(

// CHECK-LABEL: func.func @loop
// CHECK: %[[LOOP:.*]] = op2.loop_begin
// CHECK: %[[FREE:.*]] = op2.is_alias_free %[[LOOP]]
// CHECK: %[[ENDS:.*]] = op2.row_ends %[[LOOP]] arg 1
// CHECK: %[[COUNT:.*]] = memref.dim %[[ENDS]]
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[COUNT]], %c0
// CHECK: arith.andi %[[FREE]], %[[ANY]]
func.func @loop(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @add over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}

// Nobody asks for rows.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: nothing_chunk_rows
func.func @nothing(%set: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "nothing" over %set args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>) {target = #op2.target<openmp>, strategy = "blocks"}
  %plan = op2.plan %loop block_size 0
  %ends = op2.row_ends %loop arg 1 : memref<?xi32>
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b row_ends %ends {
      }
    }
  }
  op2.loop_end %loop
  return
}

// CHECK-LABEL: func.func private @add_chunk_rows(
// CHECK-SAME: %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[M:.*]]: !llvm.ptr {llvm.noalias}, %[[R:.*]]: !llvm.ptr {llvm.noalias}, %[[E:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-DAG: %[[DATA:.*]] = op2.ptr_cast %[[R]]
// CHECK-DAG: %[[TABLE:.*]] = op2.ptr_cast %[[M]]
// CHECK-DAG: %[[ENDS:.*]] = op2.ptr_cast %[[E]]
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]]
// CHECK: scf.if %[[ANY]] {
// CHECK:   %[[LAST:.*]] = arith.subi %[[END]], %c1
// CHECK:   %[[R0:.*]] = memref.load %[[TABLE]][%[[BEGIN]], %c0]
// CHECK:   %[[ROW0:.*]] = arith.index_cast %[[R0]]
// CHECK:   %[[R1:.*]] = memref.load %[[TABLE]][%[[LAST]], %c0]
// CHECK:   %[[ROW1:.*]] = arith.index_cast %[[R1]]
// CHECK:   %[[BEHIND:.*]] = arith.addi %[[ROW1]], %c1
// CHECK:   scf.for %[[ROW:.*]] = %[[ROW0]] to %[[BEHIND]] step %c1 iter_args(%[[FIRST:.*]] = %[[BEGIN]])
// CHECK:     %[[STOP:.*]] = memref.load %[[ENDS]][%[[ROW]]]
// CHECK:     %[[NEXT:.*]] = arith.index_cast %[[STOP]]
// CHECK:     %[[UNTIL:.*]] = arith.minsi %[[NEXT]], %[[END]]
// CHECK:     scf.for %[[N:.*]] = %[[FIRST]] to %[[UNTIL]] step %c1 {
// CHECK-NOT:   memref.load %[[TABLE]]
// CHECK:       op2.row %[[DATA]][%[[ROW]]]
// CHECK:     scf.yield %[[UNTIL]]
