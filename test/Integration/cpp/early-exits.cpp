// Loops that elements leave at different steps: what counts the steps is one number
// for all that go on, and what is left of it behind the loop each element's own.
// The same bits as in sequence, in vectors.
//
// RUN: %clangxx -O1 -std=c++17 -Wall -Wextra -Werror -ffp-contract=off %op2api -I%S/../ranks/Inputs %s %op2lib -o %t.dev && %t.dev > %t.expected
// RUN: %op2cxx -O3 -march=x86-64-v3 -ffp-contract=off -Werror=op2-sequential --op2-report --op2-target=seq,openmp -I%S/../ranks/Inputs %s -o %t 2> %t.report
// RUN: %if no-undefined-sanitizer %{ FileCheck %s < %t.report %}
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=1 %t | diff %t.expected -
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK=1 %t | diff %t.expected -
// RUN: %op2cxx -O3 -march=native -ffp-contract=off -I%S/../ranks/Inputs %s -o %t.native && %t.native | diff %t.expected -
//
// CHECK-DAG: loop 'solve': vectorized
// CHECK-DAG: loop 'factor': vectorized
// CHECK-DAG: loop 'search': vectorized
// CHECK-DAG: loop 'ragged': vectorized
// CHECK-DAG: loop 'nested': vectorized
// CHECK-DAG: loop 'backwards': vectorized
// CHECK-DAG: loop 'digits': vectorized
// CHECK-DAG: loop 'guarded': vectorized
// CHECK-DAG: loop 'carried': vectorized

#include "bits.h"
#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

// An elimination that ends where a pivot is small; it says where.
static void solve(const double *s, double *x) {
  constexpr int n = 5;
  double a[n][n + 1];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= n; ++j)
      a[i][j] = s[(i + j) % 4] - (i == j ? 2.0 * i : 0.5 * j);
  for (int k = 0; k < n; ++k) {
    if (std::fabs(a[k][k]) < 0.25) {
      x[0] = k;
      x[1] = a[k][k];
      return;
    }
    for (int i = k + 1; i < n; ++i) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j <= n; ++j)
        a[i][j] -= f * a[k][j];
    }
  }
  x[0] = a[n - 1][n];
  x[1] = -1;
}

// Both loops end early, the outer one also by a flag.
static bool cholesky(double (&a)[4][4], int *at) {
  for (int j = 0; j < 4; ++j) {
    double d = a[j][j];
    for (int k = 0; k < j; ++k)
      d -= a[j][k] * a[j][k];
    *at = j;
    if (d <= 0)
      return false;
    a[j][j] = std::sqrt(d);
    for (int i = j + 1; i < 4; ++i) {
      double t = a[i][j];
      for (int k = 0; k < j; ++k)
        t -= a[i][k] * a[j][k];
      a[i][j] = t / a[j][j];
    }
  }
  return true;
}
static void factor(const double *s, double *x) {
  double a[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      a[i][j] = i == j ? 3 + s[i] : s[(i * j) % 4];
  int at = -1;
  x[0] = cholesky(a, &at) ? a[3][3] : -1;
  x[1] = at;
}

// What is read ends where the last element does.
static const double table[] = {-1.5, -0.75, 0, 0.125, 0.5, 1.25, 2, 2.5};
static void search(const double *s, double *x) {
  int i = 0;
  while (i < 8 && table[i] < s[0])
    ++i;
  x[0] = i;
  int j = 7;
  for (; j >= 0; --j)
    if (table[j] < s[1])
      break;
  x[1] = j + 10 * (i > j);
}

// As many steps as each element says; not one for some.
static void ragged(const double *s, const int *n, double *x) {
  double a[9], sum = 0;
  for (int i = 0; i < 9; ++i)
    a[i] = s[i % 4] * i;
  int last = -7;
  for (int i = 0; i < *n; ++i) {
    a[i] += a[(i + 1) % 9];
    sum += a[i] * table[i % 8];
    last = i;
  }
  for (int i = *n; i < 9; i += 2)
    sum -= a[i];
  x[0] = sum;
  x[1] = last;
}

// Loops in loops and branches that not all take; `steps` counts over all of them.
static void nested(const double *s, const int *n, double *x) {
  double a[6] = {s[0], s[1], s[2], s[3], 1, 2};
  int steps = 0;
  for (int i = 0; i < 6; ++i) {
    if (s[i % 4] < 0)
      continue;
    for (int j = 0; j < i; ++j) {
      if (a[j] > 4)
        break;
      a[j] = a[j] * 2 + i;
      if (*n % 3 == 0)
        for (int k = j; k < *n; k += 2)
          a[k % 6] += 0.25;
      ++steps;
    }
    if (a[i] > 9)
      goto done;
  }
  steps += 100;
done:
  x[0] = a[0] + 2 * a[1] + 4 * a[2] + 8 * a[3] + 16 * a[4] + 32 * a[5];
  x[1] = steps;
}

static void backwards(const double *s, const int *n, double *x) {
  double a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = s[i % 4] + i;
  int i = 7;
  do {
    a[i] = a[i] * 0.5 + a[(i + 3) % 8];
    if (a[i] < s[0] || i == *n)
      break;
  } while (--i > 0);
  x[0] = a[0] + a[7] - 2 * a[3];
  x[1] = i;
}

// The step is uniform, the end is not; a counter that divides.
static void digits(const int *n, double *x) {
  int value = *n * 37 + 5, base = 10, count = 0, sum = 0;
  for (int d = 1; value > 0; ++d) {
    sum += value % base * d;
    sum += 60 / d;
    value /= base;
    ++count;
  }
  x[0] = sum;
  x[1] = count;
}

// An element that does not get there would read behind the table's end.
static void guarded(const double *s, const int *n, const int *wide, double *x) {
  double found = 0;
  int where = 1000000 * *wide;
  if (s[0] > 100) {
    for (int i = 0; i < *n; ++i) {
      if (table[where + i] > s[1])
        break;
      found += table[where + i];
    }
  }
  x[0] = found;
  x[1] = where;
}

// Carried besides the counter: a value of the program, one that changes alike, one
// of the element, each used behind the loop.
static void carried(const double *s, const int *n, const double *g, double *x) {
  double alike = *g, own = s[0];
  int power = 1, before = -1;
  for (int i = 0; i < *n; ++i) {
    before = power;
    power *= 2;
    alike = alike * 0.5 + i;
    own = own * alike + s[i % 4];
    if (own > 50)
      break;
  }
  x[0] = alike + own;
  x[1] = power - 3 * before;
}

// A counter that one loop leaves and another one takes on.
static void twice(const double *s, const int *n, double *x) {
  double a[10];
  for (int i = 0; i < 10; ++i)
    a[i] = s[i % 4] - 0.5 * i;
  int i = 0;
  for (; i < *n; ++i)
    if (std::sqrt(a[i] * a[i] + 1) / (2 + i) > 1.5)
      break;
  int middle = i;
  double low = 0, high = a[1];
  for (; i < 10; ++i) {
    s[i % 4] > 0 ? low += i * 0.5 : high -= i;
    if (low * high < -60)
      break;
  }
  x[0] = a[0] + a[9] * low + high;
  x[1] = 16 * middle + i;
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 1003;
  std::vector<double> s(4 * size), x(2 * size);
  std::vector<int> n(size);
  unsigned r = 7;
  auto next = [&] { return (r = r * 1664525u + 1013904223u) >> 8; };
  for (double &v : s)
    v = double(next() % 4096) / 512 - 3;
  for (int &v : n)
    v = next() % 9;
  op_set cells = op_decl_set(size, "cells");
  op_dat S = op_decl_dat(cells, 4, "double", s.data(), "s");
  op_dat N = op_decl_dat(cells, 1, "int", n.data(), "n");
  op_dat X = op_decl_dat(cells, 2, "double", x.data(), "x");
  int wide = 3;
  double g = 0.75;
#define IN op_arg_dat(S, -1, OP_ID, 4, "double", OP_READ)
#define COUNT op_arg_dat(N, -1, OP_ID, 1, "int", OP_READ)
#define OUT op_arg_dat(X, -1, OP_ID, 2, "double", OP_WRITE)
  op_par_loop(solve, "solve", cells, IN, OUT);
  print("solve", X);
  op_par_loop(factor, "factor", cells, IN, OUT);
  print("factor", X);
  op_par_loop(search, "search", cells, IN, OUT);
  print("search", X);
  op_par_loop(ragged, "ragged", cells, IN, COUNT, OUT);
  print("ragged", X);
  op_par_loop(nested, "nested", cells, IN, COUNT, OUT);
  print("nested", X);
  op_par_loop(backwards, "backwards", cells, IN, COUNT, OUT);
  print("backwards", X);
  op_par_loop(digits, "digits", cells, COUNT, OUT);
  print("digits", X);
  op_par_loop(guarded, "guarded", cells, IN, COUNT, op_arg_gbl(&wide, 1, "int", OP_READ), OUT);
  print("guarded", X);
  op_par_loop(carried, "carried", cells, IN, COUNT, op_arg_gbl(&g, 1, "double", OP_READ), OUT);
  print("carried", X);
  op_par_loop(twice, "twice", cells, IN, COUNT, OUT);
  print("twice", X);
  op_exit();
}
