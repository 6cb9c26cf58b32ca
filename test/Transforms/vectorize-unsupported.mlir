// Loops that stay scalar, and why.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=CALLS
//

func.func private @k(%a: memref<2xf64>, %b: memref<2xf64>) {
  return
}
func.func @mixed(%s: !op2.set, %q: !op2.dat<2xf64>, %m: !op2.map<2>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: arguments 0 and 1 reach one dat in different ways}}
  op2.par_loop @k over %s args(
    read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
    inc %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

func.func private @k(%a: memref<2xf64>) {
  return
}
func.func @shared_rows(%s: !op2.set, %q: !op2.dat<2xf64>, %m: !op2.map<2>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 changes rows that elements may share}}
  op2.par_loop @k over %s args(
    rw %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @optional(%s: !op2.set, %q: !op2.dat<1xf64>, %f: i1) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is optional}}
  op2.par_loop @k over %s args(if %f rw %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @helper(f64) -> f64
func.func private @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<1xf64>
  // expected-note @+1 {{this is where it happens}}
  %y = func.call @helper(%x) : (f64) -> f64
  memref.store %y, %a[%c0] : memref<1xf64>
  return
}
func.func @calls(%s: !op2.set, %q: !op2.dat<1xf64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: the call of 'helper' has no form for several elements}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>)
  return
}

// -----

// Bools and unsigned numbers are not added across lanes.
func.func private @k(%a: memref<1xi1>) {
  return
}
func.func @bools(%s: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xi1>, %g: memref<1xi1>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is of a type that has no lanes}}
  op2.par_loop @k over %s args(inc global %g : memref<1xi1>)
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is of a type that has no lanes}}
  op2.par_loop @k over %s args(inc %q : !op2.dat<1xi1> via %m[0] : !op2.map<2>)
  return
}

// -----

func.func private @k(%a: memref<1xui32>) {
  return
}
func.func @unsigned(%s: !op2.set, %g: memref<1xui32>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is of a type that has no lanes}}
  op2.par_loop @k over %s args(max global %g : memref<1xui32>)
  return
}

// -----

// The second row is written first: where both are one, the first one stays.
func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  memref.store %two, %b[%c0] : memref<1xf64>
  memref.store %one, %a[%c0] : memref<1xf64>
  return
}
// Not every row is written.
func.func private @some(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %a[%c0] : memref<1xf64>
  return
}
// What was written is read.
func.func private @reads(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %a[%c0] : memref<1xf64>
  memref.store %one, %b[%c0] : memref<1xf64>
  %old = memref.load %a[%c0] : memref<1xf64>
  memref.store %old, %b[%c0] : memref<1xf64>
  return
}
func.func @rows(%s: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 writes several rows of one dat}}
  op2.par_loop @k over %s args(write %q : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  // expected-remark @+1 {{loop 'some' is not vectorized: argument 0 writes several rows of one dat}}
  op2.par_loop @some over %s args(write %q : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  // expected-remark @+1 {{loop 'reads' is not vectorized: argument 0 writes several rows of one dat}}
  op2.par_loop @reads over %s args(write %q : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>) {
  return
}
func.func @scratch(%s: !op2.set, %g: memref<1xf64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is scratch memory}}
  op2.par_loop @k over %s args(work global %g : memref<1xf64>)
  return
}

// -----

memref.global @shared : memref<1xf64> = dense<0.0>
func.func private @k(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %g = memref.get_global @shared : memref<1xf64>
  memref.store %v, %g[%c0] : memref<1xf64> // expected-note {{here}}
  return
}
func.func @stores_to_shared(%s: !op2.set, %q: !op2.dat<1xf64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: a store to memory that all elements share}}
  op2.par_loop @k over %s args(read %q : !op2.dat<1xf64>)
  return
}

// -----

// 257 values of an element: the rows of the vector argument, and the global.

func.func private @k(%a: memref<32xf64>, %b: memref<32xf64>, %c: memref<129xf64>, %d: memref<64xf64>, %g: memref<1000xf64>) {
  return
}
func.func @many_components(%s: !op2.set, %q: !op2.dat<32xf64>, %r: !op2.dat<129xf64>, %h: memref<64xf64>, %g: memref<1000xf64>, %m: !op2.map<2>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: its rows have 257 components together; vectors take at most 256}}
  op2.par_loop @k over %s args(read %q : !op2.dat<32xf64> via %m[0 to 2] : !op2.map<2>, read %r : !op2.dat<129xf64>, inc global %h : memref<64xf64>, read global %g : memref<1000xf64>)
  return
}

// -----

// The largest that there can be.

func.func private @k(%a: memref<2147483647xf64>, %b: memref<2147483647xf64>, %g: memref<2147483647xf64>) {
  return
}
func.func @most_components(%s: !op2.set, %q: !op2.dat<2147483647xf64>, %m: !op2.map<2>, %g: memref<2147483647xf64>) {
  // expected-remark @+1 {{its rows have 6442450941 components together}}
  op2.par_loop @k over %s args(read %q : !op2.dat<2147483647xf64>, inc %q : !op2.dat<2147483647xf64> via %m[0] : !op2.map<2>, min global %g : memref<2147483647xf64>)
  return
}

// -----

// Called lane by lane, functions of the C library cost more than the rest gains;
// with more arithmetic it is the other way round, and a root is an instruction.

func.func private @mostly_calls(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = math.exp %v : f64
  memref.store %e, %a[%c0] : memref<1xf64>
  return
}
// CALLS-LABEL: func.func @library_calls
// CALLS:       op2.for_elements %{{.*}} attributes {one_by_one, prefetch} {
// CALLS:         call @mostly_calls(
// CALLS-NOT:   one_by_one
// CALLS:         call @some_calls_x8(
// CALLS:       op2.for_elements %{{.*}} attributes {one_by_one} {
// CALLS:         call @many_calls(
func.func private @some_calls(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = math.exp %v : f64
  %r = math.sqrt %e : f64
  %s = math.sqrt %r : f64
  %t = math.sqrt %s : f64
  %u = math.sqrt %t : f64
  memref.store %u, %a[%c0] : memref<1xf64>
  return
}
// Takes longer than a line from memory: waiting for one is a smaller part.
func.func private @many_calls(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = scf.for %i = %c0 to %c15 step %c1 iter_args(%x = %v) -> f64 {
    %y = math.exp %x : f64
    scf.yield %y : f64
  }
  memref.store %e, %a[%c0] : memref<1xf64>
  return
}
func.func @library_calls(%s: !op2.set, %q: !op2.dat<1xf64>) {
  // expected-remark @+1 {{loop 'mostly_calls' is not vectorized: most of its time goes to functions of the C library, which would be called lane by lane (see --op2-veclib)}}
  op2.par_loop @mostly_calls over %s args(rw %q : !op2.dat<1xf64>)
  op2.par_loop @some_calls over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{loop 'many_calls' is not vectorized: most of its time goes to functions of the C library, which would be called lane by lane (see --op2-veclib)}}
  op2.par_loop @many_calls over %s args(rw %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<2xf64>) {
  return
}
func.func @merged(%s: !op2.set, %f: !llvm.ptr, %i: memref<2xf64>, %g: memref<2xf64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: argument 0 is reduced by a function of the program}}
  op2.par_loop @k over %s args(reduce %f from %i global %g : memref<2xf64>)
  return
}

// -----

// Which memory it is depends on a global, but either has lanes.
func.func private @k(%a: memref<2xf64>, %b: memref<2xf64>, %o: memref<1xf64>, %t: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %ti = memref.load %t[%c0] : memref<1xi32>
  %g = arith.cmpi eq, %ti, %one : i32
  // expected-note @+1 {{this is where it happens}}
  %m = scf.if %g -> memref<2xf64> {
    scf.yield %a : memref<2xf64>
  } else {
    scf.yield %b : memref<2xf64>
  }
  %v = memref.load %m[%c0] : memref<2xf64>
  memref.store %v, %o[%c0] : memref<1xf64>
  return
}
func.func @chosen(%s: !op2.set, %m: !op2.map<2>, %x: !op2.dat<2xf64>, %y: !op2.dat<2xf64>, %o: !op2.dat<1xf64>, %t: memref<1xi32>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: it carries a type that has no lanes}}
  op2.par_loop @k over %s args(
    read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
    read %y : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
    write %o : !op2.dat<1xf64>, read global %t : memref<1xi32>)
  return
}

// -----

// Places outside of rows are nobody's.
func.func private @far(%a: memref<1xf64>, %r: memref<1xf64>, %s: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %far = arith.constant 100000000 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %o = memref.load %r[%far] : memref<1xf64>
  %p = arith.addf %o, %v : f64
  memref.store %p, %r[%far] : memref<1xf64>
  %q = memref.load %s[%far] : memref<1xf64>
  %t = arith.subf %q, %v : f64
  memref.store %t, %s[%far] : memref<1xf64>
  return
}
func.func @outside(%e: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @far over %e args(
    read %x : !op2.dat<1xf64>,
    inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// One of two pointers has lanes, but neither a place that varies behind one, nor
// memory itself.
llvm.mlir.global external @left() : !llvm.ptr
llvm.mlir.global external @right() : !llvm.ptr
func.func private @k(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %number = memref.load %n[%c0] : memref<1xi64>
  %isLeft = arith.cmpi sgt, %number, %zero : i64
  %address = llvm.mlir.addressof @left : !llvm.ptr
  %other = llvm.mlir.addressof @right : !llvm.ptr
  %pointer = scf.if %isLeft -> !llvm.ptr {
    %p = llvm.load %address : !llvm.ptr -> !llvm.ptr
    scf.yield %p : !llvm.ptr
  } else {
    %p = llvm.load %other : !llvm.ptr -> !llvm.ptr
    // expected-note @+1 {{this is where it happens}}
    %q = llvm.getelementptr %p[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    scf.yield %q : !llvm.ptr
  }
  %table = op2.ptr_cast %pointer : !llvm.ptr -> memref<?xf64>
  %0 = memref.load %table[%c0] : memref<?xf64>
  memref.store %0, %x[%c0] : memref<1xf64>
  return
}
func.func private @memory(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %number = memref.load %n[%c0] : memref<1xi64>
  %isLeft = arith.cmpi sgt, %number, %zero : i64
  %address = llvm.mlir.addressof @left : !llvm.ptr
  %other = llvm.mlir.addressof @right : !llvm.ptr
  // expected-note @+1 {{this is where it happens}}
  %table = scf.if %isLeft -> memref<?xf64> {
    %p = llvm.load %address : !llvm.ptr -> !llvm.ptr
    %m = op2.ptr_cast %p : !llvm.ptr -> memref<?xf64>
    scf.yield %m : memref<?xf64>
  } else {
    %p = llvm.load %other : !llvm.ptr -> !llvm.ptr
    %m = op2.ptr_cast %p : !llvm.ptr -> memref<?xf64>
    scf.yield %m : memref<?xf64>
  }
  %0 = memref.load %table[%c0] : memref<?xf64>
  memref.store %0, %x[%c0] : memref<1xf64>
  return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: 'llvm.getelementptr' has no form for several elements}}
  op2.par_loop @k over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi64>)
  // expected-remark @+1 {{loop 'memory' is not vectorized: a branch with a result of a type that has no lanes}}
  op2.par_loop @memory over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi64>)
  return
}

// -----

// A table of two dimensions behind a pointer, of which some elements read nothing.
llvm.mlir.global external @pointer() : !llvm.ptr
func.func private @k(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %address = llvm.mlir.addressof @pointer : !llvm.ptr
  %pointer = llvm.load %address : !llvm.ptr -> !llvm.ptr
  %table = op2.ptr_cast %pointer : !llvm.ptr -> memref<?x3xf64>
  %number = memref.load %n[%c0] : memref<1xi64>
  %index = arith.index_cast %number : i64 to index
  %isThere = arith.cmpi sgt, %number, %zero : i64
  scf.if %isThere {
    // expected-note @+1 {{this is where it happens}}
    %0 = memref.load %table[%index, %c0] : memref<?x3xf64>
    %1 = math.sqrt %0 : f64 %2 = math.sqrt %1 : f64 %3 = math.sqrt %2 : f64
    memref.store %3, %x[%c0] : memref<1xf64>
  }
  return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi64>) {
  // expected-remark @+1 {{loop 'k' is not vectorized: a load of a type that has no lanes}}
  op2.par_loop @k over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi64>)
  return
}
