//===- WidenMemory.cpp - Loads and stores of several elements -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWidener.h"
#include "OP2/Analysis/Vectorization.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::op2;

void KernelWidener::widenAlloca(memref::AllocaOp op) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&widened.getBody().front());
  values.map(op.getResult(),
             memref::AllocaOp::create(builder, op.getLoc(),
                                      getLaneMemRef(op.getType()), ValueRange(),
                                      op.getAlignmentAttr())
                 .getResult());
}

Value KernelWidener::toStored(Location loc, Value value) {
  VectorType type = getLaneType(
      getLaneStorage(cast<VectorType>(value.getType()).getElementType()));
  if (type == value.getType())
    return value;
  return arith::ExtUIOp::create(builder, loc, type, value);
}

Value KernelWidener::fromStored(Location loc, Value stored, Type type) {
  if (getLaneType(type) == stored.getType())
    return stored;
  return arith::TruncIOp::create(builder, loc, getLaneType(type), stored);
}

SmallVector<Value>
KernelWidener::getSafeIndices(Location loc, OperandRange indices, Value mask) {
  SmallVector<Value> safe;
  for (Value index : indices) {
    Value value = get(index);
    if (mask && !matchPattern(index, m_Constant())) {
      if (isa<VectorType>(value.getType()))
        value =
            select(loc, mask, value, createZeros(loc, builder.getIndexType()));
      else
        value = select(loc, isOccupied(loc, mask), value, createIndex(loc, 0));
    }
    safe.push_back(value);
  }
  return safe;
}

SmallVector<Value> KernelWidener::getLaneIndices(Location loc,
                                                 ArrayRef<Value> indices,
                                                 int64_t lane) {
  SmallVector<Value> result;
  for (Value index : indices)
    result.push_back(
        isa<VectorType>(index.getType()) ? extract(loc, index, lane) : index);
  return result;
}

/// Whether lanes go to places of their own.
static bool differ(ArrayRef<Value> indices) {
  return llvm::any_of(
      indices, [](Value index) { return isa<VectorType>(index.getType()); });
}

Value KernelWidener::gather(memref::LoadOp op, Value memref, Value mask,
                            Value others) {
  Location loc = op.getLoc();
  return vector::GatherOp::create(
      builder, loc, getLaneType(op.getType()), memref, createIndex(loc, 0),
      getLanes(loc, op.getIndices()[0]), mask, others);
}

SmallVector<Value>
KernelWidener::ifActive(Location loc, Value mask, ValueRange nothing,
                        function_ref<SmallVector<Value>()> build) {
  Value isActive = isOccupied(loc, mask);
  if (!isActive)
    return build();
  auto branch = scf::IfOp::create(builder, loc, nothing.getTypes(), isActive,
                                  /*withElseRegion=*/!nothing.empty());
  OpBuilder::InsertionGuard guard(builder);
  occupied.insert(mask);
  if (nothing.empty()) {
    builder.setInsertionPoint(branch.thenYield());
    build();
  } else {
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, build());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, nothing);
  }
  occupied.erase(mask);
  return SmallVector<Value>(branch.getResults());
}

/// Reads what all lanes share, a scalar, if there is an active lane.
void KernelWidener::loadOnce(memref::LoadOp op, Value mask) {
  Location loc = op.getLoc();
  Value zero = createZero(loc, op.getType());
  values.map(op->getResults(), ifActive(loc, mask, zero, [&] {
               return SmallVector<Value>(
                   builder.clone(*op, values)->getResults());
             }));
}

//===----------------------------------------------------------------------===//
// One of several addresses
//===----------------------------------------------------------------------===//

KernelWidener::Choices KernelWidener::getChoices(Value address) const {
  if (analysis.varies(address))
    return choices.lookup(address);
  return {{Value(), get(address)}};
}

KernelWidener::Choices KernelWidener::choose(Location loc, Value condition,
                                             Value yes, Value no) {
  Value ones = createSplat(loc, builder.getBoolAttr(true));
  Value opposite = arith::XOrIOp::create(builder, loc, condition, ones);
  Choices result;
  for (auto [side, address] : {std::pair(condition, yes), {opposite, no}})
    for (Choice choice : getChoices(address))
      result.push_back({choice.mask ? andMask(loc, side, choice.mask) : side,
                        choice.address});
  return result;
}

void KernelWidener::widenChoice(Operation *op) {
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    choices[result] = choose(loc, getLanes(loc, select.getCondition()),
                             select.getTrueValue(), select.getFalseValue());
    return;
  }
  Choices computed = getChoices(op->getOperand(0));
  for (Choice &choice : computed) {
    values.map(op->getOperand(0), choice.address);
    choice.address = builder.clone(*op, values)->getResult(0);
  }
  values.erase(op->getOperand(0));
  choices[result] = computed;
}

ArrayRef<Value> KernelWidener::getActive(Location loc, Value memref,
                                         Value mask) {
  auto &[block, memrefs] = active[{memref, mask}];
  if (block == builder.getInsertionBlock())
    return memrefs;
  block = builder.getInsertionBlock();
  memrefs.clear();
  auto getPointer = [](Choice choice) {
    return choice.address.getDefiningOp<PtrCastOp>().getSource();
  };
  SmallVector<Value> isActive;
  Value any;
  for (Choice choice : choices[memref]) {
    isActive.push_back(anyLane(loc, andMask(loc, mask, choice.mask)));
    any = any ? select(loc, isActive.back(), getPointer(choice), any)
              : getPointer(choice);
  }
  for (auto [choice, isChosen] : llvm::zip_equal(choices[memref], isActive)) {
    auto cast = choice.address.getDefiningOp<PtrCastOp>();
    memrefs.push_back(PtrCastOp::create(
        builder, loc, cast.getType(),
        select(loc, isChosen, cast.getSource(), any), cast.getSizes()));
  }
  return memrefs;
}

/// Reads for active lanes only, what they share of each address once.
void KernelWidener::loadChoice(memref::LoadOp op, Value mask) {
  Location loc = op.getLoc();
  ArrayRef<Choice> of = choices[op.getMemRef()];
  Value nothing = createZeros(loc, op.getType());
  if (analysis.varies(op.getIndices()[0])) {
    Value result = nothing;
    for (Choice choice : of)
      result =
          gather(op, choice.address, andMask(loc, mask, choice.mask), result);
    values.map(op.getResult(), result);
    return;
  }
  ArrayRef<Value> memrefs = getActive(loc, op.getMemRef(), mask);
  auto load = [&] {
    Value result;
    for (auto [choice, memref] : llvm::zip_equal(of, memrefs)) {
      Value value =
          broadcast(loc, memref::LoadOp::create(builder, loc, memref,
                                                get(op.getIndices()[0])));
      result = result ? select(loc, choice.mask, value, result) : value;
    }
    return SmallVector<Value>{result};
  };
  values.map(op->getResults(), ifActive(loc, mask, nothing, load));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

void KernelWidener::forEachPlace(Location loc, SmallVector<Value> indices,
                                 const ChosenIndex &chosen,
                                 function_ref<void(ValueRange, Value)> visit) {
  Value lanes = indices[chosen.number];
  indices.push_back(createIndex(loc, 0));
  for (int64_t place : chosen.places) {
    Value isHere =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lanes,
                              createSplat(loc, builder.getIndexAttr(place)));
    indices[chosen.number] = createIndex(loc, place);
    visit(indices, isHere);
  }
}

Value KernelWidener::loadChosen(memref::LoadOp op, ArrayRef<Value> indices,
                                const ChosenIndex &chosen) {
  Location loc = op.getLoc();
  VectorType type = getLaneType(getLaneStorage(op.getType()));
  Value memref = get(op.getMemRef()), result;
  forEachPlace(loc, SmallVector<Value>(indices), chosen,
               [&](ValueRange place, Value isHere) {
                 Value value =
                     vector::LoadOp::create(builder, loc, type, memref, place);
                 result = result ? select(loc, isHere, value, result) : value;
               });
  return fromStored(loc, result, op.getType());
}

void KernelWidener::storeChosen(memref::StoreOp op, Value value, Value mask,
                                ArrayRef<Value> indices,
                                const ChosenIndex &chosen) {
  Location loc = op.getLoc();
  Value memref = get(op.getMemRef());
  forEachPlace(
      loc, SmallVector<Value>(indices), chosen,
      [&](ValueRange place, Value isHere) {
        Value old = vector::LoadOp::create(
            builder, loc, cast<VectorType>(value.getType()), memref, place);
        vector::StoreOp::create(
            builder, loc, select(loc, andMask(loc, mask, isHere), value, old),
            memref, place);
      });
}

void KernelWidener::widenLoad(memref::LoadOp op, Value mask) {
  Location loc = op.getLoc();
  if (analysis.isChoice(op.getMemRef()))
    return loadChoice(op, mask);
  if (mask && !hasFirstElement(op.getMemRef())) {
    if (!analysis.varies(op.getResult()))
      return loadOnce(op, mask);
    return values.map(op.getResult(), gather(op, get(op.getMemRef()), mask,
                                             createZeros(loc, op.getType())));
  }
  SmallVector<Value> indices = getSafeIndices(loc, op.getIndices(), mask);
  bool hasLanes = isLaneMemRef(op.getMemRef());
  Value memref = get(op.getMemRef());
  if (std::optional<ChosenIndex> chosen =
          analysis.findChosenIndex(op.getMemRef(), op.getIndices()))
    return values.map(op.getResult(), loadChosen(op, indices, *chosen));
  if (!differ(indices)) {
    if (!hasLanes) {
      values.map(
          op.getResult(),
          memref::LoadOp::create(builder, loc, memref, indices).getResult());
      return;
    }
    indices.push_back(createIndex(loc, 0));
    Value stored = vector::LoadOp::create(
        builder, loc, getLaneType(getLaneStorage(op.getType())), memref,
        indices);
    values.map(op.getResult(), fromStored(loc, stored, op.getType()));
    return;
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> place = getLaneIndices(loc, indices, lane);
    if (hasLanes)
      place.push_back(createIndex(loc, lane));
    elements.push_back(
        dropSign(loc, memref::LoadOp::create(builder, loc, memref, place)));
  }
  Value vector = vector::FromElementsOp::create(
      builder, loc, getLaneType(elements.front().getType()), elements);
  values.map(op.getResult(),
             hasLanes ? fromStored(loc, vector, op.getType()) : vector);
}

void KernelWidener::widenStore(memref::StoreOp op, Value mask) {
  Location loc = op.getLoc();
  SmallVector<Value> indices = getSafeIndices(loc, op.getIndices(), mask);
  Value memref = get(op.getMemRef());
  Value value = toStored(loc, getLanes(loc, op.getValueToStore()));
  if (std::optional<ChosenIndex> chosen =
          analysis.findChosenIndex(op.getMemRef(), op.getIndices()))
    return storeChosen(op, value, mask, indices, *chosen);
  if (!differ(indices)) {
    indices.push_back(createIndex(loc, 0));
    if (mask)
      value = select(loc, mask, value,
                     vector::LoadOp::create(builder, loc,
                                            cast<VectorType>(value.getType()),
                                            memref, indices));
    vector::StoreOp::create(builder, loc, value, memref, indices);
    return;
  }
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> place = getLaneIndices(loc, indices, lane);
    place.push_back(createIndex(loc, lane));
    Value scalar = extract(loc, value, lane);
    if (mask)
      scalar = arith::SelectOp::create(
          builder, loc, extract(loc, mask, lane), scalar,
          memref::LoadOp::create(builder, loc, memref, place));
    memref::StoreOp::create(builder, loc, scalar, memref, place);
  }
}
