//===- solve.cpp - op_solve against the library itself ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed number of steps of conjugate gradients with Jacobi's preconditioner:
// by op_solve, and by the same class of Eigen on arrays of the program's own;
// where there is PETSc, by op_petsc_solve, and by KSPSolve with a matrix and
// vectors of PETSc's own. Matrix: the Laplace operator on triangles, and the
// identity, which makes it definite.
//
//===----------------------------------------------------------------------===//

#include "assembly.h"
#include "op_petsc.h"
#include "op_seq.h"

#if OP2_HAS_PETSC
#include "petsc_check.h"
#include <petscksp.h>
#endif

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

#if OP2_HAS_PETSC
/// As a program would have it that knows PETSc only.
struct ByPETSc {
  Mat matrix;
  Vec rhs, solution;
  KSP solver;

  ByPETSc(ByHand const &from, Vector const &values, int steps) {
    auto rows = int(from.begin.size()) - 1;
    PC preconditioner;
    check(MatCreateSeqAIJ(PETSC_COMM_SELF, rows, rows, 16, nullptr, &matrix));
    for (int row = 0; row < rows; ++row)
      check(MatSetValues(matrix, 1, &row, from.begin[row + 1] - from.begin[row],
                         &from.columns[from.begin[row]],
                         &from.values[from.begin[row]], INSERT_VALUES));
    check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    check(VecCreateSeq(PETSC_COMM_SELF, rows, &rhs));
    check(VecDuplicate(rhs, &solution));
    for (int row = 0; row < rows; ++row)
      check(VecSetValue(rhs, row, values[row], INSERT_VALUES));
    check(VecAssemblyBegin(rhs));
    check(VecAssemblyEnd(rhs));
    check(KSPCreate(PETSC_COMM_SELF, &solver));
    check(KSPSetOperators(solver, matrix, matrix));
    check(KSPSetType(solver, KSPCG));
    check(KSPGetPC(solver, &preconditioner));
    check(PCSetType(preconditioner, PCJACOBI));
    check(KSPSetTolerances(solver, 1e-300, 0, PETSC_DEFAULT, steps));
  }

  void solve() {
    check(VecSet(solution, 0));
    check(KSPSolve(solver, rhs, solution));
  }
};
#endif

class Times {
public:
  void add(double seconds) { all.push_back(seconds); }
  /// Median and least.
  std::string text() {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "[%.3f, %.3f]", median(all) * 1e3,
                  *std::min_element(all.begin(), all.end()) * 1e3);
    return buffer;
  }

private:
  std::vector<double> all;
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
  auto *solution = reinterpret_cast<double *>(u->data);
  auto reset = [&] { std::fill(solution, solution + nodes->size, 0.0); };
  Times times, handTimes, petscTimes, petscHandTimes;
  double difference = 0;
  auto compare = [&] {
    for (int node = 0; node < nodes->size; ++node)
      difference =
          std::max(difference, std::fabs(result[node] - solution[node]));
  };
#if OP2_HAS_PETSC
  (void)op_petsc_mat(mat); // which initializes PETSc
  ByPETSc petsc(hand, rhs, steps);
#endif
  for (int round = 0; round < 8; ++round) {
    reset();
    double begin = now();
    (void)op_solve(mat, b, u, options.c_str());
    double middle = now();
    result = hand.solve(rhs, steps);
    double end = now();
    compare();
    if (round > 0) { // the first finds the structure
      times.add(middle - begin);
      handTimes.add(end - middle);
    }
#if OP2_HAS_PETSC
    reset();
    begin = now();
    (void)op_petsc_solve(mat, b, u, options.c_str());
    middle = now();
    petsc.solve();
    end = now();
    compare();
    if (round > 0) {
      petscTimes.add(middle - begin);
      petscHandTimes.add(end - middle);
    }
#endif
  }
  std::printf("{\"unknowns\": %d, \"steps\": %d, \"op_solve_ms\": %s, "
              "\"eigen_ms\": %s, ",
              nodes->size, steps, times.text().c_str(),
              handTimes.text().c_str());
#if OP2_HAS_PETSC
  std::printf("\"op_petsc_solve_ms\": %s, \"KSPSolve_ms\": %s, ",
              petscTimes.text().c_str(), petscHandTimes.text().c_str());
#endif
  std::printf("\"difference\": %.2g}\n", difference);
  op_exit();
  return difference <= 1e-9 ? 0 : 1;
}
