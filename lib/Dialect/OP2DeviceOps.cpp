//===- OP2DeviceOps.cpp - Plan level on devices ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"

using namespace mlir;
using namespace mlir::op2;

// P9: those of arguments have one.
LogicalResult DevicePlanArrayOp::verify() {
  switch (getArray()) {
  case PlanArray::BlockBegin:
  case PlanArray::BlockEnd:
  case PlanArray::NumColors:
  case PlanArray::ElementColors:
  case PlanArray::Permutation:
    return success();
  default:
    return detail::verifyArgNumber(*this, getArg());
  }
}

// P6: increments are a struct of arrays in a memory space of its own, or rows
// in the device's memory.
LogicalResult OwnedIncrementsOp::verify() {
  auto type = cast<MemRefType>(getIncrements().getType());
  bool isShared = isStructOfArrays(type) && type.getMemorySpace();
  bool areRows = type.getRank() == 2 && type.isDynamicDim(0) &&
                 type.getLayout().isIdentity() && !type.getMemorySpace();
  if (isShared || areRows)
    return success();
  return emitOpError("[P6] expected a struct of arrays in a memory space of "
                     "its own, or rows in that of the device, got ")
         << type;
}

// P6: what is added, and what it is added to, have the same rows.
LogicalResult AddOwnedOp::verify() {
  auto from = cast<MemRefType>(getIncrements().getType());
  auto to = cast<MemRefType>(getData().getType());
  if (to.getRank() == 2 && from.getRank() == 2 &&
      from.getDimSize(1) == to.getDimSize(1) &&
      from.getElementType() == to.getElementType())
    return success();
  return emitOpError("[P6] expected increments and data of one dim and type, "
                     "got ")
         << from << " and " << to;
}

/// A row: a memref of rank 1, static size; contiguous if it is `private`.
static bool isRow(Type type, bool isPrivate) {
  auto memref = cast<MemRefType>(type);
  if (memref.getRank() != 1 || !memref.hasStaticShape())
    return false;
  auto layout = dyn_cast<StridedLayoutAttr>(memref.getLayout());
  return memref.getLayout().isIdentity() ||
         (!isPrivate && layout && layout.getOffset() == 0);
}

/// P7: two rows, the first of them private.
static LogicalResult verifyRows(Operation *op, Type privateType,
                                Type otherType) {
  auto row = cast<MemRefType>(privateType);
  auto other = cast<MemRefType>(otherType);
  if (isRow(row, /*isPrivate=*/true) && isRow(other, /*isPrivate=*/false) &&
      row.getShape() == other.getShape() &&
      row.getElementType() == other.getElementType())
    return success();
  return op->emitOpError(
             "[P7] expected two rows of one static size and type, got ")
         << row << " and " << other;
}

// P7: what is copied or added between a private row and another one.
LogicalResult GatherRowOp::verify() {
  return verifyRows(*this, getRow().getType(), getSource().getType());
}

LogicalResult ScatterRowOp::verify() {
  return verifyRows(*this, getRow().getType(), getTarget().getType());
}

LogicalResult IncrementOp::verify() {
  return verifyRows(*this, getSource().getType(), getTarget().getType());
}
