//===- PETSc.cpp - Matrices and dats as PETSc's -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PETSc's objects are made on the library's arrays and kept to the end of the
// program. Values change behind PETSc's back: its objects hear of it when they
// are asked for again.
//
//===----------------------------------------------------------------------===//

#include "API/Matrix.h"
#include "Core/Copies.h"
#include "Core/Threads.h"
#include "Core/Types.h"

// Has Mat and Vec, too.
#include "OP2/API/op_petsc.h"

#include <petscksp.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

using namespace op2::rt;

static void require(PetscErrorCode code, char const *where) {
  if (!code)
    return;
  char const *text = nullptr;
  char *specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  op2rt_fatal("%s: PETSc: %s%s%s", where, text ? text : "error",
              specific && *specific ? ": " : "", specific ? specific : "");
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

static void finalize() {
  PetscBool isInitialized = PETSC_FALSE, isFinalized = PETSC_FALSE;
  int isOver = 0;
  MPI_Finalized(&isOver);
  PetscInitialized(&isInitialized);
  PetscFinalized(&isFinalized);
  if (!isOver && isInitialized && !isFinalized)
    PetscFinalize();
}

static void begin(char const *where) {
  PetscBool isInitialized = PETSC_FALSE, isFinalized = PETSC_FALSE;
  PetscInitialized(&isInitialized);
  PetscFinalized(&isFinalized);
  if (isFinalized)
    op2rt_fatal("%s: PETSc was finalized before", where);
  if (isInitialized)
    return;
  // Signals are the program's affair, and the library's.
  require(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), where);
  require(PetscInitializeNoArguments(), where);
  // Errors come back, and end the program with the library's message.
  require(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), where);
  std::atexit(finalize);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

namespace {
struct PetscMatrix {
  Mat mat = nullptr;
  void const *place = nullptr; ///< of the values
  KeptValues values;
  KSP ksp = nullptr;
  std::string options;
};

struct PetscVector {
  Vec vec = nullptr;
  void const *place = nullptr;
};
} // namespace

// Matrices are never given back; dats by their serial numbers.
static std::map<op_mat, PetscMatrix> &petscMatrices() {
  static auto *all = new std::map<op_mat, PetscMatrix>;
  return *all;
}
static std::map<uint64_t, PetscVector> &petscVectors() {
  static auto *all = new std::map<uint64_t, PetscVector>;
  return *all;
}

static void requireDouble(bool isDouble, std::string const &name,
                          char const *where) {
  if (!isDouble)
    op2rt_fatal("%s %s: its values are no doubles, as PETSc's are", where,
                name.c_str());
}

static PetscMatrix &petscMatrix(op_mat_core &mat, char const *where) {
  CompressedRows rows = requireSystem(mat, where);
  requireDouble(rows.isDouble, mat.name, where);
  begin(where);
  PetscMatrix &known = petscMatrices()[&mat];
  if (known.mat && known.place != rows.values) {
    require(KSPDestroy(&known.ksp), where);
    require(MatDestroy(&known.mat), where);
  }
  bool isChanged = known.values.update(rows);
  if (!known.mat) {
    auto *values = static_cast<double *>(const_cast<void *>(rows.values));
    require(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows.size, rows.size,
                                      const_cast<int32_t *>(rows.begin),
                                      const_cast<int32_t *>(rows.columns),
                                      values, &known.mat),
            where);
    require(MatSetBlockSize(known.mat, mat.rowdim), where);
    known.place = rows.values;
  } else if (isChanged) {
    // PETSc takes it that who asked for the values has changed them.
    double *values = nullptr;
    require(MatSeqAIJGetArray(known.mat, &values), where);
    require(MatSeqAIJRestoreArray(known.mat, &values), where);
  }
  return known;
}

extern "C" Mat op_petsc_mat(op_mat handle) {
  Call const call(__func__);
  requireRunning(__func__);
  return petscMatrix(built(handle, __func__), __func__).mat;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static Vec petscVector(Dat &dat, char const *where) {
  requireDouble(dat.elementType == OP2RT_F64, dat.name, where);
  begin(where);
  PetscVector &known = petscVectors()[dat.serial];
  auto const *place = reinterpret_cast<PetscScalar const *>(dat.data);
  if (!known.vec) {
    require(VecCreateSeqWithArray(PETSC_COMM_SELF, dat.dim,
                                  PetscInt(dat.set->size) * dat.dim, place,
                                  &known.vec),
            where);
    known.place = place;
  } else if (known.place != place) {
    require(VecReplaceArray(known.vec, place), where);
    known.place = place;
  }
  double *values = nullptr; // see petscMatrix
  require(VecGetArray(known.vec, &values), where);
  require(VecRestoreArray(known.vec, &values), where);
  return known.vec;
}

static void noteWritten(Dat &dat) {
  dat.hasValues = true;
  programChanged(dat);
  hostChanged(dat);
}

extern "C" Vec op_petsc_vec(op_dat handle, op_access access) {
  Call const call(__func__);
  requireRunning(__func__);
  Dat &dat = requireDat(handle, __func__);
  if (access != OP_READ && access != OP_RW && access != OP_WRITE)
    op2rt_fatal("%s %s: the access is %s; expected OP_READ, OP_RW or OP_WRITE",
                __func__, dat.name, accessName(access));
  if (hasRanks())
    op2rt_fatal("%s %s: not there yet on several ranks; expected one process",
                __func__, dat.name);
  makeHostCurrent(dat);
  Vec vec = petscVector(dat, __func__);
  if (access != OP_READ)
    noteWritten(dat);
  return vec;
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

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
  require(PetscObjectTypeCompareAny(object, &isSymmetric, KSPCG, KSPCR, ""),
          where);
  require(PetscObjectTypeCompareAny(object, &isGeneral, KSPGMRES, KSPFGMRES,
                                    KSPBCGS, KSPBCGSL, ""),
          where);
  if (isGeneral)
    require(KSPSetPCSide(ksp, PC_RIGHT), where);
  if (isSymmetric || isGeneral)
    require(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED), where);
}

static void makeKSP(PetscMatrix &known, std::string const &options,
                    char const *where) {
  static int numMade = 0;
  std::string prefix = "op2_" + std::to_string(++numMade) + "_";
  require(KSPDestroy(&known.ksp), where);
  require(KSPCreate(PETSC_COMM_SELF, &known.ksp), where);
  require(KSPSetOptionsPrefix(known.ksp, prefix.c_str()), where);
  require(PetscOptionsPrefixPush(nullptr, prefix.c_str()), where);
  require(PetscOptionsInsertString(nullptr, options.c_str()), where);
  require(PetscOptionsPrefixPop(nullptr), where);
  require(KSPSetOperators(known.ksp, known.mat, known.mat), where);
  require(KSPSetType(known.ksp, KSPGMRES), where);
  PC pc = nullptr;
  require(KSPGetPC(known.ksp, &pc), where);
  require(PCSetType(pc, PCJACOBI), where);
  require(
      KSPSetTolerances(known.ksp, 1e-7, PETSC_DEFAULT, PETSC_DEFAULT, 10000),
      where);
  require(KSPSetInitialGuessNonzero(known.ksp, PETSC_TRUE), where);
  require(KSPSetFromOptions(known.ksp), where);
  PetscBool isDirect = PETSC_FALSE;
  require(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(known.ksp),
                                 KSPPREONLY, &isDirect),
          where);
  if (isDirect)
    require(KSPSetInitialGuessNonzero(known.ksp, PETSC_FALSE), where);
  compareResiduals(known.ksp, options, where);
  require(KSPSetUp(known.ksp), where);
  for (std::string const &name : optionNames(options)) {
    PetscBool isUsed = PETSC_FALSE;
    require(PetscOptionsUsed(nullptr, (prefix + name).c_str(), &isUsed), where);
    if (!isUsed)
      op2rt_fatal("%s: PETSc does not use option \"-%s\"", where, name.c_str());
  }
  known.options = options;
}

/// |b - A x| / |b|
static double findResidual(Mat mat, Vec b, Vec x, char const *where) {
  Vec rest = nullptr;
  PetscReal norm = 0, scale = 0;
  require(VecDuplicate(b, &rest), where);
  require(MatMult(mat, x, rest), where);
  require(VecAYPX(rest, -1, b), where);
  require(VecNorm(rest, NORM_2, &norm), where);
  require(VecNorm(b, NORM_2, &scale), where);
  require(VecDestroy(&rest), where);
  return scale > 0 ? norm / scale : norm;
}

static SolveResult runKSP(PetscMatrix &known, Vec b, Vec x, char const *where) {
  require(KSPSolve(known.ksp, b, x), where);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscInt iterations = 0;
  PetscReal tolerance = 0;
  PetscBool isDirect = PETSC_FALSE;
  require(KSPGetConvergedReason(known.ksp, &reason), where);
  require(KSPGetIterationNumber(known.ksp, &iterations), where);
  require(KSPGetTolerances(known.ksp, &tolerance, nullptr, nullptr, nullptr),
          where);
  require(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(known.ksp),
                                 KSPPREONLY, &isDirect),
          where);
  SolveResult result{SolveResult::Solved, int(iterations), 0};
  if (reason == KSP_DIVERGED_PC_FAILED)
    result.state = SolveResult::NotFactorized;
  else if (reason < 0 || isDirect) {
    // PETSc takes what factors give for the solution.
    result.residual = findResidual(known.mat, b, x, where);
    if (reason < 0 || !(result.residual <= tolerance))
      result.state = SolveResult::NotConverged;
  }
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
  SolveResult result = runKSP(known, rhs, solution, where.c_str());
  noteWritten(dats.solution);
  return reportSolve(result, mat.name.c_str(), __func__);
}
