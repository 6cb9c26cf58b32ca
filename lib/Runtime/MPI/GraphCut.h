//===- GraphCut.h - Parts of a graph ----------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_MPI_GRAPHCUT_H
#define OP2_LIB_RUNTIME_MPI_GRAPHCUT_H

#include "Ranks/Communicator.h"

#include <mpi.h>

namespace op2::rt {

/// As Communicator::cut, by PT-Scotch: parts differ by 3 % at most. False where
/// the library was built without it, or MPI was begun without threads, of which
/// PT-Scotch has its own.
bool cutGraph(MPI_Comm comm, BlockGraph const &graph, int32_t numParts,
              std::vector<int32_t> &parts);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_MPI_GRAPHCUT_H
