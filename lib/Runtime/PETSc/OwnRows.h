//===- OwnRows.h - The rows of a matrix that a rank has ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_PETSC_OWNROWS_H
#define OP2_LIB_RUNTIME_PETSC_OWNROWS_H

#include "Objects.h"

namespace op2::rt {

/// begin, columns and order of `result`: columns are numbered rank after rank,
/// and ascend in each row. All ranks call it.
void findOwnRows(op_mat_core const &mat, PetscMatrix &result,
                 char const *where);
/// copied.
void takeOwnValues(op_mat_core const &mat, PetscMatrix &result);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_PETSC_OWNROWS_H
