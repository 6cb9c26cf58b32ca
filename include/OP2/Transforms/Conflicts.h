//===- Conflicts.h - Which loops need more than threads ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_CONFLICTS_H
#define OP2_TRANSFORMS_CONFLICTS_H

#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

/// Whether two elements may change the same data through this argument. What
/// is written must agree where they meet (S5), so it does not count.
inline bool isConflict(const LoopArg &arg) {
  return arg.isDat() && arg.isIndirect() && arg.getAccess() != Access::Read &&
         arg.getAccess() != Access::Write;
}

/// Whether two elements may change the same data through a map.
inline bool hasConflicts(ArrayRef<LoopArg> args) {
  return llvm::any_of(args, isConflict);
}

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_CONFLICTS_H
