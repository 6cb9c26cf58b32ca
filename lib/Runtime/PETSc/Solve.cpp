//===- Solve.cpp - Systems of linear equations by PETSc ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Threads.h"
#include "Objects.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

using namespace op2::rt;

/// "-ksp_type" ... of the options, which follow `prefix` in PETSc's table.
static std::vector<std::string> optionNames(std::string const &options) {
  std::vector<std::string> names;
  std::istringstream words(options);
  for (std::string word; words >> word;)
    if (word.size() > 1 && word[0] == '-' &&
        !std::strchr("0123456789.", word[1]))
      names.push_back(word.substr(1));
  return names;
}

/// What is compared with the tolerance is the residual, where there is a choice
/// and the options do not make it.
static void compareResiduals(KSP ksp, std::string const &options,
                             char const *where) {
  if (options.find("-ksp_norm_type") != std::string::npos ||
      options.find("-ksp_pc_side") != std::string::npos)
    return;
  PetscBool isSymmetric = PETSC_FALSE, isGeneral = PETSC_FALSE;
  auto object = reinterpret_cast<PetscObject>(ksp);
  requireSuccess(
      PetscObjectTypeCompareAny(object, &isSymmetric, KSPCG, KSPCR, ""), where);
  requireSuccess(PetscObjectTypeCompareAny(object, &isGeneral, KSPGMRES,
                                           KSPFGMRES, KSPBCGS, KSPBCGSL, ""),
                 where);
  if (isGeneral)
    requireSuccess(KSPSetPCSide(ksp, PC_RIGHT), where);
  if (isSymmetric || isGeneral)
    requireSuccess(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED), where);
}

namespace {
/// Options in PETSc's table, which has room for 512 of them.
struct Inserted {
  std::string prefix;
  int users = 0; ///< matrices
};
} // namespace

static std::map<std::string, Inserted> &insertedOptions() {
  static auto *inserted = new std::map<std::string, Inserted>;
  return *inserted;
}

/// The prefix that they have in the table, where they stay until
/// releaseOptions: PETSc may look at them whenever it solves.
static std::string insertOptions(std::string const &options,
                                 char const *where) {
  static int numMade = 0;
  Inserted &inserted = insertedOptions()[options];
  if (inserted.users++ == 0) {
    inserted.prefix = "op2_" + std::to_string(++numMade) + "_";
    requireSuccess(PetscOptionsPrefixPush(nullptr, inserted.prefix.c_str()),
                   where);
    requireSuccess(PetscOptionsInsertString(nullptr, options.c_str()), where);
    requireSuccess(PetscOptionsPrefixPop(nullptr), where);
  }
  return inserted.prefix;
}

static void releaseOptions(std::string const &options, char const *where) {
  auto at = insertedOptions().find(options);
  if (at == insertedOptions().end() || --at->second.users > 0)
    return;
  for (std::string const &name : optionNames(options))
    requireSuccess(PetscOptionsClearValue(
                       nullptr, ("-" + at->second.prefix + name).c_str()),
                   where);
  insertedOptions().erase(at);
}

void op2::rt::destroyKSP(PetscMatrix &known, char const *where) {
  if (!known.ksp)
    return;
  requireSuccess(KSPDestroy(&known.ksp), where);
  releaseOptions(known.options, where);
}

static void makeKSP(PetscMatrix &known, std::string const &options,
                    char const *where) {
  destroyKSP(known, where);
  std::string prefix = insertOptions(options, where);
  known.options = options;
  requireSuccess(
      KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(known.mat)),
                &known.ksp),
      where);
  requireSuccess(KSPSetOptionsPrefix(known.ksp, prefix.c_str()), where);
  requireSuccess(KSPSetOperators(known.ksp, known.mat, known.mat), where);
  requireSuccess(KSPSetType(known.ksp, KSPGMRES), where);
  PC pc = nullptr;
  requireSuccess(KSPGetPC(known.ksp, &pc), where);
  requireSuccess(PCSetType(pc, PCJACOBI), where);
  requireSuccess(
      KSPSetTolerances(known.ksp, 1e-7, /*abstol=*/0, PETSC_DEFAULT, 10000),
      where);
  requireSuccess(KSPSetInitialGuessNonzero(known.ksp, PETSC_TRUE), where);
  requireSuccess(KSPSetFromOptions(known.ksp), where);
  PetscBool isDirect = PETSC_FALSE;
  requireSuccess(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(known.ksp),
                             KSPPREONLY, &isDirect),
      where);
  if (isDirect)
    requireSuccess(KSPSetInitialGuessNonzero(known.ksp, PETSC_FALSE), where);
  compareResiduals(known.ksp, options, where);
  requireSuccess(KSPSetUp(known.ksp), where);
  for (std::string const &name : optionNames(options)) {
    PetscBool isUsed = PETSC_FALSE;
    requireSuccess(PetscOptionsUsed(nullptr, (prefix + name).c_str(), &isUsed),
                   where);
    if (!isUsed)
      fatal(Problem::SolverOption, "%s: PETSc does not use option \"-%s\"",
            where, name.c_str());
  }
}

/// |b - A x| / |b|
static double findResidual(Mat mat, Vec b, Vec x, char const *where) {
  Vec rest = nullptr;
  PetscReal norm = 0, scale = 0;
  requireSuccess(VecDuplicate(b, &rest), where);
  requireSuccess(MatMult(mat, x, rest), where);
  requireSuccess(VecAYPX(rest, -1, b), where);
  requireSuccess(VecNorm(rest, NORM_2, &norm), where);
  requireSuccess(VecNorm(b, NORM_2, &scale), where);
  requireSuccess(VecDestroy(&rest), where);
  return scale > 0 ? norm / scale : norm;
}

static SolveResult runKSP(PetscMatrix &known, Vec b, Vec x, char const *where) {
  requireSuccess(KSPSolve(known.ksp, b, x), where);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  PetscReal tolerance = 0;
  PetscBool isDirect = PETSC_FALSE;
  requireSuccess(KSPGetConvergedReason(known.ksp, &reason), where);
  requireSuccess(KSPGetIterationNumber(known.ksp, &iterations), where);
  requireSuccess(
      KSPGetTolerances(known.ksp, &tolerance, nullptr, nullptr, nullptr),
      where);
  requireSuccess(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(known.ksp),
                             KSPPREONLY, &isDirect),
      where);
  SolveResult result{SolveResult::Solved, int(iterations), 0};
  if (reason == KSP_DIVERGED_PC_FAILED) {
    result.state = SolveResult::NotFactorized;
  } else if (reason < 0 || isDirect) {
    // PETSc takes what factors give for the solution.
    result.residual = findResidual(known.mat, b, x, where);
    if (reason < 0 || !(result.residual <= tolerance))
      result.state = SolveResult::NotConverged;
  }
  return result;
}

/// A power of two that brings b, whose largest value is `most`, near 1, for
/// squares are taken of its values; 1 where these are numbers as usual.
static PetscReal findScale(PetscReal most) {
  if (!(most > 0) || std::isinf(most) || (most > 1e-100 && most < 1e100))
    return 1;
  return std::ldexp(1.0, std::max(-1000, std::min(1000, -std::ilogb(most))));
}

static SolveResult solveScaled(PetscMatrix &known, Vec b, Vec x,
                               char const *where) {
  PetscReal most = 0;
  requireSuccess(VecNorm(b, NORM_INFINITY, &most), where);
  if (most == 0) // nothing is to be found, by no tolerance
    requireSuccess(VecSet(x, 0), where);
  PetscReal scale = findScale(most);
  if (scale == 1)
    return runKSP(known, b, x, where);
  Vec scaled = nullptr;
  requireSuccess(VecDuplicate(b, &scaled), where);
  requireSuccess(VecCopy(b, scaled), where);
  requireSuccess(VecScale(scaled, scale), where);
  requireSuccess(VecScale(x, scale), where);
  PetscReal guess = 0;
  requireSuccess(VecNorm(x, NORM_INFINITY, &guess), where);
  if (!std::isfinite(guess))
    requireSuccess(VecSet(x, 0), where); // a guess that is none
  SolveResult result = runKSP(known, scaled, x, where);
  requireSuccess(VecScale(x, 1 / scale), where);
  requireSuccess(VecDestroy(&scaled), where);
  return result;
}

extern "C" int op_petsc_solve(op_mat handle, op_dat b, op_dat x,
                              char const *options) {
  Call const call(__func__);
  requireRunning(__func__);
  op_mat_core &mat = built(handle, __func__);
  PetscMatrix &known = petscMatrix(mat, __func__);
  SystemDats dats = requireSystemDats(mat, b, x, __func__);
  std::string where = std::string(__func__) + " " + mat.name;
  std::string words = options ? options : "";
  Vec rhs = petscVector(dats.rhs, where.c_str());
  Vec solution = petscVector(dats.solution, where.c_str());
  if (!known.ksp || known.options != words)
    makeKSP(known, words, where.c_str());
  SolveResult result = solveScaled(known, rhs, solution, where.c_str());
  hostWritten(dats.solution);
  return reportSolve(result, mat.name.c_str(), __func__);
}
