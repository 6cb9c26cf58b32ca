// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize --cse --convert-op2-to-openmp --canonicalize --split-input-file | FileCheck %s

// Rows that are written through a map are prefetched, some elements at a
// time: stores would wait for one line after the other. Not those that are
// read, or direct.

func.func private @fill(memref<1xf64>, memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @scattered
func.func @scattered(%edges: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>,
                     %q: !op2.dat<2xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @fill over %edges args(
      read %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      write %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      write %r : !op2.dat<2xf64>)
  return
}
// CHECK: func.func private @fill_chunk(%[[LO:.*]]: index, %[[HI:[^:]*]]: index
// CHECK: scf.for %[[PIECE:.*]] = %[[LO]] to %[[HI]] step %c256
// CHECK:   %[[FULL:.*]] = arith.addi %[[PIECE]], %c256
// CHECK:   %[[END:.*]] = arith.minsi %[[FULL]], %[[HI]]
// CHECK:   scf.for %[[E:.*]] = %[[PIECE]] to %[[END]] step %c1
// CHECK:     %[[T:.*]] = memref.load %{{.*}}[%[[E]], %c1]
// CHECK:     %[[I:.*]] = arith.index_cast %[[T]]
// CHECK:     %[[Q:.*]] = op2.row %{{.*}}[%[[I]]] : memref<?x2xf64> -> memref<2xf64>
// CHECK:     memref.prefetch %[[Q]][%c0], write, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK:   scf.for %{{.*}} = %[[PIECE]] to %[[END]] step %c1
// CHECK:     call @fill(
// CHECK: func.func private @fill_chunk_general(
// CHECK-NOT: memref.prefetch

// -----

// Where the argument is switched off, so is the way to its row.

func.func private @maybe(memref<2xf64>)

func.func @switched(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<2xf64>,
                    %flag: i1) {
  op2.par_loop @maybe over %edges args(
      if %flag write %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}
// CHECK: func.func private @maybe_chunk(
// CHECK: scf.for %[[E:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK:   %[[I:.*]] = scf.if %
// CHECK:     memref.load %{{.*}}[%[[E]], %c1]
// CHECK:   %[[Q:.*]] = op2.row %{{.*}}[%[[I]]]
// CHECK:   memref.prefetch %[[Q]][%c0], write

// -----

// A dat that is also read: the row may be asked for by the read itself.

func.func private @mix(memref<2xf64>, memref<2xf64>)

// CHECK-LABEL: func.func @read_and_written
// CHECK-NOT: memref.prefetch
func.func @read_and_written(%edges: !op2.set, %m: !op2.map<2>,
                            %q: !op2.dat<2xf64>) {
  op2.par_loop @mix over %edges args(
      read %q : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      write %q : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// A loop that reads ahead: each line of a row is asked for, of so many elements
// that 32 KiB have these.

func.func private @wave(%x: memref<1xf64>, %long: memref<20xf64>,
                        %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf64>
  %b = memref.load %long[%c0] : memref<20xf64>
  %c = math.exp %a : f64
  %d = math.sin %b : f64
  %e = arith.mulf %c, %d : f64
  memref.store %e, %r[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func @with_calls
func.func @with_calls(%edges: !op2.set, %m: !op2.map<2>, %x: !op2.dat<1xf64>,
                      %long: !op2.dat<20xf64>, %r: !op2.dat<1xf64>) {
  op2.par_loop @wave over %edges args(
      read %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      read %long : !op2.dat<20xf64> via %m[1] : !op2.map<2>,
      write %r : !op2.dat<1xf64>)
  return
}
// CHECK: func.func private @wave_chunk(
// CHECK: scf.for %{{.*}} step %c128
// CHECK:   scf.for %[[E:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK:     memref.load %{{.*}}[%[[E]], %c0]
// CHECK:     %[[X:.*]] = op2.row %{{.*}} -> memref<1xf64>
// CHECK:     memref.load %{{.*}}[%[[E]], %c1]
// CHECK:     %[[L:.*]] = op2.row %{{.*}} -> memref<20xf64>
// CHECK:     memref.prefetch %[[X]][%c0], read, locality<3>, data
// CHECK:     memref.prefetch %[[L]][%c0], read
// CHECK:     memref.prefetch %[[L]][%c8], read
// CHECK:     memref.prefetch %[[L]][%c16], read
// CHECK-NOT: memref.prefetch
// CHECK:   call @wave(
// CHECK: func.func private @wave_chunk_general(
// CHECK-NOT: memref.prefetch

// -----

// A loop without vectors asks for rows that share no lines with their neighbours
// and that it reads at places of the element's.

func.func private @faces(%x: memref<2xf64>, %q: memref<8xf64>,
                         %p: memref<8xf64>, %f: memref<1xi32>,
                         %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %i = memref.load %f[%c0] : memref<1xi32>
  %n = arith.index_cast %i : i32 to index
  %a = memref.load %q[%n] : memref<8xf64>
  %b = memref.load %p[%c0] : memref<8xf64>
  %c = memref.load %x[%n] : memref<2xf64>
  %d = arith.addf %a, %b : f64
  %e = arith.addf %c, %d : f64
  memref.store %e, %r[%c0] : memref<1xf64>
  return
}
func.func @scalar(%edges: !op2.set, %m: !op2.map<2>, %x: !op2.dat<2xf64>,
                  %q: !op2.dat<8xf64>, %p: !op2.dat<8xf64>, %f: !op2.dat<1xi32>,
                  %r: !op2.dat<1xf64>, %is: i1) {
  op2.par_loop @faces over %edges args(
      read %x : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<8xf64> via %m[1] : !op2.map<2>,
      read %p : !op2.dat<8xf64> via %m[0] : !op2.map<2>,
      read %f : !op2.dat<1xi32>,
      if %is write %r : !op2.dat<1xf64>)
  return
}
// CHECK-LABEL: func.func private @faces_chunk(
// CHECK: scf.for %{{.*}} step %c256
// CHECK: %[[Q:.*]] = op2.row %{{.*}} -> memref<8xf64>
// CHECK: memref.prefetch %[[Q]][%c0], read
// CHECK-NOT: memref.prefetch

// -----

func.func private @long(memref<1000xf64>)

// Of long rows only the first lines are asked for.
// CHECK-LABEL: func.func private @long_chunk
// CHECK: scf.for %{{.*}} step %c32
// CHECK-COUNT-16: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: call @long
func.func @long_rows(%s: !op2.set, %m: !op2.map<2>, %d: !op2.dat<1000xf64>) {
  op2.par_loop @long over %s args(
      write %d : !op2.dat<1000xf64> via %m[0] : !op2.map<2>)
  return
}

// -----

// Vectors ask for what they read of elements further on: 16 lines of eight rows
// of 128 bytes, 64 rows ahead; one line of eight pairs of numbers, 1024 pairs
// ahead. Not for what is written.

func.func private @product(%k: memref<16xf64>, %x: memref<1xf64>,
                           %r: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %k[%c0] : memref<16xf64>
  %b = memref.load %x[%c0] : memref<1xf64>
  %c = arith.mulf %a, %b : f64
  memref.store %c, %r[%c0] : memref<1xf64>
  %d = memref.load %y[%c0] : memref<1xf64>
  %e = arith.addf %c, %d : f64
  memref.store %e, %y[%c0] : memref<1xf64>
  return
}

func.func @streams(%cells: !op2.set, %m: !op2.map<2>, %k: !op2.dat<16xf64>,
                   %x: !op2.dat<1xf64>, %r: !op2.dat<1xf64>,
                   %y: !op2.dat<1xf64>) {
  op2.par_loop @product over %cells args(
      read %k : !op2.dat<16xf64>,
      read %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      write %r : !op2.dat<1xf64>,
      inc %y : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}
// CHECK-LABEL: func.func private @product_chunk(
// CHECK: scf.for %[[E:.*]] = %{{.*}} to %{{.*}} step %c8
// CHECK:   %[[T:.*]] = arith.addi %[[E]], %c1024
// CHECK:   memref.prefetch %{{.*}}[%[[T]], %c0], read, locality<3>, data : memref<?x2xi32>
// CHECK:   %[[A:.*]] = arith.addi %[[E]], %c64
// CHECK:   memref.prefetch %[[K:.*]][%[[A]], %c0], read, locality<3>, data : memref<?x16xf64>
// CHECK:   %[[B:.*]] = arith.addi %[[E]], %c64
// CHECK:   memref.prefetch %[[K]][%[[B]], %c8], read
// CHECK:   %[[C:.*]] = arith.addi %[[E]], %c65
// CHECK:   memref.prefetch %[[K]][%[[C]], %c0], read
// CHECK-COUNT-13: memref.prefetch %[[K]][
// CHECK-NOT: memref.prefetch
// CHECK: func.func private @product_chunk_general(
// CHECK-NOT: memref.prefetch

// -----

// Of direct loops the hardware foresees what is less than 2 KiB of a vector.

func.func private @scale(%x: memref<16xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<16xf64>
  memref.store %a, %y[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func private @scale_chunk(
// CHECK: step %c8
// CHECK-NOT: memref.prefetch
func.func @direct(%s: !op2.set, %x: !op2.dat<16xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @scale over %s args(read %x : !op2.dat<16xf64>,
                                   write %y : !op2.dat<1xf64>)
  return
}

// -----

func.func private @wide(%x: memref<32xf64>, %z: memref<16xf64>, %y: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<32xf64>
  %b = memref.load %z[%c0] : memref<16xf64>
  %c = arith.addf %a, %b : f64
  memref.store %c, %y[%c0] : memref<32xf64>
  return
}

// CHECK-LABEL: func.func private @wide_chunk(
// CHECK: scf.for %[[E:.*]] = %{{.*}} to %{{.*}} step %c8
// CHECK:   %[[A:.*]] = arith.addi %[[E]], %c32
// CHECK:   memref.prefetch %[[X:.*]][%[[A]], %c0], read, locality<3>, data : memref<?x32xf64>
// CHECK-COUNT-31: memref.prefetch %[[X]][
// CHECK-NOT: memref.prefetch
func.func @wide_rows(%s: !op2.set, %x: !op2.dat<32xf64>, %z: !op2.dat<16xf64>, %y: !op2.dat<32xf64>) {
  op2.par_loop @wide over %s args(read %x : !op2.dat<32xf64>,
                                  read %z : !op2.dat<16xf64>,
                                  rw %y : !op2.dat<32xf64>)
  return
}

// -----

// The rows that 33 numbers of each element lead to leave no room for more.

func.func private @many(%x: memref<1xf64>, %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<1xf64>
  memref.store %a, %y[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func private @many_chunk(
// CHECK: step %c8
// CHECK-NOT: memref.prefetch
func.func @many_rows(%s: !op2.set, %m: !op2.map<33>, %x: !op2.dat<1xf64>,
                     %y: !op2.dat<1xf64>) {
  op2.par_loop @many over %s args(
      read %x : !op2.dat<1xf64> via %m[32] : !op2.map<33>,
      write %y : !op2.dat<1xf64>)
  return
}

// -----

// A row of 192 flags has three lines.

func.func private @flags(%k: memref<192xi1>, %x: memref<1xf64>,
                         %y: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %is = memref.load %k[%c5] : memref<192xi1>
  %a = memref.load %x[%c0] : memref<1xf64>
  %zero = arith.constant 0.0 : f64
  %b = arith.select %is, %a, %zero : f64
  memref.store %b, %y[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func @many_flags
// CHECK: func.func private @flags_chunk(
// CHECK-COUNT-24: memref.prefetch %{{.*}} : memref<?x192xi1>
// CHECK-NOT: memref.prefetch
func.func @many_flags(%s: !op2.set, %m: !op2.map<2>, %k: !op2.dat<192xi1>,
                      %x: !op2.dat<1xf64>, %y: !op2.dat<1xf64>) {
  op2.par_loop @flags over %s args(
      read %k : !op2.dat<192xi1>,
      read %x : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      write %y : !op2.dat<1xf64>)
  return
}
