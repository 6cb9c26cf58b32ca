// libmvec where it is asked for, and only there: the results are those of the C
// library but for the last digits.
//
// RUN: %op2cxx -O3 -Werror=op2-sequential --op2-target=openmp,seq --op2-vector-bits=256 %s -o %t.none
// RUN: not grep -q _ZGV %t.none
// RUN: env OP2_TARGET=openmp %t.none > %t.omp && env OP2_TARGET=seq %t.none | diff - %t.omp
// Without AVX there are 128 bits only, however many elements run at once.
// RUN: %op2cxx -O3 --op2-vector-bits=256 --op2-veclib=libmvec %s -o %t.sse
// RUN: grep -q _ZGVbN2v_exp %t.sse && not grep -q _ZGVdN4v %t.sse && %t.sse
// RUN: %op2cxx -O3 -march=native --op2-veclib=libmvec %s -o %t.native && %t.native
// RUN: %op2cxx -O3 -march=native -mprefer-vector-width=256 --op2-veclib=libmvec %s -o %t.narrow
// RUN: not grep -q _ZGVe %t.narrow && %t.narrow
// RUN: %op2cxx -O3 -fveclib=libmvec --op2-vector-bits=256 %s -o %t.clang
// RUN: grep -q _ZGVbN2v_exp %t.clang && %t.clang
// RUN: not %op2cxx --target=aarch64-linux-gnu --op2-veclib=libmvec -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OTHER
//
// OTHER: error: --op2-veclib=libmvec: its functions are known for x86-64 Linux with glibc, not for 'aarch64-unknown-linux-gnu'

#include "op_seq.h"

#include <cmath>
#include <cstdio>
#include <vector>

static const int kSize = 1003, kDim = 8;

template <class T> void functions(const T *x, T *y) {
  y[0] = std::exp(*x);
  y[1] = std::log(*x);
  y[2] = std::sin(*x);
  y[3] = std::cos(*x);
  y[4] = std::pow(*x, *x);
  y[5] = std::tanh(*x);
  y[6] = std::atan2(*x, T(3));
  y[7] = *x > 1 ? std::log2(*x) : std::exp2(*x);
}

/// Prints a column, for comparison, and checks all of them.
template <class T> bool check(const std::vector<T> &values,
                              const std::vector<T> &results, T epsilon) {
  bool good = true;
  for (int n = 0; n < kSize; ++n) {
    T expected[kDim];
    functions(&values[n], expected);
    for (int d = 0; d < kDim; ++d) {
      const T off = std::fabs(results[n * kDim + d] - expected[d]);
      // Written so that a NaN fails.
      if (off <= 4 * epsilon * std::fabs(expected[d]))
        continue;
      std::printf("function %d of %g is off by %g\n", d, double(values[n]),
                  double(off));
      good = false;
    }
    std::printf("%.17g\n", double(results[n * kDim]));
  }
  return good;
}

#define RUN(T, NAME, EPSILON)                                                  \
  {                                                                            \
    std::vector<T> values, results(kSize * kDim);                              \
    for (int n = 0; n < kSize; ++n)                                            \
      values.push_back(T(0.01) * T(n + 1));                                    \
    op_dat x = op_decl_dat(set, 1, NAME, values.data(), "x");                  \
    op_dat y = op_decl_dat(set, kDim, NAME, results.data(), "y");              \
    op_par_loop(functions<T>, "functions", set,                                \
                op_arg_dat(x, -1, OP_ID, 1, NAME, OP_READ),                    \
                op_arg_dat(y, -1, OP_ID, kDim, NAME, OP_WRITE));               \
    op_fetch_data(y, results.data());                                          \
    good &= check<T>(values, results, EPSILON);                                \
  }

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  op_set set = op_decl_set(kSize, "set");
  bool good = true;
  RUN(double, "double", 0x1p-52)
  RUN(float, "float", 0x1p-23f)
  op_exit();
  return good ? 0 : 1;
}
