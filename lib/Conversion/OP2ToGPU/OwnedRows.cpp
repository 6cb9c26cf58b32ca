//===- OwnedRows.cpp - Sums by the owners of rows in a device kernel ------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread has left what its element adds in shared memory. Behind a barrier
// each value of the rows that the block owns has a thread, which adds to it
// what the plan's list says, in the order of the elements.
//
//===----------------------------------------------------------------------===//

#include "../LoopAnnotations.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

void KernelBuilder::buildOwnedIncrements(OwnedIncrementsOp op) {
  constexpr int64_t kAlignment = 16;
  auto type = cast<MemRefType>(op.getIncrements().getType());
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base =
      LLVM::AddressOfOp::create(builder, loc, space, kSharedMemoryName);
  Value address =
      LLVM::GEPOp::create(builder, loc, space, builder.getI8Type(), base,
                          ArrayRef<LLVM::GEPArg>{int32_t(ownedBytes)});
  int64_t width =
      llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  ownedBytes +=
      llvm::alignTo(op.getRows() * type.getDimSize(1) * width, kAlignment);
  outer.map(op.getIncrements(), PtrCastOp::create(builder, loc, type, address,
                                                  constant(op.getRows())));
}

/// `start`, and what the block's elements add to a value of one of its rows.
Value KernelBuilder::addInOrder(AddOwnedOp op, StagedValue at, Value start) {
  int64_t arg = op.getArg();
  Type element = cast<MemRefType>(op.getData().getType()).getElementType();
  Value increments = outer.lookup(op.getIncrements());
  Value offset = loadPlanEntry(PlanArray::SumOffset, position, arg);
  Value first = loadPlanEntry(PlanArray::StageOffset, position, arg);
  // Blocks have one number more than rows there.
  Value place = add(add(first, position), at.row);
  Value begin = loadPlanEntry(PlanArray::SumBegin, place, arg);
  Value end = loadPlanEntry(PlanArray::SumBegin, add(place, constant(1)), arg);
  auto loop = scf::ForOp::create(builder, loc, begin, end, constant(1),
                                 ValueRange(start));
  // Rows have few elements.
  keepScalar(loop, /*isShort=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value entry = loadPlanEntry(PlanArray::SumEntries,
                              add(offset, loop.getInductionVar()), arg);
  Value sum = addValues(element, loop.getRegionIterArg(0),
                        load(increments, {entry, at.column}));
  scf::YieldOp::create(builder, loc, sum);
  return loop.getResult(0);
}

LogicalResult KernelBuilder::buildAddOwned(AddOwnedOp op) {
  if (!outer.contains(op.getIncrements()))
    return op.emitOpError("expected what an op2.owned_increments before it in "
                          "the block has made");
  // Two handles that turn out to be one dat have the same rows: the second adds
  // to what the first has left there.
  if (!isAddingOwned || !assumeDistinct)
    gpu::BarrierOp::create(builder, loc);
  isAddingOwned = true;
  Value data = getCapture(op.getData());
  forStagedValues(
      op.getArg(), cast<MemRefType>(data.getType()), [&](StagedValue at) {
        Value start = load(data, {at.target, at.column});
        store(addInOrder(op, at, start), data, {at.target, at.column});
      });
  return success();
}
