//===- ByteOffset.cpp - Distances between addresses -----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Analysis/ByteOffset.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::op2;

/// The distance of a struct's field from its start.
static int64_t getFieldOffset(LLVM::LLVMStructType type, int64_t field,
                              const DataLayout &layout) {
  uint64_t offset = 0;
  for (int64_t i = 0; i <= field; ++i) {
    Type part = type.getBody()[i];
    if (!type.isPacked())
      offset = llvm::alignTo(offset, layout.getTypeABIAlignment(part));
    if (i < field)
      offset += layout.getTypeSize(part).getFixedValue();
  }
  return int64_t(offset);
}

std::optional<ByteOffset> op2::getOffset(LLVM::GEPOp op,
                                         const DataLayout &layout) {
  auto getSize = [&](Type type) {
    return int64_t(layout.getTypeSize(type).getFixedValue());
  };
  ByteOffset offset;
  Type type = op.getElemType();
  // MLIR's verifier takes types without a size, too.
  if (!LLVM::isLoadableType(type))
    return std::nullopt;
  for (auto [number, index] : llvm::enumerate(op.getIndices())) {
    APInt value;
    bool isConstant = true;
    if (auto attr = dyn_cast<IntegerAttr>(index))
      value = attr.getValue();
    else
      isConstant = matchPattern(cast<Value>(index), m_ConstantInt(&value));
    if (number > 0) {
      if (auto structType = dyn_cast<LLVM::LLVMStructType>(type)) {
        int64_t field = value.getSExtValue();
        offset.constant += getFieldOffset(structType, field, layout);
        type = structType.getBody()[field];
        continue;
      }
      auto arrayType = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!arrayType)
        return std::nullopt;
      type = arrayType.getElementType();
    }
    if (isConstant)
      offset.constant += value.getSExtValue() * getSize(type);
    else
      offset.terms.emplace_back(cast<Value>(index), getSize(type));
  }
  return offset;
}

std::pair<Value, std::optional<ByteOffset>>
op2::getBaseAndOffset(Value address, const DataLayout &layout) {
  std::optional<ByteOffset> sum = ByteOffset();
  while (auto step = address.getDefiningOp<LLVM::GEPOp>()) {
    std::optional<ByteOffset> offset = getOffset(step, layout);
    if (!offset)
      sum.reset();
    if (sum) {
      sum->constant += offset->constant;
      sum->terms.append(offset->terms);
    }
    address = step.getBase();
  }
  return {address, sum};
}
