//===- OwnedBuffers.cpp - Increments for the owners of rows ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnedBuffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::op2;

/// The storage of a dat that rows of the loop's body are taken from.
static Value findData(ForElementsOp elements, Value dat) {
  Value found;
  elements.getBody().walk([&](RowOp row) {
    auto data = row.getData().getDefiningOp<DatDataOp>();
    if (data && data.getDat() == dat)
      found = data;
  });
  return found;
}

LogicalResult OwnedBuffers::create() {
  places.resize(loop.getArgs().size());
  llvm::MapVector<Value, SmallVector<unsigned>> dats;
  for (auto [number, arg] : llvm::enumerate(loop.getArgs()))
    if (isConflict(arg))
      dats[arg.data].push_back(number);
  ForElementsOp elements = loop.getElements();
  OpBuilder builder(elements);
  Location loc = loop.getBegin().getLoc();
  Type index = builder.getIndexType();
  Value first = BlockRangeOp::create(builder, loc, index, index, loop.getPlan(),
                                     elements.getBlock())
                    .getBegin();
  unsigned buffer = 0;
  for (auto &[dat, numbers] : dats) {
    Value data = findData(elements, dat);
    if (!data)
      return loop.getBegin().emitOpError("expected rows of argument ")
             << numbers.front() << " in the body of its elements";
    addDat(data, numbers, buffer++);
  }
  builder.setInsertionPointToStart(&elements.getBody().front());
  place =
      arith::SubIOp::create(builder, loc, elements.getInductionVar(), first);
  return success();
}

void OwnedBuffers::addDat(Value data, ArrayRef<unsigned> numbers,
                          unsigned buffer) {
  int64_t slots = 0;
  for (unsigned number : numbers) {
    places[number].firstSlot = slots;
    slots += loop.getArgs()[number].attr.getCount();
  }
  ForElementsOp elements = loop.getElements();
  PlanOp plan = loop.getPlan();
  Location loc = loop.getBegin().getLoc();
  OpBuilder builder(elements);
  auto storage = cast<MemRefType>(data.getType());
  MemRefType type =
      MemRefType::get(storage.getShape(), storage.getElementType());
  if (hasSharedIncrements(loop.getArgs(), loop.getArgs()[numbers.front()]))
    type = asStructOfArrays(MemRefType::get(
        type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
        gpu::AddressSpaceAttr::get(builder.getContext(),
                                   gpu::AddressSpace::Workgroup)));
  Value increments = OwnedIncrementsOp::create(
      builder, loc, type, plan, elements.getBlock(), numbers.front(), buffer,
      slots * plan.getBlockSize());
  for (unsigned number : numbers)
    places[number].increments = increments;
  // Buffers are added in their order.
  builder.setInsertionPoint(elements->getBlock()->getTerminator());
  AddOwnedOp::create(builder, loc, increments, data, plan, elements.getBlock(),
                     numbers.front());
}

Value OwnedBuffers::getRow(OpBuilder &builder, unsigned arg, Value slot) const {
  Location loc = loop.getBegin().getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  slot = arith::AddIOp::create(builder, loc, slot,
                               constant(places[arg].firstSlot));
  Value first = arith::MulIOp::create(builder, loc, slot,
                                      constant(loop.getPlan().getBlockSize()));
  Value increments = places[arg].increments;
  return RowOp::create(
      builder, loc, getRowOf(cast<MemRefType>(increments.getType())),
      increments, arith::AddIOp::create(builder, loc, first, place));
}

Value OwnedBuffers::getRow(OpBuilder &builder, ArgRow row) const {
  return getRow(builder, row.arg,
                arith::ConstantIndexOp::create(
                    builder, loop.getBegin().getLoc(), row.row));
}
