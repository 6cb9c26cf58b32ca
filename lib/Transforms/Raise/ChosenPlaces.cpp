//===- ChosenPlaces.cpp - Increments at places that are computed ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChosenPlaces.h"
#include "OP2/Analysis/Vectorization.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::op2;

namespace {
/// An access to a row at a place that is computed.
class ChosenAccess {
public:
  ChosenAccess(Operation *op, Value row, Value index)
      : builder(op), loc(op->getLoc()), row(row), index(index),
        places(
            findPlaces(index, cast<MemRefType>(row.getType()).getDimSize(0))) {}

  bool isChosen() const {
    return !getConstantIntValue(index) && !places.empty();
  }

  Value load() {
    Value result;
    for (int64_t place : places) {
      Value value = loadAt(place);
      result = result ? arith::SelectOp::create(builder, loc, isAt(place),
                                                value, result)
                            .getResult()
                      : value;
    }
    return result;
  }

  void store(Value value) {
    for (int64_t place : places)
      memref::StoreOp::create(builder, loc,
                              arith::SelectOp::create(builder, loc, isAt(place),
                                                      value, loadAt(place)),
                              row, getIndex(place));
  }

private:
  Value getIndex(int64_t place) {
    return arith::ConstantIndexOp::create(builder, loc, place);
  }
  Value isAt(int64_t place) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                                 getIndex(place));
  }
  Value loadAt(int64_t place) {
    return memref::LoadOp::create(builder, loc, row, getIndex(place));
  }

  OpBuilder builder;
  Location loc;
  Value row, index;
  SmallVector<int64_t> places;
};
} // namespace

void op2::choosePlaces(Value row) {
  auto type = dyn_cast<MemRefType>(row.getType());
  if (!type || type.getRank() != 1 || !type.hasStaticShape())
    return;
  for (Operation *user : llvm::to_vector(row.getUsers())) {
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      ChosenAccess access(load, row, load.getIndices()[0]);
      if (!access.isChosen())
        continue;
      load.replaceAllUsesWith(access.load());
      load.erase();
    } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
      ChosenAccess access(store, row, store.getIndices()[0]);
      if (store.getMemRef() != row || !access.isChosen())
        continue;
      access.store(store.getValueToStore());
      store.erase();
    }
  }
}
