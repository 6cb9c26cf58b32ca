// Kernels for AMD's chips, as assembly, and the host's part, which waits for a
// runtime that launches them. None of this needs ROCm.
//
// RUN: op2-opt %s --op2-to-gpu=chips=gfx90a -o %t.mlir
// RUN: %python %S/Inputs/ptx.py < %t.mlir | FileCheck %s --check-prefixes=ISA,GFX90A
// RUN: mlir-translate %t.mlir --mlir-to-llvmir | FileCheck %s --check-prefix=HOST
// RUN: op2-opt %s --op2-to-gpu='chips=gfx942 strategy=owner' | %python %S/Inputs/ptx.py \
// RUN:   | FileCheck %s --check-prefixes=ISA,GFX942
// RUN: op2-opt %s --op2-to-gpu='chips=gfx90a strategy=atomics' | %python %S/Inputs/ptx.py \
// RUN:   | FileCheck %s --check-prefixes=ISA,ATOMICS
// RUN: not op2-opt %s --op2-to-gpu='chips=gfx90a format=fatbin' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not op2-opt %s --op2-to-gpu=chips=gfx90a,sm_90 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not op2-opt %s --op2-to-gpu=chips=gfx90a,gfx942 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: sed 's/math.sqrt/math.exp/' %s > %t.exp.mlir
// RUN: not op2-opt %t.exp.mlir --op2-to-gpu=chips=gfx90a 2>&1 | FileCheck %s --check-prefix=LIBRARY

// GFX90A: .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
// GFX942: .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
// Private rows are in registers; terms of sums meet in warps of 32.
// ISA-NOT: scratch_load
// ISA: {{^}}op2_flux:
// ISA-NOT: scratch_load
// ATOMICS: global_atomic_add_f64
// ISA: ds_bpermute_b32
// ISA: global_atomic_add_x2
// ISA: s_endpgm
// ISA: .name: op2_flux
// ISA: .vgpr_spill_count: 0
// ISA: .name: __op2_finish_sum_f64
// ISA: .vgpr_spill_count: 0

// HOST: call void @op2rt_device_launch(ptr %{{.*}}, ptr @__op2_kernel_op2_device_op2_flux,

// FORMAT: error: machine code for 'gfx90a' is not made; expected the format ptx, which is assembly
// MIXED: error: code for 'gfx90a' and 'sm_90' is not made at once; expected one chip of AMD's, or NVIDIA's only
// SEVERAL: error: code for 'gfx90a' and 'gfx942' is not made at once
// LIBRARY: error: loop 'flux' cannot run on a GPU: 'flux' calls '{{.*}}exp{{.*}}', which has no body here and no equivalent there

func.func private @flux(%q0: memref<4xf64>, %q1: memref<4xf64>, %r0: memref<4xf64>,
                        %r1: memref<4xf64>, %s: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %q0[%c0] : memref<4xf64>
  %b = memref.load %q1[%c0] : memref<4xf64>
  %d = arith.subf %a, %b : f64
  %e = math.sqrt %d : f64
  %x = memref.load %r0[%c0] : memref<4xf64>
  %x1 = arith.addf %x, %e : f64
  memref.store %x1, %r0[%c0] : memref<4xf64>
  %y = memref.load %r1[%c0] : memref<4xf64>
  %y1 = arith.subf %y, %d : f64
  memref.store %y1, %r1[%c0] : memref<4xf64>
  %t = memref.load %s[%c0] : memref<1xf64>
  %t1 = arith.addf %t, %d : f64
  memref.store %t1, %s[%c0] : memref<1xf64>
  return
}

func.func @step(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>,
                %r: !op2.dat<4xf64>, %sum: memref<1xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      inc global %sum : memref<1xf64>)
  return
}
