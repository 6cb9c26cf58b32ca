// Loops whose elements one by one take less time than as vectors; and their
// likes that take more.
//
// REQUIRES: no-sanitizer
// RUN: %op2cxx -O3 -march=x86-64-v4 --op2-report --op2-target=openmp -c %s -o %t.o 2>&1 | FileCheck %s
//
// Rows that few elements need, and little arithmetic:
// CHECK-DAG: loop 'yields': not vectorized: rows that are used on one side of a branch only would be moved for all elements
// CHECK-DAG: loop 'is wet': not vectorized: rows that are used on one side of a branch only would be moved for all elements
// or much; or short ones.
// CHECK-DAG: loop 'returns': vectorized across 8 elements
// CHECK-DAG: loop 'is short': vectorized across 8 elements
// A row is used on both sides.
// CHECK-DAG: loop 'both': vectorized across 8 elements
// How often a loop runs is no such branch.
// CHECK-DAG: loop 'loops': vectorized across 8 elements
// Each step of a search waits for what the one before has found.
// CHECK-DAG: loop 'searches': not vectorized: what lanes read, store or divide one by one would take longer than vectors save
// CHECK-DAG: loop 'searches, and more': vectorized across 8 elements
// But all that go on look at the same place.
// CHECK-DAG: loop 'walks': vectorized across 8 elements
// What is copied lies as it shall.
// CHECK-DAG: loop 'copies': not vectorized: components of its rows are computed alike, several at a time
#include "op_seq.h"

#include <cmath>

static double const kTable[8] = {0, 1, 2, 3, 4, 5, 6, 1e300};
static double heavy(double x) {
  for (int k = 0; k < 20; ++k)
    x = x * x / (1 + x) + 0.1 / (2 + std::sqrt(x));
  return x;
}

static void yields(const double *e, double *s, double *c) {
  double n = 0;
  for (int i = 0; i < 6; ++i)
    n += e[i] * s[i];
  if (n > 1) {
    double f = 1 / std::sqrt(n);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        c[i * 6 + j] = 2.0 * (i == j) - f * s[i] * s[j];
  }
}
static void isWet(const int *wet, const double *q, double *r) {
  if (!*wet)
    return;
  for (int i = 0; i < 24; ++i)
    r[i] += q[i / 2];
}
static void returns(const double *e, double *s, double *c) {
  double n = e[0] * s[0] + e[1] * s[1];
  if (n > 1)
    for (int i = 0; i < 8; ++i)
      c[i] += heavy(n * c[i]);
}
static void isShort(const double *e, double *s) {
  double x = e[0] * 3 + e[1] / 5 + e[2] * e[3];
  if (x > 1)
    s[0] = std::sqrt(x);
}
static void both(const int *wall, const double *q, double *r) {
  if (*wall)
    for (int i = 0; i < 6; ++i)
      r[i] += q[i] * i / (1 + q[0]);
  else
    for (int i = 0; i < 6; ++i)
      r[i] -= q[5 - i] * i / (2 + q[0]);
}
static void loops(const int *count, const double *q, double *r) {
  double x = q[0];
  for (int i = 0; i < *count; ++i) {
    x = x / (1 + x * x);
    r[0] += x * q[1] + q[2] * r[1];
  }
}
static int bisect(double x) {
  int low = 0, high = 8;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (kTable[middle] <= x ? low : high) = middle;
  }
  return low;
}
static void searches(const double *x, double *place) { *place = bisect(*x); }
static void searchesMore(const double *x, double *place) {
  *place = heavy(bisect(heavy(*x)) + *x);
}
static void walks(const double *x, double *place) {
  int at = 0;
  while (kTable[at] < *x)
    ++at;
  *place = at;
}
static void copies(const double *q, double *r) {
  for (int i = 0; i < 16; ++i)
    r[i] = q[i];
}

void run(op_set cells, op_set nodes, op_map to, op_dat flag, op_dat x, op_dat x6,
         op_dat s6, op_dat c36, op_dat q12, op_dat r24, op_dat c8, op_dat q16,
         op_dat r16) {
#define ROW(dat, dim, type, access) op_arg_dat(dat, -1, OP_ID, dim, type, access)
  op_par_loop(yields, "yields", cells, ROW(x6, 6, "double", OP_READ),
              ROW(s6, 6, "double", OP_READ), ROW(c36, 36, "double", OP_RW));
  op_par_loop(isWet, "is wet", cells, ROW(flag, 1, "int", OP_READ),
              ROW(q12, 12, "double", OP_READ), ROW(r24, 24, "double", OP_RW));
  op_par_loop(returns, "returns", cells, ROW(x6, 6, "double", OP_READ),
              ROW(s6, 6, "double", OP_READ), ROW(c8, 8, "double", OP_RW));
  op_par_loop(isShort, "is short", cells, ROW(x6, 6, "double", OP_READ),
              ROW(x, 1, "double", OP_RW));
  op_par_loop(both, "both", cells, ROW(flag, 1, "int", OP_READ),
              ROW(x6, 6, "double", OP_READ), ROW(s6, 6, "double", OP_RW));
  op_par_loop(loops, "loops", cells, ROW(flag, 1, "int", OP_READ),
              ROW(x6, 6, "double", OP_READ), ROW(s6, 6, "double", OP_RW));
  op_par_loop(searches, "searches", cells, ROW(x, 1, "double", OP_READ),
              ROW(c8, 1, "double", OP_WRITE));
  op_par_loop(searchesMore, "searches, and more", cells,
              ROW(x, 1, "double", OP_READ), ROW(c8, 1, "double", OP_WRITE));
  op_par_loop(walks, "walks", cells, ROW(x, 1, "double", OP_READ),
              ROW(c8, 1, "double", OP_WRITE));
  op_par_loop(copies, "copies", cells, ROW(q16, 16, "double", OP_READ),
              op_arg_dat(r16, 0, to, 16, "double", OP_WRITE));
}
