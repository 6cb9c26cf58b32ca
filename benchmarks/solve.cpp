//===- solve.cpp - op_solve against the library itself ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed number of steps of conjugate gradients with Jacobi's preconditioner:
// by op_solve, and by the same class of Eigen on arrays of the program's own.
// Matrix: the Laplace operator on triangles, and the identity, which makes it
// definite.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "op_seq.h"

#include <Eigen/IterativeLinearSolvers>
#include <cstdlib>
#include <string>

static void element(double (*A)[3], const double (*x)[2]) {
  stiffness<2, 1>(&A[0][0], &x[0][0]);
  for (int i = 0; i < 3; ++i)
    A[i][i] += 1e-3;
}

namespace {
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// As a program would have it that knows nothing of op_mat.
struct ByHand {
  std::vector<int> begin, columns;
  std::vector<double> values;

  explicit ByHand(op_mat mat) {
    int rows = 0;
    long long count = 0;
    op_mat_get_size(mat, &rows, nullptr, &count);
    std::vector<long long> rowptr(std::size_t(rows) + 1);
    columns.resize(std::size_t(count));
    values.resize(std::size_t(count));
    op_mat_get_csr(mat, rowptr.data(), columns.data(), values.data());
    begin.assign(rowptr.begin(), rowptr.end());
  }

  Vector solve(Vector const &rhs, int steps) const {
    auto rows = int(begin.size()) - 1;
    Eigen::Map<Matrix const> matrix(rows, rows, begin.back(), begin.data(),
                                    columns.data(), values.data());
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper,
                             Eigen::DiagonalPreconditioner<double>>
        solver;
    solver.setTolerance(1e-300);
    solver.setMaxIterations(steps);
    solver.compute(matrix);
    return solver.solveWithGuess(rhs, Vector::Zero(rows));
  }
};
} // namespace

int main(int argc, char **argv) {
  op_init(argc, argv, 0);
  int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  int steps = argc > 2 ? std::atoi(argv[2]) : 50;
  Mesh mesh = makeMesh<2, 1>(n, false);
  op_set nodes = op_decl_set(int(mesh.x.size()) / 2, "nodes");
  op_set cells = op_decl_set(int(mesh.cells.size()) / 3, "cells");
  op_map map = op_decl_map(cells, nodes, 3, mesh.cells.data(), "nodes");
  op_dat x = op_decl_dat(nodes, 2, "double", mesh.x.data(), "x");
  op_mat mat =
      op_decl_mat(op_decl_sparsity(map, map, "sparsity"), 1, 1, "double", "A");
  op_par_loop(element, "element", cells,
              op_arg_mat(mat, -3, map, -3, map, 1, 1, "double", OP_INC),
              op_arg_dat(x, -3, map, 2, "double", OP_READ));
  Vector rhs(nodes->size), start = Vector::Zero(nodes->size), result;
  for (int node = 0; node < nodes->size; ++node)
    rhs[node] = std::sin(double(node));
  op_dat b = op_decl_dat(nodes, 1, "double", rhs.data(), "b");
  op_dat u = op_decl_dat(nodes, 1, "double", start.data(), "u");
  ByHand hand(mat);
  std::string options = "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-300 "
                        "-ksp_max_it " +
                        std::to_string(steps);
  std::vector<double> times, handTimes;
  double difference = 0;
  for (int round = 0; round < 8; ++round) {
    for (int node = 0; node < nodes->size; ++node)
      reinterpret_cast<double *>(u->data)[node] = 0;
    double begin = now();
    (void)op_solve(mat, b, u, options.c_str());
    double middle = now();
    result = hand.solve(rhs, steps);
    if (round > 0) { // the first finds the structure
      times.push_back(middle - begin);
      handTimes.push_back(now() - middle);
    }
    for (int node = 0; node < nodes->size; ++node)
      difference = std::max(
          difference,
          std::fabs(result[node] - reinterpret_cast<double *>(u->data)[node]));
  }
  std::printf("{\"unknowns\": %d, \"steps\": %d, \"op_solve_ms\": %.1f, "
              "\"eigen_ms\": %.1f, \"least\": [%.1f, %.1f], \"difference\": "
              "%.2g}\n",
              nodes->size, steps, median(times) * 1e3, median(handTimes) * 1e3,
              *std::min_element(times.begin(), times.end()) * 1e3,
              *std::min_element(handTimes.begin(), handTimes.end()) * 1e3,
              difference);
  op_exit();
  return difference <= 1e-9 ? 0 : 1;
}
