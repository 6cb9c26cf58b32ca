//===- Ranks.h - The ranks of this program ------------------ -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_RANKS_H
#define OP2_LIB_RUNTIME_RANKS_RANKS_H

#include "Communicator.h"

namespace op2::rt {

/// What libop2_mpi gives when it is loaded.
struct RankLibrary {
  /// For this run of the program. The communicators of op_mpi_init, as Fortran
  /// has them; NULL: all processes.
  Communicator *(*begin)(int const *global, int const *local) = nullptr;
  /// The run has ended. Who ends the process between begin() and this ends all.
  void (*end)() = nullptr;
};
void useRankLibrary(RankLibrary const &library);

/// Of this program, by a launcher; 1 if it was started alone.
int startedProcesses();

/// At op_init and op_exit. An error if several processes run a program that is
/// not linked for ranks: each of them would do everything.
void beginRanks(int const *global, int const *local);
void endRanks();

/// Only if there are several.
Communicator &communicator();

/// Gives each rank its part of the mesh, unless it has it.
void distribute(char const *where);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_RANKS_H
