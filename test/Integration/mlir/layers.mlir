// A loop over the layers of an extruded mesh, as a program in MLIR writes it: a
// loop over columns, whose kernel has the loop over layers. A row is a column's
// levels; what a layer adds to its upper level waits for the next layer. The
// mesh made flat has the same sums.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OP2_OWNER=always op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=never OP2_CHECK_PLAN=1 op2-run --block-size=7 --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --strategy=atomics --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --strategy=owner --shared-libs=%runner_utils %s | FileCheck %s
//
// LLVM vectorizes along the column.
// RUN: op2-opt --op2-to-openmp %s | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -S | FileCheck %s --check-prefix=VECTORS
// VECTORS-LABEL: define {{.*}} @column_chunk(
// VECTORS: phi <4 x double>
// VECTORS: shufflevector <4 x double>
// VECTORS: br i1 {{.*}}, !llvm.loop
//
// The lowest and the highest level of a node that layers reach, and how many differ.
// CHECK: 12
// CHECK-NEXT: 26
// CHECK-NEXT: 0

func.func private @printF64(f64)
func.func private @printI64(i64)
func.func private @printNewline()

// Layers range[0] to range[1] between two columns of nine levels.
func.func private @column(%range: memref<2xi32>, %x0: memref<9xf64>, %x1: memref<9xf64>,
                          %r0: memref<9xf64>, %r1: memref<9xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %first32 = memref.load %range[%c0] : memref<2xi32>
  %end32 = memref.load %range[%c1] : memref<2xi32>
  %first = arith.index_cast %first32 : i32 to index
  %end = arith.index_cast %end32 : i32 to index
  %above = scf.for %l = %first to %end step %c1 iter_args(%below = %zero) -> f64 {
    %up = arith.addi %l, %c1 : index
    %a = memref.load %x0[%l] : memref<9xf64>
    %b = memref.load %x0[%up] : memref<9xf64>
    %c = memref.load %x1[%l] : memref<9xf64>
    %d = memref.load %x1[%up] : memref<9xf64>
    %lower = arith.subf %a, %c : f64
    %upper = arith.subf %b, %d : f64
    %flow = arith.addf %lower, %upper : f64
    %level = arith.addf %below, %flow : f64
    %s0 = memref.load %r0[%l] : memref<9xf64>
    %t0 = arith.subf %s0, %level : f64
    memref.store %t0, %r0[%l] : memref<9xf64>
    %s1 = memref.load %r1[%l] : memref<9xf64>
    %t1 = arith.addf %s1, %level : f64
    memref.store %t1, %r1[%l] : memref<9xf64>
    scf.yield %flow : f64
  }
  %s0 = memref.load %r0[%end] : memref<9xf64>
  %t0 = arith.subf %s0, %above : f64
  memref.store %t0, %r0[%end] : memref<9xf64>
  %s1 = memref.load %r1[%end] : memref<9xf64>
  %t1 = arith.addf %s1, %above : f64
  memref.store %t1, %r1[%end] : memref<9xf64>
  return
}

// One layer: slots 0 and 1 are the levels below and above, 2 and 3 next to them.
func.func private @layer(%x0: memref<1xf64>, %x1: memref<1xf64>, %x2: memref<1xf64>, %x3: memref<1xf64>,
                         %r0: memref<1xf64>, %r1: memref<1xf64>, %r2: memref<1xf64>, %r3: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x0[%c0] : memref<1xf64>
  %b = memref.load %x1[%c0] : memref<1xf64>
  %c = memref.load %x2[%c0] : memref<1xf64>
  %d = memref.load %x3[%c0] : memref<1xf64>
  %lower = arith.subf %a, %c : f64
  %upper = arith.subf %b, %d : f64
  %flow = arith.addf %lower, %upper : f64
  %s0 = memref.load %r0[%c0] : memref<1xf64>
  %t0 = arith.subf %s0, %flow : f64
  memref.store %t0, %r0[%c0] : memref<1xf64>
  %s1 = memref.load %r1[%c0] : memref<1xf64>
  %t1 = arith.subf %s1, %flow : f64
  memref.store %t1, %r1[%c0] : memref<1xf64>
  %s2 = memref.load %r2[%c0] : memref<1xf64>
  %t2 = arith.addf %s2, %flow : f64
  memref.store %t2, %r2[%c0] : memref<1xf64>
  %s3 = memref.load %r3[%c0] : memref<1xf64>
  %t3 = arith.addf %s3, %flow : f64
  memref.store %t3, %r3[%c0] : memref<1xf64>
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %n = arith.constant 100 : index
  %n_levels = arith.constant 900 : index
  %n_layers = arith.constant 600 : index
  %first = arith.constant 1 : i32
  %end = arith.constant 7 : i32
  // A ring of 100 columns between 100 columns of nodes; layers 1 to 6 of 8.
  %table = memref.alloc() : memref<100x2xi32>
  %ranges = memref.alloc() : memref<100x2xi32>
  %flat_table = memref.alloc() : memref<600x4xi32>
  %heights = memref.alloc() : memref<100x9xf64>
  %flat_heights = memref.alloc() : memref<900x1xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %k = arith.remui %j, %n : index
    %i32 = arith.index_cast %i : index to i32
    %k32 = arith.index_cast %k : index to i32
    memref.store %i32, %table[%i, %c0] : memref<100x2xi32>
    memref.store %k32, %table[%i, %c1] : memref<100x2xi32>
    memref.store %first, %ranges[%i, %c0] : memref<100x2xi32>
    memref.store %end, %ranges[%i, %c1] : memref<100x2xi32>
    scf.for %l = %c0 to %c9 step %c1 {
      %at = affine.apply affine_map<(i, l) -> (i * 9 + l)>(%i, %l)
      %h = affine.apply affine_map<(i, l) -> ((i * 7) mod 11 + (i * 3 + l * 5) mod 7)>(%i, %l)
      %h32 = arith.index_cast %h : index to i32
      %f = arith.sitofp %h32 : i32 to f64
      memref.store %f, %heights[%i, %l] : memref<100x9xf64>
      memref.store %f, %flat_heights[%at, %c0] : memref<900x1xf64>
    }
    scf.for %l = %c1 to %c7 step %c1 {
      %e = affine.apply affine_map<(i, l) -> (i * 6 + l - 1)>(%i, %l)
      %own = affine.apply affine_map<(i, l) -> (i * 9 + l)>(%i, %l)
      %next = affine.apply affine_map<(i, l) -> (i * 9 + l)>(%k, %l)
      %own32 = arith.index_cast %own : index to i32
      %next32 = arith.index_cast %next : index to i32
      %one = arith.constant 1 : i32
      %own_up = arith.addi %own32, %one : i32
      %next_up = arith.addi %next32, %one : i32
      memref.store %own32, %flat_table[%e, %c0] : memref<600x4xi32>
      memref.store %own_up, %flat_table[%e, %c1] : memref<600x4xi32>
      memref.store %next32, %flat_table[%e, %c2] : memref<600x4xi32>
      memref.store %next_up, %flat_table[%e, %c3] : memref<600x4xi32>
    }
  }
  %columns = op2.decl_set "columns" size %n
  %nodes = op2.decl_set "nodes" size %n
  %ends = op2.decl_map "ends" %columns to %nodes values %table : memref<100x2xi32> -> !op2.map<2>
  %layers = op2.decl_dat "layers" on %columns values %ranges : memref<100x2xi32> -> !op2.dat<2xi32>
  %x = op2.decl_dat "x" on %nodes values %heights : memref<100x9xf64> -> !op2.dat<9xf64>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<9xf64>
  op2.par_loop @column over %columns args(
      read %layers : !op2.dat<2xi32>,
      read %x : !op2.dat<9xf64> via %ends[0] : !op2.map<2>,
      read %x : !op2.dat<9xf64> via %ends[1] : !op2.map<2>,
      inc %r : !op2.dat<9xf64> via %ends[0] : !op2.map<2>,
      inc %r : !op2.dat<9xf64> via %ends[1] : !op2.map<2>)

  %prisms = op2.decl_set "prisms" size %n_layers
  %levels = op2.decl_set "levels" size %n_levels
  %corners = op2.decl_map "corners" %prisms to %levels values %flat_table : memref<600x4xi32> -> !op2.map<4>
  %y = op2.decl_dat "y" on %levels values %flat_heights : memref<900x1xf64> -> !op2.dat<1xf64>
  %q = op2.decl_dat "q" on %levels : !op2.dat<1xf64>
  op2.par_loop @layer over %prisms args(
      read %y : !op2.dat<1xf64> via %corners[0] : !op2.map<4>,
      read %y : !op2.dat<1xf64> via %corners[1] : !op2.map<4>,
      read %y : !op2.dat<1xf64> via %corners[2] : !op2.map<4>,
      read %y : !op2.dat<1xf64> via %corners[3] : !op2.map<4>,
      inc %q : !op2.dat<1xf64> via %corners[0] : !op2.map<4>,
      inc %q : !op2.dat<1xf64> via %corners[1] : !op2.map<4>,
      inc %q : !op2.dat<1xf64> via %corners[2] : !op2.map<4>,
      inc %q : !op2.dat<1xf64> via %corners[3] : !op2.map<4>)

  %sums = memref.alloc() : memref<100x9xf64>
  %flat_sums = memref.alloc() : memref<900x1xf64>
  op2.fetch %r to %sums : !op2.dat<9xf64>, memref<100x9xf64>
  op2.fetch %q to %flat_sums : !op2.dat<1xf64>, memref<900x1xf64>
  scf.for %l = %c1 to %c8 step %c6 {
    %s = memref.load %sums[%c0, %l] : memref<100x9xf64>
    func.call @printF64(%s) : (f64) -> ()
    func.call @printNewline() : () -> ()
  }
  %none = arith.constant 0 : i64
  %different = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {
    %inner = scf.for %l = %c0 to %c9 step %c1 iter_args(%count = %before) -> i64 {
      %at = affine.apply affine_map<(i, l) -> (i * 9 + l)>(%i, %l)
      %a = memref.load %sums[%i, %l] : memref<100x9xf64>
      %b = memref.load %flat_sums[%at, %c0] : memref<900x1xf64>
      %differs = arith.cmpf une, %a, %b : f64
      %more = arith.extui %differs : i1 to i64
      %now = arith.addi %count, %more : i64
      scf.yield %now : i64
    }
    scf.yield %inner : i64
  }
  func.call @printI64(%different) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %ok = arith.constant 0 : i32
  return %ok : i32
}
