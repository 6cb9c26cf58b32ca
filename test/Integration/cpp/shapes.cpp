// Meshes of unusual shape: empty sets, one element, a map of a set to itself, a
// map of high arity whole and by slots, dats of hundreds of components, forty
// arguments.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=9 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=atomics --op2-target=emulator %s -o %t.atomics && %t.atomics > %t.out && diff %t.dev.out %t.out
//
// CHECK: empty set 5 rows 0
// CHECK-NEXT: one element 3 6
// CHECK-NEXT: self 4950 self inc 14850
// CHECK-NEXT: arity 24 rows 2400 57600 slots 100 100
// CHECK-NEXT: components 300 45150 indirect 90300 per slot 301
// CHECK-NEXT: forty arguments 78000

#include "op_seq.h"

#include <cstdio>
#include <vector>

static const int kArity = 24, kWide = 300, n = 100;

static void toZero(const double *a, const double *b, double *c, double *sum) {
  *c += *a + *b;
  *sum += 1;
}
static void smooth(const double *here, const double *there, double *out) {
  *out = *here / 2 + *there / 2;
}
static void pass(const double *x, double *self, double *next) {
  *self += *x;
  *next += 2 * *x;
}
static void rows(const double **x, double **y, double *sum) {
  for (int i = 0; i < kArity; ++i) {
    *sum += x[i][0];
    y[i][0] += kArity;
  }
}
static void slots(const double *first, const double *last, double *least,
                  double *most) {
  *least += *first;
  *most += *last;
}
static void wide(const double *x, double *y) {
  for (int i = 0; i < kWide; ++i)
    y[i] = x[i] + i;
}
static void wideEdge(const double *x, double *a, double *b) {
  for (int i = 0; i < kWide; ++i) {
    a[i] += x[i];
    b[i] += x[i];
  }
}
#define P4(a) const double *a##0, const double *a##1, const double *a##2, const double *a##3
#define S4(a) *a##0 + *a##1 + *a##2 + *a##3
static void forty(P4(a), P4(b), P4(c), P4(d), P4(e), P4(f), P4(g), P4(h), P4(i),
                  const double *j, const int *k, double *out, double *sum) {
  *out = S4(a) + S4(b) + S4(c) + S4(d) + S4(e) + S4(f) + S4(g) + S4(h) + S4(i) +
         *j + *k * 0;
  *sum += *out;
}

static std::vector<double> fetch(op_dat dat) {
  std::vector<double> values(size_t(dat->set->size) * size_t(dat->dim));
  op_fetch_data(dat, values.data());
  return values;
}
static double total(op_dat dat) {
  double sum = 0;
  for (double value : fetch(dat))
    sum += value;
  return sum;
}
static op_dat zeros(op_set set, int dim, const char *name) {
  return op_decl_dat(set, dim, "double", (double *)NULL, name);
}
static op_dat ones(op_set set, int dim, const char *name, double value = 1) {
  std::vector<double> values(size_t(set->size * dim), value);
  return op_decl_dat(set, dim, "double", values.data(), name);
}

#define AT(dat, slot, map, dim, acc)                                           \
  op_arg_dat(dat, slot, map, dim, "double", acc)
#define DIRECT(dat, dim, acc) op_arg_dat(dat, -1, OP_ID, dim, "double", acc)

static void smallSets() {
  op_set none = op_decl_set(0, "none"), one = op_decl_set(1, "one"),
         five = op_decl_set(5, "five");
  int nothing[1] = {0}, back[2] = {0, 0};
  op_map toFive = op_decl_map(none, five, 2, nothing, "toFive"),
         toSelf = op_decl_map(one, one, 2, back, "toSelf");
  op_dat a = ones(five, 1, "a"), e = zeros(none, 1, "e"),
         x = ones(one, 1, "x", 3), y = zeros(one, 1, "y");
  double sum = 0;
  op_par_loop(toZero, "empty", none, AT(a, 0, toFive, 1, OP_READ),
              DIRECT(e, 1, OP_READ), AT(a, 1, toFive, 1, OP_INC),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("empty set %g rows %g\n", total(a), sum);
  sum = 2;
  op_par_loop(toZero, "one", one, AT(x, 0, toSelf, 1, OP_READ),
              DIRECT(x, 1, OP_READ), AT(y, 1, toSelf, 1, OP_INC),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("one element %g %g\n", sum, total(y));
}

static void selfMap(op_set cells) {
  std::vector<int> table;
  for (int i = 0; i < n; ++i)
    table.push_back((i + 1) % n);
  op_map next = op_decl_map(cells, cells, 1, table.data(), "next");
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i)
    numbers.push_back(i);
  op_dat x = op_decl_dat(cells, 1, "double", numbers.data(), "x"),
         y = zeros(cells, 1, "y"), z = zeros(cells, 1, "z");
  op_par_loop(smooth, "smooth", cells, DIRECT(x, 1, OP_READ),
              AT(x, 0, next, 1, OP_READ), DIRECT(y, 1, OP_WRITE));
  // One dat through the map and directly, both incremented.
  op_par_loop(pass, "pass", cells, DIRECT(x, 1, OP_READ),
              DIRECT(z, 1, OP_INC), AT(z, 0, next, 1, OP_INC));
  std::printf("self %g self inc %g\n", total(y), total(z));
}

static void highArity(op_set cells, op_set nodes) {
  std::vector<int> table;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < kArity; ++c)
      table.push_back((i * 7 + c) % (2 * n));
  op_map map = op_decl_map(cells, nodes, kArity, table.data(), "map");
  op_dat x = ones(nodes, 1, "x"), y = zeros(nodes, 1, "y");
  double sum = 0;
  op_par_loop(rows, "rows", cells, AT(x, -kArity, map, 1, OP_READ),
              AT(y, -kArity, map, 1, OP_INC),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  op_dat a = zeros(cells, 1, "a"), b = zeros(cells, 1, "b");
  op_par_loop(slots, "slots", cells, AT(x, 0, map, 1, OP_READ),
              AT(x, kArity - 1, map, 1, OP_READ), DIRECT(a, 1, OP_INC),
              DIRECT(b, 1, OP_INC));
  std::printf("arity %d rows %g %g slots %g %g\n", kArity, sum, total(y),
              total(a), total(b));
}

static void wideDats(op_set few, op_set nodes) {
  std::vector<int> table;
  for (int i = 0; i < few->size; ++i) {
    table.push_back(i);
    table.push_back((i * 3) % 7);
  }
  op_map map = op_decl_map(few, nodes, 2, table.data(), "pair");
  op_dat x = ones(few, kWide, "wx"), y = zeros(few, kWide, "wy"),
         z = zeros(nodes, kWide, "wz");
  op_par_loop(wide, "wide", few, DIRECT(x, kWide, OP_READ),
              DIRECT(y, kWide, OP_WRITE));
  op_par_loop(wideEdge, "wideEdge", few, DIRECT(y, kWide, OP_READ),
              AT(z, 0, map, kWide, OP_INC), AT(z, 1, map, kWide, OP_INC));
  std::vector<double> first = fetch(y);
  std::printf("components %d %g indirect %g per slot %g\n", kWide,
              total(y) / few->size, total(z) / few->size,
              first[0] + first[kWide - 1]);
}

#define X4                                                                     \
  DIRECT(x, 1, OP_READ), DIRECT(x, 1, OP_READ), DIRECT(x, 1, OP_READ),         \
      DIRECT(x, 1, OP_READ)

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set cells = op_decl_set(n, "cells"), nodes = op_decl_set(2 * n, "nodes"),
         few = op_decl_set(20, "few");
  smallSets();
  selfMap(cells);
  highArity(cells, nodes);
  wideDats(few, nodes);
  op_dat x = ones(cells, 1, "x40", 20), y = zeros(cells, 1, "y40");
  double sum = 4000;
  op_par_loop(forty, "forty", cells, X4, X4, X4, X4, X4, X4, X4, X4, X4,
              DIRECT(x, 1, OP_READ), op_arg_idx(-1, OP_ID),
              DIRECT(y, 1, OP_WRITE), op_arg_gbl(&sum, 1, "double", OP_INC));
  std::printf("forty arguments %g\n", sum);
  op_exit();
}
