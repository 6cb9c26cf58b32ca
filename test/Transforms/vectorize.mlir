// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v3 --op2-plan --op2-vectorize --cse -split-input-file | FileCheck %s --check-prefix=HALF
// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse --convert-op2-to-openmp -split-input-file | FileCheck %s --check-prefix=CHUNK

// Rows of two components through a map: loaded whole, transposed by two
// shuffles; increments go back row by row, in the order of the elements.

func.func private @flux(%x: memref<2xf64>, %a: memref<1xf64>, %r: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %x[%c1] : memref<2xf64>
  %1 = memref.load %a[%c0] : memref<1xf64>
  %2 = arith.mulf %0, %1 fastmath<contract> : f64
  %3 = memref.load %r[%c0] : memref<2xf64>
  %4 = arith.addf %3, %2 : f64
  memref.store %4, %r[%c0] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @step
// CHECK:       op2.for_elements %[[E:.*]] of %{{.*}} block %{{.*}} {
// CHECK:         call @flux(
// CHECK:       } lanes 8 %[[FIRST:.*]] {
// CHECK-NEXT:    %[[X:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x8xf64>
// CHECK-NEXT:    %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x8xf64>
// CHECK-NEXT:    %[[R:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x8xf64>
// CHECK:         %[[T0:.*]] = memref.load %[[TABLE:.*]][%[[FIRST]], %{{.*}}] : memref<?x2xi32>
// CHECK:         %[[I0:.*]] = arith.index_cast %[[T0]]
// CHECK:         %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1
// CHECK:         memref.load %[[TABLE]][%[[SECOND]], %{{.*}}]
// CHECK:         %[[R0:.*]] = op2.row %{{.*}}[%[[I0]]] : memref<?x2xf64> -> memref<2xf64>
// CHECK:         vector.load %[[R0]][%c0] : memref<2xf64>, vector<2xf64>
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3] : vector<2xf64>, vector<2xf64>
// CHECK:         vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf64>, vector<4xf64>
// CHECK:         %[[L0:.*]] = vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
// CHECK:         %[[L1:.*]] = vector.shuffle {{.*}} [1, 9, 3, 11, 5, 13, 7, 15] : vector<8xf64>, vector<8xf64>
// CHECK:         vector.store %[[L0]], %[[X]][%c0, %c0] : memref<2x8xf64>, vector<8xf64>
// CHECK:         vector.store %[[L1]], %[[X]][%c1, %c0]
// One value per element, side by side: no shuffle.
// CHECK:         %[[P:.*]] = op2.row %{{.*}}[%[[FIRST]]] : memref<?x1xf64> -> !llvm.ptr
// CHECK:         %[[M:.*]] = op2.ptr_cast %[[P]] : !llvm.ptr -> memref<8xf64>
// CHECK:         vector.load %[[M]][%c0] : memref<8xf64>, vector<8xf64>
// CHECK:         %[[ZERO:.*]] = vector.broadcast %{{.*}} : f64 to vector<8xf64>
// CHECK:         vector.store %[[ZERO]], %[[R]]
// CHECK:         call @flux_x8(%[[X]], %[[A]], %[[R]])
// CHECK:         %[[OLD:.*]] = vector.load %{{.*}}[%c0] : memref<2xf64>, vector<2xf64>
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<2xf64>
// CHECK:         vector.store %[[NEW]]

// CHECK-LABEL: func.func private @flux_x8(
// CHECK-SAME:    %[[X:.*]]: memref<2x8xf64>, %[[A:.*]]: memref<1x8xf64>, %[[R:.*]]: memref<2x8xf64>)
// CHECK-SAME:    passthrough = ["alwaysinline"]
// CHECK:         %[[X1:.*]] = vector.load %[[X]][%c1, %{{.*}}] : memref<2x8xf64>, vector<8xf64>
// CHECK:         arith.mulf %[[X1]], %{{.*}} fastmath<contract> : vector<8xf64>

// HALF:  } lanes 4 %
// HALF:  call @flux_x4(

// The chunk function runs groups, then what is left; the version for dats that
// may be the same runs one element after the other.
// CHUNK-LABEL: func.func private @flux_chunk(
// CHUNK-SAME:    %[[LO:.*]]: index, %[[HI:.*]]: index
// CHUNK:         %[[N:.*]] = arith.subi %[[HI]], %[[LO]]
// CHUNK:         %[[REST:.*]] = arith.remui %[[N]], %c8
// CHUNK:         %[[MID:.*]] = arith.subi %[[HI]], %[[REST]]
// CHUNK:         scf.for %{{.*}} = %[[LO]] to %[[MID]] step %c8
// CHUNK:           call @flux_x8
// CHUNK-NOT:     llvm.loop_annotation
// CHUNK:         scf.for %{{.*}} = %[[MID]] to %[[HI]] step %c1
// An element by itself rounds as in a group: its sum first, then the row.
// CHUNK:           memref.store %{{.*}}, %[[SUM:.*]][%{{.*}}] : memref<2xf64>
// CHUNK:           call @flux(%{{.*}}, %{{.*}}, %[[SUM]])
// CHUNK:           %[[ADDED:.*]] = memref.load %[[SUM]][%{{.*}}]
// CHUNK:           %[[OLD:.*]] = memref.load %[[ROW:.*]][%{{.*}}]
// CHUNK:           %[[NEW:.*]] = arith.addf %[[OLD]], %[[ADDED]]
// CHUNK:           memref.store %[[NEW]], %[[ROW]][%{{.*}}]
// What is left is short: LLVM is to make neither groups nor copies of it.
// CHUNK:         } {llvm.loop_annotation = #[[SHORT:.*]]}
// CHUNK-LABEL: func.func private @flux_chunk_general(
// CHUNK-NOT:     _x8
// CHUNK:         } {llvm.loop_annotation = #[[SHORT]]}
// CHUNK-NOT:     _x8
// CHUNK:         return

func.func @step(%edges: !op2.set, %x: !op2.dat<2xf64>, %a: !op2.dat<1xf64>, %r: !op2.dat<2xf64>, %m: !op2.map<2>) {
  op2.par_loop @flux over %edges args(
    read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
    read %a : !op2.dat<1xf64>,
    inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Four components: squares of four by four. What the kernel surely writes is
// not read before; what it may leave alone is.

func.func private @update(%q: memref<4xf64>, %o: memref<4xf64>, %p: memref<2xf64>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = memref.load %q[%c0] : memref<4xf64>
  memref.store %0, %o[%c0] : memref<4xf64>
  memref.store %0, %o[%c1] : memref<4xf64>
  memref.store %0, %o[%c2] : memref<4xf64>
  memref.store %0, %o[%c3] : memref<4xf64>
  memref.store %0, %p[%c1] : memref<2xf64>
  %s = memref.load %sum[%c0] : memref<1xf64>
  %t = arith.addf %s, %0 : f64
  memref.store %t, %sum[%c0] : memref<1xf64>
  return
}

// Exact sums: each element of the vector has a term.
// CHECK-LABEL: func.func @update_all
// CHECK:         %[[RED:.*]] = op2.reduction_begin %{{.*}} arg 3 : !op2.reduction<1xf64>
// CHECK:         op2.for_elements
// CHECK:         %[[TERM:.*]] = op2.terms %[[RED]] : !op2.reduction<1xf64> -> memref<1xf64>
// CHECK:         call @update({{.*}}, %[[TERM]])
// CHECK:       lanes 8 %[[FIRST:.*]] {
// CHECK-NEXT:    memref.alloca() {alignment = 64 : i64} : memref<4x8xf64>
// CHECK-NEXT:    %[[O:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x8xf64>
// CHECK-NEXT:    %[[P:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2x8xf64>
// CHECK-NEXT:    %[[SUM:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x8xf64>
// CHECK:         vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xf64>, vector<8xf64>
// CHECK:         vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf64>, vector<8xf64>
// CHECK-NOT:     vector.store %{{.*}}, %[[O]]
// CHECK:         vector.store %{{.*}}, %[[P]]
// CHECK:         %[[NOTHING:.*]] = vector.broadcast %{{.*}} : f64 to vector<8xf64>
// CHECK:         vector.store %[[NOTHING]], %[[SUM]]
// CHECK:         call @update_x8(%{{.*}}, %[[O]], %[[P]], %[[SUM]])
// CHECK:         vector.load %[[O]][%c0, %c0] : memref<4x8xf64>, vector<8xf64>
// CHECK:         vector.store %{{.*}} : memref<16xf64>, vector<4xf64>
// CHECK:         vector.store %{{.*}} : memref<4xf64>, vector<4xf64>
// CHECK:         %[[LANES:.*]] = vector.load %[[SUM]][%c0, %c0] : memref<1x8xf64>, vector<8xf64>
// CHECK:         %[[TERMS:.*]] = op2.terms %[[RED]] : !op2.reduction<1xf64> -> memref<1x8xf64>
// CHECK:         vector.store %[[LANES]], %[[TERMS]][%c0, %c0] : memref<1x8xf64>, vector<8xf64>
// CHECK:         }
// CHECK-NEXT:    }

// Vectors split their terms; those that are left over are given as they are.
// CHUNK-LABEL: func.func private @update_chunk(
// CHUNK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x2048xf64>
// CHUNK:         %[[SPLIT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x5x8xi64>
// CHUNK:         scf.for %{{.*}} step %c2048
// CHUNK:           %[[M:.*]] = op2.reduction_split %[[SUM:.*]] component %c0{{.*}} : !op2.reduction<1xf64> -> memref<3xf64>
// CHUNK:           memref.load %[[M]][%{{.*}}] : memref<3xf64>
// CHUNK:           %[[M0:.*]] = vector.broadcast %{{.*}} : f64 to vector<8xf64>
// CHUNK:           scf.for %{{.*}} step %c8
// CHUNK:             vector.store %[[X:[^,]*]], %{{.*}} : memref<1x2048xf64>, vector<8xf64>
// CHUNK:             math.absf %[[X]]
// CHUNK:             %[[MOVED:.*]] = arith.addf %[[X]], %[[M0]] : vector<8xf64>
// CHUNK:             %[[PART:.*]] = arith.subf %[[MOVED]], %[[M0]] : vector<8xf64>
// CHUNK:             arith.subf %[[X]], %[[PART]] : vector<8xf64>
// CHUNK:             vector.bitcast %[[MOVED]] : vector<8xf64> to vector<8xi64>
// CHUNK:             arith.addi
// CHUNK:             %[[LEFT:.*]] = arith.cmpf une, %{{.*}} : vector<8xf64>
// CHUNK:             %[[ANY:.*]] = vector.reduction <or>, %[[LEFT]]
// CHUNK:             scf.if %[[ANY]] {
// CHUNK:               arith.addf
// CHUNK:               arith.subi
// CHUNK:               vector.store %{{.*}}, %[[SPLIT]][%c0{{.*}}, %c2
// CHUNK:               arith.ori
// CHUNK:               vector.store %{{.*}}, %[[SPLIT]][%c0{{.*}}, %c4
// CHUNK:           op2.reduction_add %[[BUFFER]] to %[[SUM]] elements %[[INVECTORS:.*]] split %[[SPLIT]]
// CHUNK:           op2.row %{{.*}}[%[[INVECTORS]]]
// CHUNK:           op2.reduction_add %{{.*}} to %[[SUM]] elements

func.func @update_all(%cells: !op2.set, %q: !op2.dat<4xf64>, %o: !op2.dat<4xf64>, %p: !op2.dat<2xf64>, %s: memref<1xf64>) {
  op2.par_loop @update over %cells args(
    read %q : !op2.dat<4xf64>,
    write %o : !op2.dat<4xf64>,
    write %p : !op2.dat<2xf64>,
    inc global %s : memref<1xf64>)
  return
}

// -----

// A condition that all lanes share stays a branch; one of their own becomes
// masks. An index that all share loads lanes side by side.

memref.global "private" constant @limit : memref<1xf64> = dense<2.0>
func.func private @limited(%q: memref<3xf64>, %g: memref<1xf64>, %o: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %l = memref.get_global @limit : memref<1xf64>
  %max = memref.load %l[%c0] : memref<1xf64>
  %w = memref.load %g[%c0] : memref<1xf64>
  %on = arith.cmpf ogt, %w, %zero : f64
  scf.if %on {
    %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %zero) -> f64 {
      %x = memref.load %q[%i] : memref<3xf64>
      %u = arith.addf %t, %x : f64
      scf.yield %u : f64
    }
    %big = arith.cmpf ogt, %s, %max : f64
    scf.if %big {
      memref.store %max, %o[%c0] : memref<1xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func private @limited_x8(
// CHECK-SAME:    %[[Q:.*]]: memref<3x8xf64>, %[[G:.*]]: memref<1xf64>, %[[O:.*]]: memref<1x8xf64>)
// CHECK:         %[[W:.*]] = memref.load %[[G]]
// CHECK:         %[[ON:.*]] = arith.cmpf ogt, %[[W]], %{{.*}} : f64
// CHECK:         scf.if %[[ON]] {
// CHECK:           %[[S:.*]] = scf.for %[[I:.*]] = %c0{{.*}} iter_args(%{{.*}}) -> (vector<8xf64>)
// CHECK:             vector.load %[[Q]][%[[I]], %{{.*}}] : memref<3x8xf64>, vector<8xf64>
// CHECK:           %[[BIG:.*]] = arith.cmpf ogt, %[[S]], %{{.*}} : vector<8xf64>
// CHECK:           %[[OLD:.*]] = vector.load %[[O]]
// CHECK:           %[[NEW:.*]] = arith.select %[[BIG]], %{{.*}}, %[[OLD]] : vector<8xi1>, vector<8xf64>
// CHECK:           vector.store %[[NEW]], %[[O]]

func.func @limit_all(%cells: !op2.set, %q: !op2.dat<3xf64>, %g: memref<1xf64>, %o: !op2.dat<1xf64>) {
  op2.par_loop @limited over %cells args(
    read %q : !op2.dat<3xf64>,
    read global %g : memref<1xf64>,
    write %o : !op2.dat<1xf64>)
  return
}

// -----

// A loop whose end all lanes share: its counter stays a scalar.

func.func private @rounds(%q: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %x = memref.load %q[%c0] : memref<2xf64>
  %n, %y = scf.while (%i = %zero, %s = %x) : (i32, f64) -> (i32, f64) {
    %go = arith.cmpi slt, %i, %three : i32
    scf.condition(%go) %i, %s : i32, f64
  } do {
  ^bb0(%i: i32, %s: f64):
    %t = arith.mulf %s, %s : f64
    %j = arith.addi %i, %one : i32
    scf.yield %j, %t : i32, f64
  }
  memref.store %y, %q[%c1] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func private @rounds_x8(
// CHECK:         scf.while (%{{.*}} = %c0_i32, %{{.*}} = %{{.*}}) : (i32, vector<8xf64>) -> (i32, vector<8xf64>)
// CHECK:           arith.cmpi slt, %{{.*}}, %c3_i32 : i32

func.func @round_all(%cells: !op2.set, %q: !op2.dat<2xf64>) {
  op2.par_loop @rounds over %cells args(rw %q : !op2.dat<2xf64>)
  return
}

// -----

// What is incremented directly belongs to the element alone: the kernel works
// on the value itself, and may use it.

func.func private @relax(%u: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %u[%c0] : memref<1xf64>
  %y = arith.addf %x, %x : f64
  memref.store %y, %u[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func @relax_all
// CHECK:       } lanes 8
// CHECK:         %[[B:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x8xf64>
// CHECK:         %[[OLD:.*]] = vector.load
// CHECK:         vector.store %[[OLD]], %[[B]]
// CHECK:         call @relax_x8(%[[B]])
// CHECK:         %[[NEW:.*]] = vector.load %[[B]]
// CHECK-NOT:     arith.addf
// CHECK:         %[[LOW:.*]] = vector.shuffle %[[NEW]], %[[NEW]] [0, 1, 2, 3]
// CHECK:         vector.store %[[LOW]]

func.func @relax_all(%cells: !op2.set, %u: !op2.dat<1xf64>) {
  op2.par_loop @relax over %cells args(inc %u : !op2.dat<1xf64>)
  return
}

// -----

// Functions of several lanes will be there (op2-vector-math).
//
// RUN: op2-opt %s --op2-attach-machine='cpu=x86-64-v4 vector-math' --op2-plan --op2-vectorize -split-input-file | FileCheck %s --check-prefix=MATH
// MATH-LABEL: func.func private @mostly_calls_x8
// MATH: math.exp %{{.*}} : vector<8xf64>
func.func private @mostly_calls(%a: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<1xf64>
  %e = math.exp %v : f64
  memref.store %e, %a[%c0] : memref<1xf64>
  return
}
func.func @calls(%s: !op2.set, %q: !op2.dat<1xf64>) {
  op2.par_loop @mostly_calls over %s args(rw %q : !op2.dat<1xf64>)
  return
}

// -----

// A table of the program. By an index that varies, a load for each element; where
// some elements do not read, there may be nothing behind the pointer.

llvm.mlir.global external @pointer() : !llvm.ptr

// CHECK-LABEL: func.func private @table_x8(
// CHECK: %[[P:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[T:.*]] = op2.ptr_cast %[[P]] : !llvm.ptr -> memref<?xf64>
// CHECK-COUNT-8: memref.load %[[T]][%{{.*}}] : memref<?xf64>
// CHECK: vector.from_elements
// CHECK: %[[MASK:.*]] = arith.cmpf ogt
// CHECK: vector.gather %[[T]][%{{.*}}] [%{{.*}}], %[[MASK]], %{{.*}} : memref<?xf64>, vector<8xindex>, vector<8xi1>, vector<8xf64> into vector<8xf64>
func.func private @table(%x: memref<1xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %address = llvm.mlir.addressof @pointer : !llvm.ptr
  %pointer = llvm.load %address : !llvm.ptr -> !llvm.ptr
  %table = op2.ptr_cast %pointer : !llvm.ptr -> memref<?xf64>
  %number = memref.load %n[%c0] : memref<1xi64>
  %index = arith.index_cast %number : i64 to index
  %0 = memref.load %table[%index] : memref<?xf64>
  %1 = arith.cmpf ogt, %0, %zero : f64
  %2 = math.sqrt %0 : f64
  %3 = arith.divf %2, %0 : f64
  scf.if %1 {
    %4 = memref.load %table[%index] : memref<?xf64>
    %5 = arith.addf %3, %4 : f64
    memref.store %5, %x[%c0] : memref<1xf64>
  }
  return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi64>) {
  op2.par_loop @table over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi64>)
  return
}

// -----

// What all elements that read share stays a scalar, and so does what is computed
// of it: numbers, conditions, indices, bounds. It is read if there is one that does.

llvm.mlir.global external @pointer() : !llvm.ptr

// CHECK-LABEL: func.func private @shared_x8(
// CHECK:       %[[T:.*]] = op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<?xi64>
// CHECK:       %[[MASK:.*]] = arith.cmpf ogt
// CHECK:       %[[ANY:.*]] = vector.reduction <or>, %[[MASK]] : vector<8xi1> into i1
// CHECK-NEXT:  %[[N:.*]] = scf.if %[[ANY]] -> (i64) {
// CHECK-NEXT:    %[[READ:.*]] = memref.load %[[T]][%c3{{.*}}] : memref<?xi64>
// CHECK-NEXT:    scf.yield %[[READ]] : i64
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %{{.*}} : i64
// CHECK-NOT:   vector.gather
// CHECK:       %[[REST:.*]] = arith.remui %[[N]], %{{.*}} : i64
// CHECK:       %[[BIG:.*]] = arith.cmpi sgt, %[[REST]], %{{.*}} : i64
// CHECK:       arith.uitofp %[[REST]] : i64 to f64
// CHECK:       %[[AT:.*]] = arith.index_cast %[[REST]] : i64 to index
// What nobody has computed may be poison, on which no branch depends.
// CHECK:       %[[THERE:.*]] = arith.select %{{.*}}, %[[BIG]], %false{{.*}} : i1
// CHECK:       scf.if %[[THERE]] {
func.func private @shared(%x: memref<9xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2 : i64
  %seven = arith.constant 7 : i64
  %zero = arith.constant 0.0 : f64
  %address = llvm.mlir.addressof @pointer : !llvm.ptr
  %pointer = llvm.load %address : !llvm.ptr -> !llvm.ptr
  %table = op2.ptr_cast %pointer : !llvm.ptr -> memref<?xi64>
  %0 = memref.load %y[%c0] : memref<1xf64>
  %1 = arith.cmpf ogt, %0, %zero : f64
  %2 = math.sqrt %0 : f64
  %3 = arith.divf %2, %0 : f64
  memref.store %3, %x[%c1] : memref<9xf64>
  scf.if %1 {
    %4 = memref.load %table[%c3] : memref<?xi64>
    %5 = arith.remui %4, %seven : i64
    %6 = arith.cmpi sgt, %5, %two : i64
    %7 = arith.uitofp %5 : i64 to f64
    %8 = arith.addf %7, %3 : f64
    %9 = arith.index_cast %5 : i64 to index
    scf.if %6 {
      memref.store %8, %x[%9] : memref<9xf64>
    }
    scf.for %i = %c0 to %9 step %c1 {
      %10 = memref.load %x[%i] : memref<9xf64>
      %11 = arith.addf %10, %7 : f64
      memref.store %11, %x[%i] : memref<9xf64>
    }
  }
  return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<9xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @shared over %s args(rw %x : !op2.dat<9xf64>, read %y : !op2.dat<1xf64>)
  return
}

// -----

// Loops that all elements share, for some of them: where there is none, what
// decides about the end may be anything.

llvm.mlir.global external @list() : !llvm.array<4 x i64>

// CHECK-LABEL: func.func private @search_x8(
// CHECK:       %[[MASK:.*]] = arith.cmpf ogt
// CHECK:       %[[ANY:.*]] = vector.reduction <or>, %[[MASK]] : vector<8xi1> into i1
// CHECK:       scf.while
// CHECK:         %[[MORE:.*]] = arith.cmpi ne
// CHECK:         %[[GOES_ON:.*]] = arith.select %[[ANY]], %[[MORE]], %{{.*}} : i1
// CHECK:         scf.condition(%[[GOES_ON]])
// CHECK:       %[[BOUND:.*]] = arith.index_cast
// CHECK:       %[[UPPER:.*]] = arith.select %[[ANY]], %[[BOUND]], %c0{{.*}} : index
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %[[UPPER]] step %c1
// A known number of times is no reason to look.
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %c3{{.*}} step %c1
func.func private @search(%x: memref<3xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %address = llvm.mlir.addressof @list : !llvm.ptr
  %list = op2.ptr_cast %address : !llvm.ptr -> memref<4xi64>
  %0 = memref.load %y[%c0] : memref<1xf64>
  %1 = arith.cmpf ogt, %0, %zero : f64
  memref.store %0, %x[%c1] : memref<3xf64>
  scf.if %1 {
    %end = scf.while (%at = %c0) : (index) -> index {
      %number = memref.load %list[%at] : memref<4xi64>
      %more = arith.cmpi ne, %number, %none : i64
      scf.condition(%more) %at : index
    } do {
    ^bb0(%at: index):
      %next = arith.addi %at, %c1 : index
      scf.yield %next : index
    }
    %last = memref.load %list[%end] : memref<4xi64>
    %less = arith.subi %last, %one : i64
    %bound = arith.index_cast %less : i64 to index
    scf.for %i = %c0 to %bound step %c1 {
      memref.store %0, %x[%c0] : memref<3xf64>
    }
    scf.for %i = %c0 to %c3 step %c1 {
      %2 = memref.load %x[%i] : memref<3xf64>
      %3 = arith.addf %2, %0 : f64
      memref.store %3, %x[%i] : memref<3xf64>
    }
  }
  return
}

func.func @searches(%s: !op2.set, %x: !op2.dat<3xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @search over %s args(rw %x : !op2.dat<3xf64>, read %y : !op2.dat<1xf64>)
  return
}

// -----

// The comparison of a loop's counter stays what it is.

// CHECK-LABEL: func.func private @unsigned_x8(
// CHECK:       scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}: i8 {
// CHECK:       scf.while
// CHECK:         arith.cmpi ult, %{{.*}} : vector<8xi8>
func.func private @unsigned(%x: memref<1xf64>, %n: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %low = arith.constant 120 : i8
  %high = arith.constant -120 : i8
  %one = arith.constant 1 : i8
  %0 = memref.load %x[%c0] : memref<1xf64>
  scf.for unsigned %i = %low to %high step %one : i8 {
    %1 = memref.load %x[%c0] : memref<1xf64>
    %2 = arith.addf %1, %0 : f64
    memref.store %2, %x[%c0] : memref<1xf64>
  }
  %own = memref.load %n[%c0] : memref<1xi8>
  scf.for unsigned %i = %low to %own step %one : i8 {
    %1 = memref.load %x[%c0] : memref<1xf64>
    %2 = arith.mulf %1, %0 : f64
    memref.store %2, %x[%c0] : memref<1xf64>
  }
  return
}

func.func @counts(%s: !op2.set, %x: !op2.dat<1xf64>, %n: !op2.dat<1xi8>) {
  op2.par_loop @unsigned over %s args(rw %x : !op2.dat<1xf64>, read %n : !op2.dat<1xi8>)
  return
}

// -----

// A bool takes a byte in memory: lanes are loaded and stored as such.
func.func private @flip(%a: memref<1xi1>, %n: memref<1xui32>, %x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %local = memref.alloca() : memref<2xi1>
  %0 = memref.load %a[%c0] : memref<1xi1>
  %1 = arith.xori %0, %yes : i1
  memref.store %1, %local[%c0] : memref<2xi1>
  %2 = memref.load %local[%c0] : memref<2xi1>
  memref.store %2, %a[%c0] : memref<1xi1>
  %3 = memref.load %n[%c0] : memref<1xui32>
  %4 = builtin.unrealized_conversion_cast %3 : ui32 to i32
  %5 = arith.uitofp %4 : i32 to f64
  memref.store %5, %x[%c0] : memref<1xf64>
  return
}
// CHECK-LABEL: func.func @flags
// CHECK:       } lanes 8 %[[FIRST:.*]] {
// CHECK:         %[[P:.*]] = op2.row %{{.*}}[%[[FIRST]]] : memref<?x1xi1> -> !llvm.ptr
// CHECK:         op2.ptr_cast %[[P]] : !llvm.ptr -> memref<8xi8>
// CHECK:         op2.ptr_cast %{{.*}} : !llvm.ptr -> memref<8xi32>
// CHECK-LABEL: func.func private @flip_x8(
// CHECK-SAME:    %[[A:.*]]: memref<1x8xi8>, %[[N:.*]]: memref<1x8xi32>, %[[X:.*]]: memref<1x8xf64>)
// CHECK-DAG:     memref.alloca() : memref<2x8xi8>
// CHECK:         %[[BYTES:.*]] = vector.load %[[A]]
// CHECK:         %[[BITS:.*]] = arith.trunci %[[BYTES]] : vector<8xi8> to vector<8xi1>
// CHECK:         %[[NOT:.*]] = arith.xori %[[BITS]], %{{.*}} : vector<8xi1>
// CHECK:         arith.extui %[[NOT]] : vector<8xi1> to vector<8xi8>
// CHECK:         %[[NUMBERS:.*]] = vector.load %[[N]]{{.*}} vector<8xi32>
// CHECK:         arith.uitofp %[[NUMBERS]] : vector<8xi32> to vector<8xf64>
func.func @flags(%s: !op2.set, %a: !op2.dat<1xi1>, %n: !op2.dat<1xui32>, %x: !op2.dat<1xf64>) {
  op2.par_loop @flip over %s args(rw %a : !op2.dat<1xi1>, read %n : !op2.dat<1xui32>, write %x : !op2.dat<1xf64>)
  return
}

// -----

// Several rows that are written whole, one after the other.
func.func private @spread(%x: memref<1xf64>, %a: memref<1xf64>, %b: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<1xf64>
  memref.store %0, %a[%c0] : memref<1xf64>
  memref.store %0, %b[%c0] : memref<1xf64>
  return
}
// CHECK-LABEL: func.func @rows
// CHECK:       } lanes 8
// CHECK:         call @spread_x8
func.func @rows(%s: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>, %q: !op2.dat<1xf64>) {
  op2.par_loop @spread over %s args(read %x : !op2.dat<1xf64>, write %q : !op2.dat<1xf64> via %m[0 to 2] : !op2.map<2>)
  return
}

// -----

// Each lane has its greatest value, and what came along with it.
func.func private @where(%y: memref<1xf64>, %m: memref<1xf64>, %n: memref<1xi32>, %i: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %y[%c0] : memref<1xf64>
  %1 = memref.load %m[%c0] : memref<1xf64>
  %2 = arith.cmpf ogt, %0, %1 : f64
  scf.if %2 {
    memref.store %0, %m[%c0] : memref<1xf64>
    %3 = memref.load %n[%c0] : memref<1xi32>
    memref.store %3, %i[%c0] : memref<2xi32>
  }
  return
}
// CHECK-LABEL: func.func @infos
// CHECK:         %[[MOST:.*]] = op2.reduction_partial {{.*}} -> memref<1xf64>
// CHECK:         %[[AT:.*]] = op2.reduction_partial {{.*}} -> memref<2xi32>
// CHECK:         %[[KNOWN:.*]] = memref.load %[[AT]][%c1]
// CHECK:         %[[START:.*]] = vector.broadcast %[[KNOWN]] : i32 to vector<8xi32>
// CHECK:         vector.store %[[START]], %{{.*}}[%c1, %c0] : memref<2x8xi32>
// CHECK:         } lanes 8
// CHECK:           call @where_x8
// CHECK:         %[[OLD:.*]] = memref.load %[[MOST]]
// CHECK:         %[[VALUE:.*]] = vector.extract %{{.*}}[0] : f64 from vector<8xf64>
// CHECK:         %[[BETTER:.*]] = arith.cmpf ogt, %[[VALUE]], %[[OLD]]
// CHECK:         %[[INFO:.*]] = vector.extract %{{.*}}[0] : i32 from vector<8xi32>
// CHECK:         arith.select %[[BETTER]], %[[INFO]], %{{.*}} : i32
func.func @infos(%s: !op2.set, %y: !op2.dat<1xf64>, %m: memref<1xf64>, %i: memref<2xi32>) {
  op2.par_loop @where over %s args(read %y : !op2.dat<1xf64>, max global %m : memref<1xf64>, index,
                                   max info of 1 %i : memref<2xi32>)
  return
}

// -----

// A condition under another one: fptosi of what an inactive lane has is poison,
// and so would be an andi of the two.

// CHECK-LABEL: func.func private @nested_x8(
// CHECK:       %[[OUTER:.*]] = arith.cmpf olt
// CHECK:       %[[INNER:.*]] = arith.cmpi sgt
// CHECK:       %[[NONE:.*]] = arith.constant dense<false> : vector<8xi1>
// CHECK:       %[[BOTH:.*]] = arith.select %[[OUTER]], %[[INNER]], %[[NONE]] : vector<8xi1>
// CHECK:       arith.select %[[BOTH]], %{{.*}} : vector<8xi1>, vector<8xf64>
func.func private @nested(%x: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 100.0 : f64
  %three = arith.constant 3 : i32
  %0 = memref.load %y[%c0] : memref<1xf64>
  %1 = arith.cmpf olt, %0, %limit : f64
  %2 = math.sqrt %0 : f64
  scf.if %1 {
    %3 = arith.fptosi %0 : f64 to i32
    %4 = arith.cmpi sgt, %3, %three : i32
    scf.if %4 {
      memref.store %2, %x[%c0] : memref<1xf64>
    }
  }
  return
}

func.func @loop(%s: !op2.set, %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @nested over %s args(rw %x : !op2.dat<1xf64>, read %y : !op2.dat<1xf64>)
  return
}

// -----

// Elements leave a loop at different steps. What counts the steps is one number
// for all that go on, so that they read a local array whole; what is left of it
// is each element's own. A side that leaves has nothing for the next step.

// CHECK-LABEL: func.func private @leaves_x8(
// CHECK:       %[[ARRAY:.*]] = memref.alloca() : memref<9x8xf64>
// CHECK:       %[[LOOP:.*]]:3 = scf.while (%[[STEP:.*]] = %c0{{.*}}, %[[WHERE:.*]] = %{{.*}}, %[[ACTIVE:.*]] = %{{.*}}) : (index, vector<8xindex>, vector<8xi1>) -> (vector<8xindex>, vector<8xi1>, index) {
// CHECK:         %[[HERE:.*]] = vector.load %[[ARRAY]][%[[STEP]], %c0{{.*}}] : memref<9x8xf64>, vector<8xf64>
// CHECK:         %[[NEXT:.*]] = arith.addi %[[STEP]], %c1
// CHECK:         %[[LANES:.*]] = vector.broadcast %[[STEP]]
// CHECK:         %[[KEPT:.*]] = arith.select %[[ACTIVE]], %[[LANES]], %[[WHERE]]
// CHECK:         %[[GOES_ON:.*]] = arith.select %[[ACTIVE]]
// CHECK:         scf.condition(%{{.*}}) %[[KEPT]], %[[GOES_ON]], %[[NEXT]]
// CHECK:       arith.index_cast %[[LOOP]]#0 : vector<8xindex> to vector<8xi64>
// So it is where each has its own end.
// CHECK:       scf.while (%[[STEP:.*]] = %c0{{.*}}, %{{.*}} = %{{.*}}) : (index, vector<8xf64>) -> (index, vector<8xf64>) {
// CHECK:         vector.broadcast %[[STEP]]
// CHECK:         arith.cmpi slt
// CHECK:       do {
// CHECK:       ^bb0(%[[STEP:.*]]: index,
// CHECK:         vector.load %[[ARRAY]][%[[STEP]],
// CHECK:         arith.addi %[[STEP]], %c1
func.func private @leaves(%x: memref<2xf64>, %n: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %no = arith.constant false
  %zero = arith.constant 0.0 : f64
  %nothing = ub.poison : index
  %array = memref.alloca() : memref<9xf64>
  %0 = memref.load %x[%c0] : memref<2xf64>
  memref.store %0, %array[%c0] : memref<9xf64>
  %left:2 = scf.while (%i = %c0) : (index) -> (index, index) {
    %here = memref.load %array[%i] : memref<9xf64>
    %leaves = arith.cmpf ogt, %here, %0 : f64
    %next, %more = scf.if %leaves -> (index, i1) {
      scf.yield %nothing, %no : index, i1
    } else {
      %1 = arith.addi %i, %c1 : index
      %2 = arith.cmpi ult, %1, %c8 : index
      scf.yield %1, %2 : index, i1
    }
    scf.condition(%more) %next, %i : index, index
  } do {
  ^bb0(%next: index, %i: index):
    scf.yield %next : index
  }
  %last = arith.index_cast %left#1 : index to i64
  %where = arith.sitofp %last : i64 to f64
  memref.store %where, %x[%c0] : memref<2xf64>
  %count = memref.load %n[%c0] : memref<1xi64>
  %end = arith.index_cast %count : i64 to index
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> (f64) {
    %here = memref.load %array[%i] : memref<9xf64>
    %1 = arith.addf %s, %here : f64
    %2 = math.sqrt %1 : f64
    scf.yield %2 : f64
  }
  memref.store %sum, %x[%c1] : memref<2xf64>
  return
}

func.func @each_its_own(%s: !op2.set, %x: !op2.dat<2xf64>, %n: !op2.dat<1xi64>) {
  op2.par_loop @leaves over %s args(rw %x : !op2.dat<2xf64>, read %n : !op2.dat<1xi64>)
  return
}
