// Reductions by functions of the program: the greatest distance between two
// neighbours in the order of the elements. Also where one is optional, or there
// is no element.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 op2-run --target=openmp --shared-libs=%runner_utils %s | FileCheck %s
// RUN: op2-run --target=emulator --shared-libs=%runner_utils %s | FileCheck %s

func.func private @printF64(f64)
func.func private @printComma()
func.func private @printNewline()

// first, last, greatest distance, how many
llvm.func @join(%into: !llvm.ptr, %from: !llvm.ptr) {
  %zero = arith.constant 0.0 : f64
  %p1 = llvm.getelementptr %into[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %p2 = llvm.getelementptr %into[2] : (!llvm.ptr) -> !llvm.ptr, f64
  %p3 = llvm.getelementptr %into[3] : (!llvm.ptr) -> !llvm.ptr, f64
  %q1 = llvm.getelementptr %from[1] : (!llvm.ptr) -> !llvm.ptr, f64
  %q2 = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, f64
  %q3 = llvm.getelementptr %from[3] : (!llvm.ptr) -> !llvm.ptr, f64
  %first = llvm.load %from : !llvm.ptr -> f64
  %last = llvm.load %q1 : !llvm.ptr -> f64
  %more = llvm.load %q2 : !llvm.ptr -> f64
  %n = llvm.load %q3 : !llvm.ptr -> f64
  %before = llvm.load %p1 : !llvm.ptr -> f64
  %most = llvm.load %p2 : !llvm.ptr -> f64
  %m = llvm.load %p3 : !llvm.ptr -> f64
  %some = arith.cmpf ogt, %n, %zero : f64
  llvm.cond_br %some, ^join, ^end
^join:
  %step = arith.subf %first, %before : f64
  %had = arith.cmpf ogt, %m, %zero : f64
  %between = arith.select %had, %step, %zero : f64
  %a = arith.maximumf %most, %more : f64
  %b = arith.maximumf %a, %between : f64
  %old = llvm.load %into : !llvm.ptr -> f64
  %begin = arith.select %had, %old, %first : f64
  llvm.store %begin, %into : f64, !llvm.ptr
  llvm.store %last, %p1 : f64, !llvm.ptr
  llvm.store %b, %p2 : f64, !llvm.ptr
  %all = arith.addf %m, %n : f64
  llvm.store %all, %p3 : f64, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

func.func private @visit(%x: memref<1xf64>, %part: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %value = memref.load %x[%c0] : memref<1xf64>
  %first = memref.load %part[%c0] : memref<4xf64>
  %last = memref.load %part[%c1] : memref<4xf64>
  %most = memref.load %part[%c2] : memref<4xf64>
  %count = memref.load %part[%c3] : memref<4xf64>
  %had = arith.cmpf ogt, %count, %zero : f64
  %step = arith.subf %value, %last : f64
  %between = arith.select %had, %step, %zero : f64
  %begin = arith.select %had, %first, %value : f64
  %greatest = arith.maximumf %most, %between : f64
  %all = arith.addf %count, %one : f64
  memref.store %begin, %part[%c0] : memref<4xf64>
  memref.store %value, %part[%c1] : memref<4xf64>
  memref.store %greatest, %part[%c2] : memref<4xf64>
  memref.store %all, %part[%c3] : memref<4xf64>
  return
}

// One that is off is not there.
func.func private @visit_if(%x: memref<1xf64>, %is: memref<1xi32>, %part: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %flag = memref.load %is[%c0] : memref<1xi32>
  %on = arith.cmpi ne, %flag, %zero : i32
  scf.if %on {
    func.call @visit(%x, %part) : (memref<1xf64>, memref<4xf64>) -> ()
  }
  return
}

func.func @print(%ends: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %value = memref.load %ends[%i] : memref<4xf64>
    func.call @printF64(%value) : (f64) -> ()
    func.call @printComma() : () -> ()
  }
  func.call @printNewline() : () -> ()
  return
}

func.func @visit_all_if(%s: !op2.set, %x: !op2.dat<1xf64>, %join: !llvm.ptr,
                        %none: memref<4xf64>, %ends: memref<4xf64>, %on: i1) {
  %c0 = arith.constant 0 : index
  %is = memref.alloc() : memref<1xi32>
  %flag = arith.extui %on : i1 to i32
  memref.store %flag, %is[%c0] : memref<1xi32>
  op2.par_loop @visit_if over %s args(read %x : !op2.dat<1xf64>,
      read global %is : memref<1xi32>,
      if %on reduce %join from %none global %ends : memref<4xf64>)
  func.call @print(%ends) : (memref<4xf64>) -> ()
  return
}

func.func @main() {
  %n = arith.constant 10000 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %mod = arith.constant 97 : index
  %zero = arith.constant 0.0 : f64
  %init = memref.alloc() : memref<10000x1xf64>
  scf.for %i = %c0 to %n step %c1 {
    %square = arith.muli %i, %i : index
    %rest = arith.remui %square, %mod : index
    %i64 = arith.index_cast %rest : index to i64
    %value = arith.sitofp %i64 : i64 to f64
    memref.store %value, %init[%i, %c0] : memref<10000x1xf64>
  }
  %s = op2.decl_set "s" size %n
  %x = op2.decl_dat "x" on %s values %init : memref<10000x1xf64> -> !op2.dat<1xf64>
  %none = memref.alloc() : memref<4xf64>
  %ends = memref.alloc() : memref<4xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %none[%i] : memref<4xf64>
    memref.store %zero, %ends[%i] : memref<4xf64>
  }
  %join = llvm.mlir.addressof @join : !llvm.ptr
  op2.par_loop @visit over %s args(read %x : !op2.dat<1xf64>,
      reduce %join from %none global %ends : memref<4xf64>)
  // CHECK: 0, 64, 87, 10000
  func.call @print(%ends) : (memref<4xf64>) -> ()
  %off = arith.constant false
  %on = arith.constant true
  // CHECK-NEXT: 0, 64, 87, 10000
  func.call @visit_all_if(%s, %x, %join, %none, %ends, %off) : (!op2.set, !op2.dat<1xf64>, !llvm.ptr, memref<4xf64>, memref<4xf64>, i1) -> ()
  // CHECK-NEXT: 0, 64, 87, 20000
  func.call @visit_all_if(%s, %x, %join, %none, %ends, %on) : (!op2.set, !op2.dat<1xf64>, !llvm.ptr, memref<4xf64>, memref<4xf64>, i1) -> ()
  %empty = op2.decl_set "empty" size %c0
  %nothing = memref.alloc() : memref<0x1xf64>
  %y = op2.decl_dat "y" on %empty values %nothing : memref<0x1xf64> -> !op2.dat<1xf64>
  // CHECK-NEXT: 0, 64, 87, 20000
  func.call @visit_all_if(%empty, %y, %join, %none, %ends, %on) : (!op2.set, !op2.dat<1xf64>, !llvm.ptr, memref<4xf64>, memref<4xf64>, i1) -> ()
  return
}
