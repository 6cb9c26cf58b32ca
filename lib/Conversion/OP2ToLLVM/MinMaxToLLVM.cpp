//===- MinMaxToLLVM.cpp - The smaller and larger one of two numbers -------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith.minnumf and arith.maxnumf leave open which of two zeros they return,
// and so does LLVM, which decides by what it knows of the operands: in vectors
// in another way than for single elements. Here it is the first one, as in the
// files of op2c++ (lib/Frontend/IntrinsicExpansion.h, fixResults).
//
//===----------------------------------------------------------------------===//

#include "OP2ToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The other one if one is a NaN.
template <class OpT> struct ExpandMinMax : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isMin = std::is_same_v<OpT, arith::MinNumFOp>;
    Location loc = op.getLoc();
    Value a = op.getLhs(), b = op.getRhs();
    Value isBetter = arith::CmpFOp::create(
        rewriter, loc,
        isMin ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, b, a);
    Value better = arith::SelectOp::create(rewriter, loc, isBetter, b, a);
    Value isNaN =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, a, a);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNaN, b, better);
    return success();
  }
};
} // namespace

void op2::populateMinMaxPatterns(RewritePatternSet &patterns) {
  // Before what arith has.
  patterns.add<ExpandMinMax<arith::MinNumFOp>, ExpandMinMax<arith::MaxNumFOp>>(
      patterns.getContext(), /*benefit=*/2);
}
