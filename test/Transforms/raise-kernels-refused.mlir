// RUN: op2-opt %s --op2-raise-kernels --split-input-file --verify-diagnostics | FileCheck %s

// What cannot be raised stays as it is, and a remark says why.

llvm.func @puts(!llvm.ptr) -> i32
llvm.mlir.global internal constant @text("x\00")

// CHECK-LABEL: llvm.func @prints
llvm.func @prints(%x: !llvm.ptr) {
  %0 = llvm.mlir.addressof @text : !llvm.ptr
  %1 = llvm.call @puts(%0) : (!llvm.ptr) -> i32 // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // CHECK: op2.par_loop @prints over
  // expected-remark @below {{kernel 'prints' is not raised: calls 'puts'}}
  op2.par_loop @prints over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

// A function of the program that has a name of the C library's.

llvm.func @exp(%x: f64) -> f64 {
  llvm.return %x : f64
}
llvm.func @own(%x: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.call @exp(%0) : (f64) -> f64 // expected-note {{here}}
  llvm.store %1, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'own' is not raised: calls 'exp'}}
  op2.par_loop @own over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @indirect(%x: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> i64
  %1 = llvm.inttoptr %0 : i64 to !llvm.ptr // expected-note {{here}}
  llvm.call %1() : !llvm.ptr, () -> ()
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xi64>) {
  // expected-remark @below {{kernel 'indirect' is not raised: computes a pointer with 'llvm.inttoptr'}}
  op2.par_loop @indirect over %s args(rw %x : !op2.dat<1xi64>)
  return
}

// -----

llvm.func @outside(%x: !llvm.ptr) {
  %0 = llvm.getelementptr %x[4] : (!llvm.ptr) -> !llvm.ptr, f64
  %1 = llvm.load %0 : !llvm.ptr -> f64 // expected-note {{here}}
  llvm.store %1, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<4xf64>) {
  // expected-remark @below {{kernel 'outside' is not raised: uses element 4 of argument 0, which has 4}}
  op2.par_loop @outside over %s args(rw %x : !op2.dat<4xf64>)
  return
}

// -----

llvm.func @wide(%x: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> i64 // expected-note {{here}}
  llvm.store %0, %x : i64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf32>) {
  // expected-remark @below {{kernel 'wide' is not raised: uses several elements of argument 0 at once}}
  op2.par_loop @wide over %s args(rw %x : !op2.dat<2xf32>)
  return
}

// -----

llvm.func @narrow(%x: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> i32 // expected-note {{here}}
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>) {
  // expected-remark @below {{kernel 'narrow' is not raised: uses 4 bytes at once of argument 0, whose elements have 8}}
  op2.par_loop @narrow over %s args(rw %x : !op2.dat<2xf64>)
  return
}

// -----

llvm.func @between(%x: !llvm.ptr) {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %0 = llvm.getelementptr %x[%c4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %1 = llvm.load %0 : !llvm.ptr -> f64 // expected-note {{here}}
  llvm.store %1, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>) {
  // expected-remark @below {{kernel 'between' is not raised: uses argument 0 at byte 4, which is not a multiple of its elements' size, 8}}
  op2.par_loop @between over %s args(rw %x : !op2.dat<2xf64>)
  return
}

// -----

llvm.func @steps(%x: !llvm.ptr, %n: !llvm.ptr) {
  %0 = llvm.load %n : !llvm.ptr -> i32
  %1 = llvm.getelementptr %x[%0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x i32> // expected-note {{here}}
  %2 = llvm.load %1 : !llvm.ptr -> f64
  llvm.store %2, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %n: memref<1xi32>) {
  // expected-remark @below {{kernel 'steps' is not raised: uses argument 0 in steps of 12 bytes, but its elements have 8}}
  op2.par_loop @steps over %s args(rw %x : !op2.dat<2xf64>, read global %n : memref<1xi32>)
  return
}

// -----

llvm.func @either(%x: !llvm.ptr, %y: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  %2 = llvm.select %1, %x, %y : i1, !llvm.ptr
  llvm.store %zero, %2 : f64, !llvm.ptr // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'either' is not raised: uses a pointer that may point to different objects}}
  op2.par_loop @either over %s args(rw %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @merged(%x: !llvm.ptr, %y: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  llvm.cond_br %1, ^end(%x : !llvm.ptr), ^end(%y : !llvm.ptr)
^end(%p: !llvm.ptr):
  llvm.store %zero, %p : f64, !llvm.ptr // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'merged' is not raised: uses a pointer that may point to different objects}}
  op2.par_loop @merged over %s args(rw %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  return
}

// -----

// Whether an optional argument is there cannot be asked of a memref.

llvm.func @optional(%x: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.icmp "eq" %x, %null : !llvm.ptr // expected-note {{here}}
  llvm.cond_br %0, ^end, ^use
^use:
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  llvm.store %zero, %x : f64, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

func.func @loop(%s: !op2.set, %f: i1, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'optional' is not raised: compares pointers}}
  op2.par_loop @optional over %s args(if %f rw %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.mlir.global external @count() : i32
llvm.func @counts(%x: !llvm.ptr) {
  %0 = llvm.mlir.addressof @count : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  llvm.store %1, %0 : i32, !llvm.ptr // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'counts' is not raised: writes to a variable of the program}}
  op2.par_loop @counts over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @volatile(%x: !llvm.ptr) {
  %0 = llvm.load volatile %x : !llvm.ptr -> f64 // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'volatile' is not raised: has a volatile or atomic load}}
  op2.par_loop @volatile over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

// expected-note @below {{here}}
llvm.func @dynamic(%x: !llvm.ptr) {
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<?xf64>) {
  // expected-remark @below {{kernel 'dynamic' is not raised: takes argument 0, whose dim is known at run time only}}
  op2.par_loop @dynamic over %s args(read %x : !op2.dat<?xf64>)
  return
}

// -----

// expected-note @below {{here}}
llvm.func @elsewhere(!llvm.ptr)

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'elsewhere' is not raised: has no body here}}
  op2.par_loop @elsewhere over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

// expected-note @below {{here}}
llvm.func @for_debuggers(!llvm.ptr) attributes {op2.missing_body = "is not optimised (-O0)"}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'for_debuggers' is not raised: is not optimised (-O0)}}
  op2.par_loop @for_debuggers over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @rows(%x: !llvm.ptr, %n: !llvm.ptr) {
  %0 = llvm.load %n : !llvm.ptr -> i32
  %1 = llvm.getelementptr %x[%0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr
  %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %n: memref<1xi32>) {
  // expected-remark @below {{kernel 'rows' is not raised: computes which row of argument 0 it uses}}
  op2.par_loop @rows over %s args(
      read %x : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>, read global %n : memref<1xi32>)
  return
}

// -----

llvm.func @lanes(%x: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> vector<2xf64> // expected-note {{here}}
  llvm.store %0, %x : vector<2xf64>, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>) {
  // expected-remark @below {{kernel 'lanes' is not raised: loads or stores what is not a number}}
  op2.par_loop @lanes over %s args(rw %x : !op2.dat<2xf64>)
  return
}

// -----

llvm.func @fills(%x: !llvm.ptr, %n: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %0 = llvm.load %n : !llvm.ptr -> i32
  "llvm.intr.memset"(%x, %zero, %0) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %n: memref<1xi32>) {
  // expected-remark @below {{kernel 'fills' is not raised: uses 'llvm.intr.memset'}}
  op2.par_loop @fills over %s args(rw %x : !op2.dat<2xf64>, read global %n : memref<1xi32>)
  return
}

// -----

llvm.func @unaligned(%x: !llvm.ptr, %n: !llvm.ptr) {
  %0 = llvm.load %n : !llvm.ptr -> i32
  %1 = llvm.getelementptr %x[%0] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  %2 = llvm.load %1 {alignment = 1 : i64} : !llvm.ptr -> f64 // expected-note {{here}}
  llvm.store %2, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %n: memref<1xi32>) {
  // expected-remark @below {{kernel 'unaligned' is not raised: uses an element of argument 0 that may not be aligned}}
  op2.par_loop @unaligned over %s args(rw %x : !op2.dat<2xf64>, read global %n : memref<1xi32>)
  return
}

// -----

// Reading both is no substitute for reading one if that may not be there.

llvm.func @oneof(%x: !llvm.ptr, %y: !llvm.ptr) {
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.load %x : !llvm.ptr -> f64
  %1 = llvm.fcmp "olt" %0, %zero : f64
  %2 = llvm.select %1, %x, %y : i1, !llvm.ptr
  %3 = llvm.load %2 : !llvm.ptr -> f64 // expected-note {{here}}
  llvm.store %3, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %f: i1, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'oneof' is not raised: selects between elements that may not be there}}
  op2.par_loop @oneof over %s args(rw %x : !op2.dat<1xf64>, if %f read %y : !op2.dat<1xf64>)
  return
}

// -----

// A pointer to a function is no value that a raised kernel can have.

llvm.mlir.global internal @callback() : !llvm.ptr

llvm.func @calls_back(%x: !llvm.ptr) {
  %0 = llvm.mlir.addressof @callback : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
  llvm.call %1() : !llvm.ptr, () -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'calls_back' is not raised: calls a function through a pointer}}
  op2.par_loop @calls_back over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @wide_local(%x: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.alloca %c1 x vector<4xf64> : (i64) -> !llvm.ptr // expected-note {{here}}
  %1 = llvm.load %x : !llvm.ptr -> vector<4xf64>
  llvm.store %1, %0 : vector<4xf64>, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<4xf64>) {
  // expected-remark @below {{kernel 'wide_local' is not raised: has a local variable that is not an array of numbers}}
  op2.par_loop @wide_local over %s args(rw %x : !op2.dat<4xf64>)
  return
}

// -----

// A list, whose pointers lead back to themselves.

llvm.mlir.global external @list() : !llvm.ptr

llvm.func @list_sum(%x: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.mlir.constant(0.0 : f64) : f64
  %0 = llvm.mlir.addressof @list : !llvm.ptr
  llvm.br ^next(%0, %none : !llvm.ptr, f64)
^next(%1: !llvm.ptr, %sum: f64):
  %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
  %3 = llvm.icmp "eq" %2, %null : !llvm.ptr // expected-note {{here}}
  llvm.cond_br %3, ^end, ^body
^body:
  %4 = llvm.getelementptr %2[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, f64)>
  %5 = llvm.load %4 : !llvm.ptr -> f64
  %6 = llvm.fadd %sum, %5 : f64
  llvm.br ^next(%2, %6 : !llvm.ptr, f64)
^end:
  llvm.store %sum, %x : f64, !llvm.ptr
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'list_sum' is not raised: compares pointers}}
  op2.par_loop @list_sum over %s args(write %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.mlir.global internal @table(dense<1.0> : tensor<2xf64>) : !llvm.array<2 x f64>

llvm.func @copies_table(%x: !llvm.ptr) {
  %n = llvm.mlir.constant(16 : i64) : i64
  %0 = llvm.mlir.addressof @table : !llvm.ptr
  "llvm.intr.memcpy"(%x, %0, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>) {
  // expected-remark @below {{kernel 'copies_table' is not raised: copies memory that is not an argument or a local variable}}
  op2.par_loop @copies_table over %s args(write %x : !op2.dat<2xf64>)
  return
}

// -----

llvm.func @copies_bits(%x: !llvm.ptr, %y: !llvm.ptr) {
  %n = llvm.mlir.constant(16 : i64) : i64
  "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xf64>, %y: !op2.dat<4xf32>) {
  // expected-remark @below {{kernel 'copies_bits' is not raised: copies elements of one size to elements of another}}
  op2.par_loop @copies_bits over %s args(
      write %x : !op2.dat<2xf64>, read %y : !op2.dat<4xf32>)
  return
}

// -----

llvm.func @through(%x: !llvm.ptr, %f: !llvm.ptr) {
  %0 = llvm.load %x : !llvm.ptr -> f64
  llvm.call %f(%0) : !llvm.ptr, (f64) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'through' is not raised: calls a function through a pointer}}
  op2.par_loop @through over %s args(rw %x : !op2.dat<1xf64>, rw %y : !op2.dat<1xf64>)
  return
}

// -----

// Rule L16: a raised kernel does not write what its loop reads. Another loop
// may call it.

llvm.func @writes(%x: !llvm.ptr, %y: !llvm.ptr) {
  %0 = llvm.load %y : !llvm.ptr -> f64
  llvm.store %0, %x : f64, !llvm.ptr // expected-note {{here}}
  llvm.return
}

// CHECK-LABEL: func.func @loop_that_reads
func.func @loop_that_reads(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  // CHECK: op2.par_loop @writes over
  // expected-remark @below {{kernel 'writes' is not raised: writes to argument 0, which the loop reads}}
  op2.par_loop @writes over %s args(read %x : !op2.dat<1xf64>, read %y : !op2.dat<1xf64>)
  // CHECK: op2.par_loop @writes.raised over
  op2.par_loop @writes over %s args(write %x : !op2.dat<1xf64>, read %y : !op2.dat<1xf64>)
  return
}

// -----

// No loop can call what became of this one.

// CHECK-NOT: @writes_only.raised
llvm.func @writes_only(%x: !llvm.ptr) {
  %0 = llvm.mlir.constant(1.0 : f64) : f64
  llvm.store %0, %x : f64, !llvm.ptr // expected-note {{here}}
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // CHECK: op2.par_loop @writes_only over
  // expected-remark @below {{kernel 'writes_only' is not raised: writes to argument 0, which the loop reads}}
  op2.par_loop @writes_only over %s args(read %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @copies_much(%x: !llvm.ptr, %y: !llvm.ptr) {
  %n = llvm.mlir.constant(2056 : i64) : i64
  "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () // expected-note {{here}}
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<257xf64>) {
  // expected-remark @below {{kernel 'copies_much' is not raised: copies or fills 257 elements at once; expected at most 256}}
  op2.par_loop @copies_much over %s args(
      write %x : !op2.dat<257xf64>, read %x : !op2.dat<257xf64>)
  return
}

// -----

llvm.func @fills_much(%x: !llvm.ptr) {
  %n = llvm.mlir.constant(17179869176 : i64) : i64
  %zero = llvm.mlir.constant(0 : i8) : i8
  "llvm.intr.memset"(%x, %zero, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> () // expected-note {{here}}
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<2147483647xf64>) {
  // expected-remark @below {{kernel 'fills_much' is not raised: copies or fills 2147483647 elements at once; expected at most 256}}
  op2.par_loop @fills_much over %s args(write %x : !op2.dat<2147483647xf64>)
  return
}

// -----

// Calls that may do more than change what they are given: one that keeps a
// pointer, one that throws, one that reads other memory, one that changes a
// variable of the program.

#args = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>
#any = #llvm.memory_effects<other = read, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>
llvm.func @keeps(!llvm.ptr) attributes {memory_effects = #args, no_unwind}
llvm.func @throws(!llvm.ptr {llvm.nocapture}) attributes {memory_effects = #args}
llvm.func @looks(!llvm.ptr {llvm.nocapture}) attributes {memory_effects = #any, no_unwind}
llvm.func @sets(!llvm.ptr {llvm.nocapture}) attributes {memory_effects = #args, no_unwind}
llvm.mlir.global external @variable() : f64

llvm.func @k0(%x: !llvm.ptr) {
  llvm.call @keeps(%x) {memory_effects = #args} : (!llvm.ptr) -> () // expected-note {{here}}
  llvm.return
}
llvm.func @k1(%x: !llvm.ptr) {
  llvm.call @throws(%x) {memory_effects = #args} : (!llvm.ptr) -> () // expected-note {{here}}
  llvm.return
}
llvm.func @k2(%x: !llvm.ptr) {
  llvm.call @looks(%x) {memory_effects = #any} : (!llvm.ptr) -> () // expected-note {{here}}
  llvm.return
}
llvm.func @k3(%x: !llvm.ptr) {
  %0 = llvm.mlir.addressof @variable : !llvm.ptr
  llvm.call @sets(%0) {memory_effects = #args} : (!llvm.ptr) -> () // expected-note {{here}}
  llvm.return
}
func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>) {
  // expected-remark @below {{kernel 'k0' is not raised: calls 'keeps'}}
  op2.par_loop @k0 over %s args(rw %x : !op2.dat<1xf64>)
  // expected-remark @below {{kernel 'k1' is not raised: calls 'throws'}}
  op2.par_loop @k1 over %s args(rw %x : !op2.dat<1xf64>)
  // expected-remark @below {{kernel 'k2' is not raised: calls 'looks'}}
  op2.par_loop @k2 over %s args(rw %x : !op2.dat<1xf64>)
  // expected-remark @below {{kernel 'k3' is not raised: calls 'sets'}}
  op2.par_loop @k3 over %s args(rw %x : !op2.dat<1xf64>)
  return
}

// -----

llvm.func @copies_bytes(%x: !llvm.ptr, %y: !llvm.ptr) {
  %n = llvm.mlir.constant(2 : i64) : i64
  "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xi1>, %y: !op2.dat<2xi8>) {
  // expected-remark @below {{kernel 'copies_bytes' is not raised: copies bytes to bools, or bools to bytes}}
  op2.par_loop @copies_bytes over %s args(
      write %x : !op2.dat<2xi1>, read %y : !op2.dat<2xi8>)
  return
}

// -----

llvm.func @fills_bools(%x: !llvm.ptr) {
  %n = llvm.mlir.constant(2 : i64) : i64
  %three = llvm.mlir.constant(3 : i8) : i8
  "llvm.intr.memset"(%x, %three, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> () // expected-note {{here}}
  llvm.return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<2xi1>) {
  // expected-remark @below {{kernel 'fills_bools' is not raised: fills bools with a byte that is neither 0 nor 1}}
  op2.par_loop @fills_bools over %s args(write %x : !op2.dat<2xi1>)
  return
}
