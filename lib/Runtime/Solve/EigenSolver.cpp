//===- EigenSolver.cpp - Solvers of Eigen -----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigen 3.4 reads the matrix where it lies. Its products share the rows among
// OpenMP's threads; sums are in a fixed order, so results do not depend on how
// many there are.
//
//===----------------------------------------------------------------------===//

#include "Core/Types.h"
#include "Solver.h"

using namespace op2::rt;

#if OP2_HAS_EIGEN
#define EIGEN_MPL2_ONLY
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace {

template <class T> using Rows = Eigen::SparseMatrix<T, Eigen::RowMajor>;
template <class T> using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T> Eigen::Map<Rows<T> const> mapOf(CompressedRows const &of) {
  return {of.size,  of.size,    of.begin[of.size],
          of.begin, of.columns, static_cast<T const *>(of.values)};
}

/// In the type of the matrix: with less, rounding ends it first.
template <class T> T toleranceOf(SolverOptions const &options) {
  if (options.tolerance > 0)
    return static_cast<T>(options.tolerance);
  return sizeof(T) == 8 ? T(1e-7) : T(1e-5);
}

template <class T, class Engine> class Iterative : public Solver {
public:
  Iterative(CompressedRows const &matrix, SolverOptions const &options)
      : size(matrix.size) {
    engine.setTolerance(toleranceOf<T>(options));
    engine.setMaxIterations(options.maxIterations);
    engine.compute(mapOf<T>(matrix));
  }

  SolveResult solve(void const *rhs, void *solution) override {
    if (engine.info() != Eigen::Success)
      return {SolveResult::NotFactorized, 0, 1};
    Eigen::Map<Vector<T> const> b(static_cast<T const *>(rhs), size);
    Eigen::Map<Vector<T>> x(static_cast<T *>(solution), size);
    x = engine.solveWithGuess(b, x);
    bool isSolved = engine.info() == Eigen::Success;
    SolveResult result{isSolved ? SolveResult::Solved
                                : SolveResult::NotConverged,
                       static_cast<int>(engine.iterations()),
                       static_cast<double>(engine.error())};
    return result;
  }
  bool hasFactors() const override {
    return !std::is_same_v<typename Engine::Preconditioner,
                           Eigen::IdentityPreconditioner> &&
           !std::is_same_v<typename Engine::Preconditioner,
                           Eigen::DiagonalPreconditioner<T>>;
  }

private:
  Eigen::Index size;
  Engine engine;
};

template <class T, class Engine> class Direct : public Solver {
public:
  Direct(CompressedRows const &matrix, SolverOptions const &options)
      : matrix(matrix), tolerance(toleranceOf<T>(options)) {
    engine.compute(Eigen::SparseMatrix<T>(mapOf<T>(matrix)));
  }

  SolveResult solve(void const *rhs, void *solution) override {
    if (engine.info() != Eigen::Success)
      return {SolveResult::NotFactorized, 0, 1};
    Eigen::Map<Vector<T> const> b(static_cast<T const *>(rhs), matrix.size);
    Eigen::Map<Vector<T>> x(static_cast<T *>(solution), matrix.size);
    x = engine.solve(b);
    // Factors of a symmetric matrix look at one half only, and singular ones
    // give anything.
    Vector<T> rest = b - mapOf<T>(matrix) * x;
    T scale = b.norm();
    double residual =
        scale > 0 ? double(rest.norm() / scale) : double(rest.norm());
    bool isSolved = residual <= tolerance;
    return {isSolved ? SolveResult::Solved : SolveResult::NotConverged, 1,
            residual};
  }
  bool hasFactors() const override { return true; }

private:
  CompressedRows matrix;
  double tolerance;
  Engine engine;
};

template <class T, class Preconditioner>
using CG =
    Iterative<T, Eigen::ConjugateGradient<Rows<T>, Eigen::Lower | Eigen::Upper,
                                          Preconditioner>>;
template <class T, class Preconditioner>
using BiCGStab = Iterative<T, Eigen::BiCGSTAB<Rows<T>, Preconditioner>>;

template <class T>
std::unique_ptr<Solver> make(CompressedRows const &matrix,
                             SolverOptions const &options) {
  auto solver = [&](auto tag) -> std::unique_ptr<Solver> {
    return std::make_unique<typename decltype(tag)::Type>(matrix, options);
  };
  bool isCG = options.method == Method::CG;
  switch (options.preconditioner) {
  case Preconditioner::None:
    return isCG ? solver(TypeTag<CG<T, Eigen::IdentityPreconditioner>>())
                : solver(TypeTag<BiCGStab<T, Eigen::IdentityPreconditioner>>());
  case Preconditioner::Jacobi:
    return isCG ? solver(TypeTag<CG<T, Eigen::DiagonalPreconditioner<T>>>())
                : solver(
                      TypeTag<BiCGStab<T, Eigen::DiagonalPreconditioner<T>>>());
  case Preconditioner::ICC:
    return solver(TypeTag<CG<T, Eigen::IncompleteCholesky<T>>>());
  case Preconditioner::ILU:
    return solver(TypeTag<BiCGStab<T, Eigen::IncompleteLUT<T>>>());
  case Preconditioner::Cholesky:
    return solver(
        TypeTag<Direct<T, Eigen::SimplicialLDLT<Eigen::SparseMatrix<T>>>>());
  case Preconditioner::LU:
    return solver(
        TypeTag<Direct<T, Eigen::SparseLU<Eigen::SparseMatrix<T>>>>());
  }
  return nullptr;
}

} // namespace

std::unique_ptr<Solver> op2::rt::makeEigenSolver(CompressedRows const &matrix,
                                                 SolverOptions const &options) {
  return matrix.isDouble ? make<double>(matrix, options)
                         : make<float>(matrix, options);
}
#else
std::unique_ptr<Solver> op2::rt::makeEigenSolver(CompressedRows const &,
                                                 SolverOptions const &) {
  return nullptr;
}
#endif
