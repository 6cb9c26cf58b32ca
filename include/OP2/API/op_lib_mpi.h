//===- op_lib_mpi.h - OP2 on several processes ------------------*- C -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that use MPI themselves, compiled with op2c++ --op2-mpi (other
// compilers: mpi.h on the include path, and -lop2_mpi before -lop2).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_API_OP_LIB_MPI_H
#define OP2_API_OP_LIB_MPI_H

#include "op_hdf5.h"
#include "op_lib_core.h"

#include <mpi.h>

/* In OP2 the number of the root, and not MPI's constant of this name. */
#undef MPI_ROOT
#define MPI_ROOT 0

#ifdef __cplusplus
extern "C" {
#endif

/* The processes that share the mesh, once op_init has been called: all, or
 * those of the second communicator of op_mpi_init. The other: all that
 * op_mpi_init was told of. They belong to the library. */
extern MPI_Comm OP_MPI_WORLD;
extern MPI_Comm OP_MPI_GLOBAL;

#ifdef __cplusplus
}
#endif

#endif /* OP2_API_OP_LIB_MPI_H */
