//===- ApplyLayout.cpp - Bring rows to kernels ----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neither LLVM nor ptxas moves a load before a store that may be to the same
// place: a kernel that changes rows where they are waits for each of its loads.
// Of private copies, all are loaded first and stored last.
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/Ownership.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Passes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "PlannedLoop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2APPLYLAYOUTPASS
#include "OP2/Transforms/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

/// What of an array of structs is copied becomes registers.
static constexpr int64_t kMaxCopiedValues = 8;
static constexpr unsigned kMinCopiedBits = 32;

namespace {
/// Changes the dats of one loop.
class LayoutApplier {
public:
  explicit LayoutApplier(const PlannedLoop &loop)
      : loop(loop), call(loop.getKernelCall()) {}

  LogicalResult run();

private:
  void convertDat(Value dat);
  SmallVector<RowOp> getRows(Value dat) const;
  void makeStructOfArrays(Value dat);
  void convertRow(RowOp row);
  void passCopy(RowOp row, MemRefType type);
  void moveBehindCopies();
  bool mustBeCopied() const;
  bool isCopied() const;
  bool isOnlyIncremented() const;
  bool isOverwritten() const;

  PlannedLoop loop;
  Operation *call;
  SmallVector<LoopArg> uses;     ///< of the dat at hand
  DenseMap<Value, Value> copies; ///< of its rows, by their numbers
};
} // namespace

/// Whether the kernel only adds to the dat at hand, through maps: two rows may
/// then be one and the same.
bool LayoutApplier::isOnlyIncremented() const {
  return llvm::all_of(uses, [](const LoopArg &arg) {
    return arg.isIndirect() && arg.getAccess() == Access::Inc;
  });
}

/// Whether several blocks may run an element that writes a row and reads it
/// again, or adds to it.
bool LayoutApplier::mustBeCopied() const {
  if (loop.getPlan().getColoring() != Coloring::OwnedRows)
    return false;
  auto kernel = dyn_cast<FunctionOpInterface>(
      cast<CallOpInterface>(call).resolveCallable());
  ArrayRef<LoopArg> args = loop.getArgs();
  for (unsigned number = 0; number < args.size(); ++number)
    if (args[number].data == uses.front().data && !args[number].isIndirect() &&
        isChanged(args[number]) && needsCopy(args, number, kernel))
      return true;
  return false;
}

/// Whether the kernel gets copies of rows that are contiguous as they are: of
/// few values, which elements change and reach in no other way, or what several
/// blocks write. All arguments mean one and the same row then.
bool LayoutApplier::isCopied() const {
  if (mustBeCopied())
    return true;
  auto type = cast<DatType>(uses.front().data.getType());
  auto isOwn = [&](const LoopArg &arg) {
    return !arg.isIndirect() && !arg.flag &&
           !isAddedElsewhere(loop.getArgs(), arg);
  };
  return type.hasStaticDim() && type.getDim() <= kMaxCopiedValues &&
         type.getElementType().getIntOrFloatBitWidth() >= kMinCopiedBits &&
         llvm::all_of(uses, isOwn) && llvm::any_of(uses, isChanged);
}

/// Whether nothing reads the dat at hand before the kernel, as far as it can be
/// looked into, has overwritten whole rows.
bool LayoutApplier::isOverwritten() const {
  auto isWritten = [](const LoopArg &arg) {
    return arg.getAccess() == Access::Write;
  };
  auto known = dyn_cast<func::CallOp>(call);
  if (!known || !llvm::all_of(uses, isWritten))
    return false;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      known, known.getCalleeAttr());
  ArrayRef<LoopArg> args = loop.getArgs();
  for (unsigned number = 0; number < args.size(); ++number)
    if (args[number].data == uses.front().data &&
        isSet(args[number], kernel, getFirstOperand(args, number)))
      return true;
  return false;
}

/// What the kernel is given stands before the call; copies are made right
/// before it, so that the elements of other colours do not come between.
void LayoutApplier::moveBehindCopies() {
  for (Value operand : call->getOperands()) {
    auto select = operand.getDefiningOp<LLVM::SelectOp>();
    Value table = select ? select.getTrueValue() : operand;
    if (auto rows = table.getDefiningOp<RowTableOp>())
      rows->moveBefore(call);
    if (select)
      select->moveBefore(call);
  }
}

/// The kernel gets a private copy of a row.
void LayoutApplier::passCopy(RowOp row, MemRefType type) {
  OpBuilder before(call), after(call->getContext());
  after.setInsertionPointAfter(call);
  Location loc = row.getLoc();
  auto rowType = MemRefType::get(type.getShape(), type.getElementType());
  Value flag = uses.front().flag;
  Value &copy = copies[row.getIndex()];
  if (copy) {
    // Another argument means the same row.
  } else if (isOnlyIncremented()) {
    copy = createSumRow(before, loc, rowType);
    IncrementOp::create(after, loc, copy, row.getRow(), flag, /*atomic=*/false);
  } else {
    copy = GatherRowOp::create(before, loc, rowType, row.getRow(), flag,
                               isOverwritten());
    if (llvm::any_of(uses, isChanged))
      ScatterRowOp::create(after, loc, copy, row.getRow(), flag);
  }
  Value passed = copy;
  if (isa<LLVM::CallOp>(call))
    passed = PtrCastOp::create(before, loc,
                               LLVM::LLVMPointerType::get(call->getContext()),
                               copy, ValueRange());
  row.getRow().replaceUsesWithIf(passed, [](OpOperand &use) {
    return !isa<GatherRowOp, ScatterRowOp, IncrementOp>(use.getOwner());
  });
}

void LayoutApplier::convertRow(RowOp row) {
  MemRefType type = getRowOf(cast<MemRefType>(row.getData().getType()));
  row.getRow().setType(type);
  bool isPassed = false;
  for (Operation *user : llvm::make_early_inc_range(row->getUsers())) {
    // Of packed rows each component is copied alone.
    if (isa<IncrementOp, memref::LoadOp, memref::StoreOp>(user))
      continue;
    // What is added to the row finds the values by itself.
    auto cast = dyn_cast<PtrCastOp>(user);
    if (!cast) {
      isPassed = true;
      continue;
    }
    cast.getResult().replaceAllUsesWith(row.getRow());
    cast.erase();
  }
  if (isPassed)
    passCopy(row, type);
}

void LayoutApplier::makeStructOfArrays(Value dat) {
  auto colors = loop.getBlocks()->getParentOfType<ForColorsOp>();
  OpBuilder builder(colors);
  auto type = cast<DatType>(dat.getType());
  Value data = DatDataOp::create(builder, loop.getBegin().getLoc(),
                                 asStructOfArrays(type.getStorageType()), dat);
  loop.getBlocks()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto known = operand.get().getDefiningOp<DatDataOp>();
          known && known.getDat() == dat)
        operand.set(data);
  });
}

SmallVector<RowOp> LayoutApplier::getRows(Value dat) const {
  SmallVector<RowOp> rows;
  loop.getBlocks()->walk([&](RowOp row) {
    auto data = row.getData().getDefiningOp<DatDataOp>();
    if (data && data.getDat() == dat)
      rows.push_back(row);
  });
  return rows;
}

void LayoutApplier::convertDat(Value dat) {
  copies.clear();
  uses.clear();
  for (const LoopArg &arg : loop.getArgs())
    if (arg.isDat() && arg.data == dat)
      uses.push_back(arg);
  if (uses.front().attr.getLayout() == Layout::SoA)
    makeStructOfArrays(dat);
  else if (!isCopied())
    return;
  for (RowOp row : getRows(dat))
    convertRow(row);
}

LogicalResult LayoutApplier::run() {
  llvm::SmallSetVector<Value, 4> dats;
  for (const LoopArg &arg : loop.getArgs())
    if (arg.isDat())
      dats.insert(arg.data);
  if (dats.empty())
    return success();
  if (!call)
    return loop.getBegin().emitOpError(
        "expected a call of the loop's kernel in the body of its elements");
  for (Value dat : dats)
    convertDat(dat);
  moveBehindCopies();
  return success();
}

namespace {
struct ApplyLayoutPass
    : public op2::impl::OP2ApplyLayoutPassBase<ApplyLayoutPass> {
  void runOnOperation() override {
    for (const PlannedLoop &loop : collectDeviceLoops(getOperation()))
      if (failed(LayoutApplier(loop).run()))
        return signalPassFailure();
  }
};
} // namespace
