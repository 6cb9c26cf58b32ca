//===- WidenControlFlow.cpp - Branches and loops of several elements ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWidener.h"
#include "OP2/Analysis/CostModel.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::op2;

void KernelWidener::widenUniformIf(scf::IfOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Type> types = getWideTypes(op.getResults());
  Value isActive = mask ? anyLane(loc, mask) : Value();
  Value condition = andActive(loc, isActive, get(op.getCondition()));
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    if (to.front().mightHaveTerminator())
      to.front().getTerminator()->erase();
    builder.setInsertionPointToEnd(&to.front());
    widenBlock(from.front(), mask);
    SmallVector<Value> yielded;
    for (auto [result, value] : llvm::zip(
             op.getResults(), from.front().getTerminator()->getOperands()))
      yielded.push_back(getAs(loc, result, value));
    scf::YieldOp::create(builder, loc, yielded);
  }
  values.map(op.getResults(), branch.getResults());
}

/// Whether a side of a branch takes longer than it takes to find out whether a
/// lane goes there, and to be wrong about that now and then.
static bool isWorthSkipping(Region &side) {
  constexpr int64_t kLeast = 24;
  KernelCycles cycles = countCycles(side);
  return cycles.arithmetic + cycles.calls >= kLeast &&
         side.getOps<memref::AllocaOp>().empty();
}

/// A side of a branch for the lanes of `mask`. Returns what it yields, by the
/// names that it has in the kernel, or, where it may be skipped, as lanes.
SmallVector<Value> KernelWidener::widenSide(Region &side, Value mask) {
  Block &block = side.front();
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  // Of addresses there are no lanes; arith has no unsigned zeros.
  bool yieldsNumbers = llvm::all_of(yielded, [](Value value) {
    return isLaneElement(value.getType()) &&
           !value.getType().isUnsignedInteger();
  });
  if (!yieldsNumbers || !isWorthSkipping(side)) {
    widenBlock(block, mask);
    return yielded;
  }
  Location loc = side.getLoc();
  SmallVector<Value> nothing;
  for (Value value : yielded)
    nothing.push_back(createZeros(loc, value.getType()));
  return ifActive(loc, mask, nothing, [&] {
    widenBlock(block, mask);
    return llvm::map_to_vector(
        yielded, [&](Value value) { return getLanes(loc, value); });
  });
}

void KernelWidener::widenIf(scf::IfOp op, Value mask) {
  if (!analysis.varies(op.getCondition()))
    return widenUniformIf(op, mask);
  Location loc = op.getLoc();
  Value condition = get(op.getCondition());
  SmallVector<Value> yes =
      widenSide(op.getThenRegion(), andMask(loc, mask, condition));
  if (op.getElseRegion().empty())
    return;
  Value ones = createSplat(loc, builder.getBoolAttr(true));
  Value opposite = arith::XOrIOp::create(builder, loc, condition, ones);
  SmallVector<Value> no =
      widenSide(op.getElseRegion(), andMask(loc, mask, opposite));
  auto getSide = [&](Value value) {
    return isa<VectorType>(value.getType()) ? value : getLanes(loc, value);
  };
  for (auto [result, first, second] : llvm::zip(op.getResults(), yes, no)) {
    if (analysis.isChoice(result)) {
      choices[result] = choose(loc, condition, first, second);
      continue;
    }
    values.map(result, arith::SelectOp::create(builder, loc, condition,
                                               getSide(first), getSide(second))
                           .getResult());
  }
}

void KernelWidener::widenUniformFor(scf::ForOp op, Value mask) {
  Location loc = op.getLoc();
  Value lower = get(op.getLowerBound()), upper = get(op.getUpperBound());
  // A bound that no lane has computed may be far away.
  if (mask && !op.getStaticTripCount()) {
    Value isActive = anyLane(loc, mask);
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(lower.getType()));
    if (!matchPattern(lower, m_Zero()))
      lower = select(loc, isActive, lower, zero);
    upper = select(loc, isActive, upper, zero);
  }
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getRegionIterArgs(), op.getInitArgs()))
    inits.push_back(getAs(loc, arg, init));
  auto loop =
      scf::ForOp::create(builder, loc, lower, upper, get(op.getStep()), inits,
                         /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(builder);
  if (loop.getBody()->mightHaveTerminator())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  values.map(op.getInductionVar(), loop.getInductionVar());
  values.map(op.getRegionIterArgs(), loop.getRegionIterArgs());
  widenBlock(*op.getBody(), mask);
  SmallVector<Value> yielded;
  for (auto [arg, value] :
       llvm::zip(op.getRegionIterArgs(), op.getYieldedValues()))
    yielded.push_back(getAs(loc, arg, value));
  scf::YieldOp::create(builder, loc, yielded);
  values.map(op.getResults(), loop.getResults());
}

/// Lanes whose counter has passed their bound wait for the others.
void KernelWidener::widenFor(scf::ForOp op, Value mask) {
  if (!analysis.varies(op.getInductionVar()))
    return widenUniformFor(op, mask);
  Location loc = op.getLoc();
  SmallVector<Value> inits = {getLanes(loc, op.getLowerBound())};
  for (Value init : op.getInitArgs())
    inits.push_back(getLanes(loc, init));
  Value upper = getLanes(loc, op.getUpperBound());
  Value step = getLanes(loc, op.getStep());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  SmallVector<Location> locations(types.size(), loc);
  auto createActive = [&](Value counter) -> Value {
    return andMask(
        loc, mask,
        arith::CmpIOp::create(builder, loc, predicate, counter, upper));
  };

  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(builder, loc,
                           anyLane(loc, createActive(before->getArgument(0))),
                           before->getArguments());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
  Value counter = after->getArgument(0);
  Value active = createActive(counter);
  values.map(op.getInductionVar(), counter);
  for (auto [arg, lane] :
       llvm::zip(op.getRegionIterArgs(), after->getArguments().drop_front()))
    values.map(arg, lane);
  widenBlock(*op.getBody(), active);
  SmallVector<Value> yielded = {
      select(loc, active, arith::AddIOp::create(builder, loc, counter, step),
             counter)};
  for (auto [value, old] :
       llvm::zip(op.getYieldedValues(), after->getArguments().drop_front()))
    yielded.push_back(select(loc, active, getLanes(loc, value), old));
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [result, lane] :
       llvm::zip(op.getResults(), loop.getResults().drop_front()))
    values.map(result, lane);
}

void KernelWidener::widenUniformWhile(scf::WhileOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Type> beforeTypes = getWideTypes(op.getBeforeArguments());
  SmallVector<Type> afterTypes = getWideTypes(op.getResults());
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    inits.push_back(getAs(loc, arg, init));
  Value isActive = mask ? anyLane(loc, mask) : Value();
  auto loop = scf::WhileOp::create(builder, loc, afterTypes, inits);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(beforeTypes.size(), loc);
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, beforeTypes, locations);
  values.map(op.getBeforeArguments(), before->getArguments());
  widenBlock(op.getBefore().front(), mask);
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded;
  for (auto [result, value] : llvm::zip(op.getResults(), condition.getArgs()))
    forwarded.push_back(getAs(loc, result, value));
  // What no lane has computed may never end the loop.
  Value goesOn = andActive(loc, isActive, get(condition.getCondition()));
  scf::ConditionOp::create(builder, loc, goesOn, forwarded);

  locations.assign(afterTypes.size(), loc);
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, afterTypes, locations);
  values.map(op.getAfterArguments(), after->getArguments());
  widenBlock(op.getAfter().front(), mask);
  SmallVector<Value> yielded;
  for (auto [arg, value] :
       llvm::zip(op.getBeforeArguments(), op.getYieldOp().getOperands()))
    yielded.push_back(getAs(loc, arg, value));
  scf::YieldOp::create(builder, loc, yielded);
  values.map(op.getResults(), loop.getResults());
}

/// The loop carries, besides what it did, the mask of the lanes that go on and
/// what the condition forwarded last for each lane.
void KernelWidener::widenWhile(scf::WhileOp op, Value mask) {
  if (!analysis.varies(op.getConditionOp().getCondition()))
    return widenUniformWhile(op, mask);
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  for (Value init : op.getInits())
    inits.push_back(getLanes(loc, init));
  size_t numInits = inits.size();
  for (Type type : op.getResultTypes())
    inits.push_back(createZeros(loc, type));
  inits.push_back(mask ? mask : createSplat(loc, builder.getBoolAttr(true)));
  SmallVector<Type> initTypes(ValueRange(inits).getTypes());
  SmallVector<Type> resultTypes(ArrayRef(initTypes).drop_front(numInits));
  auto loop = scf::WhileOp::create(builder, loc, resultTypes, inits);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(initTypes.size(), loc);
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, initTypes, locations);
  Value active = before->getArguments().back();
  for (auto [arg, lane] :
       llvm::zip(op.getBeforeArguments(), before->getArguments()))
    values.map(arg, lane);
  widenBlock(op.getBefore().front(), active);
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded;
  for (auto [value, old] :
       llvm::zip(condition.getArgs(),
                 before->getArguments().drop_front(numInits).drop_back()))
    forwarded.push_back(select(loc, active, getLanes(loc, value), old));
  Value goesOn = andMask(loc, active, getLanes(loc, condition.getCondition()));
  forwarded.push_back(goesOn);
  scf::ConditionOp::create(builder, loc, anyLane(loc, goesOn), forwarded);

  locations.resize(resultTypes.size(), loc);
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, resultTypes, locations);
  for (auto [arg, lane] :
       llvm::zip(op.getAfterArguments(), after->getArguments()))
    values.map(arg, lane);
  widenBlock(op.getAfter().front(), after->getArguments().back());
  SmallVector<Value> yielded;
  for (Value value : op.getYieldOp().getOperands())
    yielded.push_back(getLanes(loc, value));
  llvm::append_range(yielded, after->getArguments());
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [result, lane] : llvm::zip(op.getResults(), loop.getResults()))
    values.map(result, lane);
}
