// Loops become functions that may run later; op2.flush stands before what might
// look at what they change. test/Integration/mlir/time-loop.mlir runs such loops.
//
// RUN: op2-opt %s --op2-delay-loops --verify-roundtrip | FileCheck %s
// RUN: op2-opt %s --op2-delay-loops=again --verify-roundtrip | FileCheck %s --check-prefix=AGAIN
// RUN: op2-opt %s --op2-delay-loops="again later=false" | FileCheck %s --check-prefix=NEVER --implicit-check-not=op2.enqueue
// RUN: op2-opt %s --op2-delay-loops --op2-to-openmp=delay=0 | FileCheck %s --check-prefix=LLVM

func.func private @bump(%q: memref<1xf64>, %a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %q[%c0] : memref<1xf64>
  %s = memref.load %a[%c0] : memref<1xf64>
  %1 = arith.addf %x, %s : f64
  memref.store %1, %q[%c0] : memref<1xf64>
  return
}
func.func private @add(%q: memref<1xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %q[%c0] : memref<1xf64>
  %s = memref.load %sum[%c0] : memref<1xf64>
  %1 = arith.addf %x, %s : f64
  memref.store %1, %sum[%c0] : memref<1xf64>
  return
}
memref.global "private" @shared : memref<1xf64> = dense<0.0>
memref.global "private" constant @table : memref<1xf64> = dense<3.0>
func.func private @named(%q: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @shared : memref<1xf64>
  %x = memref.load %g[%c0] : memref<1xf64>
  memref.store %x, %q[%c0] : memref<1xf64>
  return
}
func.func private @tabled(%q: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @table : memref<1xf64>
  %x = memref.load %g[%c0] : memref<1xf64>
  memref.store %x, %q[%c0] : memref<1xf64>
  return
}
func.func private @look(f64)
func.func private @says(%q: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %q[%c0] : memref<1xf64>
  func.call @look(%x) : (f64) -> ()
  return
}

// What loops only read may change: they have copies. A result is looked at
// behind the program's loop.
//
// CHECK-LABEL: func.func @steps(
// CHECK:         scf.for
// CHECK-NOT:     op2.flush
// CHECK:           memref.store
// CHECK-NEXT:      op2.enqueue @steps.bump(%arg0, %arg1, %[[A:.*]]) : !op2.set, !op2.dat<1xf64>, memref<1xf64>
// CHECK-NEXT:      op2.enqueue @steps.add.them(%arg0, %arg1, %[[SUM:.*]]) : !op2.set, !op2.dat<1xf64>, memref<1xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.load %[[A]]
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    memref.load %[[SUM]]
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    return
//
// The description names a function with an array of parameters.
// LLVM-LABEL: llvm.func @steps(
// LLVM:         %[[D:.*]] = llvm.mlir.addressof @__op2_loop_desc.steps.bump : !llvm.ptr
// LLVM:         llvm.call @op2rt_execute(%[[D]], %{{.*}}) : (!llvm.ptr, !llvm.ptr) -> ()
// LLVM:         llvm.call @op2rt_flush(%{{.*}}) : (!llvm.ptr) -> ()
// LLVM-LABEL: llvm.func internal @__op2_run_of.steps.bump(
func.func @steps(%cells: !op2.set, %q: !op2.dat<1xf64>, %t: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %sum = memref.alloc() : memref<1xf64>
  %a = memref.alloc() : memref<1xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %t, %a[%c0] : memref<1xf64>
    op2.par_loop @bump over %cells args(rw %q : !op2.dat<1xf64>, read global %a : memref<1xf64>)
    op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>) {loop_name = "add them"}
  }
  %last = memref.load %a[%c0] : memref<1xf64>
  %value = memref.load %sum[%c0] : memref<1xf64>
  %both = arith.addf %last, %value : f64
  return %both : f64
}

// A result that is overwritten, a call, and the end of the function. The host's
// own loop is not interrupted.
//
// CHECK-LABEL: func.func @places(
// CHECK:         op2.enqueue @places.add(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    op2.enqueue @places.add_0(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    call @look(
// CHECK-NEXT:    op2.enqueue @places.add_1(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      call @look(
// CHECK-NOT:     op2.flush
// CHECK:         op2.enqueue @places.tabled(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    return
func.func @places(%cells: !op2.set, %q: !op2.dat<1xf64>, %t: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %sum = memref.alloc() : memref<1xf64>
  op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  memref.store %t, %sum[%c0] : memref<1xf64>
  op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  func.call @look(%t) : (f64) -> ()
  op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %sum[%c0] : memref<1xf64>
    func.call @look(%value) : (f64) -> ()
  }
  op2.par_loop @tabled over %cells args(write %q : !op2.dat<1xf64>)
  return
}

// Memory of which nothing is known may be the result; so may a result of which
// nothing is known be anywhere.
//
// CHECK-LABEL: func.func @unknown(
// CHECK:         op2.enqueue @unknown.add(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    memref.load %arg2
// CHECK-LABEL: func.func @anywhere(
// CHECK:         op2.enqueue @anywhere.add(
// CHECK-NEXT:    op2.flush
// CHECK-NEXT:    memref.load
func.func @unknown(%cells: !op2.set, %q: !op2.dat<1xf64>, %other: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %sum = memref.alloc() : memref<1xf64>
  op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  %value = memref.load %other[%c0] : memref<1xf64>
  return %value : f64
}
func.func @anywhere(%cells: !op2.set, %q: !op2.dat<1xf64>, %sum: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %other = memref.alloc() : memref<1xf64>
  op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  %value = memref.load %other[%c0] : memref<1xf64>
  return %value : f64
}

// A variable of a round of the program's loop ends with it.
//
// CHECK-LABEL: func.func @scope(
// CHECK:         scf.for
// CHECK:           op2.enqueue @scope.add(
// CHECK-NEXT:      op2.flush
// CHECK-NEXT:    }
func.func @scope(%cells: !op2.set, %q: !op2.dat<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %sum = memref.alloca() : memref<1xf64>
    op2.par_loop @add over %cells args(read %q : !op2.dat<1xf64>, inc global %sum : memref<1xf64>)
  }
  return
}

// Kernels that others notice, or that look at variables, run where they are
// called; so do loops in functions that say how they are called.
//
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:     op2.enqueue
// Nobody knows what a function looks at that combines results.
// CHECK-LABEL: func.func @merged(
// CHECK-NOT:     op2.enqueue
// CHECK-LABEL: func.func @described(
// CHECK-NEXT:    op2.par_loop
func.func @stay(%cells: !op2.set, %q: !op2.dat<1xf64>) {
  op2.par_loop @named over %cells args(write %q : !op2.dat<1xf64>)
  op2.par_loop @says over %cells args(read %q : !op2.dat<1xf64>)
  return
}
func.func @merged(%cells: !op2.set, %q: !op2.dat<1xf64>, %f: !llvm.ptr, %i: memref<1xf64>, %g: memref<1xf64>) {
  op2.par_loop @bump over %cells args(rw %q : !op2.dat<1xf64>,
      reduce %f from %i global %g : memref<1xf64>)
  return
}
func.func @described(%cells: !op2.set, %q: !op2.dat<1xf64>) attributes {op2.delayable} {
  op2.par_loop @tabled over %cells args(write %q : !op2.dat<1xf64>)
  return
}

// Kernels on pointers, if it is known where these come from.
//
// CHECK-LABEL: func.func @imported(
// CHECK-NEXT:    op2.enqueue @imported.doubles(
// CHECK:         op2.par_loop @follows
// CHECK:         op2.par_loop @compares
llvm.func @doubles(%q: !llvm.ptr, %a: !llvm.ptr) {
  %x = llvm.load %q : !llvm.ptr -> f64
  %y = llvm.fadd %x, %x : f64
  llvm.store %y, %q : f64, !llvm.ptr
  llvm.return
}
llvm.func @follows(%q: !llvm.ptr, %a: !llvm.ptr) {
  %p = llvm.load %q : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %p : !llvm.ptr -> f64
  llvm.store %x, %q : f64, !llvm.ptr
  llvm.return
}
llvm.func @compares(%q: !llvm.ptr, %a: !llvm.ptr) {
  %is = llvm.icmp "eq" %q, %a : !llvm.ptr
  llvm.return
}
func.func @imported(%cells: !op2.set, %q: !op2.dat<1xf64>, %a: memref<1xf64>) {
  op2.par_loop @doubles over %cells args(rw %q : !op2.dat<1xf64>, read global %a : memref<1xf64>)
  op2.par_loop @follows over %cells args(rw %q : !op2.dat<1xf64>, read global %a : memref<1xf64>)
  op2.par_loop @compares over %cells args(rw %q : !op2.dat<1xf64>, read global %a : memref<1xf64>)
  return
}

// The functions.
//
// CHECK:       func.func private @steps.bump(%{{.*}}: !op2.set, %{{.*}}: !op2.dat<1xf64>, %{{.*}}: memref<1xf64>) attributes {llvm.bareptr, op2.delayable} {
// CHECK-NEXT:    op2.par_loop @bump over

// On ranks the runtime calls the functions of all loops again, at borders.
//
// AGAIN-LABEL: func.func @both(
// AGAIN-NEXT:    op2.enqueue @both.bump(%arg0, %arg1, %arg2)
// AGAIN-NEXT:    op2.flush
// AGAIN-NEXT:    call @both.named(%arg0, %arg1) : (!op2.set, !op2.dat<1xf64>) -> ()
// AGAIN:       func.func private @both.named(%arg0: !op2.set, %arg1: !op2.dat<1xf64>) attributes {llvm.bareptr, op2.delayable}
// NEVER-LABEL: func.func @both(
// NEVER-NEXT:    call @both.bump(%arg0, %arg1, %arg2)
// NEVER-NEXT:    call @both.named(%arg0, %arg1)
// NEVER-NEXT:    return
func.func @both(%cells: !op2.set, %q: !op2.dat<1xf64>, %a: memref<1xf64>) {
  op2.par_loop @bump over %cells args(rw %q : !op2.dat<1xf64>, read global %a : memref<1xf64>)
  op2.par_loop @named over %cells args(write %q : !op2.dat<1xf64>)
  return
}
