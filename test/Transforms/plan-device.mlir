// Plans for devices: what is coloured depends on the strategy and on the
// accesses of the loop.
//
// RUN: op2-opt %s --op2-plan="target=emulator" --split-input-file | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: op2-opt %s --op2-plan="target=cuda strategy=atomics block-size=64" --split-input-file | FileCheck %s --check-prefixes=CHECK,ATOMICS
// RUN: op2-opt %s --op2-plan="target=emulator strategy=global" --split-input-file | FileCheck %s --check-prefixes=CHECK,GLOBAL

func.func private @flux(memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @increments
func.func @increments(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                      %r: !op2.dat<4xf64>) {
  // TWO: strategy = "two-level colours", target = #op2.target<emulator>
  // TWO: op2.plan %{{.*}} block_size 128 {coloring = #op2.coloring<two_level>}
  // ATOMICS: strategy = "atomics", target = #op2.target<cuda>
  // ATOMICS: op2.plan %{{.*}} block_size 64 {coloring = #op2.coloring<none>}
  // GLOBAL: strategy = "global colours"
  // GLOBAL: %[[PLAN:.*]] = op2.plan %{{.*}} {coloring = #op2.coloring<elements>}
  // GLOBAL: op2.for_elements %[[P:.*]] of
  // GLOBAL: %[[E:.*]] = op2.permuted_element %[[PLAN]][%[[P]]]
  // GLOBAL: memref.load %{{.*}}[%[[E]], %{{.*}}]
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Nothing conflicts: no colours, whatever the strategy.

func.func private @copy(memref<4xf64>, memref<4xf64>)

// CHECK-LABEL: func.func @direct
func.func @direct(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                  %r: !op2.dat<4xf64>) {
  // CHECK: strategy = "blocks"
  // CHECK: coloring = #op2.coloring<none>
  op2.par_loop @copy over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64>)
  return
}

// -----

// What a kernel does to rw data is no atomic operation.

func.func private @change(memref<4xf64>)

// CHECK-LABEL: func.func @readWrite
func.func @readWrite(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<4xf64>) {
  // TWO: coloring = #op2.coloring<two_level>
  // ATOMICS: strategy = "two-level colours"
  // ATOMICS: coloring = #op2.coloring<two_level>
  // GLOBAL: coloring = #op2.coloring<elements>
  op2.par_loop @change over %edges args(
      rw %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// Nor is there private memory for a row of any length.

llvm.func @wide(!llvm.ptr)

// CHECK-LABEL: func.func @runTimeDim
func.func @runTimeDim(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<?xf64>) {
  // TWO: coloring = #op2.coloring<two_level>
  // ATOMICS: coloring = #op2.coloring<two_level>
  // GLOBAL: coloring = #op2.coloring<elements>
  op2.par_loop @wide over %edges args(
      inc %r : !op2.dat<?xf64> via %m[1] : !op2.map<2>)
  return
}

// -----

// A loop's own choices go before those of the pass.

func.func private @own(memref<4xf64>)

// CHECK-LABEL: func.func @own_choice
func.func @own_choice(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<4xf64>) {
  // CHECK: strategy = "atomics"
  // CHECK: block_size 32 {coloring = #op2.coloring<none>}
  op2.par_loop @own over %edges args(
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>)
      {block_size = 32 : i64, strategy = #op2.strategy<atomics>}
  return
}
