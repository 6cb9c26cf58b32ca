// Loops that stay one, by the number of the rule that says why; and what does
// not pay.
//
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-split=max-values=1 -split-input-file -verify-diagnostics | FileCheck %s
//
// CHECK-NOT: loop_name

llvm.func @imported(%a: !llvm.ptr) {
  llvm.return
}
func.func private @elsewhere(%a: memref<1xf64>)
func.func private @jumps(%a: memref<1xf64>) {
  cf.br ^next
^next:
  return
}
func.func private @noise()
func.func private @prints(%a: memref<1xf64>) {
  func.call @noise() : () -> ()
  return
}
llvm.func @axpy(!llvm.ptr {llvm.nocapture})
    attributes {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind}
func.func private @passes(%a: memref<1xf64>) {
  %p = op2.ptr_cast %a : memref<1xf64> -> !llvm.ptr
  llvm.call @axpy(%p) {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (!llvm.ptr) -> ()
  return
}
func.func @x1(%s: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{loop 'imported' is not split: [X1] kernel 'imported' is not raised}}
  op2.par_loop @imported over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X1] kernel 'elsewhere' is not raised}}
  op2.par_loop @elsewhere over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X1] kernel 'jumps' has control flow that is not structured}}
  op2.par_loop @jumps over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X1] kernel 'prints' has 'func.call', which may not run twice}}
  op2.par_loop @prints over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X1] kernel 'passes' passes its memory to a function}}
  op2.par_loop @passes over %s args(rw %q : !op2.dat<1xf64>)
  return
}

// -----

func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>) {
  return
}
func.func private @info(%a: memref<1xf64>, %i: memref<1xi32>) {
  return
}
func.func @x2(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %f: i1, %g: memref<1xf64>,
              %i: memref<1xi32>) attributes {op2.fusible} {
  // expected-remark @+1 {{[X2] argument 1 of 'k' is optional}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>, if %f rw %r : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X2] argument 1 of 'k' is scratch memory}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>, work global %g : memref<1xf64>)
  // expected-remark @+1 {{[X2] argument 1 of 'k' is a global that is written}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>, write global %g : memref<1xf64>)
  // expected-remark @+1 {{[X2] argument 1 of 'info' is an info}}
  op2.par_loop @info over %s args(min global %g : memref<1xf64>, min info of 0 %i : memref<1xi32>)
  return
}

// -----

// What is computed for %b needs %a as it was before, or as it is now.

func.func private @alone(%a: memref<1xf64>) {
  return
}
func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func private @apart(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f64
  memref.store %v, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @x3(%s: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{[X3] it changes one datum only}}
  op2.par_loop @alone over %s args(rw %q : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X3] argument 0 of 'k' goes into what is computed for argument 1}}
  op2.par_loop @k over %s args(rw %q : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X3] argument 0 of 'apart' and argument 1 are one datum}}
  op2.par_loop @apart over %s args(
      inc %q : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// One part changes what the other one reads under another argument.
func.func private @reads(%a: memref<1xf64>, %b: memref<1xf64>, %c: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %c[%c0] : memref<1xf64>
  memref.store %v, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @x3_read(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{[X3] argument 0 of 'reads' and argument 2 are one datum}}
  op2.par_loop @reads over %s args(
      write %q : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>, read %q : !op2.dat<1xf64>)
  return
}

// Without the promise: handles may be one dat, a global may lie in a dat.
func.func @x4(%s: !op2.set, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>, %g: memref<1xf64>) {
  // expected-remark @+1 {{[X4] argument 0 of 'apart' and argument 1 may be the same data}}
  op2.par_loop @apart over %s args(write %q : !op2.dat<1xf64>, write %r : !op2.dat<1xf64>)
  // expected-remark @+1 {{[X4] argument 0 of 'apart' and argument 1 may be the same data}}
  op2.par_loop @apart over %s args(write %q : !op2.dat<1xf64>, inc global %g : memref<1xf64>)
  return
}

// -----

// One part could be vectorized, but there is little to compute.

func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>, %c: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %c[%c0] : memref<4xf64>
  memref.store %v, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @computes(%s: !op2.set, %m: !op2.map<1>, %a: !op2.dat<1xf64>, %b: !op2.dat<1xf64>,
                    %c: !op2.dat<4xf64>) attributes {op2.fusible} {
  // expected-remark @+1 {{it would move 32 bytes more for each element, of 52 now; expected 25 % at most}}
  op2.par_loop @k over %s args(
      write %a : !op2.dat<1xf64>, rw %b : !op2.dat<1xf64> via %m[0] : !op2.map<1>,
      read %c : !op2.dat<4xf64>)
  return
}

// -----

// It may be split, but what both read would travel twice.

func.func private @k(%a: memref<1xf64>, %b: memref<1xf64>, %c: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %c[%c0] : memref<4xf64>
  memref.store %v, %a[%c0] : memref<1xf64>
  memref.store %v, %b[%c0] : memref<1xf64>
  return
}
func.func @pays(%s: !op2.set, %a: !op2.dat<1xf64>, %b: !op2.dat<1xf64>, %c: !op2.dat<4xf64>)
    attributes {op2.fusible} {
  // expected-remark @+1 {{it would move 32 bytes more for each element, of 64 now; expected 25 % at most}}
  op2.par_loop @k over %s args(
      write %a : !op2.dat<1xf64>, write %b : !op2.dat<1xf64>, read %c : !op2.dat<4xf64>)
  return
}
