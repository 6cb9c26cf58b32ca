//===- Solve.cpp - Systems of linear equations of matrices ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Core/UserOrder.h"
#include "Matrix.h"
#include "Ranks/Ranks.h"
#include "Ranks/Storage.h"

#include <cstdio>
#include <cstring>

using namespace op2::rt;

/// Rows of numbers in place of blocks.
static void fillScalarRows(op_mat_core &mat, Pattern const &pattern) {
  ScalarRows &rows = mat.scalarRows;
  if (!rows.begin.empty())
    return;
  std::vector<int64_t> const &begin = pattern.rowBegin;
  auto numRows = begin.size() - 1;
  bool isScalar = mat.rowdim == 1 && mat.coldim == 1;
  rows.begin = {0};
  for (std::size_t row = 0; row < numRows; ++row)
    for (int a = 0; a < mat.rowdim; ++a) {
      rows.begin.push_back(rows.begin.back() +
                           int32_t((begin[row + 1] - begin[row]) * mat.coldim));
      if (isScalar)
        continue; // as in the pattern
      for (int64_t k = begin[row]; k < begin[row + 1]; ++k)
        for (int b = 0; b < mat.coldim; ++b)
          rows.columns.push_back(pattern.columns[std::size_t(k)] * mat.coldim +
                                 b);
    }
}

/// Whether libraries get copies: all rows on ranks, or rows in the order of the
/// matrix where that is not the dats' any more.
static bool isCopied(op_mat_core const &mat) {
  return hasRanks() || !isInPlace(mat);
}

/// The matrix's values on the host, row after row, those of all ranks on each.
static void const *takeValues(op_mat_core &mat, char const *where) {
  Dat &values = requireDat(mat.values, where);
  makeHostCurrent(values);
  if (!isCopied(mat))
    return values.data;
  auto const &set = static_cast<Set const &>(*values.set);
  std::vector<char> &all = mat.gathered;
  all.resize(std::size_t(set.globalSize) * std::size_t(values.size));
  copyToUser(values, 0, set.globalSize, all.data());
  return all.data();
}

CompressedRows op2::rt::requireSystem(op_mat_core &mat, char const *where) {
  requireSquare(mat, where);
  distribute(where);
  Pattern const &pattern = wholePattern(mat, where);
  requireCountable(int64_t(pattern.columns.size()) * mat.rowdim * mat.coldim,
                   (std::string(where) + " " + mat.name).c_str());
  settleStorage();
  fillScalarRows(mat, pattern);
  ScalarRows const &rows = mat.scalarRows;
  CompressedRows result;
  result.size = static_cast<int32_t>(rows.begin.size()) - 1;
  result.begin = rows.begin.data();
  result.columns = mat.rowdim == 1 && mat.coldim == 1 ? pattern.columns.data()
                                                      : rows.columns.data();
  result.values = takeValues(mat, where);
  result.isDouble = parseType(mat.type.c_str()) == OP2RT_F64;
  return result;
}

static Dat &requireVector(op_mat_core const &mat, op_dat handle, op_set set,
                          int dim, char const *what, char const *where) {
  std::string place = std::string(where) + " " + mat.name + ", " + what;
  Dat &dat = requireDat(handle, place.c_str());
  Dat const &values = requireDat(mat.values, where);
  if (dat.set != set || dat.dim != dim || dat.elementType != values.elementType)
    fatal(Problem::Matrix,
          "%s: dat %s has %d values of type %s on set %s; expected %d of "
          "type %s on set %s, as the matrix",
          place.c_str(), dat.name, dat.dim, typeName(dat.elementType),
          dat.set->name, dim, typeName(values.elementType), set->name);
  requireOwnValues(dat, place.c_str());
  makeHostCurrent(dat);
  return dat;
}

SystemDats op2::rt::requireSystemDats(op_mat_core const &mat, op_dat rhs,
                                      op_dat solution, char const *where) {
  op_sparsity_core const &sparsity = *mat.sparsity;
  SystemDats dats{
      requireVector(mat, rhs, sparsity.rows, mat.rowdim, "b", where),
      requireVector(mat, solution, sparsity.cols, mat.coldim, "x", where)};
  if (&storageOf(dats.rhs) == &storageOf(dats.solution))
    fatal(Problem::Solver,
          "%s %s: b and x are one: dats %s and %s; expected two", where,
          mat.name.c_str(), dats.rhs.name, dats.solution.name);
  return dats;
}

SystemVectors::SystemVectors(op_mat_core const &mat, SystemDats const &dats)
    : dats(dats), user(mat.rowUser), areCopies(isCopied(mat)) {
  if (!areCopies)
    return;
  copies[0] = gather(dats.rhs);
  copies[1] = gather(dats.solution);
}

void const *SystemVectors::rhs() const {
  return areCopies ? copies[0].data() : dats.rhs.data;
}
void *SystemVectors::solution() {
  return areCopies ? copies[1].data() : dats.solution.data;
}

/// All rows, in the order of the matrix.
std::vector<char> SystemVectors::gather(Dat const &dat) const {
  auto const &set = static_cast<Set const &>(*dat.set);
  auto size = std::size_t(dat.size);
  std::vector<char> values(std::size_t(set.globalSize) * size);
  copyToUser(dat, 0, set.globalSize, values.data());
  if (user.empty())
    return values;
  std::vector<char> ordered(values.size());
  for (std::size_t row = 0; row < user.size(); ++row)
    std::memcpy(&ordered[row * size], &values[std::size_t(user[row]) * size],
                size);
  return ordered;
}

void SystemVectors::finish() {
  Dat &dat = dats.solution;
  if (!areCopies)
    return hostWritten(dat);
  auto const &set = static_cast<Set const &>(*dat.set);
  auto size = std::size_t(dat.size);
  std::vector<char> values(copies[1].size());
  for (std::size_t row = 0; row * size < values.size(); ++row)
    std::memcpy(&values[(user.empty() ? row : std::size_t(user[row])) * size],
                &copies[1][row * size], size);
  copyFromUser(dat, values.data() + set.declaredBegin * dat.size);
}

int op2::rt::reportSolve(SolveResult const &result, char const *matrix,
                         char const *where) {
  if (result.state == SolveResult::Solved)
    return result.iterations;
  // All ranks have the same system: one says it.
  if (isRoot() && result.state == SolveResult::NotConverged)
    warning(Problem::Solver,
            "%s %s: not solved after %d iterations: |b - A "
            "x| is %g |b|",
            where, matrix, result.iterations, result.residual);
  if (isRoot() && result.state == SolveResult::NotFactorized)
    warning(Problem::Solver,
            "%s %s: not solved: the matrix has no such "
            "factors (singular, or not positive definite)",
            where, matrix);
  return result.iterations > 0 ? -result.iterations : -1;
}

/// The solver of before, if it fits to these values.
static Solver &findSolver(op_mat_core &mat, CompressedRows const &rows,
                          std::string const &options, char const *where) {
  KeptSolver &kept = mat.kept;
  SolverOptions parsed = parseSolverOptions(options.c_str(), where);
  bool isOld = kept.solver && kept.options == options &&
               kept.place == rows.values && kept.solver->hasFactors() &&
               !kept.values.update(rows.values, rows.bytes());
  if (isOld)
    return *kept.solver;
  kept.options = options;
  kept.place = rows.values;
  kept.solver = makeEigenSolver(rows, parsed);
  if (!kept.solver)
    fatal(Problem::NotThere,
          "%s: this OP2 was built without Eigen; configure it with "
          "-DOP2_ENABLE_EIGEN=ON, or call op_petsc_solve",
          where);
  if (kept.solver->hasFactors())
    kept.values.update(rows.values, rows.bytes());
  return *kept.solver;
}

extern "C" int op_solve(op_mat handle, op_dat b, op_dat x,
                        char const *options) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  CompressedRows rows = requireSystem(mat, __func__);
  SystemDats dats = requireSystemDats(mat, b, x, __func__);
  std::string where = std::string(__func__) + " " + mat.name;
  Solver &solver = findSolver(mat, rows, options ? options : "", where.c_str());
  SystemVectors vectors(mat, dats);
  SolveResult result = solver.solve(vectors.rhs(), vectors.solution());
  vectors.finish();
  return reportSolve(result, mat.name.c_str(), __func__);
}
