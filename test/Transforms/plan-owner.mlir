// Increments divided by ownership: the default for threads where a kernel may
// run twice for an element.

// RUN: op2-opt %s --op2-plan --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,OWNER
// RUN: op2-opt %s --op2-plan=strategy=two-level --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,COLORS

func.func @flux(%q: memref<4xf64>, %r: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %q[%c0] : memref<4xf64>
  %local = memref.alloca() : memref<1xf64>
  memref.store %a, %local[%c0] : memref<1xf64>
  %b = memref.load %r[%c0] : memref<2xf64>
  %s = arith.addf %a, %b : f64
  memref.store %s, %r[%c0] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @divided
// CHECK-SAME: %[[EDGES:[^:]*]]: !op2.set, %[[M:[^:]*]]: !op2.map<2>, %[[Q:[^:]*]]: !op2.dat<4xf64>, %[[R:[^:]*]]: !op2.dat<2xf64>
func.func @divided(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                   %r: !op2.dat<2xf64>) {
  // OWNER: strategy = "ownership"
  // COLORS: strategy = "block colours"
  // OWNER: %[[PLAN:.*]] = op2.plan %{{.*}} block_size 0 {coloring = #op2.coloring<owner>}
  // COLORS: op2.plan %{{.*}} block_size 0{{$}}
  // OWNER: %[[QD:.*]] = op2.dat_data %[[Q]]
  // OWNER: %[[RD:.*]] = op2.dat_data %[[R]]
  // OWNER: op2.for_blocks %[[B:.*]] of
  // OWNER: %[[LO:.*]], %[[HI:.*]] = op2.owned_range %[[PLAN]][%[[B]]] of %[[R]]
  // OWNER: op2.for_elements
  // OWNER: op2.row %[[RD]]
  // OWNER: func.call @flux
  // OWNER: } guarded %[[G:.*]] {
  // OWNER: %[[SPARE:.*]] = memref.alloca() {alignment = 16 : i64} : memref<2xf64>
  // OWNER: %[[Q0:.*]] = op2.row %[[QD]]
  // OWNER: %[[N:.*]] = arith.index_cast
  // OWNER: %[[R0:.*]] = op2.owned_row %[[RD]][%[[N]]] in %[[LO]] to %[[HI]] else %[[SPARE]] : memref<?x2xf64>, memref<2xf64> -> memref<2xf64>
  // OWNER: func.call @flux(%[[Q0]], %[[R0]])
  // COLORS-NOT: guarded
  // CHECK: op2.loop_end
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// CHECK-LABEL: func.func @asks_for_colors
// CHECK: strategy = "block colours"
func.func @asks_for_colors(%edges: !op2.set, %m: !op2.map<2>,
                           %q: !op2.dat<4xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<two_level>}
  return
}

// CHECK-LABEL: func.func @asks_for_ownership
// CHECK: strategy = "ownership"
func.func @asks_for_ownership(%edges: !op2.set, %m: !op2.map<2>,
                              %q: !op2.dat<4xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
      {strategy = #op2.strategy<owner>}
  return
}

// -----

// Nothing conflicts.

func.func @copy(%q: memref<4xf64>, %r: memref<4xf64>) {
  return
}

// CHECK-LABEL: func.func @without_conflicts
// CHECK: strategy = "blocks"
// CHECK-NOT: guarded
func.func @without_conflicts(%edges: !op2.set, %m: !op2.map<2>,
                             %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>) {
  op2.par_loop @copy over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      write %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// What the kernel does besides must not happen twice.

memref.global @count : memref<1xf64> = dense<0.0>
func.func private @print(f64)
func.func @store(%r: memref<1xf64>, %d: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %count = memref.get_global @count : memref<1xf64>
  %a = memref.load %r[%c0] : memref<1xf64>
  memref.store %a, %count[%c0] : memref<1xf64>
  return
}
func.func @call(%r: memref<1xf64>, %d: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %d[%c0] : memref<1xf64>
  func.call @print(%a) : (f64) -> ()
  return
}
func.func @load(%r: memref<1xf64>, %d: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %count = memref.get_global @count : memref<1xf64>
  %a = memref.load %count[%c0] : memref<1xf64>
  return
}
func.func @max(%r: memref<1xf64>, %d: memref<1xf64>, %g: memref<1xf64>) {
  return
}

// CHECK-LABEL: func.func @traces
func.func @traces(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                  %d: !op2.dat<1xf64>, %g: memref<1xf64>) {
  // CHECK: op2.loop_begin "store"
  // CHECK: strategy = "block colours"
  op2.par_loop @store over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>)
  // CHECK: op2.loop_begin "call"
  // CHECK: strategy = "block colours"
  op2.par_loop @call over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>)
  // CHECK: op2.loop_begin "load"
  // OWNER: strategy = "ownership"
  op2.par_loop @load over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>)
  // A direct change that reads, another access through a map.
  // CHECK: op2.loop_begin "max"
  // CHECK: strategy = "block colours"
  op2.par_loop @max over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, rw %d : !op2.dat<1xf64>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  // Each element has one owner, and reads what it changes only once.
  // CHECK: op2.loop_begin "load"
  // OWNER: strategy = "ownership"
  // OWNER: guarded
  op2.par_loop @load over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, rw %d : !op2.dat<1xf64>)
  // CHECK: op2.loop_begin "load"
  // OWNER: strategy = "ownership"
  op2.par_loop @load over %edges args(
      rw %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, write %d : !op2.dat<1xf64>)
  // A maximum does not depend on who finds it.
  // CHECK: op2.loop_begin "max"
  // OWNER: strategy = "ownership"
  op2.par_loop @max over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>, read %d : !op2.dat<1xf64>,
      max global %g : memref<1xf64>)
  // CHECK: op2.loop_begin "load"
  // CHECK: strategy = "block colours"
  op2.par_loop @load over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      max %d : !op2.dat<1xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// The thread that owns the row of the first argument that is always there counts
// an element in sums; rows that an element writes directly have owners, too.

func.func @both(%maybe: memref<1xf64>, %r: memref<2xf64>, %w: memref<1xf64>,
                %g: memref<3xf64>) {
  return
}

// CHECK-LABEL: func.func @counted
// CHECK-SAME: %[[MAYBE:[^ ]*]]: !op2.dat<1xf64>, %[[R:[^ ]*]]: !op2.dat<2xf64>, %[[W:[^ ]*]]: !op2.dat<1xf64>
func.func @counted(%edges: !op2.set, %m: !op2.map<2>, %maybe: !op2.dat<1xf64>,
                   %r: !op2.dat<2xf64>, %w: !op2.dat<1xf64>, %g: memref<3xf64>,
                   %is: i1) {
  // OWNER: strategy = "ownership"
  // COLORS: strategy = "block colours"
  // OWNER: %[[MD:.*]] = op2.map_table
  // OWNER: %[[WD:.*]] = op2.dat_data %[[W]]
  // OWNER: %[[SUM:.*]] = op2.reduction_begin %{{.*}} arg 3
  // OWNER: op2.owned_range %{{.*}} of %[[MAYBE]]
  // OWNER: %[[LO:.*]], %[[HI:.*]] = op2.owned_range %{{.*}} of %[[R]]
  // OWNER: %[[WLO:.*]], %[[WHI:.*]] = op2.owned_range %{{.*}} of %[[W]]
  // OWNER: op2.for_elements
  // OWNER: op2.terms %[[SUM]]
  // OWNER: op2.row %[[WD]]
  // OWNER: func.call @both
  // OWNER-NOT: arith.select
  // OWNER: } guarded %[[E:.*]] {
  // OWNER: %[[TERMS:.*]] = op2.terms %[[SUM]]
  // OWNER: %[[OWN:.*]] = op2.owned_row %[[WD]][%[[E]]] in %[[WLO]] to %[[WHI]]
  // OWNER: func.call @both(%{{.*}}, %{{.*}}, %[[OWN]], %[[TERMS]])
  // OWNER: %[[ENTRY:.*]] = memref.load %[[MD]][%[[E]], %c1]
  // OWNER: %[[TARGET:.*]] = arith.index_cast %[[ENTRY]]
  // OWNER: %[[ABOVE:.*]] = arith.cmpi sge, %[[TARGET]], %[[LO]]
  // OWNER: %[[BELOW:.*]] = arith.cmpi slt, %[[TARGET]], %[[HI]]
  // OWNER: %[[COUNTS:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
  // OWNER: %[[TERM:.*]] = memref.load %[[TERMS]]
  // OWNER: %[[KEPT:.*]] = arith.select %[[COUNTS]], %[[TERM]], %cst
  // OWNER: memref.store %[[KEPT]], %[[TERMS]]
  op2.par_loop @both over %edges args(
      if %is inc %maybe : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>,
      write %w : !op2.dat<1xf64>,
      inc global %g : memref<3xf64>)
  return
}

// -----

// Integers are summed by blocks: what was added is taken back where another
// thread counts the element.

func.func @count(%r: memref<1xf64>, %s: memref<1xf64>, %n: memref<1xi32>,
                 %most: memref<1xi32>) {
  return
}

// CHECK-LABEL: func.func @integers
func.func @integers(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<1xf64>,
                    %n: memref<1xi32>, %most: memref<1xi32>) {
  // OWNER: %[[SUM:.*]] = op2.reduction_partial
  // OWNER: %[[MOST:.*]] = op2.reduction_partial
  // OWNER: guarded
  // OWNER: %[[OLD:.*]] = memref.alloca
  // OWNER: %[[BEFORE:.*]] = memref.load %[[SUM]]
  // OWNER: memref.store %[[BEFORE]], %[[OLD]]
  // OWNER: func.call @count(%{{.*}}, %{{.*}}, %[[SUM]], %[[MOST]])
  // OWNER: %[[COUNTS:.*]] = arith.andi
  // OWNER: %[[AGAIN:.*]] = memref.load %[[OLD]]
  // OWNER: %[[NOW:.*]] = memref.load %[[SUM]]
  // OWNER: %[[KEPT:.*]] = arith.select %[[COUNTS]], %[[NOW]], %[[AGAIN]]
  // OWNER: memref.store %[[KEPT]], %[[SUM]]
  // OWNER-NOT: store
  // OWNER: op2.reduction_end
  op2.par_loop @count over %edges args(
      inc %r : !op2.dat<1xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<1xf64> via %m[1] : !op2.map<2>,
      inc global %n : memref<1xi32>, max global %most : memref<1xi32>)
  return
}

// -----

// Rows that no stack has place for are on the heap.

func.func private @kernel(%r: memref<8193xf64>) {
  return
}

// CHECK-LABEL: func.func @large
// OWNER: guarded
// OWNER: %[[SPARE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8193xf64>
// OWNER: op2.owned_row %{{.*}} else %[[SPARE]]
// OWNER: call @kernel
// OWNER-NEXT: memref.dealloc %[[SPARE]]
func.func @large(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<8193xf64>) {
  op2.par_loop @kernel over %edges args(
      inc %r : !op2.dat<8193xf64> via %m[0] : !op2.map<2>)
  return
}
