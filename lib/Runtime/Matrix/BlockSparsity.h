//===- BlockSparsity.h - Sparsities of which ranks have blocks --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As Sparsity.h, where each rank declares a block of each set: its elements'
// tables lead to rows of all ranks. Who declares a row has its columns. All
// ranks call these functions.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_MATRIX_BLOCKSPARSITY_H
#define OP2_LIB_RUNTIME_MATRIX_BLOCKSPARSITY_H

#include "Ranks/Blocks.h"
#include "Ranks/Communicator.h"
#include "Sparsity.h"

namespace op2::rt {

/// Of the rows of this rank's block; columns have numbers of the whole set.
Pattern buildBlockPattern(Communicator &ranks, Blocks const &rows,
                          std::vector<TablePair> const &pairs);

/// The pattern of all rows, of which each rank has those of its block.
Pattern gatherPattern(Communicator &ranks, Pattern const &own);

/// As findPlaces, for the elements of this rank's block: numbers among the
/// entries of all ranks, of which this rank's pattern has those from `first`.
void findBlockPlaces(Communicator &ranks, Blocks const &blocks,
                     Pattern const &pattern, int64_t first,
                     TablePair const &pair, Slots rows, Slots cols, int rowdim,
                     int32_t *places);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_MATRIX_BLOCKSPARSITY_H
