//===- one_by_one.cpp - Loops that do not suit vectors --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// one-by-one: loops whose elements one by one may take less time than several
// at a time: long rows that --percent of the elements need, searches,
// permutations, and sums into many bins; and kernels that throw, or print, or
// end, where a value is wrong, beside the same without the check. Prints a JSON
// line for each, with nanoseconds an element, the median of --calls.
//
//===----------------------------------------------------------------------===//

#include "../examples/common/command_line.h"

#include "op_seq.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

static constexpr int kBins = 8192, kTable = 256;
static double table[kTable];
static int const kOrder[2][20] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19},
    {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16}};

// Few points yield, and only these change the tangent.
static inline void yields(int const *flag, double const *strain, double *stress,
                          double *tangent) {
  double norm = 0;
  for (int i = 0; i < 6; ++i) {
    stress[i] += 1e-9 * strain[i];
    norm += stress[i] * stress[i];
  }
  if (!*flag)
    return;
  double f = 1 / std::sqrt(norm);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      tangent[i * 6 + j] = 2.0 * (i == j) - f * stress[i] * stress[j];
}
static inline void wets(int const *flag, double const *q, double *rate) {
  if (!*flag)
    return;
  for (int i = 0; i < 24; ++i)
    rate[i] = 0.5 * rate[i] + q[i / 2];
}
static inline void searches(double const *x, double *place) {
  int at = 0;
  while (table[at + 1] <= *x)
    ++at;
  *place = at;
}
static inline void bisects(double const *x, double *place) {
  int low = 0, high = kTable;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (table[middle] <= *x ? low : high) = middle;
  }
  *place = low;
}
static inline void permutes(int const *flag, double const *u, double *v) {
  for (int i = 0; i < 20; ++i)
    v[i] = u[kOrder[*flag][i]];
}
static inline void counts(double const *x, int *bins) {
  bins[int(*x * kBins) % kBins] += 1;
}
static inline void sums(double const *x, double *bins) {
  bins[int(*x * kBins) % kBins] += *x;
}

// Checks that no element fails.
template <bool IsChecked> static double root(double x) {
  if (IsChecked && x < 0)
    throw std::domain_error("root of a negative number");
  return std::sqrt(x);
}
template <bool IsChecked>
static inline void roots(double const *q, double *sum) {
  *sum = 0;
  for (int i = 0; i < 12; ++i)
    *sum += root<IsChecked>(q[i]);
}
enum class Check { None, Throws, Prints };
template <Check check>
static inline void sends(double const *left, double const *right, double *to,
                         double *from) {
  double pressure = left[0] * right[1] - 0.5 * left[2] * right[2];
  if (check == Check::Throws && pressure < 0)
    throw std::domain_error("negative pressure");
  if (check == Check::Prints && pressure < 0)
    std::printf("negative pressure %g\n", pressure);
  for (int i = 0; i < 4; ++i) {
    double flux = std::sqrt(pressure) * (left[i] - right[i]) / left[4];
    to[i] += flux;
    from[i] -= flux;
  }
}

// An elimination, which ends where a pivot is small, and a sum of as many terms
// as each element says.
template <bool IsChecked>
static inline void eliminates(double const *q, double *sum) {
  constexpr int n = 8;
  double a[n][n + 1];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= n; ++j)
      a[i][j] = 0.25 * (i + j) * q[(5 * i + j) % 12] + 8 * (i == j);
  for (int k = 0; k < n; ++k) {
    if (IsChecked && std::fabs(a[k][k]) < 1e-9) {
      *sum = -k;
      return;
    }
    for (int i = k + 1; i < n; ++i) {
      double f = a[i][k] / a[k][k];
      for (int j = k + 1; j <= n; ++j)
        a[i][j] -= f * a[k][j];
    }
  }
  *sum = a[n - 1][n];
}
static inline void adds(double const *x, double const *u, double *sum) {
  int const count = int(*x * 20);
  *sum = 0;
  for (int i = 0; i < count; ++i)
    *sum += std::sqrt(u[i]) * table[i];
}

template <class Loop>
static void measure(char const *name, int size, int calls, Loop loop) {
  std::vector<double> seconds;
  for (int n = 0; n < calls + 2; ++n) {
    auto begin = std::chrono::steady_clock::now();
    loop();
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    if (n >= 2)
      seconds.push_back(taken.count());
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("{\"loop\": \"%s\", \"size\": %d, \"median_ns\": %.3f}\n", name,
              size, seconds[seconds.size() / 2] * 1e9 / size);
}

int main(int argc, char **argv) {
  int size = 300000, calls = 11, percent = 1;
  examples::CommandLine line("one-by-one",
                             "Times loops that do not suit vectors.");
  line.number("size", size, 1, 10000000, "elements");
  line.number("calls", calls, 1, INT_MAX, "to take the median of");
  line.number("percent", percent, 0, 100, "of the elements need the long rows");
  line.parse(argc, argv);
  op_init(argc, argv, 0);

  for (int n = 0; n < kTable; ++n)
    table[n] = double(n) / kTable;
  table[kTable - 1] = 2;
  std::vector<int> flags(static_cast<size_t>(size)), bins(kBins);
  std::vector<double> x(static_cast<size_t>(size)), rows, many(kBins);
  unsigned state = 1;
  for (int n = 0; n < size; ++n) {
    state = state * 1664525U + 1013904223U;
    flags[size_t(n)] = int((state >> 8) % 100) < percent;
    x[size_t(n)] = (state >> 8) / 16777217.0;
  }
  rows.assign(size_t(size) * 36, 1.5);
  op_set set = op_decl_set(size, "points");
  auto declare = [&](int dim, char const *name) {
    return op_decl_dat(set, dim, "double", rows.data(), name);
  };
  op_dat flag = op_decl_dat(set, 1, "int", flags.data(), "flag");
  op_dat value = op_decl_dat(set, 1, "double", x.data(), "value");
  op_dat place = declare(1, "place"), strain = declare(6, "strain"),
         stress = declare(6, "stress"), tangent = declare(36, "tangent"),
         q = declare(12, "q"), rate = declare(24, "rate"), u = declare(20, "u"),
         v = declare(20, "v");

  measure("rows that few need: plasticity", size, calls, [&] {
    op_par_loop(yields, "yields", set,
                op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(strain, -1, OP_ID, 6, "double", OP_READ),
                op_arg_dat(stress, -1, OP_ID, 6, "double", OP_RW),
                op_arg_dat(tangent, -1, OP_ID, 36, "double", OP_RW));
  });
  measure("rows that few need: wetting", size, calls, [&] {
    op_par_loop(wets, "wets", set,
                op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(q, -1, OP_ID, 12, "double", OP_READ),
                op_arg_dat(rate, -1, OP_ID, 24, "double", OP_RW));
  });
  measure("search: linear", size, calls, [&] {
    op_par_loop(searches, "searches", set,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("search: bisection", size, calls, [&] {
    op_par_loop(bisects, "bisects", set,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("permutation", size, calls, [&] {
    op_par_loop(permutes, "permutes", set,
                op_arg_dat(flag, -1, OP_ID, 1, "int", OP_READ),
                op_arg_dat(u, -1, OP_ID, 20, "double", OP_READ),
                op_arg_dat(v, -1, OP_ID, 20, "double", OP_WRITE));
  });
  measure("bins of integers", size, calls, [&] {
    op_par_loop(counts, "counts", set,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(bins.data(), kBins, "int", OP_INC));
  });
  measure("bins of doubles", size, calls, [&] {
    op_par_loop(sums, "sums", set,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_gbl(many.data(), kBins, "double", OP_INC));
  });

  std::vector<int> ring;
  for (int n = 0; n < size; ++n) {
    ring.push_back(n);
    ring.push_back((n + 1) % size);
  }
  op_map next = op_decl_map(set, set, 2, ring.data(), "next");
  measure("roots", size, calls, [&] {
    op_par_loop(roots<false>, "roots", set,
                op_arg_dat(q, -1, OP_ID, 12, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("roots, checked", size, calls, [&] {
    op_par_loop(roots<true>, "roots_checked", set,
                op_arg_dat(q, -1, OP_ID, 12, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("elimination", size, calls, [&] {
    op_par_loop(eliminates<false>, "eliminates", set,
                op_arg_dat(q, -1, OP_ID, 12, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("elimination that may end", size, calls, [&] {
    op_par_loop(eliminates<true>, "eliminates_checked", set,
                op_arg_dat(q, -1, OP_ID, 12, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  measure("sums of some terms", size, calls, [&] {
    op_par_loop(adds, "adds", set,
                op_arg_dat(value, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(u, -1, OP_ID, 20, "double", OP_READ),
                op_arg_dat(place, -1, OP_ID, 1, "double", OP_WRITE));
  });
  op_dat sum = declare(4, "sum");
  measure("fluxes", size, calls, [&] {
    op_par_loop(sends<Check::None>, "fluxes", set,
                op_arg_dat(strain, 0, next, 6, "double", OP_READ),
                op_arg_dat(strain, 1, next, 6, "double", OP_READ),
                op_arg_dat(sum, 0, next, 4, "double", OP_INC),
                op_arg_dat(sum, 1, next, 4, "double", OP_INC));
  });
  measure("fluxes, checked", size, calls, [&] {
    op_par_loop(sends<Check::Throws>, "fluxes_checked", set,
                op_arg_dat(strain, 0, next, 6, "double", OP_READ),
                op_arg_dat(strain, 1, next, 6, "double", OP_READ),
                op_arg_dat(sum, 0, next, 4, "double", OP_INC),
                op_arg_dat(sum, 1, next, 4, "double", OP_INC));
  });
  measure("fluxes, reported", size, calls, [&] {
    op_par_loop(sends<Check::Prints>, "fluxes_reported", set,
                op_arg_dat(strain, 0, next, 6, "double", OP_READ),
                op_arg_dat(strain, 1, next, 6, "double", OP_READ),
                op_arg_dat(sum, 0, next, 4, "double", OP_INC),
                op_arg_dat(sum, 1, next, 4, "double", OP_INC));
  });
  op_exit();
}
