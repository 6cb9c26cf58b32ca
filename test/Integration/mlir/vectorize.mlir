// Kernels whose lanes go separate ways: the widened code must do for each
// element what the scalar code does, for every vector factor.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: op2-run --vector-bits=0 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run --vector-bits=128 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run --vector-bits=256 --block-size=27 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run --vector-bits=512 --block-size=5 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run -O0 --vector-bits=512 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 op2-run --vector-bits=512 --block-size=100 --shared-libs=%runner_utils %s | diff %t.seq -

func.func private @printF64(f64)
func.func private @printNewline()

// Branches: one side for even elements, a nested one for every fifth, with
// stores under masks and a division that would trap for the others.
func.func private @branches(%i: memref<1xi32>, %w: memref<3xf64>, %r: memref<5xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2 : i32
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %n = memref.load %i[%c0] : memref<1xi32>
  %m2 = arith.remsi %n, %two : i32
  %m5 = arith.remsi %n, %five : i32
  %even = arith.cmpi eq, %m2, %zero : i32
  %a = memref.load %w[%c0] : memref<3xf64>
  %b = memref.load %w[%c2] : memref<3xf64>
  %v = scf.if %even -> f64 {
    %t = arith.addf %a, %b : f64
    %old = memref.load %r[%c4] : memref<5xf64>
    %new = arith.addf %old, %t : f64
    memref.store %new, %r[%c4] : memref<5xf64>
    scf.yield %t : f64
  } else {
    %fifth = arith.cmpi ne, %m5, %zero : i32
    scf.if %fifth {
      // One that all lanes share.
      %u = arith.divsi %five, %two : i32
      %uf = arith.sitofp %u : i32 to f64
      %q = arith.divsi %n, %m5 : i32
      %f = arith.sitofp %q : i32 to f64
      %old = memref.load %r[%c1] : memref<5xf64>
      %fu = arith.addf %f, %uf : f64
      %new = arith.addf %old, %fu : f64
      memref.store %new, %r[%c1] : memref<5xf64>
    }
    scf.yield %a : f64
  }
  %old = memref.load %r[%c0] : memref<5xf64>
  %new = arith.addf %old, %v : f64
  memref.store %new, %r[%c0] : memref<5xf64>
  return
}

// Loops: bounds that all lanes share, bounds of their own, a while; a local
// array that each lane indexes as it likes; a table that all share.
func.func private @loops(%i: memref<1xi32>, %table: memref<4xf64>, %w: memref<3xf64>, %o: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %local = memref.alloca() : memref<4xf64>
  scf.for %k = %c0 to %c4 step %c1 {
    %ki = arith.index_cast %k : index to i32
    %kf = arith.sitofp %ki : i32 to f64
    %x = memref.load %w[%c0] : memref<3xf64>
    %y = arith.addf %x, %kf : f64
    memref.store %y, %local[%k] : memref<4xf64>
  }
  %four = arith.constant 4 : i32
  %n = memref.load %i[%c0] : memref<1xi32>
  %m = arith.remsi %n, %four : i32
  %j = arith.index_cast %m : i32 to index
  %own = memref.load %local[%j] : memref<4xf64>
  %shared = memref.load %table[%j] : memref<4xf64>
  %s0 = arith.addf %own, %shared : f64
  memref.store %s0, %local[%j] : memref<4xf64>
  %sum = scf.for %k = %c0 to %j step %c1 iter_args(%s = %s0) -> f64 {
    %x = memref.load %local[%k] : memref<4xf64>
    %t = arith.addf %s, %x : f64
    scf.yield %t : f64
  }
  // Halve until odd.
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %start = arith.addi %n, %four : i32
  %odd, %steps = scf.while (%x = %start, %c = %one) : (i32, i32) -> (i32, i32) {
    %r = arith.remsi %x, %two : i32
    %even = arith.cmpi ne, %r, %one : i32
    scf.condition(%even) %x, %c : i32, i32
  } do {
  ^bb0(%x: i32, %c: i32):
    %h = arith.divsi %x, %two : i32
    %d = arith.addi %c, %one : i32
    scf.yield %h, %d : i32, i32
  }
  // A while whose counter all lanes share, with a sum of their own.
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %fz = arith.constant 0.0 : f64
  %rounds, %total = scf.while (%x = %zero, %s = %fz) : (i32, f64) -> (i32, f64) {
    %go = arith.cmpi slt, %x, %three : i32
    scf.condition(%go) %x, %s : i32, f64
  } do {
  ^bb0(%x: i32, %s: f64):
    %k = arith.index_cast %x : i32 to index
    %y = memref.load %local[%k] : memref<4xf64>
    %t = arith.addf %s, %y : f64
    %d = arith.addi %x, %one : i32
    scf.yield %d, %t : i32, f64
  }
  %rf = arith.sitofp %rounds : i32 to f64
  %of0 = arith.sitofp %odd : i32 to f64
  %of1 = arith.addf %of0, %rf : f64
  %of = arith.addf %of1, %total : f64
  %sf = arith.sitofp %steps : i32 to f64
  %prod = arith.mulf %of, %sf : f64
  %last = memref.load %local[%c3] : memref<4xf64>
  %more = arith.addf %prod, %last : f64
  memref.store %sum, %o[%c0] : memref<2xf64>
  memref.store %more, %o[%c1] : memref<2xf64>
  return
}

// Single precision and integers, dims of eight and one, a partial write, the
// least and the greatest of what meets.
func.func private @types(%a: memref<8xf32>, %b: memref<1xi32>, %o: memref<2xf32>, %least: memref<1xi32>,
                         %most: memref<2xf32>, %sum: memref<1xf32>, %low: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %x = memref.load %a[%c0] : memref<8xf32>
  %y = memref.load %a[%c7] : memref<8xf32>
  %z = arith.subf %y, %x : f32
  memref.store %z, %o[%c1] : memref<2xf32>
  %ten = arith.constant 10 : i32
  %bv = memref.load %b[%c0] : memref<1xi32>
  %n = arith.subi %ten, %bv : i32
  %l = memref.load %least[%c0] : memref<1xi32>
  %l1 = arith.minsi %l, %n : i32
  memref.store %l1, %least[%c0] : memref<1xi32>
  %m = memref.load %most[%c1] : memref<2xf32>
  %m1 = arith.maximumf %m, %y : f32
  memref.store %m1, %most[%c1] : memref<2xf32>
  %s = memref.load %sum[%c0] : memref<1xf32>
  %s1 = arith.addf %s, %z : f32
  memref.store %s1, %sum[%c0] : memref<1xf32>
  %g = memref.load %low[%c0] : memref<1xi32>
  %g1 = arith.minsi %g, %n : i32
  memref.store %g1, %low[%c0] : memref<1xi32>
  return
}

func.func private @print(%x: f64) {
  call @printF64(%x) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @checksum64(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %seven = arith.constant 7 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %m[%i] : memref<?xf64>
    %r = arith.remui %i, %seven : index
    %ri = arith.index_cast %r : index to i32
    %f = arith.sitofp %ri : i32 to f64
    %p = arith.mulf %x, %f : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  call @print(%sum) : (f64) -> ()
  return
}

func.func private @checksum32(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %wide = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.extf %x : f32 to f64
    memref.store %y, %wide[%i] : memref<?xf64>
  }
  call @checksum64(%wide) : (memref<?xf64>) -> ()
  memref.dealloc %wide : memref<?xf64>
  return
}

func.func private @checksumInt(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xi32>
  %wide = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xi32>
    %y = arith.sitofp %x : i32 to f64
    memref.store %y, %wide[%i] : memref<?xf64>
  }
  call @checksum64(%wide) : (memref<?xf64>) -> ()
  memref.dealloc %wide : memref<?xf64>
  return
}

func.func @main() -> i32 {
  %n = arith.constant 211 : index
  %nodes_n = arith.constant 60 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %c29 = arith.constant 29 : index
  %table = memref.alloc() : memref<211x2xi32>
  %w = memref.alloc() : memref<633xf64>
  %a = memref.alloc() : memref<1688xf32>
  %b = memref.alloc() : memref<211xi32>
  scf.for %i = %c0 to %n step %c1 {
    // Neighbours often share a node: lanes of a group meet.
    %h = arith.divui %i, %c3 : index
    %k = arith.remui %h, %nodes_n : index
    %i32 = arith.index_cast %i : index to i32
    %k32 = arith.index_cast %k : index to i32
    %l = arith.muli %i, %c29 : index
    %m = arith.remui %l, %nodes_n : index
    %m32 = arith.index_cast %m : index to i32
    memref.store %k32, %table[%i, %c0] : memref<211x2xi32>
    memref.store %m32, %table[%i, %c1] : memref<211x2xi32>
    memref.store %m32, %b[%i] : memref<211xi32>
    scf.for %j = %c0 to %c3 step %c1 {
      %p = arith.muli %i, %c3 : index
      %q = arith.addi %p, %j : index
      %x = arith.remui %q, %c13 : index
      %x32 = arith.index_cast %x : index to i32
      %f = arith.sitofp %x32 : i32 to f64
      memref.store %f, %w[%q] : memref<633xf64>
    }
    scf.for %j = %c0 to %c8 step %c1 {
      %p = arith.muli %i, %c8 : index
      %q = arith.addi %p, %j : index
      %x = arith.remui %q, %c29 : index
      %x32 = arith.index_cast %x : index to i32
      %f = arith.sitofp %x32 : i32 to f32
      memref.store %f, %a[%q] : memref<1688xf32>
    }
  }
  %edges = op2.decl_set "edges" size %n
  %nodes = op2.decl_set "nodes" size %nodes_n
  %map = op2.decl_map "map" %edges to %nodes values %table : memref<211x2xi32> -> !op2.map<2>
  %wd = op2.decl_dat "w" on %edges values %w : memref<633xf64> -> !op2.dat<3xf64>
  %ad = op2.decl_dat "a" on %edges values %a : memref<1688xf32> -> !op2.dat<8xf32>
  %bd = op2.decl_dat "b" on %edges values %b : memref<211xi32> -> !op2.dat<1xi32>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<5xf64>
  %o = op2.decl_dat "o" on %edges : !op2.dat<2xf64>
  %p = op2.decl_dat "p" on %edges : !op2.dat<2xf32>
  %least = op2.decl_dat "least" on %nodes : !op2.dat<1xi32>
  %most = op2.decl_dat "most" on %nodes : !op2.dat<2xf32>

  op2.par_loop @branches over %edges args(
    index,
    read %wd : !op2.dat<3xf64>,
    inc %r : !op2.dat<5xf64> via %map[0] : !op2.map<2>)
  op2.par_loop @branches over %edges args(
    index via %map[1] : !op2.map<2>,
    read %wd : !op2.dat<3xf64>,
    inc %r : !op2.dat<5xf64> via %map[1] : !op2.map<2>)
  %rout = memref.alloc() : memref<300xf64>
  op2.fetch %r to %rout : !op2.dat<5xf64>, memref<300xf64>
  %rdyn = memref.cast %rout : memref<300xf64> to memref<?xf64>
  // CHECK: {{[0-9.e+]+}}
  call @checksum64(%rdyn) : (memref<?xf64>) -> ()

  %t = memref.alloc() : memref<4xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %f = arith.sitofp %i32 : i32 to f64
    memref.store %f, %t[%i] : memref<4xf64>
  }
  %hundred = arith.constant 100.0 : f64
  memref.store %hundred, %t[%c3] : memref<4xf64>
  op2.par_loop @loops over %edges args(
    index,
    read global %t : memref<4xf64>,
    read %wd : !op2.dat<3xf64>,
    write %o : !op2.dat<2xf64>)
  %oout = memref.alloc() : memref<422xf64>
  op2.fetch %o to %oout : !op2.dat<2xf64>, memref<422xf64>
  %odyn = memref.cast %oout : memref<422xf64> to memref<?xf64>
  // CHECK-NEXT: {{[0-9.e+]+}}
  call @checksum64(%odyn) : (memref<?xf64>) -> ()

  %sum = memref.alloc() : memref<1xf32>
  %low = memref.alloc() : memref<1xi32>
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 1000 : i32
  memref.store %zero, %sum[%c0] : memref<1xf32>
  memref.store %high, %low[%c0] : memref<1xi32>
  op2.par_loop @types over %edges args(
    read %ad : !op2.dat<8xf32>,
    read %bd : !op2.dat<1xi32>,
    write %p : !op2.dat<2xf32>,
    min %least : !op2.dat<1xi32> via %map[0] : !op2.map<2>,
    max %most : !op2.dat<2xf32> via %map[1] : !op2.map<2>,
    inc global %sum : memref<1xf32>,
    min global %low : memref<1xi32>)
  %pout = memref.alloc() : memref<422xf32>
  %mout = memref.alloc() : memref<120xf32>
  %lout = memref.alloc() : memref<60xi32>
  op2.fetch %p to %pout : !op2.dat<2xf32>, memref<422xf32>
  op2.fetch %most to %mout : !op2.dat<2xf32>, memref<120xf32>
  op2.fetch %least to %lout : !op2.dat<1xi32>, memref<60xi32>
  %pdyn = memref.cast %pout : memref<422xf32> to memref<?xf32>
  %mdyn = memref.cast %mout : memref<120xf32> to memref<?xf32>
  %ldyn = memref.cast %lout : memref<60xi32> to memref<?xi32>
  call @checksum32(%pdyn) : (memref<?xf32>) -> ()
  call @checksum32(%mdyn) : (memref<?xf32>) -> ()
  call @checksumInt(%ldyn) : (memref<?xi32>) -> ()
  %sdyn = memref.cast %sum : memref<1xf32> to memref<?xf32>
  %s = memref.load %sum[%c0] : memref<1xf32>
  %s64 = arith.extf %s : f32 to f64
  call @print(%s64) : (f64) -> ()
  %g = memref.load %low[%c0] : memref<1xi32>
  %g64 = arith.sitofp %g : i32 to f64
  call @print(%g64) : (f64) -> ()
  %rc = arith.constant 0 : i32
  return %rc : i32
}
