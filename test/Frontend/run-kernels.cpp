// Kernels of every sort, in two files with the same names, at several levels of
// optimisation: the results are those of the sequential development mode.
// RUN: %clangxx -std=c++17 %op2api %s %S/Inputs/second-file.cpp -o %t.seq %op2lib && %t.seq > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %op2cxx -O3 -march=native -Werror=op2-sequential %s %S/Inputs/second-file.cpp -o %t.O3 && %t.O3 > %t.O3.out && diff %t.expected %t.O3.out
// One object file each, linked afterwards; several targets in one program. What
// recursion devices cannot have, the emulator has not, either.
// RUN: %op2cxx %unoptimized -O2 -g --op2-target=openmp,seq,emulator -c %s -o %t.1.o
// RUN: %op2cxx %unoptimized -O2 -g -Werror=op2-sequential --op2-target=openmp,seq,emulator -c %S/Inputs/second-file.cpp -o %t.2.o
// RUN: %op2cxx %t.1.o %t.2.o -o %t.both
// RUN: env OP2_TARGET=seq %t.both > %t.both.out && diff %t.expected %t.both.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 %t.both > %t.both.out && diff %t.expected %t.both.out
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t.both > %t.both.out && diff %t.expected %t.both.out
// RUN: %op2cxx -O0 -g --op2-target=openmp,emulator %s %S/Inputs/second-file.cpp -o %t.O0
// RUN: env OP2_TARGET=openmp %t.O0 > %t.O0.out && diff %t.expected %t.O0.out
// RUN: env OP2_TARGET=emulator OP2_STRICT=0 %t.O0 > %t.O0.out && diff %t.expected %t.O0.out
#include "op_seq.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

void runSecond(op_set set, op_dat x, double newFactor);

// Static functions and data, constants, tables, a string.
static double offset = 0.5;
static constexpr double table[4] = {1, 2, 4, 8};
inline double shared(double x) { return x + 0.25; }
static __attribute__((noinline)) double helper(double x) { return shared(x) * offset; }
static void update(double *x) { *x = helper(*x) + table[static_cast<int>(std::fabs(*x)) % 4]; }

template <class T> void fill(T *x) { *x = T(3); }

// Control flow and the standard library.
static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static void complicated(double *x) {
  std::vector<double> values;
  for (int i = 0; i < 5; ++i)
    values.push_back(power(*x, 5 - i));
  std::sort(values.begin(), values.end());
  switch (static_cast<int>(values.size())) {
  case 5:
    *x = values[2];
    break;
  default:
    std::printf("%s\n", "never");
  }
  try {
    if (*x > 1e300)
      throw 1;
  } catch (int) {
    *x = 0;
  }
}

class Solver {
public:
  Solver(op_set set, op_dat x) : set(set), x(x) {}
  void run() { op_par_loop(step, "step", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW)); }

private:
  static void step(double *x) { *x += 1; }
  op_set set;
  op_dat x;
};

template <class T> void runFill(op_set set, op_dat x, char const *type) {
  (void)type;
  op_par_loop(fill<T>, "fill", set, op_arg_dat(x, -1, OP_ID, 1, sizeof(T) == 8 ? "double" : "float", OP_WRITE));
}

template <class T> struct Stencil {
  static void apply(T const *in, T *out) { *out += 2 * *in; }
  void run(op_set set, op_dat in, op_dat out) {
    op_par_loop(apply, "apply", set, op_arg_dat(in, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(out, -1, OP_ID, 1, "double", OP_INC));
  }
};

static void print(char const *what, op_dat x, int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  op_fetch_data(x, values.data());
  std::printf("%s:", what);
  for (int i = 0; i < n; i += n / 4)
    std::printf(" %.17g", values[static_cast<std::size_t>(i)]);
  std::printf("\n");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int const n = 1000;
  std::vector<double> start(n);
  for (int i = 0; i < n; ++i)
    start[static_cast<std::size_t>(i)] = 0.01 * i;
  op_set set = op_decl_set(n, "set");
  op_dat x = op_decl_dat(set, 1, "double", start.data(), "x");
  op_dat y = op_decl_dat(set, 1, "double", start.data(), "y");

  // CHECK: update: 1.125 5.375 4.625 11.875
  op_par_loop(update, "update", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  print("update", x, n);
  offset = 2;
  op_par_loop(update, "update again", set, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
  print("update again", x, n);
  op_par_loop(complicated, "complicated", set, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  print("complicated", y, n);
  Solver(set, y).run();
  print("step", y, n);
  Stencil<double>().run(set, x, y);
  print("apply", y, n);
  runFill<double>(set, y, "double");
  print("fill", y, n);
  // CHECK: lambda: 4.5
  op_par_loop(+[](double *v) { *v *= 1.5; }, "lambda", set, op_arg_dat(y, -1, OP_ID, 1, "double", OP_RW));
  print("lambda", y, n);
  // CHECK: second: 144
  runSecond(set, y, 20);
  print("second", y, n);
  op_exit();
}
