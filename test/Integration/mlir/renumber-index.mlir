// The second loop asks for the index of elements of a set that is renumbered: it
// brings the set back to the application's order, and addresses that the first
// one has asked for are not those of the data any more. Found by op2-fuzz.
//
// RUN: op2-run --target=seq --shared-libs=%runner_utils %s > %t.seq
// RUN: env OMP_NUM_THREADS=1 OP2_RENUMBER=rcm op2-run --target=openmp -O0 --block-size=0 --vector-bits=0 --strategy=auto --shared-libs=%runner_utils %s | diff %t.seq -
// RUN: env OP2_RENUMBER=rcm op2-run --target=seq --shared-libs=%runner_utils %s | diff %t.seq -

module {
  func.func private @show_f64(%arg0: memref<?xf64>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf64>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg1 = %c0_0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg1] : memref<?xf64>
      %1 = arith.bitcast %0 : f64 to i64
      func.call @printI64(%1) : (i64) -> ()
      func.call @printNewline() : () -> ()
    }
    return
  }
  func.func private @printNewline()
  func.func private @printI64(i64)
  memref.global "private" constant @values_d0 : memref<32x1xf64> = dense<[[0.44285714285714284], [0.72857142857142854], [1.0142857142857142], [1.300000e+00], [1.5857142857142859], [3.000000e-01], [0.58571428571428563], [0.87142857142857144], [1.157142857142857], [1.4428571428571428], [1.7285714285714286], [0.44285714285714284], [0.72857142857142854], [1.0142857142857142], [1.300000e+00], [1.5857142857142859], [3.000000e-01], [0.58571428571428563], [0.87142857142857144], [1.157142857142857], [1.4428571428571428], [1.7285714285714286], [0.44285714285714284], [0.72857142857142854], [1.0142857142857142], [1.300000e+00], [1.5857142857142859], [3.000000e-01], [0.58571428571428563], [0.87142857142857144], [1.157142857142857], [1.4428571428571428]]>
  memref.global "private" constant @table_m0 : memref<32x6xi32> = dense<0>
  func.func private @k0(%arg0: memref<1xf64>) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant 5.000000e-01 : f64
    %cst_0 = arith.constant 1.500000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = arith.index_cast %c0 : index to i32
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.muli %0, %c0_i32 : i32
    %2 = arith.sitofp %1 : i32 to f64
    %3 = arith.addf %cst, %2 : f64
    %4 = math.absf %3 : f64
    %cst_1 = arith.constant 1.000000e+06 : f64
    %5 = arith.cmpf olt, %4, %cst_1 : f64
    %cst_2 = arith.constant 3.250000e+00 : f64
    %6 = arith.select %5, %3, %cst_2 : f64
    %cst_3 = arith.constant 0.000000e+00 : f64
    %7 = arith.addf %6, %cst_3 : f64
    %8 = memref.load %arg0[%c0] : memref<1xf64>
    %9 = arith.cmpf olt, %7, %8 : f64
    scf.if %9 {
      memref.store %7, %arg0[%c0] : memref<1xf64>
    }
    return
  }
  func.func private @k1(%arg0: memref<1xf64>, %arg1: memref<1xi32>) {
    %c1_i64 = arith.constant 1 : i64
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant 5.000000e-01 : f64
    %cst_0 = arith.constant 1.500000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = memref.load %arg1[%c0] : memref<1xi32>
    %1 = arith.uitofp %0 : i32 to f64
    %cst_1 = arith.constant 7.500000e-01 : f64
    %2 = arith.mulf %cst, %cst_1 : f64
    %3 = arith.addf %2, %1 : f64
    %4 = math.absf %3 : f64
    %cst_2 = arith.constant 1.000000e+06 : f64
    %5 = arith.cmpf olt, %4, %cst_2 : f64
    %cst_3 = arith.constant 3.250000e+00 : f64
    %6 = arith.select %5, %3, %cst_3 : f64
    %c0_4 = arith.constant 0 : index
    %7 = arith.index_cast %c0_4 : index to i32
    %c0_i32 = arith.constant 0 : i32
    %8 = arith.muli %7, %c0_i32 : i32
    %9 = arith.sitofp %8 : i32 to f64
    %10 = arith.addf %6, %9 : f64
    %11 = math.absf %10 : f64
    %cst_5 = arith.constant 1.000000e+06 : f64
    %12 = arith.cmpf olt, %11, %cst_5 : f64
    %cst_6 = arith.constant 3.250000e+00 : f64
    %13 = arith.select %12, %10, %cst_6 : f64
    %cst_7 = arith.constant 0.000000e+00 : f64
    %14 = arith.addf %13, %cst_7 : f64
    %15 = memref.load %arg0[%c0_4] : memref<1xf64>
    %16 = arith.cmpf ogt, %14, %15 : f64
    scf.if %16 {
      memref.store %14, %arg0[%c0_4] : memref<1xf64>
    }
    return
  }
  func.func @main() {
    %c32 = arith.constant 32 : index
    %0 = op2.decl_set "s0" size %c32
    %1 = memref.get_global @table_m0 : memref<32x6xi32>
    %2 = op2.decl_map "m0" %0 to %0 values %1 : memref<32x6xi32> -> !op2.map<6>
    %3 = memref.get_global @values_d0 : memref<32x1xf64>
    %4 = op2.decl_dat "d0" on %0 values %3 : memref<32x1xf64> -> !op2.dat<1xf64>
    op2.par_loop @k0 over %0 args(
        min %4 : !op2.dat<1xf64>)
    op2.par_loop @k1 over %0 args(
        max %4 : !op2.dat<1xf64> via %2[2] : !op2.map<6>,
        index)
    %alloc = memref.alloc() : memref<32xf64>
    op2.fetch %4 to %alloc : !op2.dat<1xf64>, memref<32xf64>
    %cast = memref.cast %alloc : memref<32xf64> to memref<?xf64>
    call @show_f64(%cast) : (memref<?xf64>) -> ()
    memref.dealloc %alloc : memref<32xf64>
    return
  }
}
