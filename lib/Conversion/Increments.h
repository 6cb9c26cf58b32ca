//===- Increments.h - Additions to rows on the host -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_INCREMENTS_H
#define OP2_LIB_CONVERSION_INCREMENTS_H

#include "mlir/IR/Operation.h"

namespace mlir::op2 {

/// Replaces each op2.increment in `scope` by loads, additions and stores: on
/// the host nobody else adds to the row at the same time.
void expandIncrements(Operation *scope);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_INCREMENTS_H
