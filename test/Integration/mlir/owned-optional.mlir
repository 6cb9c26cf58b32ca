// Increments that are off leave an element without an owner; what else it does is
// done all the same.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.seq
// RUN: FileCheck %s < %t.seq
// RUN: op2-run --target=emulator --strategy=owner --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: env OP2_OWNER=always OMP_NUM_THREADS=2 op2-run --target=openmp --shared-libs=%runner_utils %s | diff %t.seq -
//
// CHECK: 2
// CHECK: 3

func.func private @printI64(i64)
func.func private @printNewline()

memref.global "private" @least : memref<1xi64> = dense<100>
memref.global "private" @count : memref<1xi64> = dense<0>
memref.global "private" constant @table : memref<3x1xi32> = dense<0>

func.func private @look(%r: memref<1xi64>, %least: memref<1xi64>,
                        %count: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %old = memref.load %least[%c0] : memref<1xi64>
  %new = arith.minsi %old, %two : i64
  memref.store %new, %least[%c0] : memref<1xi64>
  %n = memref.load %count[%c0] : memref<1xi64>
  %m = arith.addi %n, %one : i64
  memref.store %m, %count[%c0] : memref<1xi64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %off = arith.constant false
  %s = op2.decl_set "s" size %c3
  %values = memref.get_global @table : memref<3x1xi32>
  %m = op2.decl_map "m" %s to %s values %values : memref<3x1xi32> -> !op2.map<1>
  %r = op2.decl_dat "r" on %s : !op2.dat<1xi64>
  %least = memref.get_global @least : memref<1xi64>
  %count = memref.get_global @count : memref<1xi64>
  op2.par_loop @look over %s args(
      if %off inc %r : !op2.dat<1xi64> via %m[0] : !op2.map<1>,
      min global %least : memref<1xi64>, inc global %count : memref<1xi64>)
  %a = memref.load %least[%c0] : memref<1xi64>
  func.call @printI64(%a) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %b = memref.load %count[%c0] : memref<1xi64>
  func.call @printI64(%b) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
