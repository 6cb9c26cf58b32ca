// A kernel whose blocks own rows: what elements add goes to shared memory, side
// by side for neighbouring threads; behind a barrier each owned row has a thread,
// which adds in the order of the plan's list. That list, and where the thread's
// row is, are asked for before the kernel; up to there nothing branches, and maps
// are read in the order of the plan.
//
// RUN: op2-opt %s --op2-plan="target=cuda strategy=owner block-size=64" --cse \
// RUN:   --op2-color-increments --convert-op2-to-gpu --canonicalize --cse | FileCheck %s
// RUN: op2-opt %s --op2-to-gpu="strategy=owner block-size=64" \
// RUN:   | %python %S/../Pipelines/Inputs/ptx.py | FileCheck %s --check-prefix=PTX

func.func @add(%q: memref<1xf64>, %r: memref<2xf64>, %s: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %q[%c0] : memref<1xf64>
  %w = arith.mulf %v, %v : f64
  %r0 = memref.load %r[%c0] : memref<2xf64>
  %r1 = arith.addf %r0, %w : f64
  memref.store %r1, %r[%c0] : memref<2xf64>
  %s0 = memref.load %s[%c0] : memref<2xf64>
  %s1 = arith.subf %s0, %w : f64
  memref.store %s1, %s[%c0] : memref<2xf64>
  return
}

// CHECK-LABEL: func.func @step
// 64 elements, two slots: two components of 8 bytes, and numbers of 2.
// CHECK-DAG: %[[SHARED:.*]] = arith.constant 2304 : i32
// CHECK-DAG: op2.device_plan_array %{{.*}} <sum_entries>
// CHECK-DAG: op2.device_plan_array %{{.*}} <sum_begin>
// CHECK: gpu.launch_func {{.*}} threads in (%c64, %c1, %c1) dynamic_shared_memory_size %[[SHARED]]
// CHECK: gpu.func @op2_add(
// CHECK-NOT: scf.if
// CHECK: %[[ENTRY:.*]] = memref.load %{{.*}} : memref<?xi16>
// CHECK: func.call @add(
// CHECK: memref.store %{{.*}} : memref<2xf64, strided<[?]>, #gpu.address_space<workgroup>>
// CHECK: memref.store %[[ENTRY]], %[[LIST:.*]][%{{.*}}] : memref<?xi16, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: %[[OLD0:.*]] = memref.load %[[DATA:.*]][%[[ROW:.*]], %c0] : memref<?x2xf64>
// CHECK: %[[OLD1:.*]] = memref.load %[[DATA]][%[[ROW]], %c1] : memref<?x2xf64>
// CHECK: %[[NEW:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM0:.*]] = %[[OLD0]], %[[SUM1:.*]] = %[[OLD1]])
// CHECK: memref.load %[[LIST]][%[[I]]]
// CHECK: %[[X:.*]] = memref.load %{{.*}} : memref<?x2xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
// CHECK: arith.addf %[[SUM0]], %[[X]] : f64
// CHECK: llvm.loop_annotation
// CHECK: memref.store %[[NEW]]#0, %[[DATA]][%[[ROW]], %c0]
// CHECK: memref.store %[[NEW]]#1, %[[DATA]][%[[ROW]], %c1]
// A block may own more rows than it has threads.
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c64

// No atomics, no spills, nothing that rounds otherwise than the CPU.
// PTX-NOT: atom.
// PTX-NOT: red.
// PTX-NOT: .local
// PTX: .visible .entry op2_add(
// PTX-NOT: {{fma|mul|add|sub}}.f64
// PTX: mul.rn.f64
// PTX: st.shared.b64
// PTX-COUNT-1: bar.sync
// PTX-NOT: bar.sync
// PTX: .pragma "nounroll"
// PTX: ld.shared.b16
// PTX: ld.shared.b64
// PTX: add.rn.f64
// PTX: .visible .entry op2_add_aliased(
func.func @step(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<1xf64>, %r: !op2.dat<2xf64>) {
  op2.par_loop @add over %edges args(
      read %q : !op2.dat<1xf64>,
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<2xf64> via %m[1] : !op2.map<2>)
  return
}

// Where the loop does something else, too, threads without an element do nothing.
func.func @count(%r: memref<2xf64>, %total: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %r0 = memref.load %r[%c0] : memref<2xf64>
  %r1 = arith.addf %r0, %one : f64
  memref.store %r1, %r[%c0] : memref<2xf64>
  %t0 = memref.load %total[%c0] : memref<1xf64>
  %t1 = arith.addf %t0, %one : f64
  memref.store %t1, %total[%c0] : memref<1xf64>
  return
}

// CHECK: gpu.func @op2_count(
// CHECK: scf.if
// CHECK: func.call @count(
func.func @total(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>, %t: memref<1xf64>) {
  op2.par_loop @count over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>,
      inc global %t : memref<1xf64>)
  return
}

// Sums may come in another order than what they add: lists and barrier stand
// before the first one.
// CHECK: gpu.func @op2_turned(
// CHECK-NOT: scf.if
// CHECK-COUNT-2: memref.store %{{.*}} : memref<?xi16, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.load %{{.*}} : memref<?x1xf64>
func.func @turned(%s: !op2.set, %m: !op2.map<1>, %a: !op2.dat<2xf64>, %b: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "turned" over %s args(
      inc %a : !op2.dat<2xf64> via %m[0] : !op2.map<1>,
      inc %b : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
      {target = #op2.target<cuda>, strategy = "owned rows", op2.race_free}
  %plan = op2.plan %loop block_size 64 {coloring = #op2.coloring<owned_rows>}
  %ad = op2.dat_data %a : !op2.dat<2xf64> -> memref<?x2xf64>
  %bd = op2.dat_data %b : !op2.dat<1xf64> -> memref<?x1xf64>
  op2.for_colors %c of %plan {
    op2.for_blocks %block of %plan color %c {
      %x = op2.owned_increments %plan block %block arg 0 number 0 rows 64
          : memref<?x2xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
      %y = op2.owned_increments %plan block %block arg 1 number 1 rows 64
          : memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
      op2.for_elements %e of %plan block %block {
      }
      op2.add_owned %y to %bd arg 1 of %plan block %block
          : memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x1xf64>
      op2.add_owned %x to %ad arg 0 of %plan block %block
          : memref<?x2xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x2xf64>
    }
  }
  op2.loop_end %loop
  return
}
