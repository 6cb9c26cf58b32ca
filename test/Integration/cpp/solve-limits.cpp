// op_solve at its limits: what it says is the solution is one. Nothing to do,
// no rows, numbers whose squares are none, guesses that are far away, factors
// after a failure, matrices without a diagonal.
//
// REQUIRES: eigen
// RUN: %clangxx -O0 -std=c++17 %op2api %s %op2lib -o %t && %t 2>/dev/null | FileCheck %s
//
// CHECK: no rows: 0 0 0 0 0 0 1 1
// CHECK-NEXT: b = 0: 0 0 0 0 0 0 1 1
// CHECK-NEXT: double, 1e-200: 8 of 8 right
// CHECK-NEXT: double, 1e+200: 8 of 8 right
// CHECK-NEXT: float, 1e-30: 8 of 8 right
// CHECK-NEXT: float, 1e+30: 8 of 8 right
// CHECK-NEXT: guess 1e+30: 8 of 8 right
// CHECK-NEXT: not symmetric, 1e-200: -1
// CHECK-NEXT: no b, then one: -50, solved
// CHECK-NEXT: no diagonal: not solved
// CHECK-NEXT: one entry: not solved

#include "op_seq.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static const char *const kOptions[] = {"",
                                       "-ksp_type cg -pc_type none",
                                       "-ksp_type cg",
                                       "-ksp_type cg -pc_type icc",
                                       "-pc_type none",
                                       "-pc_type ilu",
                                       "-ksp_type preonly",
                                       "-ksp_type preonly -pc_type cholesky"};

template <class T> struct System {
  int size;
  op_mat mat;
  op_dat b, x;
};

/// On a line of `size` nodes: `below`, 2.5 (or, without a diagonal, nothing)
/// and -1.
template <class T>
System<T> makeSystem(int size, double below = -1, bool hasDiagonal = true) {
  const char *type = op2::TypeName<T>::value;
  std::vector<int> rows, cols;
  std::vector<T> numbers;
  for (int row = 0; row < size; ++row)
    for (int col = row - 1; col <= row + 1; ++col)
      if (col >= 0 && col < size && (hasDiagonal || col != row)) {
        rows.push_back(row);
        cols.push_back(col);
        numbers.push_back(T(col < row ? below : col == row ? 2.5 : -1));
      }
  op_set nodes = op_decl_set(size, "nodes");
  op_set pairs = op_decl_set(int(rows.size()), "pairs");
  op_map row = op_decl_map(pairs, nodes, 1, rows.data(), "row");
  op_map col = op_decl_map(pairs, nodes, 1, cols.data(), "col");
  op_mat mat = op_decl_mat(op_decl_sparsity(row, col, "meet"), 1, 1, type, "A");
  T *values = reinterpret_cast<T *>(op_mat_values(mat)->data);
  std::copy(numbers.begin(), numbers.end(), values);
  op_upload_dat(op_mat_values(mat));
  std::vector<T> zeros(std::size_t(size) + 1);
  return {size, mat, op_decl_dat(nodes, 1, type, zeros.data(), "b"),
          op_decl_dat(nodes, 1, type, zeros.data(), "x")};
}

template <class T> void fill(op_dat dat, int size, double scale) {
  for (int n = 0; n < size; ++n)
    reinterpret_cast<T *>(dat->data)[n] = T((1 + n % 3) * scale);
  op_upload_dat(dat);
}

/// Whether |b - A x| <= 2e-5 |b|, for numbers of any size.
template <class T> bool isSolved(const System<T> &system, double scale) {
  const T *b = reinterpret_cast<T *>(system.b->data);
  const T *x = reinterpret_cast<T *>(system.x->data);
  double rest = 0, norm = 0;
  for (int n = 0; n < system.size; ++n) {
    double r = b[n] / scale - 2.5 * (x[n] / scale);
    r += (n > 0 ? x[n - 1] / scale : 0) +
         (n + 1 < system.size ? x[n + 1] / scale : 0);
    rest += r * r;
    norm += b[n] / scale * (b[n] / scale);
  }
  return rest <= 4e-10 * norm;
}

template <class T>
void solveScaled(const char *name, double scale, double guess) {
  System<T> system = makeSystem<T>(50);
  int right = 0;
  for (const char *options : kOptions) {
    fill<T>(system.b, system.size, scale);
    fill<T>(system.x, system.size, guess);
    right += op_solve(system.mat, system.b, system.x, options) >= 0 &&
             isSolved(system, scale);
  }
  std::printf("%s: %d of 8 right\n", name, right);
}

template <class T> void solveNothing(const char *name, int size) {
  System<T> system = makeSystem<T>(size);
  std::printf("%s:", name);
  for (const char *options : kOptions) {
    fill<T>(system.x, size, 1);
    std::printf(" %d", op_solve(system.mat, system.b, system.x, options));
  }
  std::printf("\n");
}

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  solveNothing<double>("no rows", 0);
  solveNothing<double>("b = 0", 20);
  solveScaled<double>("double, 1e-200", 1e-200, 0);
  solveScaled<double>("double, 1e+200", 1e200, 0);
  solveScaled<float>("float, 1e-30", 1e-30, 0);
  solveScaled<float>("float, 1e+30", 1e30, 0);
  solveScaled<double>("guess 1e+30", 1, 1e30);

  System<double> lower = makeSystem<double>(30, 0.5);
  fill<double>(lower.b, lower.size, 1e-200);
  std::printf("not symmetric, 1e-200: %d\n",
              op_solve(lower.mat, lower.b, lower.x,
                       "-ksp_type preonly -pc_type cholesky"));

  // The factors are kept; that one solution was not found is not.
  System<double> line = makeSystem<double>(50);
  const char *one = "-ksp_type cg -pc_type icc -ksp_max_it 50";
  fill<double>(line.b, line.size, NAN);
  int first = op_solve(line.mat, line.b, line.x, one);
  fill<double>(line.b, line.size, 1);
  fill<double>(line.x, line.size, 1);
  int second = op_solve(line.mat, line.b, line.x, one);
  std::printf("no b, then one: %d, %s\n", first,
              second >= 0 && isSolved(line, 1) ? "solved" : "WRONG");

  System<double> gaps = makeSystem<double>(30, -1, false);
  fill<double>(gaps.b, gaps.size, 1);
  int iterations =
      op_solve(gaps.mat, gaps.b, gaps.x, "-ksp_type cg -pc_type icc");
  std::printf("no diagonal: %s\n", iterations < 0 ? "not solved" : "WRONG");

  // Fewer entries than rows: LU has to come to an end.
  op_set one_cell = op_decl_set(1, "one"), nodes = op_decl_set(1000, "many");
  int corner = 3;
  op_map at = op_decl_map(one_cell, nodes, 1, &corner, "at");
  op_mat few = op_decl_mat(op_decl_sparsity(at, at, "few"), 1, 1, "double", "few");
  op_dat b = op_decl_dat(nodes, 1, "double", (double *)nullptr, "b");
  op_dat x = op_decl_dat(nodes, 1, "double", (double *)nullptr, "x");
  fill<double>(b, 1000, 1);
  iterations = op_solve(few, b, x, "-ksp_type preonly -pc_type lu");
  std::printf("one entry: %s\n", iterations < 0 ? "not solved" : "WRONG");
  op_exit();
}
