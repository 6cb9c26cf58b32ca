//===- PrivateMemory.h - What fits on a thread's stack ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that a thread has for itself are local memory of its: of a device's
// thread, which has little, or on the stack of one of OpenMP.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_PRIVATEMEMORY_H
#define OP2_TRANSFORMS_PRIVATEMEMORY_H

#include "OP2/Dialect/OP2Ops.h"
#include "OP2/Transforms/Conflicts.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::op2 {

/// Bytes that private rows of one kind may take. The emulator's threads have a
/// stack of 256 KiB, those of CUDA local memory of 512 KiB.
inline constexpr int64_t kMaxPrivateBytes = 65536;

/// Bytes of the rows of those arguments that `isPrivate` names.
inline int64_t
countPrivateBytes(ArrayRef<LoopArg> args,
                  function_ref<bool(const LoopArg &)> isPrivate) {
  uint64_t bytes = 0;
  for (const LoopArg &arg : args) {
    if (!isPrivate(arg) || ShapedType::isDynamic(arg.getDim()))
      continue;
    uint64_t rows = arg.attr.getCount();
    uint64_t width = (arg.getElementType().getIntOrFloatBitWidth() + 7) / 8;
    bytes = llvm::SaturatingAdd(
        bytes, llvm::SaturatingMultiply(rows * width, uint64_t(arg.getDim())));
  }
  return int64_t(
      std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max()));
}

/// Whether all that elements change through maps are sums of a size that a
/// thread can have for itself first.
inline bool fitPrivateIncrements(ArrayRef<LoopArg> args) {
  return llvm::none_of(args,
                       [](const LoopArg &arg) {
                         return isConflict(arg) &&
                                (arg.getAccess() != Access::Inc ||
                                 ShapedType::isDynamic(arg.getDim()));
                       }) &&
         countPrivateBytes(args, isConflict) <= kMaxPrivateBytes;
}

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_PRIVATEMEMORY_H
