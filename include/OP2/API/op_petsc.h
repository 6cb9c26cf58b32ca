/*===- op_petsc.h - Matrices and dats as PETSc's ----------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In libop2_petsc, which op2c++ links where it is used; other compilers:
// -lop2_petsc -lop2. For real numbers in double precision. PETSc's objects
// look at the values of dats, and on one process of the matrix, where they are.
// Who calls functions of PETSc includes its headers, too, and links it.
//
// PETSc is initialized at the first call, unless the program did it, and
// finalized when MPI or the program ends.
//
//===----------------------------------------------------------------------===*/

#ifndef OP2_API_OP_PETSC_H
#define OP2_API_OP_PETSC_H

#include "op_mat.h"
#include <op2_config.h>

#if OP2_HAS_PETSC
#define OP2_PETSC
#elif defined(__has_attribute)
#if __has_attribute(unavailable)
#define OP2_PETSC                                                              \
  __attribute__((unavailable("this OP2 was built without PETSc; configure it " \
                             "with -DOP2_ENABLE_PETSC=ON")))
#else
#define OP2_PETSC                                                              \
  __attribute__((error("this OP2 was built without PETSc; configure it with "  \
                       "-DOP2_ENABLE_PETSC=ON")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Those of PETSc. */
typedef struct _p_Mat *Mat;
typedef struct _p_Vec *Vec;

/* As op_solve, with any option of PETSc's KSP and PC, such as
 * "-ksp_type gmres -pc_type hypre". |b - A x| is what is compared where the
 * method can: for fgmres and gmres preconditioned from the right. What PETSc
 * made of the matrix is kept while its values and the options are the same. */
OP2_PETSC int op_petsc_solve(op_mat mat, op_dat b, op_dat x,
                             char const *options);

/* The matrix, square, of "double", and the same for each call; PETSc may look
 * at it until the next loop changes values. To be called again after loops that
 * have changed them. It is the library's, as what follows is. */
OP2_PETSC Mat op_petsc_mat(op_mat mat);
/* The dat, of "double", in the library's order, as op_petsc_mat has it; the
 * same for each call. PETSc may look at it (OP_READ), or change it, too (OP_RW,
 * OP_WRITE), until the next loop: call it again after loops. */
OP2_PETSC Vec op_petsc_vec(op_dat dat, op_access access);

#ifdef __cplusplus
}
#endif

#undef OP2_PETSC

#endif /* OP2_API_OP_PETSC_H */
