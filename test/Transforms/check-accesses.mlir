// RUN: op2-opt %s --split-input-file --op2-check-accesses --verify-diagnostics
// RUN: not op2-opt %s --split-input-file --op2-to-openmp 2>&1 | FileCheck %s
// RUN: not op2-opt %s --split-input-file --op2-to-seq 2>&1 | FileCheck %s
// RUN: not op2-opt %s --split-input-file --op2-to-emulator=raise=0 2>&1 | FileCheck %s
// RUN: op2-opt %s --split-input-file --op2-to-openmp=check=0 2>&1 | FileCheck %s --check-prefix=OFF
// CHECK: error: [L18] kernel 'flux' overwrites
// CHECK: error: [L20] kernel 'last' overwrites
// CHECK: error: [L18] kernel 'decay' uses
// CHECK: error: [L19] kernel 'smooth' reads
// OFF-NOT: error: {{\[}}L
//
// Kernels against what their loops declare: errors where something else is
// certain, at the operation; nothing where it is not.

// L18: what is added to is overwritten.
func.func private @flux(%q: memref<1xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %q[%c0] : memref<1xf64>
  // expected-error @+1 {{[L18] kernel 'flux' overwrites parameter 1, which loop 'flux' declares 'inc'}}
  memref.store %0, %r[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  // expected-note @+1 {{argument 1 of this loop; did you mean 'rw'?}}
  op2.par_loop @flux over %s args(
      read %q : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// L20: the value that is there is not looked at.
func.func private @last(%x: memref<1xf64>, %m: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  // expected-error @+1 {{[L20] kernel 'last' overwrites parameter 1, which loop 'last' declares 'max'}}
  memref.store %0, %m[%c0] : memref<1xf64>
  return
}
// Compared by a choice, by arithmetic, or a flag.
func.func private @least(%x: memref<1xf64>, %m: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = memref.load %m[%c0] : memref<1xf64>
  %2 = arith.cmpf olt, %0, %1 : f64
  scf.if %2 {
    memref.store %0, %m[%c0] : memref<1xf64>
  }
  return
}
func.func private @smaller(%x: memref<1xf64>, %m: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  %1 = memref.load %m[%c0] : memref<1xf64>
  %2 = arith.minnumf %0, %1 : f64
  memref.store %2, %m[%c0] : memref<1xf64>
  return
}
func.func private @flag(%x: memref<1xf64>, %m: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %m[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %x: !op2.dat<1xf64>, %m: memref<1xf64>) {
  // expected-note @+1 {{argument 1 of this loop; did you mean 'rw'?}}
  op2.par_loop @last over %s args(read %x : !op2.dat<1xf64>, max global %m : memref<1xf64>)
  op2.par_loop @least over %s args(read %x : !op2.dat<1xf64>, min global %m : memref<1xf64>)
  op2.par_loop @smaller over %s args(read %x : !op2.dat<1xf64>, min global %m : memref<1xf64>)
  op2.par_loop @flag over %s args(read %x : !op2.dat<1xf64>, max global %m : memref<1xf64>)
  return
}

// -----

// L18: its value goes into a product.
func.func private @decay(%r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.5 : f64
  %0 = memref.load %r[%c0] : memref<1xf64>
  // expected-error @+1 {{[L18] kernel 'decay' uses the value of parameter 0}}
  %1 = arith.mulf %0, %f : f64
  memref.store %1, %r[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>) {
  // expected-note @+1 {{argument 0}}
  op2.par_loop @decay over %s args(inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// L18: a sum of several elements is compared, a reduction is doubled, a row of a
// vector argument is stored elsewhere.
func.func private @looks(%g: memref<1xf64>, %sum: memref<1xi32>, %a: memref<1xf64>, %b: memref<1xf64>, %o: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %0 = memref.load %g[%c0] : memref<1xf64>
  %1 = arith.addf %0, %one : f64
  // expected-error @+1 {{uses the value of parameter 0}}
  %2 = arith.cmpf ogt, %1, %one : f64
  scf.if %2 {
    memref.store %1, %g[%c0] : memref<1xf64>
  }
  %3 = memref.load %sum[%c0] : memref<1xi32>
  // expected-error @+1 {{uses the value of parameter 1}}
  %4 = arith.addi %3, %3 : i32
  memref.store %4, %sum[%c0] : memref<1xi32>
  %5 = memref.load %a[%c0] : memref<1xf64>
  %6 = arith.subf %5, %one : f64
  memref.store %6, %a[%c0] : memref<1xf64>
  %7 = memref.load %b[%c0] : memref<1xf64>
  // expected-error @+1 {{uses the value of parameter 3}}
  memref.store %7, %o[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<2>, %g: memref<1xf64>, %n: memref<1xi32>, %r: !op2.dat<1xf64>, %o: !op2.dat<1xf64>) {
  // expected-note @+3 {{argument 0}}
  // expected-note @+2 {{argument 1}}
  // expected-note @+1 {{argument 2}}
  op2.par_loop @looks over %s args(
      inc global %g : memref<1xf64>, inc global %n : memref<1xi32>,
      inc %r : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>,
      write %o : !op2.dat<1xf64>)
  return
}

// -----

// L19: read before it is written.
func.func private @smooth(%a: memref<2xf64>, %b: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{[L19] kernel 'smooth' reads before it writes parameter 0, which loop 'smooth' declares 'write'}}
  %0 = memref.load %a[%c0] : memref<2xf64>
  memref.store %0, %b[%c0] : memref<2xf64>
  %1 = memref.load %b[%c1] : memref<2xf64>
  memref.store %1, %a[%c0] : memref<2xf64>
  return
}
func.func @step(%s: !op2.set, %a: !op2.dat<2xf64>, %b: !op2.dat<2xf64>) {
  // expected-note @+1 {{argument 0}}
  op2.par_loop @smooth over %s args(write %a : !op2.dat<2xf64>, write %b : !op2.dat<2xf64>)
  return
}

// -----

// A product that is added to is a sum, too, and must not be multiplied.
func.func private @squares(%a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<1xf64>
  %sum = memref.load %b[%c0] : memref<1xf64>
  %more = math.fma %x, %x, %sum : f64
  // expected-error @+1 {{kernel 'squares' uses the value of parameter 1}}
  %square = arith.mulf %more, %more : f64
  memref.store %square, %b[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<1>, %a: !op2.dat<1xf64>, %b: !op2.dat<1xf64>) {
  // expected-note @+1 {{argument 1}}
  op2.par_loop @squares over %s args(read %a : !op2.dat<1xf64>, inc %b : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}

// -----

// All of that adds, or may: around a loop, on one of two ways, in another
// precision, by way of private memory, twice.
func.func private @adds(%a: memref<1xf64>, %b: memref<1xf32>, %c: memref<1xf64>, %d: memref<1xi1>, %e: memref<1xf64>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %0 = memref.load %a[%c0] : memref<1xf64>
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %0) -> f64 {
    %x = arith.addf %sum, %one : f64
    scf.yield %x : f64
  }
  memref.store %1, %a[%c0] : memref<1xf64>
  %2 = memref.load %b[%c0] : memref<1xf32>
  %3 = arith.extf %2 : f32 to f64
  %4 = math.fma %one, %one, %3 : f64
  %5 = arith.truncf %4 : f64 to f32
  memref.store %5, %b[%c0] : memref<1xf32>
  %6 = memref.load %c[%c0] : memref<1xf64>
  %local = memref.alloca() : memref<1xf64>
  memref.store %6, %local[%c0] : memref<1xf64>
  %7 = memref.load %local[%c0] : memref<1xf64>
  %8 = arith.addf %7, %one : f64
  memref.store %8, %c[%c0] : memref<1xf64>
  %9 = memref.load %d[%c0] : memref<1xi1>
  %true = arith.constant true
  %10 = arith.ori %9, %true : i1
  memref.store %10, %d[%c0] : memref<1xi1>
  %k = memref.load %n[%c0] : memref<1xi32>
  %k0 = arith.constant 0 : i32
  %isOdd = arith.cmpi eq, %k, %k0 : i32
  %11 = memref.load %e[%c0] : memref<1xf64>
  %12 = scf.if %isOdd -> f64 {
    %x = arith.subf %11, %one : f64
    scf.yield %x : f64
  } else {
    scf.yield %11 : f64
  }
  %13 = arith.select %isOdd, %12, %11 : f64
  memref.store %13, %e[%c0] : memref<1xf64>
  %14 = memref.load %e[%c0] : memref<1xf64>
  %15 = arith.addf %one, %14 : f64
  memref.store %15, %e[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<2>, %a: !op2.dat<1xf64>, %b: !op2.dat<1xf32>, %d: memref<1xi1>) {
  op2.par_loop @adds over %s args(
      inc %a : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %b : !op2.dat<1xf32> via %m[0] : !op2.map<2>,
      inc %a : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      inc global %d : memref<1xi1>,
      inc %a : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      index)
  return
}

// -----

// What an element has to itself may be used; what is written on some way first
// may be read; of what is called nothing is known.
func.func private @any(%x: memref<1xf64>, %flag: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %yes = arith.constant true
  %limit = arith.constant 9.0 : f64
  %0 = memref.load %flag[%c0] : memref<1xi1>
  %1 = arith.cmpi ne, %0, %no : i1
  %2 = memref.load %x[%c0] : memref<1xf64>
  %3 = arith.cmpf ogt, %2, %limit : f64
  %4 = arith.ori %1, %3 : i1
  %5 = arith.select %4, %yes, %no : i1
  memref.store %5, %flag[%c0] : memref<1xi1>
  return
}
func.func @flags(%s: !op2.set, %x: !op2.dat<1xf64>, %flag: memref<1xi1>) {
  op2.par_loop @any over %s args(read %x : !op2.dat<1xf64>, inc global %flag : memref<1xi1>)
  return
}
func.func private @callee(%r: memref<1xf64>)
func.func private @own(%u: memref<1xf64>, %w: memref<1xf64>, %r: memref<1xf64>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %u[%c0] : memref<1xf64>
  %1 = arith.mulf %0, %0 : f64
  memref.store %1, %u[%c0] : memref<1xf64>
  %k = memref.load %n[%c0] : memref<1xi32>
  %k0 = arith.constant 0 : i32
  %is0 = arith.cmpi eq, %k, %k0 : i32
  scf.if %is0 {
    memref.store %1, %w[%c0] : memref<1xf64>
  }
  %2 = memref.load %w[%c0] : memref<1xf64>
  call @callee(%r) : (memref<1xf64>) -> ()
  memref.store %2, %r[%c0] : memref<1xf64>
  return
}
func.func @step(%s: !op2.set, %m: !op2.map<2>, %u: !op2.dat<1xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @own over %s args(
      inc %u : !op2.dat<1xf64>, write %u : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>, index)
  return
}

// -----

// Bools are or-ed, numbers are added.
func.func private @flip(%x: memref<1xi1>, %b: memref<1xi1>, %y: memref<1xi32>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xi1>
  %1 = memref.load %b[%c0] : memref<1xi1>
  // expected-error @+1 {{[L18] kernel 'flip' uses the value of parameter 1, which loop 'flip' declares 'inc'}}
  %2 = arith.addi %1, %0 : i1
  memref.store %2, %b[%c0] : memref<1xi1>
  %3 = memref.load %y[%c0] : memref<1xi32>
  %4 = memref.load %n[%c0] : memref<1xi32>
  // expected-error @+1 {{[L18] kernel 'flip' uses the value of parameter 3, which loop 'flip' declares 'inc'}}
  %5 = arith.ori %4, %3 : i32
  memref.store %5, %n[%c0] : memref<1xi32>
  return
}
func.func @step(%s: !op2.set, %x: !op2.dat<1xi1>, %b: memref<1xi1>, %y: !op2.dat<1xi32>, %n: memref<1xi32>) {
  // expected-note @+2 {{argument 1 of this loop}}
  // expected-note @+1 {{argument 3 of this loop}}
  op2.par_loop @flip over %s args(
      read %x : !op2.dat<1xi1>, inc global %b : memref<1xi1>,
      read %y : !op2.dat<1xi32>, inc global %n : memref<1xi32>)
  return
}

// -----

func.func private @any(%x: memref<1xi1>, %b: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xi1>
  %1 = memref.load %b[%c0] : memref<1xi1>
  %2 = arith.ori %1, %0 : i1
  memref.store %2, %b[%c0] : memref<1xi1>
  return
}
func.func @step(%s: !op2.set, %x: !op2.dat<1xi1>, %b: memref<1xi1>) {
  op2.par_loop @any over %s args(
      read %x : !op2.dat<1xi1>, inc global %b : memref<1xi1>)
  return
}
