//===- StructureControlFlow.cpp - From branches to scf --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRaiser.h"
#include "OP2/Transforms/Canonicalize.h"
#include "OP2/Transforms/KeepBlocks.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::op2;

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

namespace {
/// The counter of a loop that tests at its end.
struct Counter {
  unsigned position; ///< among the values that the loop carries
  arith::AddIOp next;
  Value begin, end;
  APInt step;
  bool isBefore = false; ///< the test is of the counter before its step
};

/// A loop that runs its body and then goes on while counter + step < end, or,
/// of constants, counter < end: becomes scf.for, from begin to max(end, begin +
/// 1), since the body runs once in any case.
struct CountedLoop : public OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp loop,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// Does the second region only hand on what the first one yields, in order?
static bool isDoWhile(scf::WhileOp loop) {
  Block &after = *loop.getAfterBody();
  return llvm::hasSingleElement(after) &&
         llvm::equal(loop.getYieldOp().getOperands(), after.getArguments());
}

static bool isInvariant(scf::WhileOp loop, Value value) {
  return !loop.getBefore().isAncestor(value.getParentRegion());
}

static std::optional<Counter> findCounter(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  auto predicate = compare.getPredicate();
  Counter result;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  result.isBefore = counter && counter.getOwner() == loop.getBeforeBody();
  auto next = (result.isBefore ? condition.getArgs()[counter.getArgNumber()]
                               : compare.getLhs())
                  .getDefiningOp<arith::AddIOp>();
  if (!result.isBefore)
    counter = next ? dyn_cast<BlockArgument>(next.getLhs()) : BlockArgument();
  if (!next || !counter || next.getLhs() != counter ||
      counter.getOwner() != loop.getBeforeBody() ||
      !matchPattern(next.getRhs(), m_ConstantInt(&result.step)) ||
      !isInvariant(loop, compare.getRhs()))
    return std::nullopt;
  result.position = counter.getArgNumber();
  result.next = next;
  result.begin = loop.getInits()[result.position];
  result.end = compare.getRhs();
  if (condition.getArgs()[result.position] != next || !result.step.isOne())
    return std::nullopt;
  bool isNoWrap = bitEnumContainsAll(next.getOverflowFlags(),
                                     arith::IntegerOverflowFlags::nsw);
  if (predicate == arith::CmpIPredicate::slt && isNoWrap && !result.isBefore)
    return result;
  // With constants there is nothing left to be proven.
  APInt begin, end;
  bool isConstant = matchPattern(result.begin, m_ConstantInt(&begin)) &&
                    matchPattern(result.end, m_ConstantInt(&end)) &&
                    begin.slt(end) && !begin.isNegative() &&
                    !(result.isBefore && end.isMaxSignedValue());
  if (isConstant && (predicate == arith::CmpIPredicate::slt ||
                     predicate == arith::CmpIPredicate::ult ||
                     predicate == arith::CmpIPredicate::ne))
    return result;
  return std::nullopt;
}

LogicalResult CountedLoop::matchAndRewrite(scf::WhileOp loop,
                                           PatternRewriter &rewriter) const {
  if (!isDoWhile(loop) || loop.getNumResults() != loop.getInits().size())
    return rewriter.notifyMatchFailure(loop, "not a loop tested at its end");
  std::optional<Counter> counter = findCounter(loop);
  if (!counter)
    return rewriter.notifyMatchFailure(loop, "no counter found");

  Location loc = loop.getLoc();
  Type type = counter->begin.getType();
  Value step = arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getIntegerAttr(type, 1));
  Value second = arith::AddIOp::create(rewriter, loc, counter->begin, step);
  Value last = counter->end;
  if (counter->isBefore)
    last = arith::AddIOp::create(rewriter, loc, last, step);
  Value end = arith::MaxSIOp::create(rewriter, loc, last, second);

  // The counter's own place among the carried values falls away.
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(loop.getInits()))
    if (number != counter->position)
      inits.push_back(init);
  auto counted =
      scf::ForOp::create(rewriter, loc, counter->begin, end, step, inits);
  if (inits.empty())
    rewriter.eraseOp(counted.getBody()->getTerminator());

  SmallVector<Value> yielded, arguments;
  unsigned next = 0;
  for (auto [number, value] :
       llvm::enumerate(loop.getConditionOp().getArgs())) {
    bool isCounter = number == counter->position;
    arguments.push_back(isCounter ? counted.getInductionVar()
                                  : counted.getRegionIterArg(next++));
    if (!isCounter)
      yielded.push_back(value);
  }
  scf::ConditionOp condition = loop.getConditionOp();
  rewriter.setInsertionPoint(condition);
  scf::YieldOp::create(rewriter, condition.getLoc(), yielded);
  rewriter.eraseOp(condition);
  rewriter.mergeBlocks(loop.getBeforeBody(), counted.getBody(), arguments);

  SmallVector<Value> results;
  next = 0;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    results.push_back(number == counter->position ? end
                                                  : counted.getResult(next++));
  rewriter.replaceOp(loop, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

namespace {
/// A switch becomes branches, which have a form for several elements; where
/// they stay scalar, LLVM makes a switch of them again.
struct SwitchToBranches : public OpRewritePattern<scf::IndexSwitchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IndexSwitchOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumCases() == 0)
      return rewriter.notifyMatchFailure(op, "no cases");
    Location loc = op.getLoc();
    scf::IfOp outer;
    for (auto [value, region] :
         llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
      Value number = arith::ConstantIndexOp::create(rewriter, loc, value);
      Value isCase = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, op.getArg(), number);
      auto branch =
          scf::IfOp::create(rewriter, loc, op.getResultTypes(), isCase,
                            /*addThenBlock=*/false, /*addElseBlock=*/true);
      rewriter.inlineRegionBefore(region, branch.getThenRegion(),
                                  branch.getThenRegion().end());
      if (outer)
        scf::YieldOp::create(rewriter, loc, branch.getResults());
      else
        outer = branch;
      rewriter.setInsertionPointToEnd(&branch.getElseRegion().front());
    }
    rewriter.mergeBlocks(&op.getDefaultBlock(), rewriter.getInsertionBlock());
    rewriter.replaceOp(op, outer);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FrozenRewritePatternSet op2::getCleanups(MLIRContext *context) {
  return getCanonicalizations(context, [&](RewritePatternSet &patterns) {
    patterns.add<CountedLoop, SwitchToBranches>(context);
  });
}

static LogicalResult cleanUp(func::FuncOp function,
                             const FrozenRewritePatternSet &cleanups) {
  if (failed(applyPatternsGreedily(function, cleanups, keepBlocks())))
    return failure();
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}

LogicalResult
op2::structureControlFlow(func::FuncOp function,
                          const FrozenRewritePatternSet &cleanups) {
  ControlFlowToSCFTransformation transformation;
  DominanceInfo dominance(function);
  if (failed(transformCFGToSCF(function.getBody(), transformation, dominance)))
    return failure();
  return cleanUp(function, cleanups);
}
