//===- Objects.cpp - PETSc's matrices and vectors ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "OwnRows.h"
#include "Ranks/Ranks.h"
#include "Ranks/Storage.h"

#include <cstdlib>
#include <map>

using namespace op2::rt;

// In libop2_mpi, if the program is linked for ranks.
extern "C" [[gnu::weak]] MPI_Comm OP_MPI_WORLD;

static MPI_Comm communicatorOfProgram() {
  return hasRanks() ? OP_MPI_WORLD : PETSC_COMM_SELF;
}

void op2::rt::requireSuccess(PetscErrorCode code, char const *where) {
  if (!code)
    return;
  char const *text = nullptr;
  char *specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  fatal(Problem::Solver, "%s: PETSc: %s%s%s", where, text ? text : "error",
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
    fatal(Problem::Init, "%s: PETSc was finalized before", where);
  if (isInitialized)
    return;
  if (hasRanks())
    PETSC_COMM_WORLD = OP_MPI_WORLD;
  // Signals are the program's affair, and the library's.
  requireSuccess(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"),
                 where);
  requireSuccess(PetscInitializeNoArguments(), where);
  // Errors come back, and end the program with the library's message.
  requireSuccess(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr),
                 where);
  std::atexit(finalize);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

static void requireDouble(int type, std::string const &name,
                          char const *where) {
  if (type != OP2RT_F64)
    fatal(Problem::ValueType,
          "%s %s: its values are no doubles, as PETSc's are", where,
          name.c_str());
}

/// On the arrays of the only process.
static void updateAlone(PetscMatrix &known, op_mat_core &mat,
                        char const *where) {
  if (!isInPlace(mat))
    fatal(Problem::Order,
          "%s %s: its sets were renumbered after the matrix was used "
          "first, and PETSc has the arrays of before; renumber before",
          where, mat.name.c_str());
  CompressedRows rows = requireSystem(mat, where);
  if (known.mat && known.place != rows.values) {
    destroyKSP(known, where);
    requireSuccess(MatDestroy(&known.mat), where);
  }
  bool isChanged = known.values.update(rows.values, rows.bytes());
  if (!known.mat) {
    auto *values = static_cast<double *>(const_cast<void *>(rows.values));
    requireSuccess(MatCreateSeqAIJWithArrays(
                       PETSC_COMM_SELF, rows.size, rows.size,
                       const_cast<int32_t *>(rows.begin),
                       const_cast<int32_t *>(rows.columns), values, &known.mat),
                   where);
    requireSuccess(MatSetBlockSize(known.mat, mat.rowdim), where);
    known.place = rows.values;
  } else if (isChanged) {
    // PETSc takes it that who asked for the values has changed them.
    double *values = nullptr;
    requireSuccess(MatSeqAIJGetArray(known.mat, &values), where);
    requireSuccess(MatSeqAIJRestoreArray(known.mat, &values), where);
  }
}

/// Of the rows of this rank. PETSc keeps values that lead to own columns and
/// those that lead to others apart, so they are copied.
static void updateOnRanks(PetscMatrix &known, op_mat_core &mat,
                          char const *where) {
  requireSquare(mat, where);
  distribute(where);
  settleStorage();
  bool isNew = !known.mat;
  if (isNew)
    findOwnRows(mat, known, where);
  takeOwnValues(mat, known);
  bool isChanged = known.values.update(
      known.copied.data(), int64_t(known.copied.size() * sizeof(double)));
  // All ranks or none.
  auto numChanged = int64_t(isChanged);
  communicator().sum(&numChanged, 1);
  if (isNew)
    requireSuccess(MatCreateMPIAIJWithArrays(
                       communicatorOfProgram(),
                       PetscInt(known.begin.size()) - 1,
                       PetscInt(known.begin.size()) - 1, PETSC_DETERMINE,
                       PETSC_DETERMINE, known.begin.data(),
                       known.columns.data(), known.copied.data(), &known.mat),
                   where);
  else if (numChanged)
    requireSuccess(MatUpdateMPIAIJWithArray(known.mat, known.copied.data()),
                   where);
}

PetscMatrix &op2::rt::petscMatrix(op_mat_core &mat, char const *where) {
  // Never given back, as matrices are.
  static auto *all = new std::map<op_mat, PetscMatrix>;
  requireDouble(parseType(mat.type.c_str()), mat.name, where);
  begin(where);
  PetscMatrix &known = (*all)[&mat];
  if (hasRanks())
    updateOnRanks(known, mat, where);
  else
    updateAlone(known, mat, where);
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

namespace {
struct PetscVector {
  Vec vec = nullptr;
  PetscScalar const *place = nullptr;
  bool isMoved = false; ///< the dat has another array than at first
};
} // namespace

static PetscScalar const *valuesOf(Dat const &dat, char const *where) {
  if (dat.inArray)
    fatal(Problem::Overlay,
          "%s: dat %s lies in an array as it was declared "
          "(OP_NO_REALLOC, overlays, OP2_RANKS=mirrored); expected one "
          "of which each rank has its rows",
          where, dat.name);
  return reinterpret_cast<PetscScalar const *>(rowData(&dat));
}

Vec op2::rt::petscVector(Dat &dat, char const *where) {
  static auto *all = new std::map<uint64_t, PetscVector>; // by serial number
  requireDouble(dat.elementType, dat.name, where);
  begin(where);
  distribute(where);
  settleStorage();
  PetscVector &known = (*all)[dat.serial];
  PetscScalar const *place = valuesOf(dat, where);
  if (!known.vec) {
    requireSuccess(VecCreateMPIWithArray(communicatorOfProgram(), dat.dim,
                                         PetscInt(ownOf(dat.set)) * dat.dim,
                                         PETSC_DETERMINE, place, &known.vec),
                   where);
  } else if (known.place != place) {
    if (known.isMoved)
      requireSuccess(VecResetArray(known.vec), where);
    requireSuccess(VecPlaceArray(known.vec, place), where);
    known.isMoved = true;
  }
  known.place = place;
  double *values = nullptr; // see updateAlone
  requireSuccess(VecGetArray(known.vec, &values), where);
  requireSuccess(VecRestoreArray(known.vec, &values), where);
  return known.vec;
}

extern "C" Vec op_petsc_vec(op_dat handle, op_access access) {
  Call const call(__func__);
  requireRunning(__func__);
  Dat &dat = requireDat(handle, __func__);
  if (access != OP_READ && access != OP_RW && access != OP_WRITE)
    fatal(Problem::Access,
          "%s %s: the access is %s; expected OP_READ, OP_RW or OP_WRITE",
          __func__, dat.name, accessName(access));
  makeHostCurrent(dat);
  Vec vec = petscVector(dat, __func__);
  if (access != OP_READ)
    hostWritten(dat);
  return vec;
}
