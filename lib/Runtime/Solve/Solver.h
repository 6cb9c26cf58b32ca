//===- Solver.h - Systems of linear equations -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse systems are solved by others' libraries, on the values where they lie:
// by Eigen, whose headers are compiled into libop2, and by PETSc (room PETSc).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_SOLVE_SOLVER_H
#define OP2_LIB_RUNTIME_SOLVE_SOLVER_H

#include "SolverOptions.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace op2::rt {

/// A square matrix row after row: row r has values[begin[r]] to
/// values[begin[r + 1]], in ascending columns.
struct CompressedRows {
  int32_t size = 0;
  int32_t const *begin = nullptr, *columns = nullptr;
  void const *values = nullptr; ///< double or float
  bool isDouble = true;
  int64_t numValues() const { return begin[size]; }
  int64_t bytes() const { return numValues() * (isDouble ? 8 : 4); }
};

/// An error unless so many values can be counted with 32 bits.
void requireCountable(int64_t numValues, char const *where);

/// begin and columns, where they are not those of a pattern.
struct ScalarRows {
  std::vector<int32_t> begin, columns;
};

/// The values that something was made from.
class KeptValues {
public:
  /// Whether these are others, bit for bit; keeps them if so.
  bool update(void const *values, int64_t bytes);

private:
  std::vector<char> kept;
};

struct SolveResult {
  enum { Solved, NotConverged, NotFactorized } state;
  int iterations;  ///< 1 by factors
  double residual; ///< |b - A x| / |b|
};

/// Has looked at the structure and the values of a matrix, whose arrays live as
/// long as it does.
class Solver {
public:
  virtual ~Solver() = default;
  /// `solution` has the first guess, and then the result; both of the
  /// matrix's type and size.
  virtual SolveResult solve(void const *rhs, void *solution) = 0;
  /// Whether it knows other values than it was made of only by itself: what
  /// was costly to find depends on them.
  virtual bool hasFactors() const = 0;
};

/// NULL if the library was built without Eigen.
std::unique_ptr<Solver> makeEigenSolver(CompressedRows const &matrix,
                                        SolverOptions const &options);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_SOLVE_SOLVER_H
