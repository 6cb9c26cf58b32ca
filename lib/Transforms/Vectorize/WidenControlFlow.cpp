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
  Value condition =
      andOccupied(loc, isOccupied(loc, mask), get(op.getCondition()));
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

/// A side of a branch for the lanes of `mask`, which may be skipped if there
/// are none.
void KernelWidener::widenSide(Region &side, Value mask) {
  Block &block = side.front();
  // Of addresses there are no lanes; arith has no unsigned zeros.
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  bool yieldsNumbers = llvm::all_of(yielded, [](Value value) {
    return isLaneElement(value.getType()) &&
           !value.getType().isUnsignedInteger();
  });
  if (!yieldsNumbers || !isWorthSkipping(side))
    return widenBlock(block, mask);
  // What comes from outside is there in any case.
  llvm::erase_if(yielded,
                 [&](Value value) { return value.getParentRegion() != &side; });
  Location loc = side.getLoc();
  SmallVector<Value> nothing;
  for (Value value : yielded)
    nothing.push_back(analysis.varies(value)
                          ? createZeros(loc, value.getType())
                          : createZero(loc, value.getType()));
  SmallVector<Value> found = ifActive(loc, mask, nothing, [&] {
    widenBlock(block, mask);
    return llvm::map_to_vector(
        yielded, [&](Value value) { return getAs(loc, value, value); });
  });
  values.map(yielded, found);
}

void KernelWidener::widenIf(scf::IfOp op, Value mask) {
  if (!analysis.isDivergent(op))
    return widenUniformIf(op, mask);
  Location loc = op.getLoc();
  Value condition = get(op.getCondition());
  widenSide(op.getThenRegion(), andMask(loc, mask, condition));
  if (op.getElseRegion().empty())
    return;
  Value ones = createSplat(loc, builder.getBoolAttr(true));
  Value opposite = arith::XOrIOp::create(builder, loc, condition, ones);
  widenSide(op.getElseRegion(), andMask(loc, mask, opposite));
  for (auto [result, yes, no] :
       llvm::zip(op.getResults(), op.thenYield().getOperands(),
                 op.elseYield().getOperands())) {
    if (analysis.isChoice(result))
      choices[result] = choose(loc, condition, yes, no);
    else if (!analysis.varies(result)) // one side has it, the other nothing
      values.map(result, get(isPoison(yes) ? no : yes));
    else
      values.map(result,
                 select(loc, condition, getLanes(loc, yes), getLanes(loc, no)));
  }
}

void KernelWidener::widenUniformFor(scf::ForOp op, Value mask) {
  Location loc = op.getLoc();
  Value lower = get(op.getLowerBound()), upper = get(op.getUpperBound());
  // A bound that no lane has computed may be far away.
  if (!op.getStaticTripCount()) {
    Value isActive = isOccupied(loc, mask);
    Value zero = createZero(loc, lower.getType());
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

/// Lanes whose counter has passed their bound wait for the others. What is
/// carried and the same for those that go on is a scalar; its results, which
/// are of different steps, are carried besides.
void KernelWidener::widenFor(scf::ForOp op, Value mask) {
  if (!analysis.isDivergent(op))
    return widenUniformFor(op, mask);
  Location loc = op.getLoc();
  ValueRange carried = op.getRegionIterArgs();
  SmallVector<Value> inits = {
      getAs(loc, op.getInductionVar(), op.getLowerBound())};
  for (auto [arg, init] : llvm::zip(carried, op.getInitArgs()))
    inits.push_back(getAs(loc, arg, init));
  // Their numbers among what is carried.
  SmallVector<unsigned> withResults;
  for (auto [number, arg] : llvm::enumerate(carried))
    if (!analysis.varies(arg) && !op.getResult(number).use_empty()) {
      withResults.push_back(number);
      inits.push_back(getLanes(loc, op.getInitArgs()[number]));
    }
  Value upper = getLanes(loc, op.getUpperBound());
  Value step = getAs(loc, op.getInductionVar(), op.getStep());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto predicate = op.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                       : arith::CmpIPredicate::slt;
  auto loop = scf::WhileOp::create(builder, loc, types, inits);
  SmallVector<Location> locations(types.size(), loc);
  auto createActive = [&](Value counter) -> Value {
    return andMask(loc, mask,
                   arith::CmpIOp::create(builder, loc, predicate,
                                         broadcast(loc, counter), upper));
  };
  // Lanes that wait keep what they have.
  auto keep = [&](Value active, Value value, Value last) {
    return isa<VectorType>(last.getType())
               ? select(loc, active, broadcast(loc, value), last)
               : value;
  };

  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(builder, loc,
                           anyLane(loc, createActive(before->getArgument(0))),
                           before->getArguments());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
  ArrayRef<BlockArgument> old = after->getArguments();
  Value counter = old.front();
  Value active = createActive(counter);
  occupied.insert(active);
  values.map(op.getInductionVar(), counter);
  for (auto [arg, value] : llvm::zip(carried, old.drop_front()))
    values.map(arg, value);
  widenBlock(*op.getBody(), active);
  SmallVector<Value> next = {
      arith::AddIOp::create(builder, loc, counter, step)};
  for (Value value : op.getYieldedValues())
    next.push_back(get(value));
  for (unsigned number : withResults)
    next.push_back(get(op.getYieldedValues()[number]));
  for (auto [value, last] : llvm::zip(next, old))
    value = keep(active, value, last);
  scf::YieldOp::create(builder, loc, next);
  for (auto [result, value] :
       llvm::zip(op.getResults(), loop.getResults().drop_front()))
    values.map(result, value);
  for (auto [number, value] :
       llvm::zip(withResults, loop.getResults().drop_front(1 + carried.size())))
    values.map(op.getResult(number), value);
}

void KernelWidener::widenUniformWhile(scf::WhileOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Type> beforeTypes = getWideTypes(op.getBeforeArguments());
  SmallVector<Type> afterTypes = getWideTypes(op.getResults());
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    inits.push_back(getAs(loc, arg, init));
  Value isActive = isOccupied(loc, mask);
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
  Value goesOn = andOccupied(loc, isActive, get(condition.getCondition()));
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
/// what the condition forwarded last for each lane, if somebody looks at that.
/// What it forwards to the body alone, and is the same for all that go on, is a
/// scalar.
void KernelWidener::widenWhile(scf::WhileOp op, Value mask) {
  if (!analysis.isDivergent(op))
    return widenUniformWhile(op, mask);
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  for (auto [arg, init] : llvm::zip(op.getBeforeArguments(), op.getInits()))
    inits.push_back(getAs(loc, arg, init));
  size_t numInits = inits.size();
  // Their numbers among what is forwarded.
  SmallVector<unsigned> asLanes, asScalars;
  for (auto [number, arg] : llvm::enumerate(op.getAfterArguments())) {
    bool varies = analysis.varies(arg), isUsed = !arg.use_empty();
    if ((isUsed && varies) || !op.getResult(number).use_empty())
      asLanes.push_back(number);
    if (isUsed && !varies)
      asScalars.push_back(number);
  }
  for (unsigned number : asLanes)
    inits.push_back(createZeros(loc, op.getResultTypes()[number]));
  inits.push_back(mask ? mask : createSplat(loc, builder.getBoolAttr(true)));
  SmallVector<Type> initTypes(ValueRange(inits).getTypes());
  SmallVector<Type> resultTypes(ArrayRef(initTypes).drop_front(numInits));
  size_t numKept = resultTypes.size();
  for (unsigned number : asScalars)
    resultTypes.push_back(op.getResultTypes()[number]);
  auto loop = scf::WhileOp::create(builder, loc, resultTypes, inits);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(initTypes.size(), loc);
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, initTypes, locations);
  Value active = before->getArguments().back();
  if (!mask || occupied.contains(mask))
    occupied.insert(active);
  for (auto [arg, value] :
       llvm::zip(op.getBeforeArguments(), before->getArguments()))
    values.map(arg, value);
  widenBlock(op.getBefore().front(), active);
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<Value> forwarded;
  for (auto [number, old] :
       llvm::zip(asLanes, before->getArguments().drop_front(numInits)))
    forwarded.push_back(
        select(loc, active, getLanes(loc, condition.getArgs()[number]), old));
  Value goesOn = andMask(loc, active, getLanes(loc, condition.getCondition()));
  forwarded.push_back(goesOn);
  for (unsigned number : asScalars)
    forwarded.push_back(get(condition.getArgs()[number]));
  scf::ConditionOp::create(builder, loc, anyLane(loc, goesOn), forwarded);

  locations.assign(resultTypes.size(), loc);
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, resultTypes, locations);
  ArrayRef<BlockArgument> kept = after->getArguments().take_front(numKept);
  for (auto [number, value] : llvm::zip(asLanes, kept))
    values.map(op.getAfterArguments()[number], value);
  for (auto [number, value] :
       llvm::zip(asScalars, after->getArguments().drop_front(numKept)))
    values.map(op.getAfterArguments()[number], value);
  occupied.insert(kept.back());
  widenBlock(op.getAfter().front(), kept.back());
  SmallVector<Value> yielded;
  for (auto [arg, value] :
       llvm::zip(op.getBeforeArguments(), op.getYieldOp().getOperands()))
    yielded.push_back(getAs(loc, arg, value));
  llvm::append_range(yielded, kept);
  scf::YieldOp::create(builder, loc, yielded);
  for (auto [number, value] : llvm::zip(asLanes, loop.getResults()))
    values.map(op.getResult(number), value);
}
