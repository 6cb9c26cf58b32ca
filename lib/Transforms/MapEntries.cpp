//===- MapEntries.cpp - Values of maps in planned loops -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Transforms/MapEntries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::op2;

/// The load of the number of a row; null if that comes from elsewhere.
static memref::LoadOp getEntryLoad(RowOp row) {
  Value index = row.getIndex();
  // An optional argument follows its map in a branch.
  if (auto branch = index.getDefiningOp<scf::IfOp>())
    index =
        branch.thenYield().getOperand(cast<OpResult>(index).getResultNumber());
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  auto load = cast ? cast.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  return load && load.getIndices().size() == 2 ? load : nullptr;
}

MapEntry op2::getMapEntry(RowOp row) {
  memref::LoadOp load = getEntryLoad(row);
  if (!load)
    return {};
  std::optional<int64_t> slot = getConstantIntValue(load.getIndices()[1]);
  return slot ? MapEntry{load.getMemRef(), *slot} : MapEntry{};
}

Value op2::getMapTable(RowOp row) {
  memref::LoadOp load = getEntryLoad(row);
  return load ? load.getMemRef() : Value();
}

/// What the function around a loop says of its parameter; 0 if nothing.
static int64_t getNotedArity(Value map) {
  auto parameter = dyn_cast<BlockArgument>(map);
  if (!parameter || !parameter.getOwner()->isEntryBlock())
    return 0;
  auto function =
      dyn_cast<FunctionOpInterface>(parameter.getOwner()->getParentOp());
  auto likely = function ? function.getArgAttrOfType<IntegerAttr>(
                               parameter.getArgNumber(), kLikelyArityAttr)
                         : IntegerAttr();
  return likely ? likely.getInt() : 0;
}

int64_t op2::getLikelyArity(ArrayRef<LoopArg> args, Value map) {
  auto type = cast<MapType>(map.getType());
  if (type.hasStaticArity())
    return type.getArity();
  int64_t arity = getNotedArity(map);
  for (const LoopArg &arg : args)
    if (arg.map == map)
      arity = std::max(arity, arg.attr.getSlot() + arg.attr.getCount());
  return arity;
}
