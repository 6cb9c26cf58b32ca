//===- PackedLanes.cpp - Packed rows of all elements of a vector ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../PackedRows.h"
#include "LanesBuilder.h"
#include "OP2/Analysis/Vectorization.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

/// A row in one of the loops over the slots of a packed argument.
RowOp LanesBuilder::findPackedRow(const LoopArg &arg) const {
  for (scf::ForOp loop :
       getPackedLoops(ForElementsOp(elements).getBody().front()))
    for (auto row : loop.getOps<RowOp>()) {
      auto data = row.getData().getDefiningOp<DatDataOp>();
      Value table = getMapTable(row);
      auto map = table ? table.getDefiningOp<MapTableOp>() : nullptr;
      if (data && map && data.getDat() == arg.data && map.getMap() == arg.map)
        return row;
    }
  return nullptr;
}

/// The row that `element` reaches through a slot, counted from the first.
Value LanesBuilder::getPackedRow(OpBuilder &builder, const LoopArg &arg,
                                 Value element, Value slot) {
  Location loc = call.getLoc();
  RowOp model = findPackedRow(arg);
  Value first =
      arith::ConstantIndexOp::create(builder, loc, arg.attr.getSlot());
  Value column = arith::AddIOp::create(builder, loc, slot, first);
  Value entry = memref::LoadOp::create(builder, loc, getMapTable(model),
                                       ValueRange{element, column});
  Value index =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), entry);
  MemRefType type = arg.getRowType();
  auto stored =
      cast<MemRefType>(type.clone(getLaneStorage(type.getElementType())));
  if (stored == type)
    return RowOp::create(builder, loc, type, model.getData(), index);
  return getStored(builder, model, index, stored);
}

/// Slot after slot, the rows of all elements.
void LanesBuilder::loadPacked(OpBuilder &builder, LaneRows &rows,
                              const Operand &operand) {
  Location loc = call.getLoc();
  const LoopArg &arg = argOf(operand);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto loop = scf::ForOp::create(builder, loc, constant(0),
                                 constant(arg.attr.getCount()), constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value slot = loop.getInductionVar();
  SmallVector<Value> sources;
  for (IRMapping &mapping : lanes)
    sources.push_back(getPackedRow(
        builder, arg, mapping.lookup(elements.getInductionVar()), slot));
  rows.load(sources, rows.getPart(operand.buffer, arg.getDim(), slot));
}

/// Element after element, and of each slot after slot: every row sees them in
/// the order in which they run one by one.
void LanesBuilder::storePacked(OpBuilder &builder, LaneRows &rows) {
  Location loc = call.getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto width = int64_t(lanes.size());
  SmallVector<PackedResult> results;
  for (const Operand &operand : operands) {
    const LoopArg &arg = argOf(operand);
    if (!arg.isPacked() || arg.getAccess() == Access::Read)
      continue;
    auto type = cast<MemRefType>(operand.buffer.getType());
    Value values = createPrivate(
        builder, loc,
        MemRefType::get({width, type.getDimSize(0)}, type.getElementType()));
    rows.transposeBack(operand.buffer, values);
    results.push_back({&arg, values});
  }
  if (results.empty())
    return;
  // Each element's code is its own where there is little of it: processors
  // foresee which loads depend on stores by the address of the instruction.
  constexpr int64_t kFewValues = 32;
  bool isShort = llvm::all_of(results, [&](const PackedResult &result) {
    return cast<MemRefType>(result.values.getType()).getDimSize(1) <=
           kFewValues;
  });
  if (isShort) {
    for (int64_t lane = 0; lane < width; ++lane)
      storePackedRows(builder, rows, results, constant(lane));
    return;
  }
  OpBuilder::InsertionGuard guard(builder);
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(width),
                                 constant(1));
  builder.setInsertionPointToStart(loop.getBody());
  storePackedRows(builder, rows, results, loop.getInductionVar());
}

/// Those of one lane.
void LanesBuilder::storePackedRows(OpBuilder &builder, LaneRows &rows,
                                   ArrayRef<PackedResult> results, Value lane) {
  Location loc = call.getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value element = arith::AddIOp::create(
      builder, loc, lanes.front().lookup(elements.getInductionVar()), lane);
  for (auto [arg, values] : results) {
    int64_t count = arg->attr.getCount();
    Type type = cast<MemRefType>(values.getType()).getElementType();
    Value parts = viewAs(
        builder, loc, values,
        MemRefType::get({int64_t(lanes.size()) * count, arg->getDim()}, type));
    Value first = arith::MulIOp::create(builder, loc, lane, constant(count));
    auto slots = scf::ForOp::create(builder, loc, constant(0), constant(count),
                                    constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(slots.getBody());
    Value slot = slots.getInductionVar();
    Value number = arith::AddIOp::create(builder, loc, first, slot);
    Value part = RowOp::create(
        builder, loc, MemRefType::get({arg->getDim()}, type), parts, number);
    Value row = getPackedRow(builder, *arg, element, slot);
    if (arg->getAccess() == Access::Write)
      rows.copyRow(part, row);
    else
      rows.addRow(part, row);
  }
}
