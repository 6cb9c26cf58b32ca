// RUN: op2-opt %s -split-input-file -verify-diagnostics

// P1
func.func @storage(%q: !op2.dat<4xf64>) {
  // expected-error @+1 {{[P1] expected a result of type 'memref<?x4xf64>', got 'memref<?x2xf64>'}}
  %d = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x2xf64>
  return
}

// -----

// P1
func.func @table(%m: !op2.map<4>) {
  // expected-error @+1 {{[P1] expected a result of type 'memref<?x4xi32>', got 'memref<?x4xi64>'}}
  %d = op2.map_table %m : !op2.map<4> -> memref<?x4xi64>
  return
}

// -----

// P1
func.func @partial(%r: !op2.reduction<2xf64>, %b: index) {
  // expected-error @+1 {{[P1] expected a result of type 'memref<2xf64>', got 'memref<1xf64>'}}
  %d = op2.reduction_partial %r[%b] : !op2.reduction<2xf64> -> memref<1xf64>
  return
}

// -----

// P2
func.func @row(%d: memref<?x4xf64>, %i: index) {
  // expected-error @+1 {{[P2] expected a result of type 'memref<4xf64>', got 'memref<2xf64>'}}
  %r = op2.row %d[%i] : memref<?x4xf64> -> memref<2xf64>
  return
}

// -----

// P2
func.func @row_rank(%d: memref<?xf64>, %i: index) {
  // expected-error @+1 {{[P2] expected a memref of rank 2, array of structs or struct of arrays, got 'memref<?xf64>'}}
  %r = op2.row %d[%i] : memref<?xf64> -> !llvm.ptr
  return
}

// -----

// P3
func.func @cast(%d: memref<?xf64>) {
  // expected-error @+1 {{[P3] expected a pointer on one side and a memref on the other, got 'memref<?xf64>' and 'memref<?xf64>'}}
  %r = op2.ptr_cast %d : memref<?xf64> -> memref<?xf64>
  return
}

// -----

// P3
func.func @cast_sizes(%p: !llvm.ptr) {
  // expected-error @+1 {{[P3] expected 1 sizes, got 0}}
  %r = op2.ptr_cast %p : !llvm.ptr -> memref<?x?xf64>
  return
}

// -----

// P3
func.func @cast_layout(%p: !llvm.ptr) {
  // expected-error @+1 {{[P3] expected a memref of identity layout, or with strides and no offset}}
  %r = op2.ptr_cast %p : !llvm.ptr -> memref<4xf64, strided<[2], offset: 1>>
  return
}

// -----

// P4
func.func @body(%plan: !op2.plan) {
  // expected-error @+1 {{[P4] expected a body with one argument of type index}}
  "op2.for_colors"(%plan) ({
    "op2.yield"() : () -> ()
  }) : (!op2.plan) -> ()
  return
}

// -----

// P4
func.func @width(%plan: !op2.plan, %b: index) {
  // expected-error @+1 {{[P4] expected a width where there is a region for several elements, and only there}}
  op2.for_elements %e of %plan block %b attributes {width = 8 : i64} {
  }
  return
}

// -----

// P4
func.func @lanes(%plan: !op2.plan, %b: index) {
  // expected-error @+1 {{[P4] expected lanes with one argument of type index}}
  "op2.for_elements"(%plan, %b) <{width = 8 : i64}> ({
  ^bb0(%e: index):
    "op2.yield"() : () -> ()
  }, {
    "op2.yield"() : () -> ()
  }, {
  }) : (!op2.plan, index) -> ()
  return
}

// -----

// P4
func.func @lanes_one_by_one(%plan: !op2.plan, %b: index) {
  // expected-error @+1 {{[P4] has both 'one_by_one' and a region for several elements}}
  op2.for_elements %e of %plan block %b attributes {one_by_one} {
  } lanes 8 %first {
  }
  return
}

// -----

// P4
func.func @guarded(%plan: !op2.plan, %b: index) {
  // expected-error @+1 {{[P4] expected a guarded region with one argument of type index}}
  "op2.for_elements"(%plan, %b) ({
  ^bb0(%e: index):
    "op2.yield"() : () -> ()
  }, {
  }, {
    "op2.yield"() : () -> ()
  }) : (!op2.plan, index) -> ()
  return
}

// -----

// P8
func.func @owner_without_guard(%loop: !op2.loop, %b: index) {
  %plan = op2.plan %loop block_size 0 {coloring = #op2.coloring<owner>}
  // expected-error @+1 {{[P8] expected a guarded region where the plan's coloring is 'owner', and only there}}
  op2.for_elements %e of %plan block %b {
  }
  return
}

// -----

// P8
func.func @guard_without_owner(%loop: !op2.loop, %b: index) {
  %plan = op2.plan %loop block_size 0
  // expected-error @+1 {{[P8] expected a guarded region where the plan's coloring is 'owner', and only there}}
  op2.for_elements %e of %plan block %b {
  } guarded %g {
  }
  return
}

// -----

// P2
func.func @owned_row(%m: memref<?x4xf64, strided<[1, ?]>>, %i: index, %s: memref<4xf64>) {
  // expected-error @+1 {{[P2] expected an array of structs, got 'memref<?x4xf64, strided<[1, ?]>>'}}
  %r = op2.owned_row %m[%i] in %i to %i else %s : memref<?x4xf64, strided<[1, ?]>>, memref<4xf64> -> memref<4xf64>
  return
}

// -----

// P2
func.func @owned_row_spare(%m: memref<?x4xf64>, %i: index, %s: memref<2xf64>) {
  // expected-error @+1 {{[P2] expected spare memory of type 'memref<4xf64>', got 'memref<2xf64>'}}
  %r = op2.owned_row %m[%i] in %i to %i else %s : memref<?x4xf64>, memref<2xf64> -> memref<4xf64>
  return
}

// -----

// P2
func.func @owned_row_type(%m: memref<?x4xf64>, %i: index, %s: memref<4xf64>) {
  // expected-error @+1 {{[P2] expected a result of type 'memref<4xf64>', got 'memref<2xf64>'}}
  %r = op2.owned_row %m[%i] in %i to %i else %s : memref<?x4xf64>, memref<4xf64> -> memref<2xf64>
  return
}

// -----

func.func @block_size(%loop: !op2.loop) {
  // expected-error @+1 {{attribute 'block_size' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %plan = op2.plan %loop block_size -1
  return
}

// -----

// L2 holds for loop_begin as well.
func.func @begin(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{[L2] argument 0: slot 5 of '!op2.map<2>'}}
  %l = op2.loop_begin "x" over %s args(read %d : !op2.dat<1xf64> via %m[5] : !op2.map<2>)
      {target = #op2.target<seq>, strategy = ""}
  return
}

// -----

// P1
func.func @soa_of_run_time_dim(%d: !op2.dat<?xf64>) {
  // expected-error @+1 {{[P1] expected a result of type 'memref<?x?xf64>'}}
  %0 = op2.dat_data %d : !op2.dat<?xf64> -> memref<?x?xf64, strided<[1, ?]>>
  return
}

// -----

// P2
func.func @row_of_soa(%d: memref<?x4xf64, strided<[1, ?]>>, %i: index) {
  // expected-error @+1 {{[P2] expected a result of type 'memref<4xf64, strided<[?]>>', got '!llvm.ptr'}}
  %0 = op2.row %d[%i] : memref<?x4xf64, strided<[1, ?]>> -> !llvm.ptr
  return
}

// -----

// P3
func.func @cast_without_stride(%p: !llvm.ptr) {
  // expected-error @+1 {{[P3] expected 1 sizes, got 0}}
  %0 = op2.ptr_cast %p : !llvm.ptr -> memref<?x4xf64, strided<[1, ?]>>
  return
}

// -----

// The range of block sizes
func.func @block_size(%s: !op2.set, %d: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(read %d : !op2.dat<1xf64>) {target = #op2.target<openmp>, strategy = "direct"}
  // expected-error @+1 {{attribute 'block_size' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 65536}}
  %plan = op2.plan %loop block_size 65537
  return
}

// -----

// The range of widths
func.func @width(%p: !op2.plan, %b: index) {
  // expected-error @+1 {{attribute 'width' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 2 whose maximum value is 64 whose value is a power of two}}
  op2.for_elements %e of %p block %b {
  } lanes 128 %f {
  }
  return
}

// -----

// P12
func.func @ends_of_what_is_read(%s: !op2.set, %m: !op2.map<1>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(read %x : !op2.dat<1xf64> via %m[0] : !op2.map<1>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<1>) {target = #op2.target<openmp>, strategy = "direct"}
  // expected-error @+1 {{[P12] expected the number of the loop's one argument that is not read, 'inc' through one slot of a map, got 0}}
  %ends = op2.row_ends %loop arg 0 : memref<?xi32>
  return
}

// -----

// P12
func.func @ends_of_nothing(%plan: !op2.plan, %b: index, %ends: memref<?xi32>) {
  // expected-error @+1 {{[P12] expected the op2.row_ends of the plan's loop}}
  op2.for_elements %e of %plan block %b row_ends %ends {
  }
  return
}

// -----

// P9
func.func @no_argument(%s: !op2.set, %g: memref<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(inc global %g : memref<1xf64>) {target = #op2.target<openmp>, strategy = "direct"}
  %plan = op2.plan %loop block_size 0
  // expected-error @+1 {{[P9] argument 1 of a loop with 1 arguments}}
  %red = op2.reduction_begin %loop arg 1 over %plan : !op2.reduction<1xf64>
  return
}

// -----

// P9
func.func @no_reduction(%s: !op2.set, %g: memref<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(read global %g : memref<1xf64>) {target = #op2.target<openmp>, strategy = "direct"}
  %plan = op2.plan %loop block_size 0
  // expected-error @+1 {{[P9] argument 0 is no global that is reduced with type '!op2.reduction<1xf64>'}}
  %red = op2.reduction_begin %loop arg 0 over %plan : !op2.reduction<1xf64>
  return
}

// -----

// P9
func.func @other_reduction(%s: !op2.set, %g: memref<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(inc global %g : memref<1xf64>) {target = #op2.target<openmp>, strategy = "direct"}
  %plan = op2.plan %loop block_size 0
  // expected-error @+1 {{[P9] argument 0 is no global that is reduced with type '!op2.reduction<2xf64>'}}
  %red = op2.reduction_begin %loop arg 0 over %plan : !op2.reduction<2xf64>
  return
}

// -----

// P9
func.func @no_plan(%s: !op2.set, %g: memref<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(max global %g : memref<1xf64>) {target = #op2.target<openmp>, strategy = "direct"}
  // expected-error @+1 {{[P9] argument 0 has partial results of blocks: expected a plan}}
  %red = op2.reduction_begin %loop arg 0 : !op2.reduction<1xf64>
  return
}

// -----

// P9
func.func @terms_of_integers(%red: !op2.reduction<1xi32>) {
  // expected-error @+1 {{[P9] expected a sum of f32 or f64 whose dim is known, got '!op2.reduction<1xi32>'}}
  %t = op2.terms %red : !op2.reduction<1xi32> -> memref<1xi32>
  return
}

// -----

// P9
func.func @add_integers(%red: !op2.reduction<1xi32>, %t: memref<8x1xi32>, %n: index) {
  // expected-error @+1 {{[P9] expected a sum of f32 or f64 whose dim is known, got '!op2.reduction<1xi32>'}}
  op2.reduction_add %t to %red elements %n : memref<8x1xi32>, !op2.reduction<1xi32>
  return
}

// -----

// P1
func.func @part_of_a_row(%red: !op2.reduction<2xf64>) {
  // expected-error @+1 {{[P1] expected a memref of 2, or 2 x lanes, x 'f64', got 'memref<3xf64>'}}
  %t = op2.terms %red : !op2.reduction<2xf64> -> memref<3xf64>
  return
}

// -----

// P1
func.func @other_rows(%red: !op2.reduction<2xf64>, %t: memref<8x1xf64>, %n: index) {
  // expected-error @+1 {{[P1] expected a memref of 2 x elements x 'f64', got 'memref<8x1xf64>'}}
  op2.reduction_add %t to %red elements %n : memref<8x1xf64>, !op2.reduction<2xf64>
  return
}

// -----

// P1
func.func @other_columns(%red: !op2.reduction<2xf64>, %t: memref<2x8xf64>, %n: index) {
  // expected-error @+1 {{[P1] expected a memref of elements x 2 x 'f64', got 'memref<2x8xf64>'}}
  op2.reduction_add rows %t to %red elements %n : memref<2x8xf64>, !op2.reduction<2xf64>
  return
}

// -----

// P1
func.func @split_elements(%red: !op2.reduction<1xf64>, %t: memref<8x1xf64>, %n: index, %s: memref<1x5x8xi64>) {
  // expected-error @+1 {{[P1] terms that vectors have split are not in rows}}
  op2.reduction_add rows %t to %red elements %n split %s : memref<8x1xf64>, !op2.reduction<1xf64>, memref<1x5x8xi64>
  return
}

// -----

// P1
func.func @split_rows(%red: !op2.reduction<1xf64>, %t: memref<1x8xf64>, %n: index, %s: memref<4x8xi64>) {
  // expected-error @+1 {{[P1] expected a memref of 1 x 5 x lanes x 'i64', got 'memref<4x8xi64>'}}
  op2.reduction_add %t to %red elements %n split %s : memref<1x8xf64>, !op2.reduction<1xf64>, memref<4x8xi64>
  return
}

// -----

// P1
func.func @split_places(%red: !op2.reduction<1xf32>, %c: index) {
  // expected-error @+1 {{[P1] expected a result of type 'memref<3xf64>', got 'memref<3xf32>'}}
  %m = op2.reduction_split %red component %c : !op2.reduction<1xf32> -> memref<3xf32>
  return
}

// -----

// P9, by the plan
func.func @no_entry(%s: !op2.set, %d: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(read %d : !op2.dat<1xf64>) {target = #op2.target<cuda>, strategy = "direct"}
  %plan = op2.plan %loop block_size 64
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{[P9] argument 7 of a loop with 1 arguments}}
      %w = op2.owned_increments %plan block %b arg 7 number 0 rows 64
          : memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
    }
  }
  return
}
