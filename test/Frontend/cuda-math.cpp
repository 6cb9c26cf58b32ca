// The C++ library's mathematics on a GPU: instructions and libdevice, whatever
// the flags; nothing is left that the device does not have.
// REQUIRES: ptxas
// RUN: %op2cxx -O2 -w -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-cuda-path=%cuda --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %op2cxx -O0 -w -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-cuda-path=%cuda --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %op2cxx -O2 -w -fmath-errno -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-cuda-path=%cuda --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %op2cxx -O2 -w -ffast-math -Werror=op2-sequential --op2-target=cuda --op2-gpu-chip=sm_90 --op2-cuda-path=%cuda --op2-emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx && ptxas -arch=sm_90 %t.ptx -o %t.cubin
//
// CHECK-NOT: .extern .func
// CHECK-DAG: .visible .entry op2_elementary(
// CHECK-DAG: .visible .entry op2_parts(
// CHECK-DAG: .visible .entry op2_single(
#include "op_seq.h"
#include <algorithm>
#include <cmath>

static void elementary(double *x) {
  double y = *x;
  y += std::sqrt(y) + std::exp(y) + std::pow(y, 1.5) + std::sin(y) + std::cos(y) + std::tan(y);
  y += std::log(y) + std::log10(y) + std::log2(y) + std::log1p(y) + std::exp2(y) + std::expm1(y);
  y += std::asin(y) + std::acos(y) + std::atan(y) + std::atan2(y, 1.) + std::hypot(y, 2.) + std::cbrt(y);
  y += std::sinh(y) + std::cosh(y) + std::tanh(y) + std::asinh(y) + std::acosh(y) + std::atanh(y);
  y += std::erf(y) + std::erfc(y) + std::tgamma(y) + std::lgamma(y);
  *x = y + std::pow(y, 2) + std::pow(y, 3.0) + std::pow(y, 0.5) + std::pow(2.0, y);
}
static void parts(double *x) {
  double y = *x, whole;
  int exponent;
  y += std::fabs(y) + std::floor(y) + std::ceil(y) + std::round(y) + std::trunc(y) + std::rint(y) + std::nearbyint(y);
  y += std::fmod(y, 3.0) + std::remainder(y, 2.) + std::fma(y, y, 1.) + std::fmin(y, 2.) + std::fmax(y, 3.) + std::fdim(y, 1.);
  y += std::min(y, 1.) + std::max(y, 2.) + std::copysign(y, -1.) + std::abs(y) + std::abs(static_cast<int>(y));
  y += std::frexp(y, &exponent) + exponent + std::ldexp(y, 2) + std::modf(y, &whole) + whole + std::scalbn(y, 3);
  y += std::ilogb(y) + std::logb(y) + std::lround(y) + std::llround(y) + std::lrint(y) + std::llrint(y) + std::nextafter(y, 3.);
  *x = y + std::isnan(y) + std::isinf(y) + std::isfinite(y) + std::signbit(y) + std::isnormal(y);
}
static void single(float *x) {
  float y = *x, whole;
  int exponent;
  y += std::sqrt(y) + std::exp(y) + std::pow(y, 1.5f) + std::sin(y) + std::cos(y) + std::log(y) + std::fmod(y, 3.f);
  y += std::floor(y) + std::round(y) + std::hypot(y, 2.f) + std::cbrt(y) + std::atan2(y, 1.f) + std::tanh(y) + std::erf(y);
  *x = y + std::frexp(y, &exponent) + exponent + std::ldexp(y, 2) + std::modf(y, &whole) + whole + std::lround(y);
}

void run(op_set set, op_dat x, op_dat f) {
  op_par_loop(elementary, "elementary", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(parts, "parts", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(single, "single", set, op_arg_dat(f, -1, OP_ID, 1, "float", OP_RW));
}
