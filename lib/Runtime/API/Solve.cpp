//===- Solve.cpp - Systems of linear equations of matrices ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "Matrix.h"

#include <cstdio>

using namespace op2::rt;

/// Rows of numbers in place of blocks.
static void fillScalarRows(op_mat_core &mat) {
  ScalarRows &rows = mat.scalarRows;
  if (!rows.begin.empty())
    return;
  std::vector<int64_t> const &begin = mat.pattern.rowBegin;
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
          rows.columns.push_back(
              mat.pattern.columns[std::size_t(k)] * mat.coldim + b);
    }
}

CompressedRows op2::rt::requireSystem(op_mat_core &mat, char const *where) {
  requireSquare(mat, where);
  if (!isInPlace(mat))
    op2rt_fatal("%s %s: its sets were renumbered after the matrix was used "
                "first; renumber before",
                where, mat.name.c_str());
  requireCountable(int64_t(mat.entries->size) * mat.coldim,
                   (std::string(where) + " " + mat.name).c_str());
  fillScalarRows(mat);
  Dat &values = requireDat(mat.values, where);
  makeHostCurrent(values);
  ScalarRows const &rows = mat.scalarRows;
  CompressedRows result;
  result.size = static_cast<int32_t>(rows.begin.size()) - 1;
  result.begin = rows.begin.data();
  result.columns = mat.rowdim == 1 && mat.coldim == 1
                       ? mat.pattern.columns.data()
                       : rows.columns.data();
  result.values = values.data;
  result.isDouble = values.elementType == OP2RT_F64;
  return result;
}

static Dat &requireVector(op_mat_core const &mat, op_dat handle, op_set set,
                          int dim, char const *what, char const *where) {
  std::string place = std::string(where) + " " + mat.name + ", " + what;
  Dat &dat = requireDat(handle, place.c_str());
  Dat const &values = requireDat(mat.values, where);
  if (dat.set != set || dat.dim != dim || dat.elementType != values.elementType)
    op2rt_fatal("%s: dat %s has %d values of type %s on set %s; expected %d of "
                "type %s on set %s, as the matrix",
                place.c_str(), dat.name, dat.dim, typeName(dat.elementType),
                dat.set->name, dim, typeName(values.elementType), set->name);
  makeHostCurrent(dat);
  return dat;
}

SystemDats op2::rt::requireSystemDats(op_mat_core const &mat, op_dat rhs,
                                      op_dat solution, char const *where) {
  op_sparsity_core const &sparsity = *mat.sparsity;
  SystemDats dats{
      requireVector(mat, rhs, sparsity.rows, mat.rowdim, "b", where),
      requireVector(mat, solution, sparsity.cols, mat.coldim, "x", where)};
  if (dats.rhs.data == dats.solution.data && dats.rhs.bytes)
    op2rt_fatal("%s %s: b and x are one: dats %s and %s; expected two", where,
                mat.name.c_str(), dats.rhs.name, dats.solution.name);
  return dats;
}

void op2::rt::finishSolve(Dat &solution) {
  solution.hasValues = true;
  programChanged(solution);
  hostChanged(solution);
}

int op2::rt::reportSolve(SolveResult const &result, char const *matrix,
                         char const *where) {
  switch (result.state) {
  case SolveResult::Solved:
    return result.iterations;
  case SolveResult::NotConverged:
    std::fprintf(stderr,
                 "op2 warning: %s %s: not solved after %d iterations: |b - A "
                 "x| is %g |b|\n",
                 where, matrix, result.iterations, result.residual);
    break;
  case SolveResult::NotFactorized:
    std::fprintf(stderr,
                 "op2 warning: %s %s: not solved: the matrix has no such "
                 "factors (singular, or not positive definite)\n",
                 where, matrix);
  }
  return result.iterations > 0 ? -result.iterations : -1;
}

/// The solver of before, if it fits to these values.
static Solver &findSolver(op_mat_core &mat, CompressedRows const &rows,
                          std::string const &options, char const *where) {
  KeptSolver &kept = mat.kept;
  SolverOptions parsed = parseSolverOptions(options.c_str(), where);
  bool isOld = kept.solver && kept.options == options &&
               kept.place == rows.values && kept.solver->hasFactors() &&
               !kept.values.update(rows);
  if (isOld)
    return *kept.solver;
  kept.options = options;
  kept.place = rows.values;
  kept.solver = makeEigenSolver(rows, parsed);
  if (!kept.solver)
    op2rt_fatal("%s: this OP2 was built without Eigen; configure it with "
                "-DOP2_ENABLE_EIGEN=ON, or call op_petsc_solve",
                where);
  if (kept.solver->hasFactors())
    kept.values.update(rows);
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
  SolveResult result = solver.solve(dats.rhs.data, dats.solution.data);
  finishSolve(dats.solution);
  return reportSolve(result, mat.name.c_str(), __func__);
}
