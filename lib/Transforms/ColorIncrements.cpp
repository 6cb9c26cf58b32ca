//===- ColorIncrements.cpp - Make increments on a device free of races ----===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/LoopArguments.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "OP2/Transforms/SumRows.h"
#include "OwnedBuffers.h"
#include "PackedRows.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2COLORINCREMENTSPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {
/// The increments of one loop.
class IncrementColorer {
public:
  explicit IncrementColorer(const PlannedLoop &loop)
      : loop(loop), call(loop.getKernelCall()) {}

  LogicalResult run();

private:
  Block *openColors(OpBuilder &builder);
  void moveCallIntoColors();
  LogicalResult addPrivateRows();
  LogicalResult makeOperandPrivate(unsigned operand, const ArgRow &row);
  SmallVector<Operation *> getPackedUpdates() const;
  void emitIncrements();
  void leaveToOwners();
  void sinkTargets();

  struct Increment {
    SumRow sum;
    ArgRow row; ///< that it is for
  };

  PlannedLoop loop;
  Operation *call;
  SmallVector<Increment> increments; ///< from private rows
  std::optional<OwnedBuffers> buffers;
};
} // namespace

/// An empty op2.by_color at the end of the body.
Block *IncrementColorer::openColors(OpBuilder &builder) {
  ForElementsOp elements = loop.getElements();
  builder.setInsertionPoint(elements.getBody().front().getTerminator());
  auto colors =
      ByColorOp::create(builder, call->getLoc(), elements.getInductionVar(),
                        loop.getPlan(), elements.getBlock());
  Block *body = builder.createBlock(&colors.getBody());
  YieldOp::create(builder, call->getLoc());
  return body;
}

/// What packs rows for the kernel, and brings them back, comes along.
void IncrementColorer::moveCallIntoColors() {
  SmallVector<Operation *> ops(getPackedLoops(*call->getBlock()));
  auto *place = llvm::find_if(
      ops, [&](Operation *op) { return call->isBeforeInBlock(op); });
  ops.insert(place, call);
  OpBuilder builder(call);
  Block *body = openColors(builder);
  for (Operation *op : ops)
    op->moveBefore(body->getTerminator());
}

/// The loops that add packed rows to the data.
SmallVector<Operation *> IncrementColorer::getPackedUpdates() const {
  SmallVector<Operation *> updates;
  for (scf::ForOp loop : getPackedLoops(*call->getBlock()))
    if (!loop.getOps<IncrementOp>().empty())
      updates.push_back(loop);
  return updates;
}

/// Gives the kernel rows of its own for an operand: private ones, or those of a
/// buffer in the device's memory, where they stay until their owners come.
LogicalResult IncrementColorer::makeOperandPrivate(unsigned operand,
                                                   const ArgRow &row) {
  bool isInBuffer =
      buffers && !hasSharedIncrements(loop.getArgs(), loop.getArgs()[row.arg]);
  auto makeRow = [&](OpBuilder &builder, MemRefType type, Value,
                     unsigned slot) -> Value {
    if (!isInBuffer)
      return createSumRow(builder, call->getLoc(), type);
    Value own = buffers->getRow(builder, {row.arg, row.row + slot});
    OpBuilder::InsertionGuard guard(builder);
    // There is no buffer for what is off.
    if (Value flag = loop.getArgs()[row.arg].flag) {
      auto branch = scf::IfOp::create(builder, call->getLoc(), flag);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    clearRow(builder, call->getLoc(), own);
    return own;
  };
  FailureOr<SmallVector<SumRow>> rows =
      passSumRows(call, operand, loop.getArgs(), row.arg, makeRow);
  if (failed(rows))
    return failure();
  // An imported kernel takes those of all slots as one operand.
  if (!isInBuffer)
    for (auto [slot, sumRow] : llvm::enumerate(*rows))
      increments.push_back({sumRow, {row.arg, row.row + unsigned(slot)}});
  return success();
}

void IncrementColorer::emitIncrements() {
  Coloring coloring = loop.getPlan().getColoring();
  OpBuilder after(call->getContext());
  after.setInsertionPointAfter(call);
  SmallVector<Operation *> packed = getPackedUpdates();
  if (coloring == Coloring::TwoLevel)
    after.setInsertionPoint(openColors(after)->getTerminator());
  for (const Increment &increment : increments)
    IncrementOp::create(after, call->getLoc(), increment.sum.sum,
                        increment.sum.row, increment.sum.flag,
                        /*atomic=*/coloring == Coloring::None);
  for (Operation *update : packed) {
    if (coloring == Coloring::TwoLevel)
      update->moveBefore(after.getInsertionBlock(), after.getInsertionPoint());
    else if (coloring == Coloring::None)
      update->walk([](IncrementOp op) { op.setAtomic(true); });
  }
}

/// What elements add stays in buffers until the owners of the rows come.
void IncrementColorer::leaveToOwners() {
  OpBuilder after(call->getContext());
  after.setInsertionPointAfter(call);
  for (const Increment &increment : increments)
    ScatterRowOp::create(after, call->getLoc(), increment.sum.sum,
                         buffers->getRow(after, increment.row),
                         /*condition=*/Value());
  SmallVector<unsigned> packed; // in the order of their loops
  for (auto [number, arg] : llvm::enumerate(loop.getArgs()))
    if (isConflict(arg) && arg.isPacked())
      packed.push_back(number);
  for (auto [number, update] : llvm::zip_equal(packed, getPackedUpdates())) {
    auto slots = cast<scf::ForOp>(update);
    auto increment = *slots.getOps<IncrementOp>().begin();
    OpBuilder builder(increment);
    ScatterRowOp::create(
        builder, increment.getLoc(), increment.getSource(),
        buffers->getRow(builder, number, slots.getInductionVar()),
        increment.getCondition());
    increment.erase();
  }
}

/// The rows that are added to are looked for after the call: their addresses
/// would take up registers while the kernel computes.
void IncrementColorer::sinkTargets() {
  for (const Increment &increment : increments) {
    Operation *target = increment.sum.row.getDefiningOp();
    while (isa_and_nonnull<RowOp, PtrCastOp>(target) && target->hasOneUse() &&
           target->getBlock() == call->getBlock()) {
      Operation *user = *target->user_begin();
      while (user->getBlock() != target->getBlock())
        user = user->getParentOp();
      target->moveBefore(user);
      target = target->getOperand(0).getDefiningOp();
    }
  }
}

LogicalResult IncrementColorer::addPrivateRows() {
  if (loop.getPlan().getColoring() == Coloring::OwnedRows) {
    buffers.emplace(loop);
    if (failed(buffers->create()))
      return failure();
  }
  bool isAtomic = loop.getPlan().getColoring() == Coloring::None;
  auto isShared = [&](const LoopArg &arg) {
    return isConflict(arg) ||
           (isAtomic && isAddedElsewhere(loop.getArgs(), arg));
  };
  for (auto [operand, row] : llvm::enumerate(loop.getOperandRows()))
    if (isShared(loop.getArgs()[row.arg]) &&
        !loop.getArgs()[row.arg].isPacked() &&
        failed(makeOperandPrivate(operand, row)))
      return failure();
  if (buffers) {
    leaveToOwners();
    return success();
  }
  emitIncrements();
  sinkTargets();
  return success();
}

/// Whether there is private memory for what an element adds, whatever else it
/// does.
static bool fitSums(ArrayRef<LoopArg> args) {
  auto isSum = [](const LoopArg &arg) {
    return isConflict(arg) && arg.getAccess() == Access::Inc;
  };
  bool areStatic = llvm::none_of(args, [&](const LoopArg &arg) {
    return isSum(arg) && ShapedType::isDynamic(arg.getDim());
  });
  return areStatic && countPrivateBytes(args, isSum) <= kMaxPrivateBytes;
}

LogicalResult IncrementColorer::run() {
  if (!hasConflicts(loop.getArgs()) || loop.getBegin()->hasAttr(kRaceFreeAttr))
    return success();
  loop.getBegin()->setAttr(kRaceFreeAttr,
                           UnitAttr::get(loop.getBegin()->getContext()));
  if (!call)
    return loop.getBegin().emitOpError(
        "expected a call of the loop's kernel in the body of its elements");
  Coloring coloring = loop.getPlan().getColoring();
  if (coloring == Coloring::OwnedRows || fitPrivateIncrements(loop.getArgs()))
    return addPrivateRows();
  // Elements that run at the same time touch different data.
  if (coloring == Coloring::TwoLevel)
    moveCallIntoColors();
  if (coloring == Coloring::TwoLevel || coloring == Coloring::Elements) {
    if (fitSums(loop.getArgs()))
      sumBeforeAdding(call, loop.getBegin());
    return success();
  }
  return loop.getBegin().emitOpError(
             "indirect rw, min or max, and inc of run-time dim or of more "
             "than ")
         << kMaxPrivateBytes << " bytes, need a plan with colours";
}

namespace {
struct ColorIncrementsPass
    : public op2::impl::OP2ColorIncrementsPassBase<ColorIncrementsPass> {
  void runOnOperation() override {
    for (const PlannedLoop &loop : collectDeviceLoops(getOperation()))
      if (failed(IncrementColorer(loop).run()))
        return signalPassFailure();
  }
};
} // namespace
