//===- BlockBody.cpp - The body of a thread block -------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "OP2/Analysis/LoopArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

LogicalResult KernelBuilder::buildBlock() {
  blockBegin = loadPlanEntry(PlanArray::BlockBegin, position);
  blockEnd = loadPlanEntry(PlanArray::BlockEnd, position);
  SmallVector<ReductionPartialOp> partials;
  for (Operation &op : blocks.getBody().front().without_terminator()) {
    if (auto partial = dyn_cast<ReductionPartialOp>(op)) {
      partials.push_back(partial);
      beginReduction(partial);
    } else if (auto increments = dyn_cast<OwnedIncrementsOp>(op)) {
      if (failed(buildOwnedIncrements(increments)))
        return failure();
    } else if (auto sums = dyn_cast<AddOwnedOp>(op)) {
      if (failed(buildAddOwned(sums)))
        return failure();
    } else if (auto elements = dyn_cast<ForElementsOp>(op)) {
      buildElements(elements);
    } else if (op.getNumRegions() == 0) {
      cloneInto(op, outer);
    } else {
      return op.emitOpError("cannot stand between the loops over blocks and "
                            "elements of a loop for a device");
    }
  }
  endReductions(partials);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The threads of the block share the numbers 0 … count-1.
void KernelBuilder::forEachThread(Value count, function_ref<void(Value)> body) {
  auto loop =
      scf::ForOp::create(builder, loc, thread, count, constant(numThreads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// A loop that runs once costs registers: what it keeps for its next turn.
bool KernelBuilder::hasThreadForEach() {
  int64_t blockSize = plan.getBlockSize();
  return blockSize > 0 && blockSize <= numThreads;
}

/// Opens a loop in which all threads have an element each, or the number of
/// one that is not there, and returns that.
Value KernelBuilder::beginTurns() {
  Value first = blockBegin;
  if (runLength > 1) {
    beginRuns();
    first = add(first, arith::MulIOp::create(builder, loc, thread,
                                             constant(runLength)));
    auto run = scf::ForOp::create(builder, loc, constant(0),
                                  constant(runLength), constant(1));
    builder.setInsertionPointToStart(run.getBody());
    beginElement();
    return add(first, run.getInductionVar());
  }
  if (!hasThreadForEach()) {
    auto loop = scf::ForOp::create(builder, loc, blockBegin, blockEnd,
                                   constant(numThreads));
    builder.setInsertionPointToStart(loop.getBody());
    first = loop.getInductionVar();
  }
  beginRuns();
  beginElement();
  return add(first, thread);
}

Value KernelBuilder::isElement(Value number) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number,
                               blockEnd);
}

void KernelBuilder::buildElements(ForElementsOp elements) {
  Block &body = elements.getBody().front();
  if (body.getOperations().size() > 1)
    if (auto colors = dyn_cast<ByColorOp>(*std::prev(body.end(), 2)))
      return buildColoredElements(elements, colors);
  OpBuilder::InsertionGuard guard(builder);
  Value element = beginTurns();
  {
    OpBuilder::InsertionGuard inside(builder);
    if (!hasBranchlessElements()) {
      auto active = scf::IfOp::create(builder, loc, isElement(element));
      builder.setInsertionPointToStart(active.thenBlock());
    }
    IRMapping mapping(outer);
    mapping.map(elements.getInductionVar(), element);
    for (Operation &op : body.without_terminator())
      cloneInto(op, mapping);
    dropRepeated();
  }
  endTurn(element);
}

/// All threads go through every step together: there are barriers in it. A
/// thread without an element has a colour that never comes.
void KernelBuilder::buildColoredElements(ForElementsOp elements,
                                         ByColorOp colors) {
  Block &body = elements.getBody().front();
  Value zero = constant(0), one = constant(1);
  Value numColors = loadPlanEntry(PlanArray::NumColors, position);
  OpBuilder::InsertionGuard guard(builder);
  Value element = beginTurns();
  IRMapping mapping(outer);
  mapping.map(elements.getInductionVar(), element);
  auto active = scf::IfOp::create(builder, loc, builder.getIndexType(),
                                  isElement(element), /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(active.thenBlock());
    IRMapping computing(mapping);
    for (Operation &op : body.without_terminator())
      if (&op != colors.getOperation())
        cloneInto(op, computing);
    Value color = loadPlanEntry(PlanArray::ElementColors, element);
    scf::YieldOp::create(builder, loc, color);
    builder.setInsertionPointToStart(active.elseBlock());
    scf::YieldOp::create(builder, loc, constant(-1));
    // Private memory outlives the branch; all else is made again where needed.
    for (auto local : body.getOps<memref::AllocaOp>())
      mapping.map(local.getResult(), computing.lookup(local.getResult()));
  }

  // What kernels have added directly comes before what others add there.
  if (llvm::any_of(args, [&](const LoopArg &arg) {
        return isAddedElsewhere(args, arg);
      }))
    gpu::BarrierOp::create(builder, loc);
  auto byColor = scf::ForOp::create(builder, loc, zero, numColors, one);
  builder.setInsertionPointToStart(byColor.getBody());
  Value isTurn =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                            active.getResult(0), byColor.getInductionVar());
  auto turn = scf::IfOp::create(builder, loc, isTurn);
  gpu::BarrierOp::create(builder, loc);
  builder.setInsertionPointToStart(turn.thenBlock());
  for (Operation &op : colors.getBody().front().without_terminator()) {
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        cloneSlice(operand, &body, mapping);
    });
    cloneInto(op, mapping);
  }
  builder.setInsertionPointAfter(byColor);
  endTurn(element);
}

/// Clones what `value` is made of, as far as it stands in `scope`.
void KernelBuilder::cloneSlice(Value value, Block *scope, IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (mapping.contains(value) || !op || op->getBlock() != scope)
    return;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      cloneSlice(operand, scope, mapping);
  });
  cloneInto(*op, mapping);
}

/// A loop over the slots of a packed argument.
void KernelBuilder::buildSlots(scf::ForOp loop, IRMapping &mapping) {
  auto find = [&](Value value) {
    Value known = mapping.lookupOrNull(value);
    return known ? known : getCapture(value);
  };
  auto copy =
      scf::ForOp::create(builder, loc, find(loop.getLowerBound()),
                         find(loop.getUpperBound()), find(loop.getStep()));
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(copy.getBody());
  for (Operation &op : loop.getBody()->without_terminator())
    cloneInto(op, mapping);
}

/// Whether a thread without an element may run the block's last one again: it
/// leaves what nobody adds, in a place of its own.
bool KernelBuilder::hasBranchlessElements() const {
  PlanOp op = plan;
  return op.getColoring() == Coloring::OwnedRows &&
         int64_t(op.getBlockSize()) == numThreads &&
         llvm::all_of(args, [](const LoopArg &arg) {
           return !isChanged(arg) || isConflict(arg);
         });
}

/// A position of the block, whatever the thread.
Value KernelBuilder::clampPosition(Value number) {
  if (!hasBranchlessElements())
    return number;
  return arith::MinSIOp::create(builder, loc, number,
                                add(blockEnd, constant(-1)));
}

/// The element at a position.
Value KernelBuilder::buildElement(Value position) {
  Value entry = loadPlanEntry(PlanArray::Permutation, clampPosition(position));
  if (plan.getColoring() != Coloring::OwnedRows)
    return entry;
  // Of an element that another block has, too, ~n.
  isRepeated = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     entry, constant(0));
  Value inverted = arith::XOrIOp::create(builder, loc, entry, constant(-1));
  return arith::SelectOp::create(builder, loc, isRepeated, inverted, entry);
}

/// Where blocks own rows, following a map takes no look at the element's number
/// first.
bool KernelBuilder::buildPermutedEntry(memref::LoadOp load,
                                       IRMapping &mapping) {
  auto table = load.getMemRef().getDefiningOp<MapTableOp>();
  if (!table || plan.getColoring() != Coloring::OwnedRows)
    return false;
  auto element = load.getIndices()[0].getDefiningOp<PermutedElementOp>();
  std::optional<int64_t> slot = getConstantIntValue(load.getIndices()[1]);
  if (!element || !slot)
    return false;
  Value position = clampPosition(mapping.lookup(element.getPosition()));
  mapping.map(load.getResult(),
              this->load(getPermutedSlot(table, *slot), position));
  return true;
}

/// One op of the body; ops on the plan become loads of its arrays.
void KernelBuilder::cloneInto(Operation &op, IRMapping &mapping) {
  if (auto local = dyn_cast<memref::AllocaOp>(op))
    return mapping.map(local.getResult(), createPrivateRow(local.getType()));
  if (auto increment = dyn_cast<IncrementOp>(op))
    return buildIncrement(increment, mapping);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    if (buildPermutedEntry(load, mapping))
      return;
  if (auto row = dyn_cast<RowOp>(op))
    return cloneRow(row, mapping);
  if (auto gather = dyn_cast<GatherRowOp>(op))
    return buildGather(gather, mapping);
  if (auto scatter = dyn_cast<ScatterRowOp>(op))
    return buildScatter(scatter, mapping);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return buildSlots(loop, mapping);
  if (isa<BlockRangeOp>(op)) {
    mapping.map(op.getResult(0), blockBegin);
    mapping.map(op.getResult(1), blockEnd);
    return;
  }
  if (auto permuted = dyn_cast<PermutedElementOp>(op)) {
    mapping.map(permuted.getElement(),
                buildElement(mapping.lookup(permuted.getPosition())));
    return;
  }
  // Captures are made on demand, also those of nested ops.
  op.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      bool isOutside = !blocks.getBody().isAncestor(operand.getParentRegion());
      if (isOutside && !mapping.contains(operand))
        mapping.map(operand, getCapture(operand));
    }
  });
  Operation *clone = builder.clone(op, mapping);
  // Maps have the slots first on a device.
  clone->walk([&](memref::LoadOp load) {
    auto type = cast<MemRefType>(load.getMemRef().getType());
    bool isMap = load.getIndices().size() == 2 && type.isDynamicDim(0) &&
                 type.isDynamicDim(1) && type.getElementType().isInteger(32);
    if (!isMap)
      return;
    Value element = load.getIndices()[0], slot = load.getIndices()[1];
    load.getIndicesMutable().assign({slot, element});
  });
}
