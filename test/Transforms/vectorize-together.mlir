// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v3 --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s --check-prefix=FOUR

// Direct rows of a group are side by side: whole vectors are loaded and taken
// apart where that takes fewer shuffles than there are rows: of two or four
// components by halves, even ones from odd ones. 512 bits are stored in halves.

func.func private @turn(%a: memref<2xf64>, %b: memref<3xf64>, %c: memref<2xf64>, %d: memref<3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = memref.load %a[%c0] : memref<2xf64>
  %1 = memref.load %b[%c2] : memref<3xf64>
  memref.store %1, %c[%c0] : memref<2xf64>
  memref.store %0, %c[%c1] : memref<2xf64>
  memref.store %0, %d[%c0] : memref<3xf64>
  memref.store %1, %d[%c1] : memref<3xf64>
  memref.store %1, %d[%c2] : memref<3xf64>
  return
}

// CHECK-LABEL: func.func @turn_all
// CHECK:       } lanes 8 %[[FIRST:.*]] {
// CHECK:         %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x8xf64>
// CHECK:         %[[P:.*]] = op2.row %{{.*}}[%[[FIRST]]] : memref<?x2xf64> -> !llvm.ptr
// CHECK:         %[[M:.*]] = op2.ptr_cast %[[P]] : !llvm.ptr -> memref<16xf64>
// CHECK:         %[[V0:.*]] = vector.load %[[M]][%c0] : memref<16xf64>, vector<8xf64>
// CHECK:         %[[V1:.*]] = vector.load %[[M]][%c8] : memref<16xf64>, vector<8xf64>
// CHECK:         %[[X:.*]] = vector.shuffle %[[V0]], %[[V1]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK:         %[[Y:.*]] = vector.shuffle %[[V0]], %[[V1]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK:         vector.store %[[X]], %[[A]][%c0, %c0]
// CHECK:         vector.store %[[Y]], %[[A]][%c1, %c0]
// CHECK:         op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<24xf64>
// CHECK-COUNT-3: vector.load %{{.*}} : memref<24xf64>, vector<8xf64>
// CHECK:         [0, 3, 6, -1, -1, -1, -1, -1]
// CHECK:         [0, 1, 2, 9, 12, 15, -1, -1]
// CHECK:         [0, 1, 2, 3, 4, 5, 10, 13]
// CHECK:         call @turn_x8(
// CHECK:         %[[C0:.*]] = vector.load %{{.*}}[%c0, %c0] : memref<2x8xf64>
// CHECK:         %[[C1:.*]] = vector.load %{{.*}}[%c1, %c0] : memref<2x8xf64>
// CHECK:         %[[R0:.*]] = vector.shuffle %[[C0]], %[[C1]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK:         %[[R1:.*]] = vector.shuffle %[[C0]], %[[C1]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK:         %[[LOW:.*]] = vector.shuffle %[[R0]], %[[R0]] [0, 1, 2, 3]
// CHECK:         vector.store %[[LOW]], %[[O:.*]][%c0] : memref<16xf64>, vector<4xf64>
// CHECK:         %[[HIGH:.*]] = vector.shuffle %[[R0]], %[[R0]] [4, 5, 6, 7]
// CHECK:         vector.store %[[HIGH]], %[[O]][%c4] : memref<16xf64>, vector<4xf64>
// CHECK:         vector.shuffle %[[R1]], %[[R1]] [0, 1, 2, 3]
// CHECK:         vector.store %{{.*}}, %[[O]][%c8] : memref<16xf64>, vector<4xf64>
// CHECK:         vector.store %{{.*}}, %[[O]][%c12] : memref<16xf64>, vector<4xf64>
// CHECK-COUNT-6: vector.store %{{.*}} : memref<24xf64>, vector<4xf64>

// Four lanes: rows of two only. Vectors of 256 bits are stored whole.
// FOUR-LABEL: func.func @turn_all
// FOUR:       } lanes 4 %
// FOUR-COUNT-2: vector.load %{{.*}} : memref<8xf64>, vector<4xf64>
// FOUR-COUNT-4: vector.load %{{.*}} : memref<3xf64>, vector<2xf64>
// FOUR:         call @turn_x4(
// FOUR-COUNT-2: vector.store %{{.*}} : memref<8xf64>, vector<4xf64>
// FOUR-COUNT-4: vector.store %{{.*}} : memref<3xf64>, vector<2xf64>

func.func @turn_all(%s: !op2.set, %a: !op2.dat<2xf64>, %b: !op2.dat<3xf64>, %c: !op2.dat<2xf64>, %d: !op2.dat<3xf64>) {
  op2.par_loop @turn over %s args(
    read %a : !op2.dat<2xf64>,
    read %b : !op2.dat<3xf64>,
    write %c : !op2.dat<2xf64>,
    write %d : !op2.dat<3xf64>)
  return
}

// -----

// Sixteen lanes: rows of four, too, but not of five.

func.func private @halve(%a: memref<4xf32>, %b: memref<5xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %0 = memref.load %b[%c0] : memref<5xf32>
  memref.store %0, %b[%c3] : memref<5xf32>
  return
}

// CHECK-LABEL: func.func @halve_all
// CHECK:       } lanes 16 %
// CHECK-COUNT-4: vector.load %{{.*}} : memref<64xf32>, vector<16xf32>
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK-COUNT-16: vector.load %{{.*}} : memref<5xf32>, vector<4xf32>
// CHECK:         call @halve_x16(
// CHECK-COUNT-2: vector.shuffle {{.*}}, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xf32>
// CHECK-COUNT-8: vector.store %{{.*}} : memref<64xf32>, vector<8xf32>
// CHECK-NOT:     memref<64xf32>
// Of these only pieces that the kernel has changed.
// CHECK-COUNT-16: vector.store %{{.*}} : memref<5xf32>, vector<4xf32>
// CHECK-NOT:     memref.store %{{.*}} : memref<5xf32>

// FOUR-LABEL: func.func @halve_all
// FOUR:       } lanes 8 %
// FOUR-COUNT-8: vector.load %{{.*}} : memref<4xf32>, vector<4xf32>

func.func @halve_all(%s: !op2.set, %a: !op2.dat<4xf32>, %b: !op2.dat<5xf32>) {
  op2.par_loop @halve over %s args(
    rw %a : !op2.dat<4xf32>,
    rw %b : !op2.dat<5xf32>)
  return
}
