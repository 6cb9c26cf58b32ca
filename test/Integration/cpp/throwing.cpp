// What a kernel throws gets to the caller of the loop, on each target and with
// any number of threads, and the program goes on: sequentially after the
// elements before the one that throws, as in the header.
//
// RUN: %clangxx -O1 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O2 -std=c++17 -Wno-error=op2-sequential -w --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s
// What elements that are left have not written is no mistake.
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK=1 %t | FileCheck %s
// RUN: env OP2_TARGET=seq OP2_CHECK=1 %t | FileCheck %s
// RUN: env OP2_CHECK=1 %t.dev | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OP2_CHAIN=always %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always %t | FileCheck %s
// RUN: env -u OP2_STRICT OP2_TARGET=emulator %t 2>%t.err | FileCheck %s
// RUN: %op2cxx -O0 -std=c++17 -Wno-error=op2-sequential -w --op2-target=seq,openmp %s -o %t.0
// RUN: env OP2_TARGET=seq %t.0 | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.0 | FileCheck %s
//
// CHECK:      direct: negative
// CHECK-NEXT: indirect: 3, destroyed 1
// CHECK-NEXT: after: 5001
// CHECK-NEXT: allocates: 1
// CHECK-NEXT: library: vector
// CHECK-NEXT: left: 1
// CHECK-NEXT: layers: 7
// CHECK-NEXT: elsewhere: far
// CHECK-NEXT: kept inside: 5000
// CHECK-NEXT: again: 6001
// What an element does before it throws stays.
// CHECK-NEXT: halfway: sum 3 least -7 most 7 int 7 own 1 row 2 packed 3
// CHECK-NEXT: columns: sum 3 least -7 most 7 int 7

#include "op_seq.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <vector>

static std::atomic<int> destroyed{0};
struct Guard {
  ~Guard() { ++destroyed; }
};
__attribute__((weak, noinline)) void outside(double x) {
  if (x < 0)
    throw std::runtime_error("far");
}

static void check(const double *x) {
  if (*x < 0)
    throw std::runtime_error("negative");
}
static void fluxes(const double *x, double *a, double *b) {
  if (*x < 0) {
    Guard guard;
    throw 3;
  }
  *a += *x;
  *b -= *x;
}
static void at(const double *x, double *to) {
  std::vector<double> three(3);
  *to = three.at(*x < 0 ? 7 : 1);
}
static void layered(const double *x, double (*levels)[2]) {
  if (*x < 0)
    throw 7L;
  levels[0][0] += 1;
}
static void halfway(double *sum, double *least, float *most, int *whole,
                    double *own, double *row, double (*packed)[1]) {
  *sum += 3;
  *least = std::min(*least, -7.0);
  *most = std::max(*most, 7.0F);
  *whole = std::max(*whole, 7);
  *own += 1;
  *row += 2;
  packed[0][0] += 1;
  packed[1][0] += 2;
  if (*own >= 0)
    throw 5;
  *sum += 100;
}
static void ofColumns(const double *own, double *sum, double *least,
                      float *most, int *whole) {
  *sum += 3;
  *least = std::min(*least, -7.0);
  *most = std::max(*most, 7.0F);
  *whole = std::max(*whole, 7);
  if (*own >= 0)
    throw 6;
}
static void elsewhere(const double *x) { outside(*x); }
static void inside(const double *x, double *to) {
  try {
    check(x);
    *to = 1;
  } catch (std::exception &) {
    *to = 1;
  }
}
static void bump(double *x) { *x += 1; }
// Targets may do without the memory, or not. AddressSanitizer ends the program
// where there is too little.
#if __has_feature(address_sanitizer)
constexpr std::size_t kMany = 2;
#else
constexpr std::size_t kMany = std::size_t(1) << 58;
#endif
static void allocates(const double *x, double *to) {
  double *many = new double[*x < 0 ? kMany : 1];
  many[0] = *x;
  *to += many[0] - many[0];
  delete[] many;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int const n = 5000;
  std::vector<double> values(n, 1.0), zeros(2 * n);
  std::vector<int> ends;
  for (int i = 0; i < n; ++i)
    ends.insert(ends.end(), {i, (i + 1) % n});
  values[4900] = -1;
  op_set set = op_decl_set(n, "set");
  op_map map = op_decl_map(set, set, 2, ends.data(), "map");
  op_dat x = op_decl_dat(set, 1, "double", values.data(), "x");
  op_dat y = op_decl_dat(set, 1, "double", zeros.data(), "y");
  op_dat levels = op_decl_dat_layers(set, 2, 1, "double", zeros.data(), "levels");
  op_layers layers = op_decl_layers(set, 0, 1, "layers");
  auto sum = [&](op_dat dat) {
    std::vector<double> found(n);
    op_fetch_data(dat, found.data());
    double all = 0;
    for (double value : found)
      all += value;
    return all;
  };
  try {
    op_par_loop(check, "check", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ));
    std::puts("not thrown");
  } catch (std::exception &e) {
    std::printf("direct: %s\n", e.what());
  }
  try {
    op_par_loop(fluxes, "fluxes", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, 0, map, 1, "double", OP_INC),
                op_arg_dat(y, 1, map, 1, "double", OP_INC));
  } catch (int e) {
    std::printf("indirect: %d, destroyed %d\n", e, destroyed.load());
  }
  // How far it came is known of the sequential loop only.
  if (sum(y) != 0)
    std::puts("what an element adds and takes is not alike");
  op_par_loop(bump, "bump", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(bump, "bump", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  std::printf("after: %g\n", sum(x) - 2 * n + 3);
  op_par_loop(bump, "bump", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  std::vector<double> minus(n, 2.0);
  minus[3] = -2;
  op_dat z = op_decl_dat(set, 1, "double", minus.data(), "z");
  bool isAlike = true;
  try {
    op_par_loop(bump, "bump", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(allocates, "allocates", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  } catch (std::bad_alloc &) {
    isAlike = sum(y) == 0;
  }
  std::printf("allocates: %d\n", isAlike);
  minus[3] = -3;
  op_dat w = op_decl_dat(set, 1, "double", minus.data(), "w");
  z = w;
  try {
    op_par_loop(at, "at", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  } catch (std::out_of_range &e) {
    std::printf("library: %.6s\n", e.what());
  }
  // Elements that had not begun have what was there.
  std::printf("left: %d\n", std::isfinite(sum(y)));
  try {
    op_par_loop(layered, "layered", layers, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat_layers(levels, -2, map, 0, 2, 1, "double", OP_INC));
  } catch (long e) {
    std::printf("layers: %ld\n", e);
  }
  try {
    op_par_loop(elsewhere, "elsewhere", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ));
  } catch (std::exception &e) {
    std::printf("elsewhere: %s\n", e.what());
  }
  op_par_loop(inside, "inside", set, op_arg_dat(z, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(y, -1, OP_ID, 1, "double", OP_WRITE));
  std::printf("kept inside: %g\n", sum(y));
  // Nothing is left of them.
  double total = 1001;
  for (int step = 0; step < 3; ++step)
    op_par_loop(bump, "bump", set, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  std::printf("again: %g\n", sum(y) - 3 * n + total);
  int zero[] = {0, 0};
  double nothing[] = {0}, least = 0, added = 0;
  float most = 0;
  int whole = 0;
  op_set one = op_decl_set(1, "one");
  op_map self = op_decl_map(one, one, 2, zero, "self");
  op_dat own = op_decl_dat(one, 1, "double", nothing, "own");
  op_dat row = op_decl_dat(one, 1, "double", nothing, "row");
  op_dat packed = op_decl_dat(one, 1, "double", nothing, "packed");
  try {
    op_par_loop(halfway, "halfway", one, op_arg_gbl(&added, 1, "double", OP_INC),
                op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&most, 1, "float", OP_MAX),
                op_arg_gbl(&whole, 1, "int", OP_MAX),
                op_arg_dat(own, -1, OP_ID, 1, "double", OP_INC),
                op_arg_dat(row, 0, self, 1, "double", OP_INC),
                op_arg_dat(packed, -2, self, 1, "double", OP_INC));
  } catch (int) {
    std::printf("halfway: sum %g least %g most %g int %d own %g row %g packed %g\n",
                added, least, double(most), whole, sum(own), sum(row), sum(packed));
  }
  added = least = most = whole = 0;
  try {
    op_par_loop(ofColumns, "columns", op_decl_layers(one, 0, 3, "three"),
                op_arg_dat(own, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(&added, 1, "double", OP_INC),
                op_arg_gbl(&least, 1, "double", OP_MIN),
                op_arg_gbl(&most, 1, "float", OP_MAX),
                op_arg_gbl(&whole, 1, "int", OP_MAX));
  } catch (int) {
    std::printf("columns: sum %g least %g most %g int %d\n", added, least,
                double(most), whole);
  }
  op_exit();
}
