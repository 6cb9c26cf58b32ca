//===- DebugScopes.h - Debug information of copied functions ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_DEBUGSCOPES_H
#define OP2_TRANSFORMS_DEBUGSCOPES_H

#include "mlir/IR/Operation.h"

namespace mlir::op2 {

/// Gives a function that was made from another one a subprogram of its own in
/// its locations: LLVM wants one function for each. Nothing happens where the
/// locations have none.
void createOwnSubprogram(Operation *function);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_DEBUGSCOPES_H
