// What op2c++ makes for NVIDIA GPUs: PTX without CUDA, all in one object.
// RUN: %op2cxx -O2 --op2-target=cuda --op2-gpu-chip=sm_90 --op2-emit=ptx %s -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %op2cxx -O2 --op2-target=openmp,cuda --op2-gpu-chip=sm_90 --op2-emit=gpu %s | FileCheck %s --check-prefix=GPU
// RUN: %op2cxx -O2 --op2-target=cuda --op2-gpu-format=ptx --op2-emit=llvm %s | FileCheck %s --check-prefix=LLVM --implicit-check-not=.op2
//
// PTX is embedded for the oldest chip: newer ones run it too.
// RUN: %op2cxx -O2 --op2-target=openmp,cuda --op2-gpu-format=ptx --op2-report -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: grep -a "^.target sm_80" %t.o | count 1
// RUN: not grep -aq "^.target sm_90" %t.o
//
// All stages in files.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %op2cxx -O2 --op2-target=openmp,cuda --op2-gpu-format=ptx --op2-save-temps -c %s -o %t.d/k.o
// RUN: ls %t.d | FileCheck %s --check-prefix=FILES
//
// RUN: not %op2cxx --op2-target=cuda --op2-gpu-chip=sm_80,sm_1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not %op2cxx --op2-target=cuda --op2-gpu-format=cubin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CUBIN
// RUN: not %op2cxx --op2-target=cuda --op2-gpu-format=fatbin --op2-cuda-path=%t.d -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TOOLS
//
// PTX needs libdevice for what the GPU has no instructions for.
// RUN: %op2cxx -O2 --op2-target=openmp,cuda --op2-gpu-format=ptx --op2-cuda-path=%t.d -DEXPONENTIAL -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LIBDEVICE --implicit-check-not=warning:
#include "op_seq.h"
#include <cmath>

double gam = 1.4;
static double factor[2] = {2, 3};
static constexpr double table[4] = {1, 2, 4, 8};

static double helper(double x, int i) { return x * factor[i]; }
static void scale(double *x) { *x = helper(*x, 1) * gam; }
static void choose(double const *x, double *y) {
  *y = table[static_cast<int>(*x) & 3];
}

// CHECK: .target sm_90
// CHECK-DAG: .visible .const .align 8 .f64 gam;
// CHECK-DAG: .visible .const .align {{8|16}} .b8 _ZL6factor[16];
// CHECK-DAG: .global .align {{8|16}} .b8 _ZL5table[32] = {
// CHECK-DAG: .visible .entry op2_scale(
// CHECK-DAG: .visible .entry op2_choose(
// CHECK-DAG: .visible .entry op2_choose_aliased(
// CHECK-NOT: .extern .func

// GPU: gpu.module @op2_device
// GPU: gpu.func @op2_scale({{.*}} kernel

// The kernels are device code only: the host has no copy of them.
// LLVM: define void @__op2_run_0_scale(
// LLVM: call void @op2rt_device_constant(ptr @__op2_image_op2_device, ptr {{.*}}, ptr @gam, i64 8)
// LLVM: call void @op2rt_device_launch(

// FILES-DAG: k.cuda.gpu.mlir
// FILES-DAG: k.cuda.sm_80.ptx
// FILES-DAG: k.cuda.sm_90.ptx
// FILES-DAG: k.openmp.omp.mlir
// FILES-DAG: k.cuda.op2.mlir
// FILES-DAG: k.cuda.loops.mlir

// CHIP: error: unknown chip 'sm_1' in --op2-gpu-chip; known are sm_60, {{.*}}sm_90,
// CUBIN: error: a cubin holds the code of one chip, but there are 2; choose one with --op2-gpu-chip
// TOOLS: error: CUDA's ptxas not found, which makes machine code for GPUs; looked in {{.*}}; --op2-gpu-format=ptx does without it

#ifdef EXPONENTIAL
static void grow(double *x) { *x = std::exp(*x); }
void runGrow(op_set set, op_dat x) {
  // LIBDEVICE: [[#@LINE+1]]:{{.*}}warning: loop 'grow' is not compiled for cuda and runs on openmp there: libdevice not found: kernels need '__nv_exp' of nvvm/libdevice/libdevice.10.bc, a part of CUDA; looked in
  op_par_loop(grow, "grow", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
}
#endif

void run(op_set set, op_dat x, op_dat y) {
  // REPORT: [[#@LINE+2]]:{{.*}}remark: loop 'scale' compiled for openmp, cuda
  // REPORT: [[#@LINE+1]]:{{.*}}remark: loop 'scale' on cuda: PTX for sm_80 and newer chips, which the driver compiles; kernels op2_scale
  op_par_loop(scale, "scale", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  // REPORT: remark: loop 'choose' on cuda: {{.*}}; kernels op2_choose, op2_choose_aliased
  op_par_loop(choose, "choose", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
}
