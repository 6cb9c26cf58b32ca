// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

// CHECK-LABEL: func.func @in_a_block
func.func @in_a_block(%set: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                      %r: !op2.dat<4xf64>, %flag: i1) {
  %loop = op2.loop_begin "flux" over %set args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
      {target = #op2.target<emulator>, strategy = "two-level colours"}
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 128 {coloring = #op2.coloring<two_level>}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<two_level>}
  %qd = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
  %rd = op2.dat_data %r : !op2.dat<4xf64> -> memref<?x4xf64>
  op2.for_colors %c of %plan {
    // CHECK: op2.for_blocks %[[B:.*]] of
    op2.for_blocks %b of %plan color %c {
      // CHECK: op2.for_elements %[[E:.*]] of
      op2.for_elements %e of %plan block %b {
        // CHECK: op2.permuted_element %[[PLAN]][%[[E]]]
        %p = op2.permuted_element %plan[%e]
        // CHECK: %[[ROW:.*]] = op2.row
        %row = op2.row %rd[%p] : memref<?x4xf64> -> memref<4xf64>
        // CHECK: %[[P:.*]] = memref.alloca
        %private = memref.alloca() : memref<4xf64>
        // CHECK: op2.by_color %[[E]] of %[[PLAN]] block %[[B]] {
        op2.by_color %e of %plan block %b {
          // CHECK: op2.increment %[[P]] to %[[ROW]] : memref<4xf64>, memref<4xf64>
          op2.increment %private to %row : memref<4xf64>, memref<4xf64>
          // CHECK: op2.increment atomic %[[P]] to %[[ROW]] if %{{.*}} : memref<4xf64>, memref<4xf64>
          op2.increment atomic %private to %row if %flag : memref<4xf64>, memref<4xf64>
        }
      }
    }
  }
  op2.loop_end %loop
  return
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%set: !op2.set, %q: !op2.dat<4xf64>, %plan: !op2.plan, %flag: i1) {
  // CHECK: read soa %{{.*}} : !op2.dat<4xf64>,
  // CHECK-NEXT: write soa %{{.*}} : !op2.dat<4xf64>)
  %loop = op2.loop_begin "flux" over %set args(
      read soa %q : !op2.dat<4xf64>, write soa %q : !op2.dat<4xf64>)
      {target = #op2.target<emulator>, strategy = "direct"}
  %aos = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
  // CHECK: %[[SOA:.*]] = op2.dat_data %{{.*}} -> memref<?x4xf64, strided<[1, ?]>>
  %soa = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64, strided<[1, ?]>>
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        // CHECK: %[[ROW:.*]] = op2.row %[[SOA]]
        %row = op2.row %soa[%e] : memref<?x4xf64, strided<[1, ?]>> -> memref<4xf64, strided<[?]>>
        // CHECK: %[[P:.*]] = op2.gather_row %[[ROW]] if %{{.*}} : memref<4xf64, strided<[?]>> -> memref<4xf64>
        %p = op2.gather_row %row if %flag : memref<4xf64, strided<[?]>> -> memref<4xf64>
        // CHECK: op2.scatter_row %[[P]] to %[[ROW]] : memref<4xf64>, memref<4xf64, strided<[?]>>
        op2.scatter_row %p to %row : memref<4xf64>, memref<4xf64, strided<[?]>>
        // CHECK: op2.gather_row uninitialized %{{.*}} : memref<4xf64> -> memref<4xf64>
        %whole = op2.row %aos[%e] : memref<?x4xf64> -> memref<4xf64>
        %new = op2.gather_row uninitialized %whole : memref<4xf64> -> memref<4xf64>
      }
    }
  }
  op2.loop_end %loop
  return
}

// CHECK-LABEL: func.func @for_a_launch
func.func @for_a_launch(%loop: !op2.loop, %plan: !op2.plan) {
  // CHECK: op2.device_storage aos %{{.*}} arg 0 : !llvm.ptr
  %d, %none = op2.device_storage aos %loop arg 0 : !llvm.ptr
  // CHECK: op2.device_storage soa %{{.*}} arg 0 : !llvm.ptr
  %ds, %dstride = op2.device_storage soa %loop arg 0 : !llvm.ptr
  // CHECK: op2.device_storage map %{{.*}} arg 1 : !llvm.ptr
  %address, %stride = op2.device_storage map %loop arg 1 : !llvm.ptr
  // CHECK: op2.device_storage global %{{.*}} arg 2 : !llvm.ptr
  %g, %no = op2.device_storage global %loop arg 2 : !llvm.ptr
  // CHECK: op2.device_plan_array %{{.*}}, %{{.*}} <permuted_map> {arg = 1 : i64, row = 2 : i64} : !llvm.ptr
  %a = op2.device_plan_array %loop, %plan <permuted_map> {arg = 1 : i64, row = 2 : i64} : !llvm.ptr
  // CHECK: %[[N:.*]] = op2.num_blocks
  %n = op2.num_blocks %plan
  // CHECK: %[[R:.*]], %{{.*}} = op2.device_reduction_begin %{{.*}} arg 3 count %[[N]] : !op2.reduction<2xf64>, !llvm.ptr
  %r, %data = op2.device_reduction_begin %loop arg 3 count %n : !op2.reduction<2xf64>, !llvm.ptr
  // CHECK: op2.device_reduction_end %[[R]] : !op2.reduction<2xf64>
  op2.device_reduction_end %r : !op2.reduction<2xf64>
  return
}

// CHECK-LABEL: func.func @owned_rows
func.func @owned_rows(%set: !op2.set, %m: !op2.map<2>, %r: !op2.dat<4xf64>) {
  %loop = op2.loop_begin "flux" over %set args(
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
      {target = #op2.target<cuda>, strategy = "owned rows"}
  // CHECK: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 64 {coloring = #op2.coloring<owned_rows>}
  %plan = op2.plan %loop block_size 64 {coloring = #op2.coloring<owned_rows>}
  %rd = op2.dat_data %r : !op2.dat<4xf64> -> memref<?x4xf64>
  op2.for_colors %c of %plan {
    // CHECK: op2.for_blocks %[[B:.*]] of
    op2.for_blocks %b of %plan color %c {
      // CHECK: %[[W:.*]] = op2.owned_increments %[[PLAN]] block %[[B]] arg 0 number 0 rows 64 : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
      %w = op2.owned_increments %plan block %b arg 0 number 0 rows 64
          : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
      op2.for_elements %e of %plan block %b {
      }
      // CHECK: op2.add_owned %[[W]] to %{{.*}} arg 0 of %[[PLAN]] block %[[B]] : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x4xf64>
      op2.add_owned %w to %rd arg 0 of %plan block %b
          : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x4xf64>
    }
  }
  op2.loop_end %loop
  return
}
