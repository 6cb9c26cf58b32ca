//===- VerifyStage.cpp - Check what a part of a pipeline has done ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2VERIFYSTAGEPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// Whether the op belongs to what a stage should have replaced.
static bool isLeft(Operation *op, Stage stage) {
  if (isa<ParLoopOp>(op))
    return true;
  return stage == Stage::Executed &&
         isa<ForColorsOp, ForBlocksOp, ForElementsOp, ByColorOp, GatherRowOp,
             ScatterRowOp, IncrementOp, PermutedElementOp, TermsOp>(op);
}

namespace {
struct VerifyStagePass
    : public op2::impl::OP2VerifyStagePassBase<VerifyStagePass> {
  using OP2VerifyStagePassBase::OP2VerifyStagePassBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (!isLeft(op, stage))
        return;
      op->emitOpError("is left where all loops should be ") << getWord(stage);
      signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};
} // namespace
