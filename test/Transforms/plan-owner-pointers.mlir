// Kernels on pointers have owners if all that they store to is theirs: rows, by
// themselves or from a table, and variables. What is not known may be noticed.

// RUN: op2-opt %s --op2-plan --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: strategy = "ownership"
// CHECK: guarded
// A pointer, and memory of the same form for the row of another thread.
// CHECK: %[[SPARE:.*]] = memref.alloca() {alignment = 16 : i64} : memref<2xf64>
// CHECK: %[[ROW:.*]] = op2.owned_row %{{.*}} else %[[SPARE]] : memref<?x2xf64>, memref<2xf64> -> !llvm.ptr
// CHECK: llvm.call @adds(%{{.*}}, %[[ROW]])
llvm.func @adds(%q: !llvm.ptr, %r: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(16 : i64) : i64
  %local = llvm.alloca %one x !llvm.array<2 x f64> : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%local, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memcpy"(%local, %q, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %a = llvm.load %local : !llvm.ptr -> f64
  %c = llvm.fcmp "ogt" %a, %a : f64
  %place = llvm.getelementptr %r[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %chosen = llvm.select %c, %place, %r : i1, !llvm.ptr
  llvm.cond_br %c, ^add(%chosen : !llvm.ptr), ^add(%r : !llvm.ptr)
^add(%to: !llvm.ptr):
  %b = llvm.load %to : !llvm.ptr -> f64
  %s = llvm.fadd %a, %b : f64
  llvm.store %s, %to : f64, !llvm.ptr
  llvm.return
}
func.func @rows(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @adds over %edges args(
      read %q : !op2.dat<2xf64>, inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Of a table that came, and of one that the kernel made. The dim is one of run
// time: memory on the heap.

// CHECK-LABEL: func.func @tables
// CHECK: strategy = "ownership"
// CHECK: guarded
// CHECK-COUNT-2: memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xf64>
// CHECK: op2.row_table
// CHECK: llvm.call @adds
// CHECK-COUNT-2: memref.dealloc
llvm.func @adds(%table: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %r0 = llvm.load %table : !llvm.ptr -> !llvm.ptr
  %next = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %r1 = llvm.load %next : !llvm.ptr -> !llvm.ptr
  %own = llvm.alloca %one x !llvm.array<2 x ptr> : (i64) -> !llvm.ptr
  llvm.store %r1, %own : !llvm.ptr, !llvm.ptr
  %second = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %r0, %second : !llvm.ptr, !llvm.ptr
  %to = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %b = llvm.load %to : !llvm.ptr -> f64
  %s = llvm.fadd %x, %b : f64
  llvm.store %s, %to : f64, !llvm.ptr
  llvm.return
}
func.func @tables(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<?xf64>) {
  op2.par_loop @adds over %edges args(
      inc %r : !op2.dat<?xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// A variable of the program.

// CHECK-LABEL: func.func @counted
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
// CHECK-SAME: strategy = "block colours"
llvm.mlir.global external @count(0 : i32) : i32
llvm.func @counts(%r: !llvm.ptr) {
  %p = llvm.mlir.addressof @count : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.return
}
func.func @counted(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @counts over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// Values of a row are no pointers to own memory.

// CHECK-LABEL: func.func @followed
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
llvm.func @follows(%q: !llvm.ptr, %r: !llvm.ptr) {
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %p = llvm.load %q : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %p : f64, !llvm.ptr
  llvm.return
}
func.func @followed(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @follows over %edges args(
      read %q : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// Nor are those of a row that is in a table.

// CHECK-LABEL: func.func @followed_twice
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
llvm.func @follows(%table: !llvm.ptr) {
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %row = llvm.load %table : !llvm.ptr -> !llvm.ptr
  %p = llvm.load %row : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %p : f64, !llvm.ptr
  llvm.return
}
func.func @followed_twice(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @follows over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// A variable holds a number that is taken for a pointer.

// CHECK-LABEL: func.func @punned
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
llvm.func @puns(%q: !llvm.ptr, %r: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %own = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %r, %own : !llvm.ptr, !llvm.ptr
  %bits = llvm.load %q : !llvm.ptr -> i64
  llvm.store %bits, %own : i64, !llvm.ptr
  %p = llvm.load %own : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %p : f64, !llvm.ptr
  llvm.return
}
func.func @punned(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xi64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @puns over %edges args(
      read %q : !op2.dat<1xi64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// A variable whose address somebody else has.

// CHECK-LABEL: func.func @escaped
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
llvm.func @escapes(%r: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %own = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %other = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %r, %own : !llvm.ptr, !llvm.ptr
  llvm.store %own, %other : !llvm.ptr, !llvm.ptr
  %p = llvm.load %own : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %p : f64, !llvm.ptr
  llvm.return
}
func.func @escaped(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @escapes over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// CHECK-LABEL: func.func @watched
// CHECK: op2.not_owned = "its kernel has 'llvm.load', which may not run twice"
llvm.func @watches(%r: !llvm.ptr) {
  %x = llvm.load volatile %r : !llvm.ptr -> f64
  llvm.return
}
func.func @watched(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @watches over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// CHECK-LABEL: func.func @atomic
// CHECK: op2.not_owned = "its kernel has 'llvm.atomicrmw', which may not run twice"
llvm.func @exchanges(%r: !llvm.ptr) {
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %y = llvm.atomicrmw fadd %r, %x monotonic : !llvm.ptr, f64
  llvm.return
}
func.func @atomic(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @exchanges over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// CHECK-LABEL: func.func @calling
// CHECK: op2.not_owned = "its kernel has 'llvm.call', which may not run twice"
llvm.func @unknown(!llvm.ptr)
llvm.func @calls(%r: !llvm.ptr) {
  llvm.call @unknown(%r) : (!llvm.ptr) -> ()
  llvm.return
}
func.func @calling(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @calls over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// What throws ends other loops than the one that sees it.

// CHECK-LABEL: func.func @throwing
// CHECK: op2.not_owned = "its kernel has 'llvm.invoke', which may not run twice"
llvm.func @personality(...) -> i32
llvm.func @throws() -> ()
llvm.func @catches(%r: !llvm.ptr) attributes {personality = @personality} {
  llvm.invoke @throws() to ^next unwind ^pad : () -> ()
^next:
  llvm.return
^pad:
  %p = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %p : !llvm.struct<(ptr, i32)>
}
func.func @throwing(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @catches over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// No body, nothing known.

// CHECK-LABEL: func.func @external
// CHECK: op2.not_owned = "its kernel has no body here"
llvm.func @outside(!llvm.ptr)
func.func @external(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @outside over %edges args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// A table that came may get other pointers.

// CHECK-LABEL: func.func @replaced
// CHECK: op2.not_owned = "its kernel has 'llvm.store', which may not run twice"
llvm.mlir.global external @other(0.0 : f64) : f64
llvm.func @replaces(%table: !llvm.ptr) {
  %x = llvm.mlir.constant(1.0 : f64) : f64
  %p = llvm.mlir.addressof @other : !llvm.ptr
  %row = llvm.load %table : !llvm.ptr -> !llvm.ptr
  %b = llvm.load %row : !llvm.ptr -> f64
  llvm.store %p, %table : !llvm.ptr, !llvm.ptr
  %to = llvm.load %table : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %to : f64, !llvm.ptr
  llvm.return
}
func.func @replaced(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  op2.par_loop @replaces over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// Elsewhere a row that is written is at another address. Whether it is there,
// and where a row is that is added to, which is private anyway, may be asked.

// CHECK-LABEL: func.func @compared
// CHECK: op2.not_owned = "its kernel asks by 'llvm.icmp' where a row is that it writes"
// CHECK: strategy = "ownership"
// CHECK: op2.not_owned = "its kernel asks by 'llvm.ptrtoint' where a row is that it writes"
// CHECK: op2.not_owned = "its kernel asks by 'llvm.store' where a row is that it writes"
llvm.func @compares(%d: !llvm.ptr, %r: !llvm.ptr) {
  %same = llvm.icmp "eq" %d, %r : !llvm.ptr
  llvm.return
}
llvm.func @asks(%d: !llvm.ptr, %r: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %is = llvm.icmp "eq" %d, %null : !llvm.ptr
  %number = llvm.ptrtoint %r : !llvm.ptr to i64
  llvm.return
}
llvm.func @computes(%d: !llvm.ptr, %r: !llvm.ptr) {
  %next = llvm.getelementptr %d[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %number = llvm.ptrtoint %next : !llvm.ptr to i64
  llvm.return
}
llvm.func @keeps(%d: !llvm.ptr, %r: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %own = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %d, %own : !llvm.ptr, !llvm.ptr
  %bits = llvm.load %own : !llvm.ptr -> i64
  llvm.return
}
func.func @compared(%edges: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @compares over %edges args(
      write %d : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @asks over %edges args(
      write %d : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @computes over %edges args(
      write %d : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  op2.par_loop @keeps over %edges args(
      write %d : !op2.dat<1xf64>, inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}
