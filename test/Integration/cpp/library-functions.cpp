// Functions of the C library in loops that are vectorized: those without an
// operation in MLIR are called for one element after another, also for those
// that do not ask. Bits are those of the sequential loop.
//
// REQUIRES: no-undefined-sanitizer
// RUN: %op2cxx -O2 -march=x86-64-v3 -ffp-contract=off -Werror=op2-sequential --op2-target=seq,openmp,emulator --op2-report %s -o %t 2>&1 | FileCheck %s
// RUN: env OP2_TARGET=seq %t > %t.seq && env OP2_TARGET=emulator %t | diff - %t.seq
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | diff - %t.seq
// RUN: %op2cxx -O3 -march=x86-64-v2 -ffp-contract=off -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=2 %t | diff - %t.seq
// RUN: env OP2_TARGET=seq %t | diff - %t.seq
// RUN: %op2cxx %unoptimized -march=x86-64-v3 -fno-builtin-hypot --op2-target=openmp --op2-report %s -c -o %t.o 2>&1 | FileCheck %s --check-prefix=OWN
//
// What keeps variables for debuggers stays on the host.
// RUN: %op2cxx -Og -march=x86-64-v3 -ffp-contract=off -Werror=op2-sequential --op2-target=openmp,emulator --op2-report -c %s -o %t.o 2>&1 | FileCheck %s
//
// CHECK-DAG: loop 'doubles': vectorized across 4 elements
// CHECK-DAG: loop 'floats': vectorized across 8 elements
// CHECK-DAG: loop 'shared': vectorized across 4 elements
// What a program declares itself need not like other numbers.
// OWN-DAG: loop 'doubles': not vectorized

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

/// So much else to do that vectors pay.
template <class T> T work(T x) {
  for (int n = 0; n < 200; ++n)
    x = x * T(0.99) + (x < T(0.5) ? T(0.01) : T(-0.01));
  return x;
}

inline void doubles(const double *x, double *y) {
  double v = work(*x);
  y[0] = std::cbrt(v) + std::erf(v);
  y[1] = *x > 1 ? std::hypot(v, *x) : std::log1p(v);
  y[2] = *x < 3 ? std::fmod(*x, v) : std::expm1(v);
}
inline void floats(const float *x, float *y) {
  float v = work(*x);
  y[0] = std::cbrt(v) + std::erfc(v) + std::asinh(v);
  y[1] = *x > 1 ? std::hypot(v, *x) + std::acosh(*x) : std::log1p(v);
  y[2] = *x < 3 ? std::remainder(*x, v) : std::fdim(*x, v);
}
inline void shared(const double *x, const double *g, double *y) {
  *y = work(work(*x)) * std::hypot(*g, 3.0) + (*x > 2 ? std::tgamma(*g) : 0);
}

// Two results.
inline void pairs(const double *x, double *y) {
  for (int i = 0; i < 3; ++i) {
    double whole, sine, cosine;
    int exponent;
    ::sincos(x[0] * i, &sine, &cosine);
    y[i] = std::modf(10 * x[0] + i, &whole) + whole * sine + cosine;
    y[i] += __builtin_frexp(x[0] * 8, &exponent) * exponent;
  }
}
inline void wholes(const double *x, double *y) {
  for (int i = 0; i < 3; ++i) {
    double whole, part = std::modf(x[i] * 2, &whole);
    y[i] = part * 10 + whole;
  }
}
// One that is the same for all elements: unrolled, before LLVM's vectorizer.
inline void bisect(const double *x, const double *g, double *y) {
  double low = 0, high = *g;
  for (int n = 0; n < 30; ++n) {
    double middle = 0.5 * (low + high);
    if (middle * middle > *g)
      high = middle;
    else
      low = middle;
  }
  *y += *x * low;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 1003;
  std::vector<double> x, y(3 * size), z(size);
  std::vector<float> a, b(3 * size);
  for (int n = 0; n < size; ++n) {
    x.push_back(0.004 * (n + 1));
    a.push_back(float(x.back()));
  }
  double g = 4;
  op_set set = op_decl_set(size, "set");
  op_dat px = op_decl_dat(set, 1, "double", x.data(), "x");
  op_dat py = op_decl_dat(set, 3, "double", y.data(), "y");
  op_dat pz = op_decl_dat(set, 1, "double", z.data(), "z");
  op_dat pa = op_decl_dat(set, 1, "float", a.data(), "a");
  op_dat pb = op_decl_dat(set, 3, "float", b.data(), "b");
  op_par_loop(doubles, "doubles", set,
              op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(py, -1, OP_ID, 3, "double", OP_WRITE));
  op_par_loop(floats, "floats", set,
              op_arg_dat(pa, -1, OP_ID, 1, "float", OP_READ),
              op_arg_dat(pb, -1, OP_ID, 3, "float", OP_WRITE));
  op_par_loop(shared, "shared", set,
              op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&g, 1, "double", OP_READ),
              op_arg_dat(pz, -1, OP_ID, 1, "double", OP_WRITE));
  op_dat pp = op_decl_dat(set, 3, "double", y.data(), "p");
  op_dat pw = op_decl_dat(set, 3, "double", y.data(), "w");
  op_par_loop(pairs, "pairs", set, op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(pp, -1, OP_ID, 3, "double", OP_WRITE));
  op_par_loop(wholes, "wholes", set,
              op_arg_dat(pp, -1, OP_ID, 3, "double", OP_READ),
              op_arg_dat(pw, -1, OP_ID, 3, "double", OP_WRITE));
  op_par_loop(bisect, "bisect", set,
              op_arg_dat(px, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&g, 1, "double", OP_READ),
              op_arg_dat(pz, -1, OP_ID, 1, "double", OP_RW));
  op_fetch_data(pw, y.data());
  for (double value : y)
    std::printf("%a\n", value);
  op_fetch_data(py, y.data());
  op_fetch_data(pz, z.data());
  op_fetch_data(pb, b.data());
  for (int n = 0; n < size; ++n) {
    std::printf("%a %a %a ", y[3 * n], y[3 * n + 1], y[3 * n + 2]);
    std::printf("%a %a %a ", double(b[3 * n]), double(b[3 * n + 1]),
                double(b[3 * n + 2]));
    std::printf("%a\n", z[n]);
  }
  op_exit();
}
