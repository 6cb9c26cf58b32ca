// A program of the op2 dialect on ranks: each of them prints what one process
// prints, to the last bit. The kernel of one loop reads a variable, so that
// loop may not run later, but again at borders.
//
// REQUIRES: mpi, no-sanitizer
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.alone
// RUN: FileCheck %s < %t.alone
// RUN: op2-run --ranks --shared-libs=%runner_utils %s | diff %t.alone -
// RUN: sort -u %t.alone > %t.sorted
// RUN: env OP2_CHECK_PLAN=1 OMP_NUM_THREADS=2 %mpirun -n 2 op2-run --ranks --shared-libs=%runner_utils %s | sort -u | diff %t.sorted -
// RUN: env OP2_PARTITION=random:3 OMP_NUM_THREADS=1 %mpirun -n 3 op2-run --ranks --delay=false --shared-libs=%runner_utils %s | sort -u | diff %t.sorted -
// RUN: env OP2_PARTITION=random:5 %mpirun -n 4 op2-run --ranks --target=seq --shared-libs=%runner_utils %s | sort -u | diff %t.sorted -
// RUN: env OP2_PARTITION=random:5 %mpirun -n 4 op2-run --ranks --target=emulator --shared-libs=%runner_utils %s | sort -u | diff %t.sorted -
// CHECK: {{^-?[1-9][0-9]+$}}
// CHECK-NEXT: {{^-?[1-9][0-9]+$}}
// CHECK-NOT: {{.}}
//
// RUN: not %mpirun -n 2 op2-run --ranks --shared-libs=%runner_utils %S/../mlir/ring.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: rm -rf %t.d && mkdir %t.d && touch %t.d/libop2_mpi.so
// RUN: not env LD_LIBRARY_PATH=%t.d op2-run --ranks --shared-libs=%runner_utils %s 2>&1 | FileCheck %s --check-prefix=LIBRARY
// INDEX: op_arg_idx: the loop counts by itself, which it cannot on several ranks
// LIBRARY: op2-run: error: --ranks needs libop2_mpi: {{.*}}libop2_mpi.so: file too short
// RUN: not %mpirun -n 2 op2-run --shared-libs=%runner_utils %s 2>&1 | FileCheck %s --check-prefix=APART
// APART: op2.decl_set: this is one of 2 processes, each of which would run all of the program; expected op_init to be called before, as by op2-run --ranks, or one process

memref.global @factor : memref<1xf64> = dense<0.7>
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @flux(%w: memref<1xf64>, %q0: memref<1xf64>, %q1: memref<1xf64>,
                        %r0: memref<1xf64>, %r1: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %w[%c0] : memref<1xf64>
  %b = memref.load %q0[%c0] : memref<1xf64>
  %c = memref.load %q1[%c0] : memref<1xf64>
  %d = arith.subf %b, %c : f64
  %f = arith.mulf %a, %d : f64
  %x = memref.load %r0[%c0] : memref<1xf64>
  %x1 = arith.addf %x, %f : f64
  memref.store %x1, %r0[%c0] : memref<1xf64>
  %y = memref.load %r1[%c0] : memref<1xf64>
  %y1 = arith.subf %y, %f : f64
  memref.store %y1, %r1[%c0] : memref<1xf64>
  return
}
func.func private @scaled(%w: memref<1xf64>, %r0: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @factor : memref<1xf64>
  %k = memref.load %g[%c0] : memref<1xf64>
  %a = memref.load %w[%c0] : memref<1xf64>
  %d = arith.mulf %a, %k : f64
  %x = memref.load %r0[%c0] : memref<1xf64>
  %x1 = arith.addf %x, %d : f64
  memref.store %x1, %r0[%c0] : memref<1xf64>
  return
}
func.func private @update(%r: memref<1xf64>, %q: memref<1xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %third = arith.constant 0.3333 : f64
  %zero = arith.constant 0.0 : f64
  %a = memref.load %r[%c0] : memref<1xf64>
  %b = memref.load %q[%c0] : memref<1xf64>
  %c = arith.mulf %a, %third : f64
  %d = arith.addf %b, %c : f64
  memref.store %d, %q[%c0] : memref<1xf64>
  memref.store %zero, %r[%c0] : memref<1xf64>
  %s = memref.load %sum[%c0] : memref<1xf64>
  %s1 = arith.addf %s, %d : f64
  memref.store %s1, %sum[%c0] : memref<1xf64>
  return
}

func.func @main() {
  %n = arith.constant 2000 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c37 = arith.constant 37 : index
  %table = memref.alloc() : memref<2000x2xi32>
  %w = memref.alloc() : memref<2000xf64>
  %tenth = arith.constant 0.1 : f64
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c37 : index
    %k = arith.remui %j, %n : index
    %i32 = arith.index_cast %i : index to i32
    %k32 = arith.index_cast %k : index to i32
    memref.store %i32, %table[%i, %c0] : memref<2000x2xi32>
    memref.store %k32, %table[%i, %c1] : memref<2000x2xi32>
    %f = arith.sitofp %i32 : i32 to f64
    %v = arith.mulf %f, %tenth : f64
    memref.store %v, %w[%i] : memref<2000xf64>
  }
  %edges = op2.decl_set "edges" size %n
  %nodes = op2.decl_set "nodes" size %n
  %m = op2.decl_map "m" %edges to %nodes values %table : memref<2000x2xi32> -> !op2.map<2>
  %wd = op2.decl_dat "w" on %edges values %w : memref<2000xf64> -> !op2.dat<1xf64>
  %q = op2.decl_dat "q" on %nodes values %w : memref<2000xf64> -> !op2.dat<1xf64>
  %r = op2.decl_dat "r" on %nodes : !op2.dat<1xf64>
  %sum = memref.alloc() : memref<1xf64>
  memref.store %tenth, %sum[%c0] : memref<1xf64>
  scf.for %step = %c0 to %c4 step %c1 {
    op2.par_loop @flux over %edges args(
      read %wd : !op2.dat<1xf64>,
      read %q : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
    op2.par_loop @scaled over %edges args(
      read %wd : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
    op2.par_loop @update over %nodes args(
      rw %r : !op2.dat<1xf64>,
      rw %q : !op2.dat<1xf64>,
      inc global %sum : memref<1xf64>)
  }
  %out = memref.alloc() : memref<2000xf64>
  op2.fetch %q to %out : !op2.dat<1xf64>, memref<2000xf64>
  // A hash of the bits.
  %prime = arith.constant 1099511628211 : i64
  %zero = arith.constant 0 : i64
  %hash = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> i64 {
    %v = memref.load %out[%i] : memref<2000xf64>
    %bits = arith.bitcast %v : f64 to i64
    %x = arith.xori %h, %bits : i64
    %y = arith.muli %x, %prime : i64
    scf.yield %y : i64
  }
  func.call @printI64(%hash) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %s = memref.load %sum[%c0] : memref<1xf64>
  %bits = arith.bitcast %s : f64 to i64
  func.call @printI64(%bits) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
