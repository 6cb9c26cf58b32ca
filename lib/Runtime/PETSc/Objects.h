//===- Objects.h - PETSc's matrices and vectors -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PETSc's objects are made on the library's arrays and kept to the end of the
// program. Values change behind PETSc's back: its objects hear of it when they
// are asked for again.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PETSC_OBJECTS_H
#define OP2_LIB_RUNTIME_PETSC_OBJECTS_H

#include "API/Matrix.h"

// Has Mat and Vec, too.
#include "OP2/API/op_petsc.h"

#include <petscksp.h>

namespace op2::rt {

/// An error with PETSc's text unless the code is 0.
void requireSuccess(PetscErrorCode code, char const *where);

struct PetscMatrix {
  Mat mat = nullptr;
  void const *place = nullptr; ///< of the values, on one process
  KeptValues values;
  KSP ksp = nullptr;
  std::string options;
  // On ranks, of which each has its rows.
  std::vector<int32_t> begin, columns;
  std::vector<int32_t> order; ///< the number, among own ones, of each value
  std::vector<double> copied; ///< values in that order
};

void destroyKSP(PetscMatrix &known, char const *where);

/// With the values that the matrix has now.
PetscMatrix &petscMatrix(op_mat_core &mat, char const *where);

/// With the values that the dat has now on the host.
Vec petscVector(Dat &dat, char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PETSC_OBJECTS_H
