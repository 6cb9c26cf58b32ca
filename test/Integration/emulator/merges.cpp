// Reductions by functions of the program on a device: elements keep their order
// under every strategy, whatever the blocks, and threads that come in any order.
// The products do not commute, so that another order is another number.
//
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_STRICT=1 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=5 OP2_CHECK_PLAN=1 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator OP2_CHECK=1 %t | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-strategy=atomics --op2-block-size=40 --op2-target=emulator %s -o %t.atomics
// RUN: env OP2_TARGET=emulator %t.atomics | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-strategy=global --op2-layout=soa --op2-target=emulator %s -o %t.global
// RUN: env OP2_TARGET=emulator %t.global | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-strategy=owner --op2-no-raise --op2-target=emulator %s -o %t.owner
// RUN: env OP2_TARGET=emulator %t.owner | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-block-size=1 --op2-target=emulator %s -o %t.single
// RUN: env OP2_TARGET=emulator %t.single | diff %t.expected -
// RUN: %op2cxx %unoptimized -O1 -I%S/Inputs/segments -Werror=op2-sequential \
// RUN:   --op2-block-size=65536 --op2-target=emulator %s -o %t.whole
// RUN: env OP2_TARGET=emulator %t.whole | diff %t.expected -
//
// CHECK: direct: [[#]] [[#]]
// CHECK-NEXT: through a map: [[#]] [[#]]
// CHECK-NEXT: with increments: [[#]] [[#]], 30000
// CHECK-NEXT: with maxima: [[#]] [[#]], 9999
// CHECK-NEXT: with others: [[#]] [[#]], sum 49985000.5, least 1 at 2973, last 10000
// CHECK-NEXT: segment: 20000 from 0 to 9963, widest 9963
// CHECK-NEXT: some: [[#]] [[#]]
// CHECK-NEXT: none: 7 9
// CHECK-NEXT: by what is late: [[#]] [[#]]
#define OP_USER_DATATYPES
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kCells = 10000, kEdges = 15000;

// A word w has the hash h(w) and the factor 31^|w|, modulo 2^32: the hash of vw
// is h(v) 31^|w| + h(w).
static void append(unsigned *into, const unsigned *from) {
  into[0] = into[0] * from[1] + from[0];
  into[1] *= from[1];
}
static const unsigned kNone[2] = {0, 1};
inline void add(unsigned letter, unsigned *word) {
  word[0] = word[0] * 31 + letter + 1;
  word[1] *= 31;
}

inline void set(const int *n, double *x) { *x = *n * 37 % kCells; }
inline void direct(const double *x, unsigned *word) { add(unsigned(*x), word); }
inline void indirect(const double *x, const double *y, unsigned *word) {
  add(unsigned(*x + 3 * *y), word);
}
inline void increments(const int *n, const double *x, int *left, int *right,
                       unsigned *word) {
  *left += 1;
  *right += 1;
  add(unsigned(*n) + unsigned(*x), word);
}
inline void maxima(const int *n, const double *x, double *most, unsigned *word) {
  *most = *x > *most ? *x : *most;
  add(unsigned(*n) * 7, word);
}
inline void others(const int *n, const double *x, double *sum, double *least,
                   int *where, int *last, unsigned *word) {
  *sum += *x;
  if (*x < *least && *x > 0) {
    *least = *x;
    *where = *n;
  }
  if (*n == kCells - 1)
    *last = *n + 1;
  add(unsigned(*x) + 5, word);
}

static void join(segment *into, const segment *from) {
  if (from->count == 0)
    return;
  if (into->count == 0) {
    *into = *from;
    return;
  }
  into->widest = std::fmax(std::fmax(into->widest, from->widest),
                           std::fabs(from->first - into->last));
  into->last = from->last;
  into->count += from->count;
}
inline void visit(const double *x, segment *all) {
  if (all->count == 0)
    all->first = all->last = *x;
  double step = *x - all->last;
  step = step < 0 ? -step : step;
  all->widest = step > all->widest ? step : all->widest;
  all->last = *x;
  all->count += 1;
}

// Looks at a result of the loop before.
static const unsigned *theModulus;
static void appendModulo(unsigned *into, const unsigned *from) {
  into[0] = unsigned((1ull * into[0] * from[1] + from[0]) % *theModulus);
  into[1] = unsigned(1ull * into[1] * from[1] % *theModulus);
}
inline void limit(const int *n, unsigned *modulus) {
  *modulus = unsigned(*n) > *modulus ? unsigned(*n) : *modulus;
}
inline void makeUnit(unsigned *unit) { unit[1] = 1 > unit[1] ? 1 : unit[1]; }
inline void letters(const int *n, unsigned *word) {
  word[0] = unsigned((1ull * word[0] * 31 + *n) % (kCells - 1));
  word[1] = unsigned(1ull * word[1] * 31 % (kCells - 1));
}

static void print(const char *what, const unsigned *word, const char *end = "\n") {
  std::printf("%s: %u %u%s", what, word[0], word[1], end);
}

static void reduceWithOthers(op_set cells, op_dat x) {
  unsigned word[2] = {3, 5};
  double sum = 0.5 - 10000, least = 1e9;
  int where = -1, last = 0;
  op_par_loop(others, "others", cells, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_gbl(&sum, 1, "double", OP_INC), op_arg_gbl(&least, 1, "double", OP_MIN),
              op_arg_info(&where, 1, "int", 3), op_arg_gbl(&last, 1, "int", OP_WRITE),
              op_arg_reduce(word, 2, "uint", append, kNone));
  print("with others", word, ", ");
  std::printf("sum %.1f, least %g at %d, last %d\n", sum, least, where, last);
}

/// Results of the loop before may still be on their way.
static void reduceByLate(op_set cells) {
  unsigned modulus = 1, unit[2] = {0, 0}, word[2] = {1, 1};
  theModulus = &modulus;
  op_par_loop(limit, "limit", cells, op_arg_idx(-1, OP_ID),
              op_arg_gbl(&modulus, 1, "uint", OP_MAX));
  op_par_loop(letters, "letters", cells, op_arg_idx(-1, OP_ID),
              op_arg_reduce(word, 2, "uint", appendModulo, kNone));
  op_par_loop(makeUnit, "make unit", cells, op_arg_gbl(unit, 2, "uint", OP_MAX));
  op_par_loop(letters, "letters", cells, op_arg_idx(-1, OP_ID),
              op_arg_reduce(word, 2, "uint", appendModulo, unit));
  print("by what is late", word);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  std::vector<int> ends(2 * kEdges);
  for (int e = 0; e < kEdges; ++e) {
    ends[2 * e] = e * 7 % kCells;
    ends[2 * e + 1] = int((1ll * e * e + 1) % kCells);
  }
  op_set cells = op_decl_set(kCells, "cells"), edges = op_decl_set(kEdges, "edges");
  op_map pcell = op_decl_map(edges, cells, 2, ends.data(), "pcell");
  op_dat x = op_decl_dat(cells, 1, "double", (double *)nullptr, "x");
  op_dat touched = op_decl_dat(cells, 1, "int", (int *)nullptr, "touched");
  op_dat most = op_decl_dat(cells, 1, "double", (double *)nullptr, "most");

  // The first two could be one loop.
  unsigned word[2] = {0, 1};
  op_par_loop(set, "set", cells, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE));
  op_par_loop(direct, "direct", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(word, 2, "uint", append, kNone));
  print("direct", word);
  op_par_loop(indirect, "indirect", edges, op_arg_dat(x, 0, pcell, 1, "double", OP_READ),
              op_arg_dat(x, 1, pcell, 1, "double", OP_READ),
              op_arg_reduce(word, 2, "uint", append, kNone));
  print("through a map", word);
  op_par_loop(increments, "increments", edges, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, 0, pcell, 1, "double", OP_READ),
              op_arg_dat(touched, 0, pcell, 1, "int", OP_INC),
              op_arg_dat(touched, 1, pcell, 1, "int", OP_INC),
              op_arg_reduce(word, 2, "uint", append, kNone));
  std::vector<int> counts(kCells);
  op_fetch_data(touched, counts.data());
  int sum = 0;
  for (int n : counts)
    sum += n;
  print("with increments", word, "");
  std::printf(", %d\n", sum);
  op_par_loop(maxima, "maxima", edges, op_arg_idx(-1, OP_ID),
              op_arg_dat(x, 0, pcell, 1, "double", OP_READ),
              op_arg_dat(most, 1, pcell, 1, "double", OP_MAX),
              op_arg_reduce(word, 2, "uint", append, kNone));
  std::vector<double> values(kCells);
  op_fetch_data(most, values.data());
  double greatest = 0;
  for (double value : values)
    greatest = std::fmax(greatest, value);
  print("with maxima", word, "");
  std::printf(", %g\n", greatest);
  reduceWithOthers(cells, x);

  segment all = {}, nothing = {};
  for (int round = 0; round < 2; ++round)
    op_par_loop(visit, "visit", cells, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
                op_arg_reduce(&all, 1, "segment", join, &nothing));
  std::printf("segment: %d from %g to %g, widest %g\n", all.count, all.first, all.last,
              all.widest);

  std::vector<int> third;
  for (int n = 1; n < kCells; n += 3)
    third.push_back(n);
  op_subset some = op_decl_subset(cells, int(third.size()), third.data(), "some");
  op_par_loop(direct, "some", some, op_arg_dat(x, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(word, 2, "uint", append, kNone));
  print("some", word);
  op_set none = op_decl_set(0, "none");
  op_dat y = op_decl_dat(none, 1, "double", (double *)nullptr, "y");
  unsigned kept[2] = {7, 9};
  op_par_loop(direct, "none", none, op_arg_dat(y, -1, OP_ID, 1, "double", OP_READ),
              op_arg_reduce(kept, 2, "uint", append, kNone));
  print("none", kept);
  reduceByLate(cells);
  op_exit();
}
