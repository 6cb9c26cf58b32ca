//===- Storage.h - Values where the application has them ----- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dat whose values stay in the application's array (OP_NO_REALLOC) has rows
// of its own on ranks. The application may write to its array, and look at it,
// between any two loops, without a word: so each loop takes its rows from
// there, and all ranks get all that it has changed.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_STORAGE_H
#define OP2_LIB_RUNTIME_RANKS_STORAGE_H

#include "Core/Registry.h"

namespace op2::rt {

/// The rows of a dat from the application's array.
void takeFromProgram(Dat &dat);
/// The application's array from the rows of all ranks.
void giveToProgram(Dat const &dat);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_STORAGE_H
