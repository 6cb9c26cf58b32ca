//===- CheckedLanes.cpp - Elements that need the whole kernel -------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanesBuilder.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::op2;

/// Whether an element of the vector needs the whole kernel. The check has
/// memory of its own in place of what the kernel changes.
Value LanesBuilder::callCheck(OpBuilder &builder, LaneRows &rows,
                              func::FuncOp widenedCheck,
                              ArrayRef<Value> values) {
  Location loc = call.getLoc();
  SmallVector<Value> taken;
  for (auto [operand, value] : llvm::zip_equal(operands, values)) {
    taken.push_back(value);
    if (argOf(operand).getAccess() == Access::Read)
      continue;
    taken.back() =
        createPrivate(builder, loc, cast<MemRefType>(value.getType()));
    for (int64_t i = 0; i < argOf(operand).getDim(); ++i)
      rows.storeLanes(rows.loadLanes(value, i), taken.back(), i);
  }
  Value found =
      func::CallOp::create(builder, loc, widenedCheck, taken).getResult(0);
  if (isa<VectorType>(found.getType()))
    found = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                        found);
  return found;
}

/// The elements of the vector go through the loop's body one after the other,
/// and leave their terms of sums in memory of lanes, `terms`.
void LanesBuilder::runOneByOne(OpBuilder &builder, Value first,
                               ArrayRef<Value> terms) {
  Location loc = call.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop = scf::ForOp::create(builder, loc, index(0),
                                 index(int64_t(lanes.size())), index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  IRMapping mapping;
  mapping.map(elements.getInductionVar(),
              arith::AddIOp::create(builder, loc, first, lane));
  for (Operation &op : elements.getBody().front().without_terminator()) {
    auto row = dyn_cast<TermsOp>(op);
    if (!row) {
      builder.clone(op, mapping);
      continue;
    }
    auto type = cast<MemRefType>(row.getType());
    Value own = createPrivate(builder, loc, type);
    clearRow(builder, loc, own);
    mapping.map(row.getResult(), own);
  }
  for (const Operand &operand : operands) {
    if (!argOf(operand).isExactSum())
      continue;
    Value own = mapping.lookup(operand.value), to = terms.front();
    forRowEntries(builder, loc, argOf(operand).getDim(), [&](Value entry) {
      Value term = memref::LoadOp::create(builder, loc, own, entry);
      memref::StoreOp::create(builder, loc, term, to, ValueRange{entry, lane});
    });
    terms = terms.drop_front();
  }
}

/// All elements of the vector at once; returns their terms of sums, those of
/// each component.
SmallVector<Value> LanesBuilder::runAtOnce(OpBuilder &builder, LaneRows &rows,
                                           func::FuncOp widened,
                                           ArrayRef<Value> values) {
  func::CallOp::create(builder, call.getLoc(), widened, values);
  writeBack(builder, rows);
  SmallVector<Value> terms;
  for (const Operand &operand : operands)
    if (argOf(operand).isExactSum())
      loadTerms(rows, operand.buffer, terms);
  return terms;
}

/// The same, but elements run the loop's body one after the other where one of
/// them needs the whole kernel.
SmallVector<Value> LanesBuilder::runChecked(OpBuilder &builder, LaneRows &rows,
                                            Widened widened, Value first,
                                            ArrayRef<Value> values) {
  Location loc = call.getLoc();
  SmallVector<Type> types;
  SmallVector<Value> buffers;
  for (const Operand &operand : operands) {
    if (!argOf(operand).isExactSum())
      continue;
    types.append(argOf(operand).getDim(), rows.getLanes(operand.buffer));
    buffers.push_back(createPrivate(
        builder, loc, cast<MemRefType>(operand.buffer.getType())));
  }
  Value isNeeded = callCheck(builder, rows, widened.check, values);
  auto branch = scf::IfOp::create(builder, loc, types, isNeeded,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  runOneByOne(builder, first, buffers);
  SmallVector<Value> terms;
  for (Value buffer : buffers)
    loadTerms(rows, buffer, terms);
  scf::YieldOp::create(builder, loc, terms);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc,
                       runAtOnce(builder, rows, widened.kernel, values));
  return branch.getResults();
}

void LanesBuilder::loadTerms(LaneRows &rows, Value buffer,
                             SmallVectorImpl<Value> &terms) {
  int64_t dim = cast<MemRefType>(buffer.getType()).getDimSize(0);
  for (int64_t i = 0; i < dim; ++i)
    terms.push_back(rows.loadLanes(buffer, i));
}
