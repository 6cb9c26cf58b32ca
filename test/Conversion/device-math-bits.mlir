// Which functions of math.h have the bits of the CPU on a GPU: those that are
// instructions, which round as IEEE 754 says (fmin and fmax may take the other one
// of two zeros). The others are libdevice's, whose errors are others than the C
// library's: with them strategy `owner` has not the CPU's bits. The emulator calls
// the C library of the host, and does not show that.
//
// RUN: op2-opt %s --pass-pipeline='builtin.module(gpu.module(op2-retarget-device-code))' | FileCheck %s

gpu.module @op2_device {
  llvm.func @sqrt(f64) -> f64
  llvm.func @fabs(f64) -> f64
  llvm.func @floor(f64) -> f64
  llvm.func @ceil(f64) -> f64
  llvm.func @trunc(f64) -> f64
  llvm.func @rint(f64) -> f64
  llvm.func @nearbyint(f64) -> f64
  llvm.func @roundeven(f64) -> f64
  llvm.func @exp(f64) -> f64
  llvm.func @exp2(f64) -> f64
  llvm.func @expm1(f64) -> f64
  llvm.func @log(f64) -> f64
  llvm.func @log2(f64) -> f64
  llvm.func @log10(f64) -> f64
  llvm.func @log1p(f64) -> f64
  llvm.func @sin(f64) -> f64
  llvm.func @cos(f64) -> f64
  llvm.func @tan(f64) -> f64
  llvm.func @asin(f64) -> f64
  llvm.func @acos(f64) -> f64
  llvm.func @atan(f64) -> f64
  llvm.func @sinh(f64) -> f64
  llvm.func @cosh(f64) -> f64
  llvm.func @tanh(f64) -> f64
  llvm.func @asinh(f64) -> f64
  llvm.func @acosh(f64) -> f64
  llvm.func @atanh(f64) -> f64
  llvm.func @cbrt(f64) -> f64
  llvm.func @erf(f64) -> f64
  llvm.func @erfc(f64) -> f64
  llvm.func @tgamma(f64) -> f64
  llvm.func @lgamma(f64) -> f64
  llvm.func @fmin(f64, f64) -> f64
  llvm.func @fmax(f64, f64) -> f64
  llvm.func @copysign(f64, f64) -> f64
  llvm.func @pow(f64, f64) -> f64
  llvm.func @atan2(f64, f64) -> f64
  llvm.func @hypot(f64, f64) -> f64
  llvm.func @fmod(f64, f64) -> f64
  llvm.func @fma(f64, f64, f64) -> f64

  // CHECK: llvm.func @instructions(
  llvm.func @instructions(%x: !llvm.ptr) attributes {nvvm.kernel} {
    %v0 = llvm.load %x : !llvm.ptr -> f64
    // CHECK: llvm.intr.sqrt(
    %v1 = llvm.call @sqrt(%v0) : (f64) -> f64
    // CHECK: llvm.intr.fabs(
    %v2 = llvm.call @fabs(%v1) : (f64) -> f64
    // CHECK: llvm.intr.floor(
    %v3 = llvm.call @floor(%v2) : (f64) -> f64
    // CHECK: llvm.intr.ceil(
    %v4 = llvm.call @ceil(%v3) : (f64) -> f64
    // CHECK: llvm.intr.trunc(
    %v5 = llvm.call @trunc(%v4) : (f64) -> f64
    // CHECK: llvm.intr.rint(
    %v6 = llvm.call @rint(%v5) : (f64) -> f64
    // CHECK: llvm.intr.nearbyint(
    %v7 = llvm.call @nearbyint(%v6) : (f64) -> f64
    // CHECK: llvm.intr.roundeven(
    %v8 = llvm.call @roundeven(%v7) : (f64) -> f64
    // CHECK: llvm.intr.minnum(
    %v9 = llvm.call @fmin(%v8, %v0) : (f64, f64) -> f64
    // CHECK: llvm.intr.maxnum(
    %v10 = llvm.call @fmax(%v9, %v0) : (f64, f64) -> f64
    // CHECK: llvm.intr.copysign(
    %v11 = llvm.call @copysign(%v10, %v0) : (f64, f64) -> f64
    // CHECK: llvm.intr.fma(
    %v12 = llvm.call @fma(%v11, %v0, %v0) : (f64, f64, f64) -> f64
    llvm.store %v12, %x : f64, !llvm.ptr
    llvm.return
  }

  // CHECK: llvm.func @library(
  llvm.func @library(%x: !llvm.ptr) attributes {nvvm.kernel} {
    %v0 = llvm.load %x : !llvm.ptr -> f64
    // CHECK: llvm.call @__nv_exp(
    %v1 = llvm.call @exp(%v0) : (f64) -> f64
    // CHECK: llvm.call @__nv_exp2(
    %v2 = llvm.call @exp2(%v1) : (f64) -> f64
    // CHECK: llvm.call @__nv_expm1(
    %v3 = llvm.call @expm1(%v2) : (f64) -> f64
    // CHECK: llvm.call @__nv_log(
    %v4 = llvm.call @log(%v3) : (f64) -> f64
    // CHECK: llvm.call @__nv_log2(
    %v5 = llvm.call @log2(%v4) : (f64) -> f64
    // CHECK: llvm.call @__nv_log10(
    %v6 = llvm.call @log10(%v5) : (f64) -> f64
    // CHECK: llvm.call @__nv_log1p(
    %v7 = llvm.call @log1p(%v6) : (f64) -> f64
    // CHECK: llvm.call @__nv_sin(
    %v8 = llvm.call @sin(%v7) : (f64) -> f64
    // CHECK: llvm.call @__nv_cos(
    %v9 = llvm.call @cos(%v8) : (f64) -> f64
    // CHECK: llvm.call @__nv_tan(
    %v10 = llvm.call @tan(%v9) : (f64) -> f64
    // CHECK: llvm.call @__nv_asin(
    %v11 = llvm.call @asin(%v10) : (f64) -> f64
    // CHECK: llvm.call @__nv_acos(
    %v12 = llvm.call @acos(%v11) : (f64) -> f64
    // CHECK: llvm.call @__nv_atan(
    %v13 = llvm.call @atan(%v12) : (f64) -> f64
    // CHECK: llvm.call @__nv_sinh(
    %v14 = llvm.call @sinh(%v13) : (f64) -> f64
    // CHECK: llvm.call @__nv_cosh(
    %v15 = llvm.call @cosh(%v14) : (f64) -> f64
    // CHECK: llvm.call @__nv_tanh(
    %v16 = llvm.call @tanh(%v15) : (f64) -> f64
    // CHECK: llvm.call @__nv_asinh(
    %v17 = llvm.call @asinh(%v16) : (f64) -> f64
    // CHECK: llvm.call @__nv_acosh(
    %v18 = llvm.call @acosh(%v17) : (f64) -> f64
    // CHECK: llvm.call @__nv_atanh(
    %v19 = llvm.call @atanh(%v18) : (f64) -> f64
    // CHECK: llvm.call @__nv_cbrt(
    %v20 = llvm.call @cbrt(%v19) : (f64) -> f64
    // CHECK: llvm.call @__nv_erf(
    %v21 = llvm.call @erf(%v20) : (f64) -> f64
    // CHECK: llvm.call @__nv_erfc(
    %v22 = llvm.call @erfc(%v21) : (f64) -> f64
    // CHECK: llvm.call @__nv_tgamma(
    %v23 = llvm.call @tgamma(%v22) : (f64) -> f64
    // CHECK: llvm.call @__nv_lgamma(
    %v24 = llvm.call @lgamma(%v23) : (f64) -> f64
    // CHECK: llvm.call @__nv_pow(
    %v25 = llvm.call @pow(%v24, %v0) : (f64, f64) -> f64
    // CHECK: llvm.call @__nv_atan2(
    %v26 = llvm.call @atan2(%v25, %v0) : (f64, f64) -> f64
    // CHECK: llvm.call @__nv_hypot(
    %v27 = llvm.call @hypot(%v26, %v0) : (f64, f64) -> f64
    // CHECK: llvm.call @__nv_fmod(
    %v28 = llvm.call @fmod(%v27, %v0) : (f64, f64) -> f64
    llvm.store %v28, %x : f64, !llvm.ptr
    llvm.return
  }
}
