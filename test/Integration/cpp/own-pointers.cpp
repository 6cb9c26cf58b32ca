// Local objects that point to themselves, as evaluators of expression templates
// do: where nobody looks at the pointer once the kernel is inlined, they are
// values like others.
// RUN: %clangxx -std=c++17 %op2api %s -o %t.ref %op2lib && %t.ref > %t.expected
// RUN: %op2cxx -O3 --op2-report --op2-target=openmp,emulator %s -o %t 2>&1 | FileCheck %s
// RUN: env OP2_STRICT=1 %t | diff %t.expected -
// RUN: env OP2_STRICT=1 OP2_TARGET=emulator %t | diff %t.expected -
// CHECK-NOT: warning:
// CHECK: loop 'product': kernel raised
#include "op_seq.h"
#include <cstdio>
#include <vector>

namespace {
struct Vector {
  double values[3];
};
/// A matrix times a vector, evaluated when it is made.
struct Product {
  const double *data;
  Vector result;

  Product(const double *matrix, const double *x) : data(result.values) {
    for (int i = 0; i < 3; ++i) {
      result.values[i] = 0;
      for (int j = 0; j < 3; ++j)
        result.values[i] += matrix[3 * i + j] * x[j];
    }
  }
  double operator[](int i) const { return data[i]; }
};
} // namespace

static void product(const double *matrix, const double *x, double *y) {
  Product p(matrix, x);
  for (int i = 0; i < 3; ++i)
    y[i] += p[i];
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  constexpr int n = 100;
  op_set set = op_decl_set(n, "set");
  std::vector<double> m(9 * n), x(3 * n), y(3 * n);
  for (int i = 0; i < 9 * n; ++i)
    m[i] = i % 23;
  for (int i = 0; i < 3 * n; ++i)
    x[i] = i % 7;
  op_dat matrices = op_decl_dat(set, 9, "double", m.data(), "matrices");
  op_dat from = op_decl_dat(set, 3, "double", x.data(), "from");
  op_dat to = op_decl_dat(set, 3, "double", y.data(), "to");
  op_par_loop(product, "product", set, op_arg_dat(matrices, -1, OP_ID, 9, "double", OP_READ),
              op_arg_dat(from, -1, OP_ID, 3, "double", OP_READ), op_arg_dat(to, -1, OP_ID, 3, "double", OP_RW));
  op_fetch_data(to, y.data());
  double sum = 0;
  for (int i = 0; i < 3 * n; ++i)
    sum += (i % 11 + 1) * y[i];
  std::printf("%.17g\n", sum);
  op_exit();
}
