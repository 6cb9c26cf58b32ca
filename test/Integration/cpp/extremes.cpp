// Minima and maxima of floats depend on no order: NaN from an element counts as
// nothing, -0.0 as 0.0, however the kernel compares. So loops that find one
// beside what they add through maps have owners, and the bits of the header on
// every target, with any number of threads. Integers may be flags: what an
// element leaves is compared with what was known, which it may read.
//
// REQUIRES: no-sanitizer
// RUN: %clangxx -O1 -march=native -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: FileCheck %s --check-prefix=VALUES < %t.expected
// RUN: %op2cxx -O2 -march=native -std=c++17 -Werror=op2-sequential --op2-target=seq,openmp %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_CHECK=1 %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=7 OP2_OWNER=always OP2_TUNE=on %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=200 OP2_CHECK_PLAN=1 %t diags > %t.tiles
// RUN: FileCheck %s --check-prefix=TILES < %t.tiles && grep -v '^op2:' %t.tiles | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t diags | FileCheck %s
// RUN: %op2cxx -O1 -march=native -std=c++17 -Wno-op2-min-max --op2-no-raise --op2-target=openmp %s -o %t.plain
// RUN: grep -v levels %t.expected > %t.owned
// RUN: env OMP_NUM_THREADS=3 %t.plain | grep -v levels | diff %t.owned -
// RUN: %op2cxx -O2 -march=native -std=c++17 --op2-vector-bits=0 --op2-no-fuse --op2-target=openmp %s -o %t.scalar
// RUN: env OMP_NUM_THREADS=2 %t.scalar | diff %t.expected -
// On devices rows have owners only if asked for, and may have no fused operations here.
// RUN: grep -v ^rows %t.expected > %t.found
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-strategy=owner --op2-target=emulator %s -o %t.owner
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=5 %t.owner | grep -v ^rows | diff %t.found -
// RUN: %op2cxx %unoptimized -O1 -Werror=op2-sequential --op2-strategy=atomics --op2-block-size=40 --op2-target=emulator %s -o %t.atomics
// RUN: env OP2_TARGET=emulator %t.atomics | grep -v ^rows | diff %t.found -
//
// VALUES: low 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// VALUES: high 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// VALUES: float 00000000 3dcccccd
// VALUES: logical 1010 100
// VALUES: flags 1 1 5 1 0 0 -3 : 3999999999 0 200 -7 9000000000
// VALUES: before 8000000000000000 7ff8
// VALUES: downward 0000000000000000 8000000000000000
// VALUES: none 7ff0000000000000 fff0000000000000
// TILES: chain flux, columns: {{.*}} tiles
// CHECK-DAG: op2: loop flux: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop floats: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop columns: ran 3 times on openmp (ownership)
// CHECK-DAG: op2: loop logical: ran 2 times on openmp (ownership)
// Of equal ones, infos depend on the first.
// CHECK-DAG: op2: loop where: ran 1 times on openmp (block colours)
// CHECK-DAG: op2: loop many: ran 1 times on openmp (block colours)

#include "../ranks/Inputs/bits.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

int const kWidth = 12, kLength = 700, kLevels = 9, kMany = 65;

// All the ways in which programs compare; nothing that is below zero.
static void flux(const double *w, double *ra, double *rb, double *low,
                 double *high) {
  double x = *w;
  *ra += x == x ? x / 3 : 0.1;
  *rb -= x == x ? x * x / 7 : 0.3;
  if (x < low[0])
    low[0] = x;
  low[1] = std::min(low[1], x);
  low[2] = std::min(x, low[2]);
  low[3] = std::fmin(low[3], x);
  low[4] = low[4] < x ? low[4] : x;
  double y = -x;
  if (high[0] < y)
    high[0] = y;
  high[1] = std::max(high[1], y);
  high[2] = std::max(y, high[2]);
  high[3] = std::fmax(y, high[3]);
}
// Elements that give nothing, and one that is not there.
static void floats(const float *w, const int *which, double *r, float *low,
                   float *other) {
  *r += *which / 3.0;
  if (*which != 2)
    *low = std::min(*w, *low);
  if (other && *which == 3 && *w > 0)
    *other = *w < *other ? *w : *other;
}
// What is known may save work; it is not known which elements come first.
static void columns(const double *w, double (*r)[2], double *low,
                    double *high) {
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 4; ++i)
      r[i][k] += *w == *w ? *w / (i + 3 + k) : 0.7;
  if (*low > *w)
    *low = *low < *w * 0.9 ? *low : *w * 0.9;
  *high = *w < *high ? *high : *w;
}
static void before(const double *w, double *zero, double *nan) {
  *zero = std::min(*w, *zero);
  if (*w < *nan)
    *nan = *w;
}
static void none(const int *which, double *low, double *high) {
  if (*which > 100) {
    *low = *which;
    *high = *which;
  }
}
static void where(const double *w, const int *number, double *r, double *low,
                  int *place) {
  *r += 1;
  if (*w < *low) {
    *low = *w;
    *place = *number;
  }
}
static void many(const double *w, const int *which, double *r, double *high) {
  *r += 1;
  high[*which] = std::max(high[*which], *w);
}

// The greatest bool says whether it is one element's, the least whether all
// elements'; seven ways to say it.
static void logical(const double *w, const int *which, double *r, bool *some,
                    bool *every) {
  *r += *which / 7.0;
  some[0] = some[0] || *which > 3;
  some[1] = std::max(some[1], *which > 100);
  some[2] |= *w > 3;
  if (!some[3])
    some[3] = *w < -1;
  every[0] = every[0] && *which < 5;
  every[1] = std::min(every[1], *w < 1);
  every[2] &= *which >= 0;
}

// The third one had more before, the last one less: a constant is no flag then.
static void flags(const int *which, double *r, int *some, int *every) {
  *r += *which / 9.0;
  some[0] = some[0] || *which > 3;
  some[1] |= *which > 3;
  if (*which > 3)
    some[2] = 1;
  some[3] = std::max(some[3], *which > 3 ? 1 : 0);
  every[0] = every[0] && *which > 3;
  every[1] &= *which < 4;
  if (*which >= 0)
    every[2] = 2;
}
static void widths(const int *number, double *r, unsigned *high, unsigned *low,
                   unsigned char *byte, short *narrow, long long *wide) {
  *r += 1;
  *high = std::max(*high, 3999999999u - unsigned(*number));
  *low = std::min(*low, 4000000000u * unsigned(*number % 2));
  *byte = std::max(*byte, static_cast<unsigned char>(*number % 201));
  if (-(*number % 8) < *narrow)
    *narrow = static_cast<short>(-(*number % 8));
  *wide = *wide < *number ? *number : *wide;
}

static unsigned long long bitsOf(double value) {
  unsigned long long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static unsigned bitsOf(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

int main(int argc, char **argv) {
  op_init(argc, argv, argc > 1 ? 2 : 0);
  std::mt19937 next(7);
  int const cells = kWidth * kLength, nodes = (kWidth + 1) * (kLength + 1);
  std::vector<int> corner, which, number;
  for (int y = 0; y < kLength; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int i : {0, 1, kWidth + 1, kWidth + 2})
        corner.push_back(y * (kWidth + 1) + x + i);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> w;
  std::vector<float> narrow;
  for (int c = 0; c < cells; ++c) {
    int die = int(next() % 40);
    double v = die == 0 ? 0.0 : die == 1 ? -0.0 : die == 2 ? nan
                              : 0.1 + (next() % 1000) / 333.0;
    // The last one would be all that some ways of comparing leave.
    w.push_back(c + 1 == cells ? nan : v);
    narrow.push_back(float(w.back()));
    which.push_back(int(next() % 5));
    number.push_back(c);
  }
  op_set cellSet = op_decl_set(cells, "cells");
  op_set nodeSet = op_decl_set(nodes, "nodes");
  op_map pcorner = op_decl_map(cellSet, nodeSet, 4, corner.data(), "corner");
  op_dat pw = op_decl_dat(cellSet, 1, "double", w.data(), "w");
  op_dat pnarrow = op_decl_dat(cellSet, 1, "float", narrow.data(), "narrow");
  op_dat pwhich = op_decl_dat(cellSet, 1, "int", which.data(), "which");
  op_dat pnumber = op_decl_dat(cellSet, 1, "int", number.data(), "number");
  std::vector<double> zero(std::size_t(nodes * kLevels));
  op_dat r = op_decl_dat(nodeSet, 1, "double", zero.data(), "r");
  op_dat counts = op_decl_dat(nodeSet, 1, "double", zero.data(), "counts");
  op_dat levels = op_decl_dat_layers(nodeSet, kLevels, 1, "double", zero.data(), "levels");
  op_layers layers = op_decl_layers(cellSet, 0, kLevels - 1, "layers");

  double low[5], high[4], lowest = 10, highest = -10;
  std::fill_n(low, 5, 1e300);
  std::fill_n(high, 4, -1e300);
  float least = 1e30f, other = 1e30f;
  for (int n = 0; n < 3; ++n) {
    op_par_loop(flux, "flux", cellSet,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(r, 0, pcorner, 1, "double", OP_INC),
                op_arg_dat(r, 3, pcorner, 1, "double", OP_INC),
                op_arg_gbl(low, 5, "double", OP_MIN),
                op_arg_gbl(high, 4, "double", OP_MAX));
    op_par_loop(columns, "columns", layers,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat_layers(levels, -4, pcorner, 0, 2, 1, "double", OP_INC),
                op_arg_gbl(&lowest, 1, "double", OP_MIN),
                op_arg_gbl(&highest, 1, "double", OP_MAX));
    op_par_loop(floats, "floats", cellSet,
                op_arg_dat(pnarrow, -1, OP_ID, 1, "float", OP_READ),
                op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(r, 1, pcorner, 1, "double", OP_INC),
                op_arg_gbl(&least, 1, "float", OP_MIN),
                op_opt_arg_gbl(n != 1, &other, 1, "float", OP_MIN));
  }
  op_printf("low");
  for (double v : low)
    op_printf(" %016llx", bitsOf(v));
  op_printf("\nhigh");
  for (double v : high)
    op_printf(" %016llx", bitsOf(v));
  op_printf("\nfloat %08x %08x\n", bitsOf(least), bitsOf(other));
  op_printf("columns %016llx %016llx\n", bitsOf(lowest), bitsOf(highest));

  bool some[4] = {false, false, true, false}, every[3] = {true, true, false};
  for (int n = 0; n < 2; ++n)
    op_par_loop(logical, "logical", cellSet,
                op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(r, 2, pcorner, 1, "double", OP_INC),
                op_arg_gbl(some, 4, "bool", OP_MAX),
                op_arg_gbl(every, 3, "bool", OP_MIN));
  op_printf("logical %d%d%d%d %d%d%d\n", some[0], some[1], some[2], some[3],
            every[0], every[1], every[2]);

  int ones[4] = {0, 0, 5, 0}, whole[3] = {1, 1, -3};
  op_par_loop(flags, "flags", cellSet,
              op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(r, 2, pcorner, 1, "double", OP_INC),
              op_arg_gbl(ones, 4, "int", OP_MAX),
              op_arg_gbl(whole, 3, "int", OP_MIN));
  unsigned greatest = 3, smallest = 4;
  unsigned char byte = 7;
  short small = 9;
  long long wide = 9000000000;
  op_par_loop(widths, "widths", cellSet,
              op_arg_dat(pnumber, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(r, 3, pcorner, 1, "double", OP_INC),
              op_arg_gbl(&greatest, 1, "uint", OP_MAX),
              op_arg_gbl(&smallest, 1, "uint", OP_MIN),
              op_arg_gbl(&byte, 1, "uchar", OP_MAX),
              op_arg_gbl(&small, 1, "short", OP_MIN),
              op_arg_gbl(&wide, 1, "ll", OP_MAX));
  op_printf("flags");
  for (int v : ones)
    op_printf(" %d", v);
  for (int v : whole)
    op_printf(" %d", v);
  op_printf(" : %u %u %d %d %lld\n", greatest, smallest, byte, small, wide);

  // What the global has before is not an element's.
  double old[2] = {-0.0, nan};
  op_par_loop(before, "before", cellSet,
              op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&old[0], 1, "double", OP_MIN),
              op_arg_gbl(&old[1], 1, "double", OP_MIN));
  op_printf("before %016llx %016llx\n", bitsOf(old[0]), bitsOf(old[1]));
  // However the program rounds.
  double ownZero[2] = {1, -0.0};
  std::fesetround(FE_DOWNWARD);
  op_par_loop(before, "downward", cellSet,
              op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&ownZero[0], 1, "double", OP_MIN),
              op_arg_gbl(&ownZero[1], 1, "double", OP_MIN));
  std::fesetround(FE_TONEAREST);
  op_printf("downward %016llx %016llx\n", bitsOf(ownZero[0]), bitsOf(ownZero[1]));
  double const most = std::numeric_limits<double>::infinity();
  double nothing[2] = {most, -most};
  op_par_loop(none, "none", cellSet,
              op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
              op_arg_gbl(&nothing[0], 1, "double", OP_MIN),
              op_arg_gbl(&nothing[1], 1, "double", OP_MAX));
  op_printf("none %016llx %016llx\n", bitsOf(nothing[0]), bitsOf(nothing[1]));

  double first = 0.05, all[kMany] = {};
  int place = -1;
  op_par_loop(where, "where", cellSet,
              op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(pnumber, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(counts, 0, pcorner, 1, "double", OP_INC),
              op_arg_gbl(&first, 1, "double", OP_MIN),
              op_arg_info(&place, 1, "int", 3));
  op_par_loop(many, "many", cellSet,
              op_arg_dat(pw, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(pwhich, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(counts, 3, pcorner, 1, "double", OP_INC),
              op_arg_gbl(all, kMany, "double", OP_MAX));
  op_printf("many %d %g %g\n", place >= 0 && w[std::size_t(place)] == 0 && first == 0, all[4], all[5]);
  print("rows r", r);
  print("rows levels", levels);
  print("counts", counts);
  op_exit();
}
