// Rows that gathers take whole, through maps of two, three and four slots; and
// what is added to one row and taken from another: bit by bit as one element after
// the other would.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: op2-run --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run --gathers --vector-bits=256 --block-size=27 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: op2-run --gathers --vector-bits=512 --block-size=50 --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always op2-run --gathers --shared-libs=%runner_utils %s | diff %t.seq -

func.func private @printF64(f64)
func.func private @printNewline()

// Pairs of f32 and single ones: the flux is added to one node and taken from the
// other.
func.func private @flux(%x: memref<2xf32>, %y: memref<2xf32>, %a: memref<1xf32>, %i: memref<1xi32>, %r: memref<2xf32>, %s: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = memref.load %x[%c0] : memref<2xf32>
  %x1 = memref.load %x[%c1] : memref<2xf32>
  %y0 = memref.load %y[%c0] : memref<2xf32>
  %y1 = memref.load %y[%c1] : memref<2xf32>
  %a0 = memref.load %a[%c0] : memref<1xf32>
  %i0 = memref.load %i[%c0] : memref<1xi32>
  %if = arith.sitofp %i0 : i32 to f32
  %d0 = arith.divf %x0, %y1 : f32
  %d1 = arith.divf %x1, %y0 : f32
  %f0 = arith.mulf %d0, %a0 : f32
  %f1 = arith.mulf %d1, %if : f32
  %r0 = memref.load %r[%c0] : memref<2xf32>
  %n0 = arith.addf %f0, %r0 : f32
  memref.store %n0, %r[%c0] : memref<2xf32>
  %s0 = memref.load %s[%c0] : memref<2xf32>
  %m0 = arith.subf %s0, %f0 : f32
  memref.store %m0, %s[%c0] : memref<2xf32>
  %s1 = memref.load %s[%c1] : memref<2xf32>
  %m1 = arith.addf %s1, %f1 : f32
  memref.store %m1, %s[%c1] : memref<2xf32>
  %r1 = memref.load %r[%c1] : memref<2xf32>
  %n1 = arith.subf %r1, %f1 : f32
  memref.store %n1, %r[%c1] : memref<2xf32>
  return
}

// As before, but with all signs alike in each row: transposed once.
func.func private @exchange(%a: memref<1xf64>, %b: memref<1xf64>, %r: memref<2xf64>, %s: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = memref.load %a[%c0] : memref<1xf64>
  %b0 = memref.load %b[%c0] : memref<1xf64>
  %f0 = arith.divf %a0, %b0 : f64
  %f1 = arith.mulf %f0, %a0 : f64
  %r0 = memref.load %r[%c0] : memref<2xf64>
  %n0 = arith.addf %f0, %r0 : f64
  memref.store %n0, %r[%c0] : memref<2xf64>
  %s0 = memref.load %s[%c0] : memref<2xf64>
  %m0 = arith.subf %s0, %f0 : f64
  memref.store %m0, %s[%c0] : memref<2xf64>
  %r1 = memref.load %r[%c1] : memref<2xf64>
  %n1 = arith.addf %r1, %f1 : f64
  memref.store %n1, %r[%c1] : memref<2xf64>
  %s1 = memref.load %s[%c1] : memref<2xf64>
  %m1 = arith.subf %s1, %f1 : f64
  memref.store %m1, %s[%c1] : memref<2xf64>
  return
}

// Integers, four slots; rows of three are too large for a gather.
func.func private @integers(%a: memref<2xi32>, %b: memref<1xi64>, %c: memref<3xi32>, %o: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a0 = memref.load %a[%c0] : memref<2xi32>
  %a1 = memref.load %a[%c1] : memref<2xi32>
  %b0 = memref.load %b[%c0] : memref<1xi64>
  %b32 = arith.trunci %b0 : i64 to i32
  %v = memref.load %c[%c2] : memref<3xi32>
  %s = arith.muli %a0, %a1 : i32
  %t = arith.subi %s, %b32 : i32
  %u = arith.addi %t, %v : i32
  memref.store %u, %o[%c0] : memref<1xi32>
  return
}

func.func private @print(%x: f64) {
  call @printF64(%x) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @checksum(%m: memref<120xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 120 : index
  %zero = arith.constant 0.0 : f64
  %seven = arith.constant 7 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %m[%i] : memref<120xf64>
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

func.func private @loops(%edges: !op2.set, %two: !op2.map<2>, %three: !op2.map<3>, %four: !op2.map<4>, %x: !op2.dat<2xf32>, %a: !op2.dat<1xf32>, %d: !op2.dat<1xf64>, %i: !op2.dat<1xi32>, %b: !op2.dat<2xi32>, %h: !op2.dat<1xi64>, %k: !op2.dat<3xi32>, %r: !op2.dat<2xf32>, %s: !op2.dat<2xf64>, %o: !op2.dat<1xi32>) {
  op2.par_loop @flux over %edges args(
    read %x : !op2.dat<2xf32> via %two[0] : !op2.map<2>,
    read %x : !op2.dat<2xf32> via %two[1] : !op2.map<2>,
    read %a : !op2.dat<1xf32> via %three[2] : !op2.map<3>,
    read %i : !op2.dat<1xi32> via %four[3] : !op2.map<4>,
    inc %r : !op2.dat<2xf32> via %two[0] : !op2.map<2>,
    inc %r : !op2.dat<2xf32> via %two[1] : !op2.map<2>)
  op2.par_loop @exchange over %edges args(
    read %d : !op2.dat<1xf64> via %three[1] : !op2.map<3>,
    read %d : !op2.dat<1xf64> via %three[2] : !op2.map<3>,
    inc %s : !op2.dat<2xf64> via %two[1] : !op2.map<2>,
    inc %s : !op2.dat<2xf64> via %two[0] : !op2.map<2>)
  op2.par_loop @exchange over %edges args(
    read %d : !op2.dat<1xf64> via %three[1] : !op2.map<3>,
    read %d : !op2.dat<1xf64> via %three[0] : !op2.map<3>,
    inc %s : !op2.dat<2xf64> via %two[0] : !op2.map<2>,
    inc %s : !op2.dat<2xf64> via %two[1] : !op2.map<2>)
  op2.par_loop @integers over %edges args(
    read %b : !op2.dat<2xi32> via %four[1] : !op2.map<4>,
    read %h : !op2.dat<1xi64> via %four[0] : !op2.map<4>,
    read %k : !op2.dat<3xi32> via %four[2] : !op2.map<4>,
    write %o : !op2.dat<1xi32>)
  return
}

func.func @main() -> i32 {
  %n = arith.constant 211 : index
  %nodes_n = arith.constant 60 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c13 = arith.constant 13 : index
  %c29 = arith.constant 29 : index
  %half = arith.constant 0.37 : f64
  %t2 = memref.alloc() : memref<211x2xi32>
  %t3 = memref.alloc() : memref<211x3xi32>
  %t4 = memref.alloc() : memref<211x4xi32>
  scf.for %e = %c0 to %n step %c1 {
    // Neighbours often share a node: lanes of a group meet.
    %h = arith.divui %e, %c3 : index
    %k = arith.remui %h, %nodes_n : index
    %k32 = arith.index_cast %k : index to i32
    memref.store %k32, %t2[%e, %c0] : memref<211x2xi32>
    %l = arith.muli %e, %c29 : index
    %m = arith.remui %l, %nodes_n : index
    %m32 = arith.index_cast %m : index to i32
    memref.store %m32, %t2[%e, %c1] : memref<211x2xi32>
    scf.for %j = %c0 to %c4 step %c1 {
      %p = arith.addi %e, %j : index
      %q = arith.muli %p, %c13 : index
      %u = arith.addi %q, %j : index
      %v = arith.remui %u, %nodes_n : index
      %v32 = arith.index_cast %v : index to i32
      memref.store %v32, %t4[%e, %j] : memref<211x4xi32>
      %isThree = arith.cmpi ult, %j, %c3 : index
      scf.if %isThree {
        memref.store %v32, %t3[%e, %j] : memref<211x3xi32>
      }
    }
  }
  %x = memref.alloc() : memref<120xf32>
  %a = memref.alloc() : memref<60xf32>
  %d = memref.alloc() : memref<60xf64>
  %i = memref.alloc() : memref<60xi32>
  %b = memref.alloc() : memref<120xi32>
  %h = memref.alloc() : memref<60xi64>
  %k = memref.alloc() : memref<180xi32>
  scf.for %e = %c0 to %nodes_n step %c1 {
    %e32 = arith.index_cast %e : index to i32
    %e64 = arith.index_cast %e : index to i64
    %f = arith.sitofp %e32 : i32 to f64
    %g = arith.addf %f, %half : f64
    %g32 = arith.truncf %g : f64 to f32
    %p = arith.muli %e, %c2 : index
    %p1 = arith.addi %p, %c1 : index
    %z = arith.divf %g, %half : f64
    %z32 = arith.truncf %z : f64 to f32
    memref.store %g32, %x[%p] : memref<120xf32>
    memref.store %z32, %x[%p1] : memref<120xf32>
    memref.store %z32, %a[%e] : memref<60xf32>
    memref.store %g, %d[%e] : memref<60xf64>
    memref.store %e32, %i[%e] : memref<60xi32>
    memref.store %e64, %h[%e] : memref<60xi64>
    memref.store %e32, %b[%p] : memref<120xi32>
    %p32 = arith.index_cast %p1 : index to i32
    memref.store %p32, %b[%p1] : memref<120xi32>
    scf.for %j = %c0 to %c3 step %c1 {
      %q = arith.muli %e, %c3 : index
      %u = arith.addi %q, %j : index
      %u32 = arith.index_cast %u : index to i32
      memref.store %u32, %k[%u] : memref<180xi32>
    }
  }
  %edges = op2.decl_set "edges" size %n
  %nodes = op2.decl_set "nodes" size %nodes_n
  %two = op2.decl_map "two" %edges to %nodes values %t2 : memref<211x2xi32> -> !op2.map<2>
  %three = op2.decl_map "three" %edges to %nodes values %t3 : memref<211x3xi32> -> !op2.map<3>
  %four = op2.decl_map "four" %edges to %nodes values %t4 : memref<211x4xi32> -> !op2.map<4>
  %xd = op2.decl_dat "x" on %nodes values %x : memref<120xf32> -> !op2.dat<2xf32>
  %ad = op2.decl_dat "a" on %nodes values %a : memref<60xf32> -> !op2.dat<1xf32>
  %dd = op2.decl_dat "d" on %nodes values %d : memref<60xf64> -> !op2.dat<1xf64>
  %id = op2.decl_dat "i" on %nodes values %i : memref<60xi32> -> !op2.dat<1xi32>
  %bd = op2.decl_dat "b" on %nodes values %b : memref<120xi32> -> !op2.dat<2xi32>
  %hd = op2.decl_dat "h" on %nodes values %h : memref<60xi64> -> !op2.dat<1xi64>
  %kd = op2.decl_dat "k" on %nodes values %k : memref<180xi32> -> !op2.dat<3xi32>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<2xf32>
  %s = op2.decl_dat "s" on %nodes : !op2.dat<2xf64>
  %o = op2.decl_dat "o" on %edges : !op2.dat<1xi32>
  call @loops(%edges, %two, %three, %four, %xd, %ad, %dd, %id, %bd, %hd, %kd, %r, %s, %o) : (!op2.set, !op2.map<2>, !op2.map<3>, !op2.map<4>, !op2.dat<2xf32>, !op2.dat<1xf32>, !op2.dat<1xf64>, !op2.dat<1xi32>, !op2.dat<2xi32>, !op2.dat<1xi64>, !op2.dat<3xi32>, !op2.dat<2xf32>, !op2.dat<2xf64>, !op2.dat<1xi32>) -> ()
  %rout = memref.alloc() : memref<120xf32>
  %sout = memref.alloc() : memref<120xf64>
  %oout = memref.alloc() : memref<211xi32>
  op2.fetch %r to %rout : !op2.dat<2xf32>, memref<120xf32>
  op2.fetch %s to %sout : !op2.dat<2xf64>, memref<120xf64>
  op2.fetch %o to %oout : !op2.dat<1xi32>, memref<211xi32>
  // Remainders of the bits, so that no digit is lost.
  %wide = memref.alloc() : memref<120xf64>
  %n120 = arith.constant 120 : index
  %prime32 = arith.constant 1009 : i32
  %prime64 = arith.constant 1009 : i64
  scf.for %e = %c0 to %n120 step %c1 {
    %y = memref.load %rout[%e] : memref<120xf32>
    %bits = arith.bitcast %y : f32 to i32
    %rest = arith.remui %bits, %prime32 : i32
    %y64 = arith.uitofp %rest : i32 to f64
    memref.store %y64, %wide[%e] : memref<120xf64>
  }
  // CHECK: {{^[0-9]+$}}
  call @checksum(%wide) : (memref<120xf64>) -> ()
  scf.for %e = %c0 to %n120 step %c1 {
    %y = memref.load %sout[%e] : memref<120xf64>
    %bits = arith.bitcast %y : f64 to i64
    %rest = arith.remui %bits, %prime64 : i64
    %y64 = arith.uitofp %rest : i64 to f64
    memref.store %y64, %wide[%e] : memref<120xf64>
  }
  // CHECK-NEXT: {{^[0-9]+$}}
  call @checksum(%wide) : (memref<120xf64>) -> ()
  scf.for %e = %c0 to %n120 step %c1 {
    %y = memref.load %oout[%e] : memref<211xi32>
    %rest = arith.remui %y, %prime32 : i32
    %y64 = arith.uitofp %rest : i32 to f64
    memref.store %y64, %wide[%e] : memref<120xf64>
  }
  // CHECK-NEXT: {{^[0-9]+$}}
  call @checksum(%wide) : (memref<120xf64>) -> ()
  %rc = arith.constant 0 : i32
  return %rc : i32
}
