//===- OP2DeviceOps.cpp - Plan level on devices ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Dialect/OP2Ops.h"

using namespace mlir;
using namespace mlir::op2;

// P6: a block-local copy differs from its dat's storage in the memory space.
static LogicalResult verifyLocalCopy(Operation *op, Type dataType,
                                     Type localType) {
  auto data = cast<MemRefType>(dataType);
  auto local = cast<MemRefType>(localType);
  if (data.getRank() == 2 && data.getLayout().isIdentity() &&
      local.getLayout().isIdentity() && data.getShape() == local.getShape() &&
      data.getElementType() == local.getElementType() &&
      data.getMemorySpace() != local.getMemorySpace())
    return success();
  return op->emitOpError("[P6] expected a contiguous memref of rank 2 and its "
                         "copy in another memory space, got ")
         << data << " and " << local;
}

LogicalResult StageOp::verify() {
  return verifyLocalCopy(*this, getData().getType(), getLocal().getType());
}

LogicalResult UnstageOp::verify() {
  return verifyLocalCopy(*this, getData().getType(), getLocal().getType());
}

/// A row: a memref of rank 1, static size, identity layout.
static bool isRow(Type type) {
  auto memref = cast<MemRefType>(type);
  return memref.getRank() == 1 && memref.hasStaticShape() &&
         memref.getLayout().isIdentity();
}

// P7: private rows and increments are rows of static size.
LogicalResult PrivateRowOp::verify() {
  if (isRow(getRow().getType()))
    return success();
  return emitOpError("[P7] expected a memref<NxT> of static size, got ")
         << getRow().getType();
}

LogicalResult IncrementOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto target = cast<MemRefType>(getTarget().getType());
  if (isRow(source) && isRow(target) &&
      source.getShape() == target.getShape() &&
      source.getElementType() == target.getElementType())
    return success();
  return emitOpError("[P7] expected two rows of one static size and type, got ")
         << source << " and " << target;
}
