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

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Eigen squares norms, and its methods take their own word for the residual,
/// which is far from |b - A x| if the first guess was: so b is brought near 1,
/// and a method goes on from what it found until that is a solution.
template <class T> class Checked : public Solver {
public:
  SolveResult solve(void const *rhs, void *solution) final {
    if (!isFactorized)
      return {SolveResult::NotFactorized, 0, 1};
    Eigen::Map<Vector<T> const> b(static_cast<T const *>(rhs), matrix.size);
    Eigen::Map<Vector<T>> x(static_cast<T *>(solution), matrix.size);
    T scale = scaleOf(b);
    Vector<T> scaledRhs = b * scale, found = x * scale;
    T norm = scaledRhs.norm();
    if (norm == 0 || !found.allFinite())
      found.setZero(); // a guess that is none
    SolveResult result{SolveResult::NotConverged, 0,
                       std::numeric_limits<double>::infinity()};
    for (bool isBetter = true; isBetter;) {
      result.iterations += attempt(scaledRhs, found, result.iterations);
      x = found / scale;
      found = x * scale; // what x can hold of it
      double rest = (scaledRhs.template cast<double>() -
                     mapOf<T>(matrix).template cast<double>() *
                         found.template cast<double>())
                        .norm();
      double residual = norm > 0 ? rest / double(norm) : rest;
      isBetter = residual < result.residual / 2 && canGoOn(result.iterations);
      result.residual = residual;
      if (residual <= tolerance) {
        result.state = SolveResult::Solved;
        isBetter = false;
      }
    }
    return result;
  }

protected:
  Checked(CompressedRows const &matrix, SolverOptions const &options)
      : matrix(matrix), tolerance(toleranceOf<T>(options)) {}

  /// Brings x nearer to the solution; the iterations, of which `before` were
  /// made.
  virtual int attempt(Vector<T> const &b, Vector<T> &x, int before) = 0;
  virtual bool canGoOn(int iterations) const = 0;

  CompressedRows matrix;
  double tolerance;
  bool isFactorized = false;

private:
  /// A power of two, so that nothing is rounded.
  static T scaleOf(Eigen::Map<Vector<T> const> const &b) {
    constexpr int kMost = std::numeric_limits<T>::max_exponent - 8;
    T most = b.size() > 0 ? b.cwiseAbs().maxCoeff() : T(0);
    if (!(most > 0) || !std::isfinite(most))
      return 1;
    return std::ldexp(T(1), std::clamp(-std::ilogb(most), -kMost, kMost));
  }
};

template <class T, class Engine> class Iterative : public Checked<T> {
public:
  Iterative(CompressedRows const &matrix, SolverOptions const &options)
      : Checked<T>(matrix, options), maxIterations(options.maxIterations) {
    engine.setTolerance(toleranceOf<T>(options));
    engine.compute(mapOf<T>(matrix));
    this->isFactorized = engine.info() == Eigen::Success;
  }
  bool hasFactors() const override {
    return !std::is_same_v<typename Engine::Preconditioner,
                           Eigen::IdentityPreconditioner> &&
           !std::is_same_v<typename Engine::Preconditioner,
                           Eigen::DiagonalPreconditioner<T>>;
  }

protected:
  int attempt(Vector<T> const &b, Vector<T> &x, int before) override {
    if (b.isZero(0)) // so is x
      return 0;
    engine.setMaxIterations(maxIterations - before);
    x = engine.solveWithGuess(b, x);
    return static_cast<int>(engine.iterations());
  }
  bool canGoOn(int iterations) const override {
    return iterations < maxIterations;
  }

private:
  int maxIterations;
  Engine engine;
};

template <class T, class Engine> class Direct : public Checked<T> {
public:
  Direct(CompressedRows const &matrix, SolverOptions const &options)
      : Checked<T>(matrix, options) {
    engine.compute(Eigen::SparseMatrix<T>(mapOf<T>(matrix)));
    this->isFactorized = engine.info() == Eigen::Success;
  }
  bool hasFactors() const override { return true; }

protected:
  int attempt(Vector<T> const &b, Vector<T> &x, int) override {
    x = engine.solve(b);
    return 1;
  }
  bool canGoOn(int) const override { return false; }

private:
  Engine engine;
};

/// In place of methods that do not expect such a matrix.
class Without : public Solver {
public:
  explicit Without(SolveResult result) : result(result) {}
  SolveResult solve(void const *, void *) override { return result; }
  bool hasFactors() const override { return false; }

private:
  SolveResult result;
};

bool hasDiagonal(CompressedRows const &matrix) {
  for (int32_t row = 0; row < matrix.size; ++row)
    if (!std::binary_search(matrix.columns + matrix.begin[row],
                            matrix.columns + matrix.begin[row + 1], row))
      return false;
  return true;
}

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
  if (matrix.size == 0)
    return std::make_unique<Without>(
        SolveResult{SolveResult::Solved, options.method == Method::Direct, 0});
  // Eigen's LU never ends if there are too few entries for its estimates.
  bool isSingular = options.preconditioner == Preconditioner::LU &&
                    matrix.begin[matrix.size] < matrix.size;
  if (isSingular ||
      (options.preconditioner == Preconditioner::ICC && !hasDiagonal(matrix)))
    return std::make_unique<Without>(
        SolveResult{SolveResult::NotFactorized, 0, 1});
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
