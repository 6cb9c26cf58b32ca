//===- Canonicalize.cpp - Canonicalization that keeps bits ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/Canonicalize.h"
#include "OP2/Transforms/KeepBlocks.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// By the names that they have for lack of others: those of their types.
static SmallVector<std::string> getInexactPatterns() {
  return {"(anonymous namespace)::TruncFSIToFPToSIToFP",
          "(anonymous namespace)::TruncFUIToFPToUIToFP"};
}

FrozenRewritePatternSet
op2::getCanonicalizations(MLIRContext *context,
                          function_ref<void(RewritePatternSet &)> addOthers) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  if (addOthers)
    addOthers(patterns);
  return {std::move(patterns), getInexactPatterns()};
}

std::unique_ptr<Pass> op2::createExactCanonicalizerPass() {
  return createCanonicalizerPass(keepBlocks(), getInexactPatterns());
}
