//===- petsc_check.h - Errors of PETSc end the program ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_PETSC_CHECK_H
#define OP2_BENCHMARKS_PETSC_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <petscsys.h>

inline void check(PetscErrorCode code) {
  if (code) {
    std::fprintf(stderr, "PETSc error %d\n", int(code));
    std::exit(1);
  }
}

#endif // OP2_BENCHMARKS_PETSC_CHECK_H
