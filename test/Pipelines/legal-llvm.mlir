// Every kind of argument that a pipeline supports ends as legal LLVM IR.
//
// RUN: op2-opt %s --op2-to-seq | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefixes=CHECK,SEQ
// RUN: op2-opt %s --op2-to-openmp | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefixes=CHECK,OMP
// RUN: op2-opt %s --op2-to-openmp | FileCheck %s --check-prefix=DIALECT

// DIALECT-NOT: op2.
// DIALECT-NOT: func.func
// DIALECT-NOT: memref.
// DIALECT-NOT: scf.
// DIALECT-NOT: unrealized_conversion_cast

func.func private @raised(%a: memref<2xf64>, %b: memref<2xf64>, %c: memref<4xf32>,
                          %g: memref<3xi64>, %s: memref<2xf64>, %i: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<2xf64>
  %y = math.sqrt %x : f64
  %z = memref.load %b[%c0] : memref<2xf64>
  %p = arith.addf %y, %z : f64
  memref.store %p, %b[%c0] : memref<2xf64>
  %t = memref.load %s[%c0] : memref<2xf64>
  %m = arith.maximumf %t, %x : f64
  memref.store %m, %s[%c0] : memref<2xf64>
  return
}

llvm.func @imported(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-DAG: declare ptr @op2rt_loop_begin(ptr, ptr, ptr)
// CHECK-DAG: define void @step(
// SEQ: call void @raised(
// OMP-DAG: call void {{.*}}@__kmpc_fork_call
// OMP-DAG: define internal void @raised_chunk(i64 %{{.*}}, i64 %{{.*}}, ptr noalias
// OMP-DAG: call { i64, i64 } @op2rt_plan_thread_range(
func.func @step(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.map<?>, %x: !op2.dat<2xf64>,
                %q: !op2.dat<2xf64>, %f: !op2.dat<4xf32>, %d: !op2.dat<?xf64>,
                %g: memref<3xi64>, %s: memref<2xf64>, %u: memref<1xui32>, %flag: i1) {
  op2.par_loop @raised over %edges args(
      read %x : !op2.dat<2xf64>,
      inc %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      write %f : !op2.dat<4xf32> via %m[0] : !op2.map<2>,
      read global %g : memref<3xi64>,
      max global %s : memref<2xf64>,
      index)
  op2.par_loop @imported over %edges args(
      if %flag read %d : !op2.dat<?xf64> via %r[0 to 3] : !op2.map<?>,
      if %flag rw %d : !op2.dat<?xf64>,
      min global %u : memref<1xui32>,
      index via %r[2] : !op2.map<?>)
  return
}
