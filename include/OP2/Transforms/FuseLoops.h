//===- FuseLoops.h - Neighbouring loops as one ------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_FUSELOOPS_H
#define OP2_TRANSFORMS_FUSELOOPS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::op2 {

/// On a function: its caller has found out what rules F4 to F6 of docs/spec.md
/// leave to be found out when the program runs.
constexpr llvm::StringLiteral kFusibleAttr = "op2.fusible";

struct FuseOptions {
  /// Size of the vectors that loops are widened to afterwards; 0 for none.
  int64_t vectorBits = 512;
  /// Functions like exp will be called for several lanes at once.
  bool vectorMath = false;
  /// Values of an element that a fused kernel may hold at a time.
  int64_t maxValues = 64;
  /// Bytes for each element that fusing must save.
  int64_t minSaved = 1;
};

/// What became of two neighbouring loops.
struct FuseResult {
  std::string obstacle;   ///< why they stay two; empty if they were fused
  int64_t savedBytes = 0; ///< for each element
};

/// Is called for each pair of neighbours, before the loops are replaced.
using FuseReport = function_ref<void(ParLoopOp, ParLoopOp, const FuseResult &)>;

/// Fuses neighbouring loops of a module's functions (--op2-fuse). The dialects
/// that kernels are widened to must be loaded.
void fuseLoops(ModuleOp module, const FuseOptions &options, FuseReport report);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_FUSELOOPS_H
