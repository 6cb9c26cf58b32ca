//===- PlanView.h - A plan of the runtime, by element -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_PLANVIEW_H
#define OP2_LIB_RUNTIME_DRAW_PLANVIEW_H

#include "Mesh.h"

#include "OP2/Runtime/op2rt.h"

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
  /// Blocks are parts, of which each owns some rows, as one thread or block of
  /// a device, or tiles. An element that several parts run, because it reaches
  /// what they own, counts to the first.
  bool isOwned = false;
  std::vector<bool> isShared;    ///< [elements], empty unless isOwned
  std::string partName = "part"; ///< or "tile"
  /// What blocks stand for, if not for what runs at once: legends.
  std::vector<std::string> kinds;

  /// So many elements, which nobody runs yet.
  void startParts(int64_t size);
  /// A part runs elements [begin, end).
  void addToPart(int32_t part, int64_t begin, int64_t end);
};

/// By element, for a loop over `set`, which has `size` elements.
PlanView viewOf(op2rt_plan const &plan, std::string const &set, int64_t size);

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_PLANVIEW_H
