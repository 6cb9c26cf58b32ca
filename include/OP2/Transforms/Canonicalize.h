//===- Canonicalize.h - Canonicalization that keeps bits --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without MLIR's patterns that convert integers to floating-point numbers with
// one rounding in place of two: truncf(sitofp(x)) is not sitofp(x) where the
// first number cannot hold x.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_CANONICALIZE_H
#define OP2_TRANSFORMS_CANONICALIZE_H

#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace mlir::op2 {

/// The patterns of all dialects that are loaded, and others behind them.
FrozenRewritePatternSet getCanonicalizations(
    MLIRContext *context,
    function_ref<void(RewritePatternSet &)> addOthers = nullptr);

/// MLIR's pass with these patterns.
std::unique_ptr<Pass> createExactCanonicalizerPass();

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_CANONICALIZE_H
