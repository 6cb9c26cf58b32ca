//===- Rows.cpp - Rows of one element in a device kernel ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private rows of a thread, and what moves between them and rows of the data.
// Values are addressed by constants, so that private rows become registers.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::op2;

void KernelBuilder::forRowEntries(int64_t count,
                                  function_ref<void(Value)> body) {
  op2::forRowEntries(builder, loc, count, body);
}

/// A kernel for dats that may be the same in memory takes all of them as arrays
/// of structs: pointers then meet where they should.
MemRefType KernelBuilder::getKernelType(MemRefType type) const {
  if (assumeDistinct || !isStructOfArrays(type))
    return type;
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

void KernelBuilder::cloneRow(RowOp op, IRMapping &mapping) {
  Type type = op.getRow().getType();
  Value index = mapping.lookup(op.getIndex());
  Value data = mapping.lookupOrNull(op.getData());
  if (!data)
    data = getCapture(op.getData());
  if (data.getType() != op.getData().getType())
    type = getRowOf(cast<MemRefType>(data.getType()));
  mapping.map(op.getRow(), RowOp::create(builder, loc, type, data, index));
}

Value KernelBuilder::createPrivateRow(Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return createLocal(builder, loc, cast<MemRefType>(type));
}

/// Opens a branch if an op has a condition.
void KernelBuilder::enterBranch(Value condition, IRMapping &mapping) {
  if (!condition)
    return;
  Value known = mapping.lookupOrNull(condition);
  auto branch =
      scf::IfOp::create(builder, loc, known ? known : getCapture(condition));
  builder.setInsertionPointToStart(branch.thenBlock());
}

/// Opens a branch if other blocks may have the element, too: for what only the
/// one in which it counts may do.
void KernelBuilder::enterCounted() {
  if (!isRepeated)
    return;
  Value isCounted = arith::XOrIOp::create(
      builder, loc, isRepeated,
      arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1));
  auto branch = scf::IfOp::create(builder, loc, isCounted);
  builder.setInsertionPointToStart(branch.thenBlock());
}

void KernelBuilder::buildGather(GatherRowOp op, IRMapping &mapping) {
  Value source = mapping.lookup(op.getSource());
  auto type = cast<MemRefType>(op.getRow().getType());
  bool isChanged = llvm::any_of(op.getRow().getUsers(), [](Operation *user) {
    return isa<ScatterRowOp>(user);
  });
  // Of dats that may be the same, two copies of one row would not see each
  // other's changes.
  if (!assumeDistinct) {
    Value row = source;
    if (isChanged && isRepeated)
      row = arith::SelectOp::create(builder, loc, isRepeated,
                                    createPrivateRow(type), source);
    mapping.map(op.getRow(), row);
    return;
  }
  Value row = createPrivateRow(type);
  mapping.map(op.getRow(), row);
  if (op.getUninitialized())
    return;
  OpBuilder::InsertionGuard guard(builder);
  enterBranch(op.getCondition(), mapping);
  if (isChanged)
    enterCounted();
  forRowEntries(type.getDimSize(0),
                [&](Value i) { store(load(source, i), row, i); });
}

void KernelBuilder::buildScatter(ScatterRowOp op, IRMapping &mapping) {
  Value row = mapping.lookup(op.getRow());
  Value target = mapping.lookup(op.getTarget());
  // What owners come for is left there by every block that has the element.
  auto targetRow = op.getTarget().getDefiningOp<RowOp>();
  bool isLeft =
      targetRow && targetRow.getData().getDefiningOp<OwnedIncrementsOp>();
  // The kernel may have changed the data themselves.
  if (!assumeDistinct && !isLeft)
    return;
  OpBuilder::InsertionGuard guard(builder);
  enterBranch(op.getCondition(), mapping);
  if (!isLeft)
    enterCounted();
  forRowEntries(cast<MemRefType>(row.getType()).getDimSize(0),
                [&](Value i) { store(load(row, i), target, i); });
}

void KernelBuilder::buildIncrement(IncrementOp op, IRMapping &mapping) {
  OpBuilder::InsertionGuard guard(builder);
  enterBranch(op.getCondition(), mapping);
  Value source = mapping.lookup(op.getSource());
  Value target = mapping.lookup(op.getTarget());
  auto type = cast<MemRefType>(source.getType());
  if (op.getAtomic())
    target = getAtomicRow(target);
  forRowEntries(type.getDimSize(0), [&](Value i) {
    Value value = load(source, i);
    if (op.getAtomic())
      return addAtomically(value, target, i);
    store(addValues(type.getElementType(), load(target, i), value), target, i);
  });
}

/// The row with an element type that atomic operations take.
Value KernelBuilder::getAtomicRow(Value row) {
  auto type = cast<MemRefType>(row.getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || (element.isSignless() && element.getWidth() >= 8))
    return row;
  Value pointer = PtrCastOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), row,
      ValueRange());
  SmallVector<Value> strides;
  if (!type.getLayout().isIdentity())
    strides = memref::ExtractStridedMetadataOp::create(builder, loc, row)
                  .getStrides();
  Type signless = builder.getIntegerType(std::max(element.getWidth(), 8u));
  return PtrCastOp::create(
      builder, loc,
      MemRefType::get(type.getShape(), signless, type.getLayout()), pointer,
      strides);
}

void KernelBuilder::addAtomically(Value value, Value row, Value index) {
  auto kind = isa<FloatType>(value.getType()) ? arith::AtomicRMWKind::addf
                                              : arith::AtomicRMWKind::addi;
  // A bool is a byte, 0 or 1.
  if (value.getType().isInteger(1)) {
    value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    kind = arith::AtomicRMWKind::ori;
  }
  memref::AtomicRMWOp::create(builder, loc, kind, value, row, index);
}
