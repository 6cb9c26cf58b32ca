//===- Parts.h - Which rank owns which element -------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One set leads: it is cut by a library for graphs, at random, as it was
// declared, or as the application says. Other sets follow it through maps.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_PARTS_H
#define OP2_LIB_RUNTIME_RANKS_PARTS_H

#include "Blocks.h"
#include "RankMesh.h"

namespace op2::rt {

/// The mesh as ranks declare it: of each set a block.
struct BlockMesh {
  std::vector<Blocks> sets;
  std::vector<PartMap> maps; ///< of the elements of this rank's blocks
  /// Bytes of an element of each set: the set with most of them leads.
  std::vector<int64_t> bytes;
  /// Of each set the map that alone says where its elements go, or -1. Empty:
  /// of none.
  std::vector<int32_t> follows;
};

struct PartRequest {
  enum Method { Cut, Blocks, Random, Given };
  Method method = Cut;
  uint64_t seed = 0; ///< of Random
  int32_t set = -1;  ///< that leads; -1: any
  int32_t map = -1;  ///< whose rows make neighbours; -1: all
  /// Given: of each element of the block of `set`. In 0 ... size() - 1.
  std::vector<int32_t> parts;
};

struct PartResult {
  /// parts[set][n]: the rank that owns element n of this rank's block.
  std::vector<std::vector<int32_t>> parts;
  std::vector<int32_t> leading; ///< sets that were divided by themselves
  bool isCut = false;           ///< by the library for graphs
};

PartResult chooseParts(Communicator &ranks, BlockMesh const &mesh,
                       PartRequest const &request);

/// Neighbours of the elements of this rank's block of `set`: those that stand
/// with them in a row of a map. In rows of more than nine the four before and
/// behind, round the row.
BlockGraph makeBlockGraph(Communicator &ranks, BlockMesh const &mesh,
                          int32_t set, int32_t map);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_PARTS_H
