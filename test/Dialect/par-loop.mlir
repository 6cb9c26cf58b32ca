// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

func.func private @everything(memref<2xf64>, memref<4xf64>, memref<4xf64>,
    memref<1xf32>, memref<3xi32>, memref<3xi32>, memref<2xf64>, memref<1xf64>,
    memref<1xf64>, memref<1xf64>, memref<1xi32>, memref<2xi32>, memref<1xi32>,
    memref<2xf64>, memref<1xi32>)
func.func private @nothing()
llvm.func @imported(!llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @every_argument
func.func @every_argument(%set: !op2.set, %m: !op2.map<4>, %x: !op2.dat<2xf64>,
    %q: !op2.dat<4xf64>, %f: !op2.dat<1xf32>, %i: !op2.dat<3xi32>,
    %g: memref<2xf64>, %h: memref<1xf64>, %lo: memref<1xf64>,
    %hi: memref<1xf64>, %b: memref<1xi32>, %at: memref<2xi32>,
    %y: !op2.dat<2xf64>, %flag: i1) {
  // CHECK: op2.par_loop @everything over %{{.*}} args(
  // CHECK-NEXT: read %{{.*}} : !op2.dat<2xf64>,
  // CHECK-NEXT: write %{{.*}} : !op2.dat<4xf64> via %{{.*}}[1] : !op2.map<4>,
  // CHECK-NEXT: inc %{{.*}} : !op2.dat<4xf64> via %{{.*}}[3] : !op2.map<4>,
  // CHECK-NEXT: if %{{.*}} rw %{{.*}} : !op2.dat<1xf32>,
  // CHECK-NEXT: read %{{.*}} : !op2.dat<3xi32> via %{{.*}}[1 to 3] : !op2.map<4>,
  // CHECK-NEXT: read global %{{.*}} : memref<2xf64>,
  // CHECK-NEXT: inc global %{{.*}} : memref<1xf64>,
  // CHECK-NEXT: min global %{{.*}} : memref<1xf64>,
  // CHECK-NEXT: max global %{{.*}} : memref<1xf64>,
  // CHECK-NEXT: work global %{{.*}} : memref<1xi32>,
  // CHECK-NEXT: max info of 8 %{{.*}} : memref<2xi32>,
  // CHECK-NEXT: index,
  // CHECK-NEXT: rw %{{.*}} : !op2.dat<2xf64> via %{{.*}}[0] injective : !op2.map<4>,
  // CHECK-NEXT: index via %{{.*}}[0] : !op2.map<4>)
  // CHECK-SAME: {block_size = 64 : i64, loop_name = "all"}
  op2.par_loop @everything over %set args(
      read %x : !op2.dat<2xf64>,
      write %q : !op2.dat<4xf64> via %m[1] : !op2.map<4>,
      inc %q : !op2.dat<4xf64> via %m[3] : !op2.map<4>,
      if %flag rw %f : !op2.dat<1xf32>,
      read %i : !op2.dat<3xi32> via %m[1 to 3] : !op2.map<4>,
      read global %g : memref<2xf64>,
      inc global %h : memref<1xf64>,
      min global %lo : memref<1xf64>,
      max global %hi : memref<1xf64>,
      work global %b : memref<1xi32>,
      max info of 8 %at : memref<2xi32>,
      index,
      rw %y : !op2.dat<2xf64> via %m[0] injective : !op2.map<4>,
      index via %m[0] : !op2.map<4>) {loop_name = "all", block_size = 64 : i64}
  return
}

// CHECK-LABEL: func.func @no_argument
func.func @no_argument(%set: !op2.set) {
  // CHECK: op2.par_loop @nothing over %{{.*}} args()
  op2.par_loop @nothing over %set args()
  return
}

// CHECK-LABEL: func.func @sizes_known_at_run_time
func.func @sizes_known_at_run_time(%set: !op2.set, %m: !op2.map<?>,
                                   %d: !op2.dat<?xf64>) {
  // CHECK: read %{{.*}} : !op2.dat<?xf64> via %{{.*}}[7] : !op2.map<?>,
  // CHECK: read %{{.*}} : !op2.dat<?xf64> via %{{.*}}[0 to 1] : !op2.map<?>
  op2.par_loop @imported over %set args(
      read %d : !op2.dat<?xf64> via %m[7] : !op2.map<?>,
      read %d : !op2.dat<?xf64> via %m[0 to 1] : !op2.map<?>,
      rw %d : !op2.dat<?xf64>)
  return
}
