//===- SplitLoops.h - One loop as two ---------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_SPLITLOOPS_H
#define OP2_TRANSFORMS_SPLITLOOPS_H

#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

struct SplitOptions {
  /// A limit of `maxExtra` that every loop keeps.
  static constexpr int64_t kAnyExtra = int64_t(1) << 30;

  /// Size of the vectors that loops are widened to afterwards; 0 for none.
  int64_t vectorBits = 512;
  /// Functions like exp will be called for several lanes at once.
  bool vectorMath = false;
  /// Values of an element that a kernel may hold at a time.
  int64_t maxValues = 64;
  /// Bytes for each element that splitting may add, in percent of the loop's.
  int64_t maxExtra = 25;
  /// Strategy of loops that ask for none.
  Strategy strategy = Strategy::Auto;
};

/// What became of a loop.
struct SplitResult {
  std::string obstacle;   ///< why it stays one; empty if it was split
  std::string gain;       ///< what it is split for
  int64_t extraBytes = 0; ///< for each element
};

/// Is called for the loop, and for each part that is split again, before it is
/// replaced.
using SplitReport = function_ref<void(ParLoopOp, const SplitResult &)>;

/// Splits a loop, and its parts, as often as that is worth it (--op2-split).
/// The dialects that kernels are widened to must be loaded.
void splitLoop(ParLoopOp loop, const SplitOptions &options, SplitReport report);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_SPLITLOOPS_H
