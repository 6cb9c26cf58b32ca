// The PTX of a loop like Airfoil's res_calc. None of this needs CUDA.
//
// RUN: op2-opt %s --op2-to-gpu=strategy=two-level -o %t.mlir
// RUN: %python %S/Inputs/ptx.py < %t.mlir | FileCheck %s --check-prefixes=PTX,TWO-LEVEL
// RUN: mlir-translate %t.mlir --mlir-to-llvmir | FileCheck %s --check-prefix=HOST
// RUN: op2-opt %s --op2-to-gpu=strategy=atomics | %python %S/Inputs/ptx.py \
// RUN:   | FileCheck %s --check-prefixes=PTX,ATOMICS
// RUN: op2-opt %s --op2-to-gpu=strategy=global | %python %S/Inputs/ptx.py \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: op2-opt %s --op2-to-gpu=chips=sm_80,sm_100 | %python %S/Inputs/ptx.py \
// RUN:   | FileCheck %s --check-prefix=CHIPS
// RUN: not op2-opt %s --op2-to-gpu=chips=gfx900 2>&1 | FileCheck %s --check-prefix=BAD-CHIP
// RUN: not op2-opt %s --op2-to-gpu='format=fatbin cuda-path=%t-nowhere' 2>&1 | FileCheck %s --check-prefix=NO-CUDA

// Private rows are in registers, what is only read goes through the read-only cache.
// PTX: .target sm_90
// PTX-NOT: .local
// PTX-NOT: .extern .func
// PTX-NOT: .shared .
// PTX: .visible .entry op2_flux(
// PTX: .maxntid 128, 1, 1
// PTX-NOT: .local
// TWO-LEVEL-NOT: {{atom|red}}.global.add.f64
// PTX: ld.global.nc.b64
// PTX: sqrt.rn.f64
// ATOMICS: {{atom|red}}.global.add.f64
// PTX: shfl.sync.bfly.b32
// PTX: {{atom|red}}.global.add.u64
// PTX: .visible .entry op2_flux_aliased(

// HOST: call ptr @op2rt_device_dat(
// HOST: call void @op2rt_device_launch(ptr %{{.*}}, ptr @__op2_kernel_op2_device_op2_flux,
// HOST: call void @op2rt_device_launch(ptr %{{.*}}, ptr @__op2_kernel_op2_device_op2_flux_aliased,
// HOST: call void @op2rt_device_reduction_end(

// CHIPS: .target sm_80
// BAD-CHIP: error: unknown chip 'gfx900'; known are sm_60{{.*}}sm_121; gfx90a, gfx942
// NO-CUDA: error: ptxas not found, which is needed for machine code; looked in {{.*}}-nowhere. The format isa

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

func.func @step(%edges: !op2.set, %m: !op2.map<2>, %q: !op2.dat<4xf64>, %r: !op2.dat<4xf64>,
                %rms: memref<1xf64>) {
  op2.par_loop @flux over %edges args(
      read %q : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      read %q : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[0] : !op2.map<2>,
      inc %r : !op2.dat<4xf64> via %m[1] : !op2.map<2>,
      inc global %rms : memref<1xf64>)
  return
}
