//===- BlockBody.cpp - What a thread block does for a block of a plan -----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
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
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      buildStage(stage);
    } else if (auto unstage = dyn_cast<UnstageOp>(op)) {
      buildUnstage(unstage);
    } else if (auto elements = dyn_cast<ForElementsOp>(op)) {
      // What is staged is complete before the first element runs.
      if (!stages.empty())
        gpu::BarrierOp::create(builder, loc);
      buildElements(elements);
    } else if (op.getNumRegions() == 0) {
      cloneInto(op, outer);
    } else {
      return op.emitOpError("cannot stand between the loops over blocks and "
                            "elements of a loop for a device");
    }
  }
  for (ReductionPartialOp partial : partials)
    endReduction(partial);
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

/// Short rows without a loop: private rows can then live in registers.
void KernelBuilder::forRowEntries(int64_t count,
                                  function_ref<void(Value)> body) {
  constexpr int64_t kUnrolled = 16;
  if (count <= kUnrolled) {
    for (int64_t i = 0; i < count; ++i)
      body(constant(i));
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(count),
                                 constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

static int64_t getRowBytes(MemRefType type) {
  return type.getDimSize(1) *
         llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
}

/// Buffers lie behind one another, each at a multiple of 16 bytes; how long
/// they are is known at run time only.
Value KernelBuilder::getSharedAddress(StageOp stage) {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(builder, loc, space, kSharedMemoryName);
  Value offset = constant(0);
  for (StageOp before : stages) {
    if (before.getNumber() >= stage.getNumber())
      continue;
    auto type = cast<MemRefType>(before.getLocal().getType());
    Value size = loadPlanEntry(PlanArray::StageSize, position, before.getArg());
    Value bytes =
        arith::MulIOp::create(builder, loc, size, constant(getRowBytes(type)));
    Value rounded = arith::AndIOp::create(
        builder, loc, add(bytes, constant(15)), constant(-16));
    offset = add(offset, rounded);
  }
  Value bytes =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), offset);
  return LLVM::GEPOp::create(builder, loc, space, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

void KernelBuilder::buildStage(StageOp stage) {
  auto type = cast<MemRefType>(stage.getLocal().getType());
  Value local = PtrCastOp::create(builder, loc, type, getSharedAddress(stage),
                                  ValueRange());
  stages.push_back(stage);
  outer.map(stage.getLocal(), local);
  int64_t arg = stage.getArg();
  Value dim = constant(type.getDimSize(1));
  Value size = loadPlanEntry(PlanArray::StageSize, position, arg);
  Value count = arith::MulIOp::create(builder, loc, size, dim);
  Value first, data;
  if (!stage.getZero()) {
    first = loadPlanEntry(PlanArray::StageOffset, position, arg);
    data = getCapture(stage.getData());
  }
  // Neighbouring threads copy neighbouring values of a row.
  forEachThread(count, [&](Value i) {
    Value row = arith::DivUIOp::create(builder, loc, i, dim);
    Value column = arith::RemUIOp::create(builder, loc, i, dim);
    Value value;
    if (stage.getZero()) {
      Type element = type.getElementType();
      if (element.isUnsignedInteger())
        element = builder.getIntegerType(element.getIntOrFloatBitWidth());
      value =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    } else {
      Value target =
          loadPlanEntry(PlanArray::StageTargets, add(first, row), arg);
      value = load(data, {target, column});
    }
    store(value, local, {row, column});
  });
}

void KernelBuilder::buildUnstage(UnstageOp unstage) {
  if (!isUnstaging)
    gpu::BarrierOp::create(builder, loc);
  isUnstaging = true;
  auto type = cast<MemRefType>(unstage.getLocal().getType());
  int64_t arg = unstage.getArg();
  Value local = getCapture(unstage.getLocal());
  Value data = getCapture(unstage.getData());
  Value dim = constant(type.getDimSize(1));
  Value size = loadPlanEntry(PlanArray::StageSize, position, arg);
  Value first = loadPlanEntry(PlanArray::StageOffset, position, arg);
  Value count = arith::MulIOp::create(builder, loc, size, dim);
  forEachThread(count, [&](Value i) {
    Value row = arith::DivUIOp::create(builder, loc, i, dim);
    Value column = arith::RemUIOp::create(builder, loc, i, dim);
    Value target = loadPlanEntry(PlanArray::StageTargets, add(first, row), arg);
    Value sum =
        combine(Access::Inc, type.getElementType(),
                load(data, {target, column}), load(local, {row, column}));
    store(sum, data, {target, column});
  });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// A loop that runs once costs registers: what it keeps for its next turn.
bool KernelBuilder::hasThreadForEach() {
  int64_t blockSize = plan.getBlockSize();
  return blockSize > 0 && blockSize <= numThreads;
}

void KernelBuilder::buildElements(ForElementsOp elements) {
  Block &body = elements.getBody().front();
  if (body.getOperations().size() > 1)
    if (auto colors = dyn_cast<ByColorOp>(*std::prev(body.end(), 2)))
      return buildColoredElements(elements, colors);
  OpBuilder::InsertionGuard guard(builder);
  Value element = add(blockBegin, thread);
  if (hasThreadForEach()) {
    Value isActive = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, element, blockEnd);
    auto active = scf::IfOp::create(builder, loc, isActive);
    builder.setInsertionPointToStart(active.thenBlock());
  } else {
    auto loop = scf::ForOp::create(builder, loc, element, blockEnd,
                                   constant(numThreads));
    builder.setInsertionPointToStart(loop.getBody());
    element = loop.getInductionVar();
  }
  IRMapping mapping(outer);
  mapping.map(elements.getInductionVar(), element);
  for (Operation &op : body.without_terminator())
    cloneInto(op, mapping);
}

/// All threads go through every step together: there are barriers in it. A
/// thread without an element has a colour that never comes.
void KernelBuilder::buildColoredElements(ForElementsOp elements,
                                         ByColorOp colors) {
  Block &body = elements.getBody().front();
  Value zero = constant(0), one = constant(1);
  Value numColors = loadPlanEntry(PlanArray::NumColors, position);
  OpBuilder::InsertionGuard guard(builder);
  Value first = blockBegin;
  if (!hasThreadForEach()) {
    auto loop = scf::ForOp::create(builder, loc, blockBegin, blockEnd,
                                   constant(numThreads));
    builder.setInsertionPointToStart(loop.getBody());
    first = loop.getInductionVar();
  }
  Value element = add(first, thread);
  Value isActive = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, element, blockEnd);

  IRMapping mapping(outer);
  mapping.map(elements.getInductionVar(), element);
  auto active = scf::IfOp::create(builder, loc, builder.getIndexType(),
                                  isActive, /*withElseRegion=*/true);
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
    // Private rows outlive the branch; all else is made again where needed.
    for (auto row : body.getOps<PrivateRowOp>())
      mapping.map(row.getRow(), computing.lookup(row.getRow()));
  }

  auto byColor = scf::ForOp::create(builder, loc, zero, numColors, one);
  builder.setInsertionPointToStart(byColor.getBody());
  Value isTurn =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                            active.getResult(0), byColor.getInductionVar());
  auto turn = scf::IfOp::create(builder, loc, isTurn);
  gpu::BarrierOp::create(builder, loc);
  builder.setInsertionPointToStart(turn.thenBlock());
  for (Operation &op : colors.getBody().front().without_terminator()) {
    for (Value operand : op.getOperands())
      cloneSlice(operand, &body, mapping);
    cloneInto(op, mapping);
  }
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

/// One op of the body; ops on the plan become loads of its arrays.
void KernelBuilder::cloneInto(Operation &op, IRMapping &mapping) {
  if (auto row = dyn_cast<PrivateRowOp>(op))
    return clonePrivateRow(row, mapping);
  if (auto increment = dyn_cast<IncrementOp>(op))
    return buildIncrement(increment, mapping);
  if (auto local = dyn_cast<LocalEntryOp>(op)) {
    mapping.map(local.getEntry(),
                loadPlanEntry(PlanArray::LocalMap,
                              mapping.lookup(local.getElement()),
                              local.getArg(), local.getRow()));
    return;
  }
  if (auto permuted = dyn_cast<PermutedElementOp>(op)) {
    mapping.map(permuted.getElement(),
                loadPlanEntry(PlanArray::Permutation,
                              mapping.lookup(permuted.getPosition())));
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

void KernelBuilder::clonePrivateRow(PrivateRowOp op, IRMapping &mapping) {
  auto type = cast<MemRefType>(op.getRow().getType());
  Value row;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    row = memref::AllocaOp::create(builder, loc, type);
  }
  mapping.map(op.getRow(), row);
  forRowEntries(type.getDimSize(0), [&](Value i) {
    store(getIdentity(Access::Inc, type.getElementType()), row, i);
  });
}

void KernelBuilder::buildIncrement(IncrementOp op, IRMapping &mapping) {
  OpBuilder::InsertionGuard guard(builder);
  if (Value condition = op.getCondition()) {
    Value known = mapping.lookupOrNull(condition);
    auto branch =
        scf::IfOp::create(builder, loc, known ? known : getCapture(condition));
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  Value source = mapping.lookup(op.getSource());
  Value target = mapping.lookup(op.getTarget());
  auto type = cast<MemRefType>(source.getType());
  if (op.getAtomic())
    target = getAtomicRow(target);
  forRowEntries(type.getDimSize(0), [&](Value i) {
    Value value = load(source, i);
    if (op.getAtomic())
      return addAtomically(value, target, i);
    store(combine(Access::Inc, type.getElementType(), load(target, i), value),
          target, i);
  });
}

/// The row with an element type that atomic operations take.
Value KernelBuilder::getAtomicRow(Value row) {
  auto type = cast<MemRefType>(row.getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || (element.isSignless() && element.getWidth() >= 8))
    return row;
  Value pointer = PtrCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), row,
      ValueRange());
  Type signless = builder.getIntegerType(std::max(element.getWidth(), 8u));
  return PtrCastOp::create(builder, loc,
                           MemRefType::get(type.getShape(), signless), pointer,
                           ValueRange());
}

void KernelBuilder::addAtomically(Value value, Value row, Value index) {
  auto kind = isa<FloatType>(value.getType()) ? arith::AtomicRMWKind::addf
                                              : arith::AtomicRMWKind::addi;
  // A bool is a byte, 0 or 1.
  if (value.getType().isInteger(1)) {
    value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    kind = arith::AtomicRMWKind::ori;
  }
  memref::AtomicRMWOp::create(builder, loc, kind, value, row, index);
}
