// What a generator of random kernels found that did not compile, or not for
// devices, or that LLVM's vectorizer computes wrongly.
//
// RUN: %clangxx -std=c++17 -O0 %s %op2api -o %t.seq %op2lib
// RUN: %t.seq > %t.expected
// RUN: %op2cxx -O2 -march=x86-64-v3 -Werror=op2-sequential --op2-target=openmp,seq,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t | diff %t.expected -
// RUN: env OP2_TARGET=emulator %t | diff %t.expected -
// RUN: %op2cxx -O2 -Werror=op2-sequential --op2-target=openmp,cuda --op2-gpu-format=ptx -c %s -o %t.o

#include "op_seq.h"
#include <algorithm>
#include <vector>

// Fused, the array stands before the branch.
static int place = 0;
static void branch(const double *x, double *y) {
  if (x[0] > 1)
    y[0] += 1;
}
static void array(const double *x, double *y) {
  double a[4] = {x[0], y[0]};
  a[place] += 1;
  y[0] = a[place + 1];
}

// __builtin_constant_p and hints are not known on devices.
static void search(const int *i, int *found) {
  const int sorted[] = {1, 4, 9, 16, 25, 36};
  found[0] = int(std::lower_bound(sorted, sorted + 6, *i % 40) - sorted);
  found[1] = __builtin_constant_p(*i) ? 1 : 2;
  found[2] = __builtin_expect_with_probability(*i > 20, 1, 0.9) ? 3 : 4;
}

// LLVM loses the sign where it narrows this.
static void shift(const short *x, short *z) {
  z[0] = short(__int128(x[0]) * x[1] >> 70);
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int n = 100;
  std::vector<double> x(n), y(n);
  std::vector<int> numbers(n), found(3 * n);
  std::vector<short> pairs(2 * n), high(n);
  const short values[] = {1, -1, 3, -7, 32767};
  for (int i = 0; i < n; ++i) {
    x[size_t(i)] = i % 4;
    numbers[size_t(i)] = i;
    pairs[size_t(2 * i)] = values[i / 5 % 5];
    pairs[size_t(2 * i + 1)] = values[i % 5];
  }
  op_set s = op_decl_set(n, "s");
  op_dat dx = op_decl_dat(s, 1, "double", x.data(), "x");
  op_dat dy = op_decl_dat(s, 1, "double", y.data(), "y");
  op_dat di = op_decl_dat(s, 1, "int", numbers.data(), "i");
  op_dat df = op_decl_dat(s, 3, "int", found.data(), "found");
  op_dat dp = op_decl_dat(s, 2, "short", pairs.data(), "pairs");
  op_dat dh = op_decl_dat(s, 1, "short", high.data(), "high");
  op_decl_const(1, "int", &place);
  for (int t = 0; t < 3; ++t) {
    op_par_loop(branch, "branch", s,
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_RW));
    op_par_loop(array, "array", s,
                op_arg_dat(dx, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(dy, -1, OP_ID, 1, "double", OP_RW));
  }
  op_par_loop(search, "search", s, op_arg_dat(di, -1, OP_ID, 1, "int", OP_READ),
              op_arg_dat(df, -1, OP_ID, 3, "int", OP_WRITE));
  op_par_loop(shift, "shift", s,
              op_arg_dat(dp, -1, OP_ID, 2, "short", OP_READ),
              op_arg_dat(dh, -1, OP_ID, 1, "short", OP_WRITE));
  op_fetch_data(dy, y.data());
  op_fetch_data(df, found.data());
  op_fetch_data(dh, high.data());
  for (int i = 0; i < n; ++i)
    op_printf("%g %d %d %d %d\n", y[size_t(i)], found[size_t(3 * i)],
              found[size_t(3 * i + 1)], found[size_t(3 * i + 2)],
              high[size_t(i)]);
  op_exit();
}
