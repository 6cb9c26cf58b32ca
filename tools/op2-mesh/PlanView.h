//===- PlanView.h - A plan of the runtime, by element -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TOOLS_OP2_MESH_PLANVIEW_H
#define OP2_TOOLS_OP2_MESH_PLANVIEW_H

#include "Mesh.h"

namespace op2::mesh {

/// What a plan of libop2 says about each element of a set.
struct PlanView {
  std::string set;
  /// Where the loop adds: "cells" or "nodes". Elements that reach a common
  /// element of it conflict.
  std::string increments;
  int64_t numBlocks = 0;
  int32_t numColors = 0; ///< of blocks
  /// [elements], number of the block, in the order of the blocks' elements.
  std::vector<int32_t> blockOf;
  std::vector<int32_t> colorOf; ///< [blocks]
  /// [elements], in the block or, if `isGlobal`, in the whole set; empty if the
  /// strategy has none.
  std::vector<int32_t> elementColor;
  bool isGlobal = false;

  /// What a block copies to shared memory, by set; only if the strategy does.
  struct Staged {
    std::string set;
    std::vector<std::vector<int32_t>> elements; ///< [blocks]
  };
  std::vector<Staged> staged;
};

/// The plan of a loop over `set` that reads all that the maps of the set lead
/// to and adds to its cells (or, if no map leads there, to its nodes), as a
/// device has it with `strategy`: two-level, atomics or global. 0 < blockSize.
PlanView viewPlan(Mesh const &mesh, std::string const &set,
                  std::string const &strategy, int64_t blockSize);

} // namespace op2::mesh

#endif // OP2_TOOLS_OP2_MESH_PLANVIEW_H
