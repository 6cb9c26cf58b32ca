// C++ in kernels, each feature in a kernel that gathers through a map and adds
// through it. All numbers are small multiples of powers of two: sums are exact
// in any order.
//
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t.dev && %t.dev > %t.dev.out
// RUN: FileCheck %s < %t.dev.out
// RUN: %op2cxx -O3 -march=native -Werror=op2-sequential --op2-target=seq,openmp,emulator %s -o %t
// RUN: env OP2_TARGET=seq %t > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=openmp OMP_NUM_THREADS=3 OP2_CHECK_PLAN=1 %t OP_PART_SIZE=9 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator OP2_CHECK_PLAN=1 %t > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O0 -g -Werror=op2-sequential --op2-target=openmp,emulator %s -o %t.O0
// RUN: env OP2_TARGET=openmp %t.O0 > %t.out && diff %t.dev.out %t.out
// RUN: env OP2_TARGET=emulator %t.O0 > %t.out && diff %t.dev.out %t.out
// RUN: %op2cxx -O0 -Werror=op2-sequential --op2-strategy=global --op2-target=emulator %s -o %t.global && %t.global > %t.out && diff %t.dev.out %t.out
//
// CHECK: structs
// CHECK-NEXT: references
// CHECK-NEXT: templates
// CHECK-NEXT: lambda
// CHECK-NEXT: data
// CHECK-NEXT: switch
// CHECK-NEXT: while
// CHECK-NEXT: early return
// CHECK-NEXT: indices
// CHECK-NEXT: arrays
// CHECK-NEXT: standard
// CHECK-NEXT: algorithms
// CHECK-NEXT: macros
// CHECK-NEXT: overloads
// CHECK-NEXT: casts

#include "Inputs/helpers.h"
#include "op_seq.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#define DIM 2
#define REAL double
#define REAL_NAME "double"
#define NODE(dat, slot) op_arg_dat(dat, slot, pnode, DIM, REAL_NAME, OP_READ)

static const int steps = 3;
static constexpr double weights[2][3] = {{1, 2, 4}, {0.5, 0.25, 8}};
static double factor = 0.5; // changes

// A struct is what one element holds.
static void structs(const Point *a, const Point *b, Point *sum) {
  Point s = *a + *b;
  s *= 0.5;
  sum->x += s.x;
  sum->y += s.y + norm1(s);
}
static void references(const double *a, const double *b, double *sum) {
  Point p{a[0], b[1]};
  swapped(p);
  double &first = sum[0];
  first += p.x;
  auto &[u, v] = p;
  sum[1] += u - v;
}
template <class T, int N> static T power(T x) {
  if constexpr (N == 0)
    return T(1);
  else
    return x * power<T, N - 1>(x);
}
template <class T, int N> static void templates(const T *a, const T *b, T *sum) {
  for (int d = 0; d < N; ++d)
    sum[d] += power<T, N>(a[d]) - b[d];
}
static void data(const double *a, const double *b, double *sum) {
  static const double scale[3] = {1, 2, 4};
  sum[0] += weights[int(a[0]) & 1][int(b[0]) % steps];
  sum[1] += scale[int(a[1]) % 3] * factor;
}
static void switches(const double *a, const double *b, double *sum) {
  double result = 0;
  switch (int(a[0]) % 5) {
  case 0:
    result = 1;
    break;
  case 1:
    result = b[0];
    [[fallthrough]];
  case 3:
    result += 2;
    break;
  default:
    result = -b[1];
  }
  sum[0] += result;
}
static void whiles(const double *a, const double *b, double *sum) {
  int n = int(a[0]) + 40, count = 0;
  while (true) {
    if (n == 1)
      break;
    n = n % 2 ? 3 * n + 1 : n / 2;
    if (++count > 60)
      break;
  }
  do
    --count;
  while (count > 30 && count % 7);
  for (int i = 0, j = 9; i < j; i += 2, --j) {
    if (i == int(b[0]) % 4)
      continue;
    count += i * j;
  }
  sum[0] += count;
}
static void returns(const double *a, const double *b, double *sum) {
  if (a[0] > 6)
    return;
  for (int d = 0; d < DIM; ++d) {
    if (b[d] == 3)
      return;
    sum[d] += a[d];
  }
}
static void indices(const double *a, const double *b, double *sum) {
  int d = int(a[0]) % DIM;
  sum[d] += b[1 - d];
  sum[int(b[1]) & 1] += a[int(a[1]) & 1];
}
static void arrays(const double *a, const double *b, double *sum) {
  double m[DIM][3] = {{a[0], b[0], 1}, {a[1], b[1], 2}}, t[3][DIM] = {};
  for (int i = 0; i < DIM; ++i)
    for (int j = 0; j < 3; ++j)
      t[j][i] += m[i][(j + int(a[0])) % 3];
  std::array<double, 3> rows{};
  for (int j = 0; j < 3; ++j)
    rows[j] = t[j][0] - t[j][1];
  sum[0] += rows[int(b[0]) % 3];
  sum[1] += t[2][int(b[1]) & 1];
}
static void standard(const double *a, const double *b, double *sum) {
  sum[0] += std::floor(a[0] / 4) + std::sqrt(a[1] * a[1]) + std::fmax(a[0], b[0]);
  sum[1] += std::abs(a[0] - b[0]) + std::copysign(1.0, b[1] - 3) + std::trunc(b[0] / 2);
}
static void algorithms(const double *a, const double *b, double *sum) {
  double values[4] = {a[0], a[1], b[0], b[1]};
  std::partial_sort(values, values + 4, values + 4); // std::sort is recursive
  sum[0] += values[1] + std::accumulate(values, values + 4, 0.0);
  sum[1] += std::min({a[0], b[0], 5.0}) + std::clamp(a[1], 1.0, 4.0) +
            std::max(a[0], b[1]) + double(std::count(values, values + 4, 3.0));
}
static void macros(const REAL *a, const REAL *b, REAL *sum) {
  for (int d = 0; d < DIM; ++d)
    sum[d] += a[d] * (d + 1) - b[d];
}
static double twice(double x) { return 2 * x; }
static int twice(int x) { return 3 * x; }
static void overloads(const double *a, const double *b, double *sum) {
  sum[0] += twice(a[0]) + twice(int(b[0]));
  auto add = [&](double x) { sum[1] += x * b[1]; };
  add(a[1]);
  add(1);
}
static void casts(const double *a, const double *b, double *sum) {
  unsigned u = static_cast<unsigned>(a[0]) - 9u;
  long long wide = static_cast<long long>(u) << 2;
  short narrow = static_cast<short>(wide);
  bool isOdd = int(b[0]) & 1;
  float single = float(a[1]) / 4;
  sum[0] += narrow + isOdd;
  sum[1] += single + double(u >> 28);
}

/// Handles come as parameters.
static void print(const char *what, op_dat sum) {
  std::vector<double> values(size_t(2) * sum->set->size);
  op_fetch_data(sum, values.data());
  double total = 0, weighted = 0;
  for (size_t n = 0; n < values.size(); ++n) {
    total += values[n];
    weighted += values[n] * double(n % 17);
  }
  op_printf("%s %.17g %.17g\n", what, total, weighted);
}

struct Mesh {
  op_set edges, nodes;
  op_map pnode;
  op_dat a, sums[2];
};

#define RUN(kernel, name)                                                      \
  op_par_loop(kernel, name, mesh.edges, NODE(mesh.a, 0), NODE(mesh.a, 1),      \
              op_arg_dat(mesh.sums[0], 0, pnode, DIM, REAL_NAME, OP_INC));     \
  print(name, mesh.sums[0])

static void runAll(Mesh &mesh) {
  op_map pnode = mesh.pnode;
  op_par_loop(structs, "structs", mesh.edges, NODE(mesh.a, 0), NODE(mesh.a, 1),
              op_arg_dat(mesh.sums[1], 1, pnode, DIM, "double", OP_INC));
  print("structs", mesh.sums[1]);
  RUN(references, "references");
  RUN((templates<double, 2>), "templates");
  RUN(+[](const double *a, const double *b, double *sum) { sum[0] += a[0] * b[1]; },
      "lambda");
  factor = 4;
  RUN(data, "data");
  RUN(switches, "switch");
  RUN(whiles, "while");
  RUN(returns, "early return");
  RUN(indices, "indices");
  RUN(arrays, "arrays");
  RUN(standard, "standard");
  RUN(algorithms, "algorithms");
  RUN(macros, "macros");
  RUN(overloads, "overloads");
  RUN(casts, "casts");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  const int size = 150;
  std::vector<int> ends;
  std::vector<double> values, zeros(2 * size);
  for (int n = 0; n < size; ++n) {
    ends.insert(ends.end(), {n, (n * 7 + 1) % size});
    values.insert(values.end(), {double(n % 9), double(n * 5 % 7)});
  }
  Mesh mesh;
  mesh.edges = op_decl_set(size, "edges");
  mesh.nodes = op_decl_set(size, "nodes");
  mesh.pnode = op_decl_map(mesh.edges, mesh.nodes, 2, ends.data(), "pnode");
  mesh.a = op_decl_dat(mesh.nodes, 2, "double", values.data(), "a");
  for (op_dat &sum : mesh.sums)
    sum = op_decl_dat(mesh.nodes, 2, "double", zeros.data(), "sum");
  runAll(mesh);
  op_exit();
}
