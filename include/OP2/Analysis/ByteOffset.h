//===- ByteOffset.h - Distances between addresses ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_BYTEOFFSET_H
#define OP2_ANALYSIS_BYTEOFFSET_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <optional>

namespace mlir::op2 {

/// A distance in bytes: a constant and multiples of integers of the kernel.
struct ByteOffset {
  int64_t constant = 0;
  SmallVector<std::pair<Value, int64_t>, 2> terms;
};

/// What an llvm.getelementptr adds to its base; nothing if it indexes what has
/// no known layout.
std::optional<ByteOffset> getOffset(LLVM::GEPOp op, const DataLayout &layout);

/// What all llvm.getelementptr up to `address` start from, and what they add to
/// it together.
std::pair<Value, std::optional<ByteOffset>>
getBaseAndOffset(Value address, const DataLayout &layout);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_BYTEOFFSET_H
