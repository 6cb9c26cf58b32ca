// Places in rows and local arrays that are computed, which lanes choose in
// registers where they are few; branches that are skipped where no element of a
// vector goes there; minima and maxima of rows; wide floats. The bits are those
// of the header's loops.
//
// RUN: %clangxx -O0 -std=c++17 -ffp-contract=off %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O2 -std=c++17 -ffp-contract=off --op2-report --op2-target=openmp,seq --op2-vector-bits=512 %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OMP_NUM_THREADS=2 %t > %t.out && diff %t.expected %t.out
// RUN: env OMP_NUM_THREADS=3 OP2_OWNER=always OP2_CHAIN=always OP2_TILE_SIZE=16 %t > %t.out && diff %t.expected %t.out
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.expected %t.out
// RUN: %op2cxx %unoptimized -O1 -std=c++17 -ffp-contract=off --op2-vector-bits=256 %s -o %t
// RUN: env OMP_NUM_THREADS=3 %t > %t.out && diff %t.expected %t.out
// RUN: %op2cxx %unoptimized -O3 -std=c++17 -ffp-contract=off --op2-vector-bits=0 %s -o %t
// RUN: env OMP_NUM_THREADS=3 %t > %t.out && diff %t.expected %t.out
// Devices have no long double.
// RUN: %clangxx -O0 -std=c++17 -ffp-contract=off -DNARROW %op2api %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %emulate %t.expected %s -- %op2cxx -ffp-contract=off -DNARROW
//
// CHECK-DAG: loop 'scatter': vectorized across 8 elements
// CHECK-DAG: loop 'sides': vectorized across 8 elements
// CHECK-DAG: loop 'permute': vectorized across 8 elements
// CHECK-DAG: loop 'sorted': vectorized across 8 elements
// CHECK-DAG: loop 'rare': vectorized across 8 elements
// CHECK-DAG: loop 'early': vectorized across 8 elements
// CHECK-DAG: loop 'marks': vectorized across 8 elements
// CHECK-DAG: loop 'few': vectorized across 8 elements
// CHECK-DAG: loop 'limits': not vectorized: minima and maxima that lanes keep one by one would take longer than vectors save
// CHECK-DAG: loop 'longRow': not vectorized: what lanes read, store or divide one by one would take longer than vectors save
// CHECK-DAG: loop 'gcd': not vectorized: what lanes read, store or divide one by one would take longer than vectors save
// CHECK-DAG: loop 'wide': not vectorized

#include "op_seq.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static void scatter(const double *q, const int *i, double *a, double *b) {
  a[*i % 4] += *q;
  b[*i % 4] -= *q;
  b[(*i + 1) % 4] += 0.5 * *q;
}
// One of two places of a row of ten.
static void sides(const bool *back, const double *const *u, double **flux) {
  for (int i = 0; i < 10; ++i) {
    double value = u[0][i] - (*back ? u[1][9 - i] : u[1][i]);
    flux[0][i] += value;
    flux[1][*back ? 9 - i : i] -= value;
  }
}
static void permute(const double *q, const int *i, double *r) {
  for (int k = 0; k < 4; ++k)
    r[(k + *i) % 4] = q[(k * *i) % 4] + k;
  if (q[0] > 0.5)
    r[*i % 3] += 1;
}
static void sorted(const double *q, double *r) {
  double least[4] = {q[0], q[1], q[2], q[3]};
  int first = 0;
  for (int k = 1; k < 4; ++k)
    if (least[k] < least[first])
      first = k;
  double kept = least[0];
  least[0] = least[first];
  least[first] = kept;
  for (int k = 0; k < 4; ++k)
    r[k] = least[k] / (1 + k);
}
// Each of the indices may be any of four numbers, in more ways than can be gone
// through one by one.
static void network(const double *q, double *r) {
  int a = 0, b = 1, c = 2, d = 3;
#define EXCHANGE(x, y, k)                                                                          \
  {                                                                                                \
    bool isLess = q[0] * k < q[1] + q[2];                                                          \
    int other = isLess ? y : x;                                                                    \
    y = isLess ? x : y;                                                                            \
    x = other;                                                                                     \
  }
#define ROUND(k) EXCHANGE(a, b, k) EXCHANGE(c, d, 2 * k) EXCHANGE(a, c, 3 * k) EXCHANGE(b, d, 4 * k)
#define ROUNDS(k) ROUND(k) ROUND(k + 1) ROUND(k + 2) ROUND(k + 3) ROUND(k + 4)
  ROUNDS(1) ROUNDS(6) ROUNDS(11) ROUNDS(16)
  r[a] = q[0];
  r[b] += q[1];
  r[c] = r[a] * q[2];
  r[d] -= q[3];
}
static void rare(const double *q, double *r) {
  double s = q[0], t = q[1];
  if (s > 0.9) {
    for (int k = 0; k < 40; ++k)
      s = s * 0.5 + 1 / (s + 1 + k);
    t = s / (1 + t);
  } else if (t > 2) { // never
    for (int k = 0; k < 40; ++k)
      t = std::sqrt(t + s) / (k + 1);
  }
  r[0] = s;
  r[1] = t;
  r[2] = q[2] > 0.8 ? q[0] / q[1] / (1 + q[2]) / (2 + q[3]) / (3 + q[2]) / (4 + q[3]) / (5 + q[1]) : q[3];
}
// What a side that may be skipped leaves: a number without a sign, a truth value.
static void marks(const double *q, const unsigned *u, unsigned *mark, double *r) {
  unsigned value = u[0];
  bool isRare = false;
  double s = q[0];
  if (s > 0.9) {
    for (int k = 0; k < 40; ++k)
      s = s * 0.5 + 1 / (s + 1 + k);
    value = u[0] * 3 + (s > 0.5);
    isRare = s > 0.25;
  }
  *mark = value + isRare;
  r[0] = isRare ? s : r[1];
}
static void early(const double *q, double *r, double *sum) {
  r[0] = 7;
  if (q[0] < 0.75)
    return;
  double s = q[0];
  for (int k = 0; k < 30; ++k)
    s = s * 0.5 + 1 / (s + 1 + k);
  r[0] = s;
  r[3] += s;
  *sum += s;
}
static void limits(const double *q, double *least, double *most) {
  *least = std::min(*least, q[1]);
  *most = std::max(*most, q[1]);
}
static void longRow(const double *q, const int *i, double *r) {
  r[*i % 9] = *q;
}
// Of which most stay what they are.
static void few(const double *q, const bool *back, double *r) {
  r[1] = r[0] * 2 + q[0];
  if (q[1] > 0.5)
    r[20] += r[26];
  r[*back ? 13 : 14] = q[2];
}
static void gcd(const int *i, int *n) {
  int a = *i + 6, b = 60;
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  *n = a;
}
static void wide(const double *q, double *r) {
  long double s = 1;
  for (int k = 0; k < 4; ++k)
    s = s * q[k] + 0.1L;
  r[0] = (double)s;
}

template <class T>
static void print(const char *name, op_dat dat, const std::vector<T> &) {
  std::vector<T> values(dat->set->size * dat->dim);
  op_fetch_data(dat, values.data());
  printf("%s", name);
  for (std::size_t n = 0; n < values.size(); n += 3)
    printf(" %.17g", double(values[n]));
  printf("\n");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 203;
  op_set edges = op_decl_set(size, "edges"), nodes = op_decl_set(size, "nodes");
  std::vector<int> ends, number(size), none(size);
  std::vector<double> q(4 * size), ten(10 * size), zeros(10 * size);
  for (int e = 0; e < size; ++e) {
    ends.push_back(e);
    ends.push_back((e * 7 + 3) % size);
    number[e] = e * 2654435761u % 6;
  }
  for (std::size_t n = 0; n < q.size(); ++n)
    q[n] = (n * 2654435761u % 1000) / 1024.; // sums are exact
  for (std::size_t n = 0; n < ten.size(); ++n)
    ten[n] = (n * 40503u % 777) / 1024.;
  std::vector<double> many(27 * size);
  for (std::size_t n = 0; n < many.size(); ++n)
    many[n] = (n * 2246822519u % 999) / 1024.;
  bool backs[size];
  for (int e = 0; e < size; ++e)
    backs[e] = e % 3 == 1;
  op_map map = op_decl_map(edges, nodes, 2, ends.data(), "ends");
  op_dat values = op_decl_dat(edges, 4, "double", q.data(), "values");
  op_dat numbers = op_decl_dat(edges, 1, "int", number.data(), "numbers");
  op_dat found = op_decl_dat(edges, 1, "int", none.data(), "found");
  op_dat back = op_decl_dat(edges, 1, "bool", backs, "back");
  op_dat fours = op_decl_dat(nodes, 4, "double", zeros.data(), "fours");
  op_dat u = op_decl_dat(nodes, 10, "double", ten.data(), "u");
  op_dat flux = op_decl_dat(nodes, 10, "double", zeros.data(), "flux");
  op_dat row = op_decl_dat(edges, 4, "double", zeros.data(), "row");
  op_dat nine = op_decl_dat(edges, 9, "double", zeros.data(), "nine");
  op_dat least = op_decl_dat(nodes, 1, "double", ten.data(), "least");
  op_dat most = op_decl_dat(nodes, 1, "double", zeros.data(), "most");
  double sum = 0;
#define Q op_arg_dat(values, -1, OP_ID, 4, "double", OP_READ)
#define NUMBER op_arg_dat(numbers, -1, OP_ID, 1, "int", OP_READ)
#define ROW(access) op_arg_dat(row, -1, OP_ID, 4, "double", access)
  op_par_loop(scatter, "scatter", edges, Q, NUMBER,
              op_arg_dat(fours, 0, map, 4, "double", OP_INC),
              op_arg_dat(fours, 1, map, 4, "double", OP_INC));
  print("scatter", fours, q);
  op_par_loop(sides, "sides", edges,
              op_arg_dat(back, -1, OP_ID, 1, "bool", OP_READ),
              op_arg_dat(u, -2, map, 10, "double", OP_READ),
              op_arg_dat(flux, -2, map, 10, "double", OP_INC));
  print("sides", flux, q);
  op_par_loop(permute, "permute", edges, Q, NUMBER, ROW(OP_RW));
  print("permute", row, q);
  op_par_loop(sorted, "sorted", edges, Q, ROW(OP_WRITE));
  print("sorted", row, q);
  op_par_loop(network, "network", edges, Q, ROW(OP_RW));
  print("network", row, q);
  op_par_loop(rare, "rare", edges, Q, ROW(OP_RW));
  print("rare", row, q);
  std::vector<unsigned> plainNumbers(number.begin(), number.end()), marked(size);
  op_dat plain = op_decl_dat(edges, 1, "uint", plainNumbers.data(), "plain");
  op_dat mark = op_decl_dat(edges, 1, "uint", marked.data(), "mark");
  op_par_loop(marks, "marks", edges, Q,
              op_arg_dat(plain, -1, OP_ID, 1, "uint", OP_READ),
              op_arg_dat(mark, -1, OP_ID, 1, "uint", OP_WRITE), ROW(OP_RW));
  print("marks", mark, marked);
  print("of", row, q);
  op_par_loop(early, "early", edges, Q, ROW(OP_RW),
              op_arg_gbl(&sum, 1, "double", OP_INC));
  print("early", row, q);
  printf("sum %.17g\n", sum);
  op_par_loop(limits, "limits", edges, Q,
              op_arg_dat(least, 1, map, 1, "double", OP_MIN),
              op_arg_dat(most, 0, map, 1, "double", OP_MAX));
  print("least", least, q);
  print("most", most, q);
  op_par_loop(longRow, "longRow", edges, Q, NUMBER,
              op_arg_dat(nine, -1, OP_ID, 9, "double", OP_RW));
  print("longRow", nine, q);
  op_dat rows = op_decl_dat(edges, 27, "double", many.data(), "rows");
  op_par_loop(few, "few", edges, Q,
              op_arg_dat(back, -1, OP_ID, 1, "bool", OP_READ),
              op_arg_dat(rows, -1, OP_ID, 27, "double", OP_RW));
  print("few", rows, q);
  op_par_loop(gcd, "gcd", edges, NUMBER,
              op_arg_dat(found, -1, OP_ID, 1, "int", OP_WRITE));
  print("gcd", found, none);
#ifndef NARROW
  op_par_loop(wide, "wide", edges, Q, ROW(OP_RW));
  print("wide", row, q);
#endif
  // Rows that are changed in their places, by the kernel of the first loop.
  op_par_loop(scatter, "in place", edges, Q, NUMBER, ROW(OP_RW), ROW(OP_RW));
  print("in place", row, q);
  op_exit();
}
