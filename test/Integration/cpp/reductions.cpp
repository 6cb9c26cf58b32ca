// Reductions of every access and type, of dims that fit into registers and of
// such that don't, over no element, one, a few, and more blocks than a grid's
// second dimension could have (65535). Sums are of whole numbers: exact in any
// order.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O1 -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t OP_PART_SIZE=5 | grep -v '^op2: ' > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_EMULATOR_SEED=7 %t > %t.out && diff %t.dev.out %t.out
// RUN: %t.dev small > %t.small.out
// A minute more with sanitizers:
// RUN: %if no-sanitizer %{ %emulate --run=small %t.small.out %s -- %op2cxx %}
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-target=emulator --op2-block-size=1 %s -o %t.many
// RUN: %if no-sanitizer %{ %t.many 70000 > %t.many.out && FileCheck %s --check-prefix=MANY < %t.many.out %}
//
// CHECK: 0 elements: double 7 7 7
// CHECK: 0 elements: dim 300: 7 2100 0
// CHECK: 1 elements: double 8 1 7
// CHECK: 1 elements: ull 8 1 7
// CHECK: 1000 elements: double 500507 1 1000
// CHECK: 1000 elements: dim 3: 500507 1502521 3
// CHECK: 1000 elements: dim 17: 500507 8628619 17
// CHECK: 1000 elements: dim 300: 500507 194703100 300
// MANY: 70000 elements: ll 2450035007 1 70000

#include "op_seq.h"

#include <cstdlib>
#include <vector>

template <class T> void reduce(const int *x, T *sum, T *least, T *most) {
  T value = T(*x);
  *sum += value;
  if (value < *least)
    *least = value;
  if (value > *most)
    *most = value;
}
template <int N> void sums(const int *x, double *row) {
  for (int i = 0; i < N; ++i)
    row[i] += *x + (i > 0 ? i - 1 : 0);
}
template <int N> void most(const int *x, int *row) {
  for (int i = 0; i < N; ++i)
    if (*x % (i + 2) > row[i])
      row[i] = *x % (i + 2);
}
#define REDUCE(T, name)                                                        \
  {                                                                            \
    T sum = 7, low = 7, high = 7;                                              \
    op_par_loop(                                                               \
        reduce<T>, "reduce", set, op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ), \
        op_arg_gbl(&sum, 1, name, OP_INC), op_arg_gbl(&low, 1, name, OP_MIN),  \
        op_arg_gbl(&high, 1, name, OP_MAX));                                   \
    op_printf("%d elements: " #T " %.0f %.0f %.0f\n", n, double(sum),          \
              double(low), double(high));                                      \
  }

#define ROWS(N)                                                                \
  {                                                                            \
    std::vector<double> row(N, 7);                                             \
    std::vector<int> largest(N, 0);                                            \
    op_par_loop(sums<N>, "sums", set,                                          \
                op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),                   \
                op_arg_gbl(row.data(), N, "double", OP_INC));                  \
    op_par_loop(most<N>, "most", set,                                          \
                op_arg_dat(x, -1, OP_ID, 1, "int", OP_READ),                   \
                op_arg_gbl(largest.data(), N, "int", OP_MAX));                 \
    double total = 0;                                                          \
    for (double value : row)                                                   \
      total += value;                                                          \
    op_printf("%d elements: dim %d: %.0f %.0f %d\n", n, N, row[0], total,      \
              largest[N - 1]);                                                 \
  }

static void run(int n, bool all, bool small) {
  op_set set = op_decl_set(n, "elements");
  std::vector<int> values(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i)
    values[size_t(i)] = i + 1;
  op_dat x = op_decl_dat(set, 1, "int", values.data(), "x");
  REDUCE(ll, "ll")
  if (!all)
    return;
  REDUCE(double, "double")
  REDUCE(float, "float")
  REDUCE(int, "int")
  REDUCE(unsigned, "uint")
  REDUCE(ull, "ull")
  ROWS(3)
  ROWS(17)
  if (!small || n == 33) // Takes the emulator long.
    ROWS(300)
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  if (argc > 1 && std::atoi(argv[1]) > 0) {
    run(std::atoi(argv[1]), false, false);
  } else {
    bool small = argc > 1 && argv[1][0] == 's';
    for (int n : {0, 1, 2, 33, 1000})
      if (n < 1000 || !small)
        run(n, true, small);
  }
  op_exit();
}
