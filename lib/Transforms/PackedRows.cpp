//===- PackedRows.cpp - Rows of several slots side by side ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedRows.h"
#include "OP2/Transforms/Extremes.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

PackedRows::PackedRows(OpBuilder &builder, Location loc, const LoopArg &arg,
                       bool isSet)
    : loc(loc), arg(arg), isSet(isSet) {
  memory = createPrivate(builder, loc, arg.getOperandType());
  auto type = MemRefType::get({arg.attr.getCount(), arg.getDim()},
                              arg.getElementType());
  rows = viewAs(builder, loc, memory, type);
  if (!isAdded() && !isSet && arg.getAccess() != Access::Read)
    original = createPrivate(builder, loc, type);
}

/// Over the slots; over none if the argument is not there.
scf::ForOp PackedRows::createLoop(OpBuilder &builder) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value zero = constant(0), count = constant(arg.attr.getCount());
  if (arg.flag)
    count = arith::SelectOp::create(builder, loc, arg.flag, count, zero);
  auto loop = scf::ForOp::create(builder, loc, zero, count, constant(1));
  builder.setInsertionPointToStart(loop.getBody());
  return loop;
}

void PackedRows::load(OpBuilder &builder, GetRow getRow) {
  if (isSet)
    return;
  OpBuilder::InsertionGuard guard(builder);
  Value slot = createLoop(builder).getInductionVar();
  Value row = isAdded() ? Value() : getRow(builder, slot);
  Value identity =
      isAdded() ? createAdditiveIdentity(builder, loc, arg.getElementType())
                : Value();
  forRowEntries(builder, loc, arg.getDim(), [&](Value i) {
    Value value =
        isAdded() ? identity
                  : memref::LoadOp::create(builder, loc, row, i).getResult();
    Value place[] = {slot, i};
    memref::StoreOp::create(builder, loc, value, rows, place);
    if (original)
      memref::StoreOp::create(builder, loc, value, original, place);
  });
}

void PackedRows::storeChanged(OpBuilder &builder, Value slot, Value row) {
  forRowEntries(builder, loc, arg.getDim(), [&](Value i) {
    Value place[] = {slot, i};
    Value value = memref::LoadOp::create(builder, loc, rows, place);
    if (!original) {
      memref::StoreOp::create(builder, loc, value, row, i);
      return;
    }
    Value before = memref::LoadOp::create(builder, loc, original, place);
    Value isChanged = haveOtherBits(builder, loc, value, before);
    if (arg.attr.isReduction()) {
      Value current = memref::LoadOp::create(builder, loc, row, i);
      Value isBeaten = isBetterExtreme(builder, loc, arg.getAccess(),
                                       arg.getElementType(), current, value);
      Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
      isChanged =
          arith::SelectOp::create(builder, loc, isBeaten, no, isChanged);
    }
    OpBuilder inThen = scf::IfOp::create(builder, loc, isChanged,
                                         /*withElseRegion=*/false)
                           .getThenBodyBuilder();
    memref::StoreOp::create(inThen, loc, value, row, i);
  });
}

void PackedRows::store(OpBuilder &builder, GetRow getRow) {
  if (arg.getAccess() == Access::Read)
    return;
  OpBuilder::InsertionGuard guard(builder);
  Value slot = createLoop(builder).getInductionVar();
  Value row = getRow(builder, slot);
  if (!isAdded())
    return storeChanged(builder, slot, row);
  Value part = RowOp::create(builder, loc, arg.getRowType(), rows, slot);
  IncrementOp::create(builder, loc, part, row, /*condition=*/Value(),
                      /*atomic=*/false);
}
