//===- KeepBlocks.h - Rewriting without merging blocks ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_KEEPBLOCKS_H
#define OP2_TRANSFORMS_KEEPBLOCKS_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::op2 {

/// By default MLIR merges blocks that differ in constants only, which become
/// arguments of the block. LLVM needs some of them: immediates of intrinsics
/// and of inline assembly, types of exceptions.
inline GreedyRewriteConfig keepBlocks() {
  return GreedyRewriteConfig().setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
}

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_KEEPBLOCKS_H
