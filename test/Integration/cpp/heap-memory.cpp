// Memory that kernels allocate with a size that is known, and that nobody else
// sees, is a local variable: kernels are raised, and run on devices. What
// others may see, or may still have, stays where it is.
// REQUIRES: no-sanitizer
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref > %t.expected
// RUN: %op2cxx -Wno-error=op2-sequential -O3 --op2-report --op2-target=openmp,emulator %s -o %t 2>&1 | FileCheck %s
// RUN: %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t | diff %t.expected -
// RUN: %op2cxx -Wno-error=op2-sequential -O1 --op2-no-raise --op2-target=openmp,emulator %s -o %t.unraised 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t.unraised | diff %t.expected -
#include "op_seq.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// Of the loops that are not compiled for a device.
// CHECK-NOT: warning: loop '{{container|array|pair|pieces}}'
// CHECK-DAG: warning: loop 'large' is not compiled for emulator and runs on openmp there: kernel 'large' allocates memory
// CHECK-DAG: warning: loop 'swapped' is not compiled for emulator and runs on openmp there: kernel 'swapped' allocates memory
// CHECK-DAG: loop 'container': kernel raised
// CHECK-DAG: loop 'array': kernel raised
// CHECK-DAG: loop 'pair': kernel raised
// CHECK-DAG: loop 'pieces': kernel raised
// CHECK-DAG: loop 'kept': kernel not raised
// CHECK-DAG: loop 'swapped': kernel not raised
// DEVICE-NOT: warning: loop '{{container|array|pair|pieces}}'

static void container(const double *x, double *y) {
  std::vector<double> t(3);
  for (int i = 0; i < 3; ++i)
    t[i] = 2 * x[i];
  for (int i = 0; i < 3; ++i)
    y[i] += t[2 - i];
}
static void array(const double *x, double *y) {
  auto t = std::make_unique<double[]>(3);
  for (int i = 0; i < 3; ++i)
    t[i] += 3 * x[i];
  for (int i = 0; i < 3; ++i)
    y[i] -= t[2 - i];
}
/// Two that live at the same time.
static void pair(const double *x, double *y) {
  auto *a = static_cast<double *>(std::malloc(2 * sizeof(double)));
  auto *b = static_cast<double *>(std::malloc(2 * sizeof(double)));
  if (!a || !b)
    std::abort();
  a[0] = x[0], a[1] = x[1];
  b[0] = a[1], b[1] = a[0];
  y[0] += a[0] * b[0];
  y[1] += a[1] - b[1];
  std::free(a);
  std::free(b);
}
/// Another one in each round.
static void pieces(const double *x, double *y) {
  for (int round = 0; round < 20; ++round) {
    auto *t = new double[2];
    t[0] = x[round % 3];
    t[1] = t[0] * round;
    y[1] += t[1];
    delete[] t;
  }
}
/// The memory of the round before is there still.
static void swapped(const double *x, double *y) {
  auto *last = static_cast<double *>(std::malloc(sizeof(double)));
  *last = x[1];
  for (int round = 0; round < 500; ++round) {
    auto *next = static_cast<double *>(std::malloc(sizeof(double)));
    *next = *last + x[0] * (round % 3);
    y[2] += *last;
    std::free(last);
    last = next;
  }
  std::free(last);
}
static __attribute__((noinline)) void keep(double *t, double **place) { *place = t; }
static void kept(const double *x, double *y) {
  auto *t = static_cast<double *>(std::malloc(2 * sizeof(double)));
  t[0] = x[0];
  double *place = nullptr;
  keep(t, &place);
  place[1] = 2;
  y[0] += t[0] * t[1];
  std::free(t);
}
static void large(const double *x, double *y) {
  auto *t = static_cast<double *>(std::malloc(1000 * sizeof(double)));
  for (int i = 0; i < 1000; ++i)
    t[i] = x[i % 3];
  y[0] += t[int(x[1])];
  std::free(t);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int n = 100;
  op_set set = op_decl_set(n, "set");
  std::vector<double> x(3 * n), y(3 * n);
  for (int i = 0; i < 3 * n; ++i)
    x[i] = i % 7;
  op_dat from = op_decl_dat(set, 3, "double", x.data(), "from");
  op_dat to = op_decl_dat(set, 3, "double", y.data(), "to");
  auto print = [&](const char *what) {
    op_fetch_data(to, y.data());
    double sum = 0;
    for (int i = 0; i < 3 * n; ++i)
      sum += (i % 11 + 1) * y[i];
    std::printf("%s %.17g\n", what, sum);
  };
#define RUN(kernel)                                                                                                    \
  op_par_loop(kernel, #kernel, set, op_arg_dat(from, -1, OP_ID, 3, "double", OP_READ),                                 \
              op_arg_dat(to, -1, OP_ID, 3, "double", OP_RW));                                                          \
  print(#kernel)
  RUN(container);
  RUN(array);
  RUN(pair);
  RUN(pieces);
  RUN(swapped);
  RUN(kept);
  RUN(large);
  op_exit();
}
