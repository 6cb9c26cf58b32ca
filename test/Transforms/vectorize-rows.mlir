// RUN: op2-opt %s --op2-attach-machine='cpu=x86-64-v4 gathers' --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s --check-prefix=LOADS

// With fast gathers: rows of at most 64 bits that are read through maps come by
// one gather. The numbers of the rows are loaded whole, all slots, and taken
// apart. What the kernel adds to one row and takes from another is transposed
// once.

func.func private @flux(%x: memref<2xf32>, %a: memref<1xf32>, %b: memref<1xf32>, %q: memref<4xf32>, %r: memref<2xf32>, %s: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = memref.load %x[%c0] : memref<2xf32>
  %a0 = memref.load %a[%c0] : memref<1xf32>
  %b0 = memref.load %b[%c0] : memref<1xf32>
  %q0 = memref.load %q[%c0] : memref<4xf32>
  %f = arith.mulf %x0, %a0 : f32
  %g = arith.mulf %b0, %q0 : f32
  %r0 = memref.load %r[%c0] : memref<2xf32>
  %r0f = arith.addf %f, %r0 : f32
  memref.store %r0f, %r[%c0] : memref<2xf32>
  %r1 = memref.load %r[%c1] : memref<2xf32>
  %r1g = arith.addf %r1, %g : f32
  memref.store %r1g, %r[%c1] : memref<2xf32>
  %s0 = memref.load %s[%c0] : memref<2xf32>
  %s0f = arith.subf %s0, %f : f32
  memref.store %s0f, %s[%c0] : memref<2xf32>
  %s1 = memref.load %s[%c1] : memref<2xf32>
  %s1g = arith.subf %s1, %g : f32
  memref.store %s1g, %s[%c1] : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @step
// CHECK:       } lanes 16 %[[FIRST:.*]] {
// CHECK:         %[[X:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x16xf32>
// CHECK:         %[[DATA:.*]] = op2.row %{{.*}}[%c0] : memref<?x2xf32> -> !llvm.ptr
// CHECK:         %[[T:.*]] = op2.row %[[TABLE:.*]][%[[FIRST]]] : memref<?x4xi32> -> !llvm.ptr
// CHECK:         %[[E:.*]] = op2.ptr_cast %[[T]] : !llvm.ptr -> memref<64xi32>
// CHECK:         %[[ALL:.*]] = vector.load %[[E]][%c0] : memref<64xi32>, vector<64xi32>
// CHECK:         %[[EVEN:.*]], %[[ODD:.*]] = vector.deinterleave %[[ALL]] : vector<64xi32> -> vector<32xi32>
// CHECK:         %[[SLOT0:.*]], %[[SLOT2:.*]] = vector.deinterleave %[[EVEN]] : vector<32xi32> -> vector<16xi32>
// CHECK:         %[[SLOT1:.*]], %[[SLOT3:.*]] = vector.deinterleave %[[ODD]] : vector<32xi32> -> vector<16xi32>
// CHECK:         %[[ROWS:.*]] = op2.ptr_cast %[[DATA]] : !llvm.ptr -> memref<?xi64>
// CHECK:         %[[G:.*]] = vector.gather %[[ROWS]][%c0] [%[[SLOT3]]], %{{.*}}, %{{.*}} {alignment = 4 : i64} : memref<?xi64>, vector<16xi32>, vector<16xi1>, vector<16xi64> into vector<16xi64>
// CHECK:         %[[PAIRS:.*]] = vector.bitcast %[[G]] : vector<16xi64> to vector<32xf32>
// CHECK:         %[[X0:.*]], %[[X1:.*]] = vector.deinterleave %[[PAIRS]] : vector<32xf32> -> vector<16xf32>
// CHECK:         vector.store %[[X0]], %[[X]][%c0, %c0]
// CHECK:         vector.store %[[X1]], %[[X]][%c1, %c0]
// CHECK:         vector.gather %{{.*}}[%c0] [%[[SLOT0]]], {{.*}} into vector<16xf32>
// Three slots: one shuffle each.
// CHECK:         %[[THREE:.*]] = vector.load %{{.*}} : memref<48xi32>, vector<48xi32>
// CHECK:         %[[LAST:.*]] = vector.shuffle %[[THREE]], %[[THREE]] [2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47]
// CHECK:         vector.gather %{{.*}}[%c0] [%[[LAST]]], {{.*}} into vector<16xf32>
// Rows of four are loaded whole.
// CHECK-NOT:     vector.gather
// CHECK:         vector.load {{.*}} : memref<4xf32>, vector<4xf32>
// CHECK:         call @flux_x16(
// CHECK:         %[[L0:.*]] = vector.load {{.*}} : memref<2x16xf32>, vector<16xf32>
// CHECK:         %[[L1:.*]] = vector.load {{.*}} : memref<2x16xf32>, vector<16xf32>
// CHECK:         vector.shuffle %[[L0]], %[[L1]]
// CHECK:         vector.shuffle %[[L0]], %[[L1]]
// CHECK-NOT:     memref<2x16xf32>, vector<16xf32>
// CHECK:         %[[OLD:.*]] = vector.load %[[R:.*]][%c0] : memref<2xf32>, vector<2xf32>
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[FLUX:.*]] : vector<2xf32>
// CHECK:         vector.store %[[NEW]], %[[R]]
// CHECK:         %[[OLD2:.*]] = vector.load %[[S:.*]][%c0] : memref<2xf32>, vector<2xf32>
// CHECK:         %[[NEW2:.*]] = arith.subf %[[OLD2]], %[[FLUX]] : vector<2xf32>
// CHECK:         vector.store %[[NEW2]], %[[S]]

// LOADS-LABEL: func.func @step
// LOADS-NOT:   vector.gather
// LOADS:       arith.subf {{.*}} : vector<2xf32>

func.func @step(%edges: !op2.set, %x: !op2.dat<2xf32>, %a: !op2.dat<1xf32>, %q: !op2.dat<4xf32>, %r: !op2.dat<2xf32>, %m: !op2.map<4>, %three: !op2.map<3>) {
  op2.par_loop @flux over %edges args(
    read %x : !op2.dat<2xf32> via %m[3] : !op2.map<4>,
    read %a : !op2.dat<1xf32> via %m[0] : !op2.map<4>,
    read %a : !op2.dat<1xf32> via %three[2] : !op2.map<3>,
    read %q : !op2.dat<4xf32> via %m[1] : !op2.map<4>,
    inc %r : !op2.dat<2xf32> via %m[0] : !op2.map<4>,
    inc %r : !op2.dat<2xf32> via %m[1] : !op2.map<4>)
  return
}

// -----

// Not opposite: a component that one of them leaves alone (it would have 0.0
// taken from it, which changes -0.0), and one that is changed in a branch.

func.func private @partly(%a: memref<1xf64>, %r: memref<2xf64>, %s: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %f = memref.load %a[%c0] : memref<1xf64>
  %r0 = memref.load %r[%c0] : memref<2xf64>
  %r0f = arith.addf %r0, %f : f64
  memref.store %r0f, %r[%c0] : memref<2xf64>
  %s0 = memref.load %s[%c0] : memref<2xf64>
  %s0f = arith.subf %s0, %f : f64
  memref.store %s0f, %s[%c0] : memref<2xf64>
  return
}

func.func private @sometimes(%a: memref<1xf64>, %r: memref<1xf64>, %s: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %f = memref.load %a[%c0] : memref<1xf64>
  %r0 = memref.load %r[%c0] : memref<1xf64>
  %r0f = arith.addf %r0, %f : f64
  memref.store %r0f, %r[%c0] : memref<1xf64>
  %p = arith.cmpf ogt, %f, %zero : f64
  scf.if %p {
    %s0 = memref.load %s[%c0] : memref<1xf64>
    %s0f = arith.subf %s0, %f : f64
    memref.store %s0f, %s[%c0] : memref<1xf64>
  }
  return
}

// CHECK-LABEL: func.func @step
// CHECK:       lanes
// CHECK-NOT:   arith.subf
// CHECK-LABEL: func.func private @partly_x8

func.func @step(%edges: !op2.set, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %s: !op2.dat<1xf64>, %m: !op2.map<2>) {
  op2.par_loop @partly over %edges args(
    read %a : !op2.dat<1xf64>,
    inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
    inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @sometimes over %edges args(
    read %a : !op2.dat<1xf64>,
    inc %s : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Numbers of rows that are read and then added to, for 8 lanes and 2 slots, are
// more than there are registers: 4 lanes; 2 where direct rows are long. Not
// where there is more arithmetic, nor where numbers come in vectors, nor where
// the order of elements shows, since fused loops must have as many as each alone.

func.func private @difference(%u1: memref<1xf64>, %u2: memref<1xf64>, %s1: memref<1xf64>, %s2: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %u1[%c0] : memref<1xf64>
  %b = memref.load %u2[%c0] : memref<1xf64>
  %d = arith.subf %b, %a : f64
  %s = memref.load %s1[%c0] : memref<1xf64>
  %sd = arith.addf %s, %d : f64
  memref.store %sd, %s1[%c0] : memref<1xf64>
  %t = memref.load %s2[%c0] : memref<1xf64>
  %td = arith.subf %t, %d : f64
  memref.store %td, %s2[%c0] : memref<1xf64>
  return
}

func.func private @weighted(%w: memref<40xf64>, %u1: memref<1xf64>, %u2: memref<1xf64>, %s1: memref<1xf64>, %s2: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c39 = arith.constant 39 : index
  %a = memref.load %u1[%c0] : memref<1xf64>
  %b = memref.load %w[%c39] : memref<40xf64>
  %e = memref.load %u2[%c0] : memref<1xf64>
  %d = arith.mulf %b, %a : f64
  %t = memref.load %s2[%c0] : memref<1xf64>
  %te = arith.addf %t, %e : f64
  memref.store %te, %s2[%c0] : memref<1xf64>
  %s = memref.load %s1[%c0] : memref<1xf64>
  %sd = arith.addf %s, %d : f64
  memref.store %sd, %s1[%c0] : memref<1xf64>
  return
}

func.func private @roots(%u1: memref<1xf64>, %u2: memref<1xf64>, %s1: memref<1xf64>, %s2: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %u1[%c0] : memref<1xf64>
  %b = memref.load %u2[%c0] : memref<1xf64>
  %ra = math.sqrt %a : f64
  %rb = math.sqrt %b : f64
  %d = arith.subf %rb, %ra : f64
  %s = memref.load %s1[%c0] : memref<1xf64>
  %sd = arith.addf %s, %d : f64
  memref.store %sd, %s1[%c0] : memref<1xf64>
  %t = memref.load %s2[%c0] : memref<1xf64>
  %td = arith.subf %t, %d : f64
  memref.store %td, %s2[%c0] : memref<1xf64>
  return
}

func.func private @largest(%u1: memref<1xf64>, %u2: memref<1xf64>, %s1: memref<1xf64>, %s2: memref<1xf64>, %most: memref<1xf64>, %n: memref<1xi32>, %at: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %u1[%c0] : memref<1xf64>
  %b = memref.load %u2[%c0] : memref<1xf64>
  %s = memref.load %s1[%c0] : memref<1xf64>
  %sb = arith.addf %s, %b : f64
  memref.store %sb, %s1[%c0] : memref<1xf64>
  %t = memref.load %s2[%c0] : memref<1xf64>
  %ta = arith.addf %t, %a : f64
  memref.store %ta, %s2[%c0] : memref<1xf64>
  %m = memref.load %most[%c0] : memref<1xf64>
  %is = arith.cmpf ogt, %a, %m : f64
  scf.if %is {
    memref.store %a, %most[%c0] : memref<1xf64>
    %number = memref.load %n[%c0] : memref<1xi32>
    memref.store %number, %at[%c0] : memref<1xi32>
  }
  return
}

// CHECK-LABEL: func.func @narrow
// CHECK:         lanes 8
// CHECK:         call @difference_x8
// CHECK:         call @weighted_x8
// CHECK:         call @roots_x8
// LOADS-LABEL: func.func @narrow
// LOADS:         lanes 4
// LOADS:         call @difference_x4
// LOADS:         lanes 2
// LOADS:         call @weighted_x2
// LOADS:         lanes 8
// LOADS:         call @roots_x8
// LOADS:         lanes 8
// LOADS:         call @largest_x8

func.func @narrow(%edges: !op2.set, %w: !op2.dat<40xf64>, %u: !op2.dat<1xf64>, %s: !op2.dat<1xf64>, %m: !op2.map<2>, %most: memref<1xf64>, %at: memref<1xi32>) {
  op2.par_loop @difference over %edges args(
    read %u : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    read %u : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @weighted over %edges args(
    read %w : !op2.dat<40xf64>,
    read %u : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    read %u : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @roots over %edges args(
    read %u : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    read %u : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  op2.par_loop @largest over %edges args(
    read %u : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    read %u : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
    inc %s : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
    max global %most : memref<1xf64>, index, max info of 4 %at : memref<1xi32>)
  return
}
