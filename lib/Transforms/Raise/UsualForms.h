//===- UsualForms.h - Kernels without their rare paths ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISE_USUALFORMS_H
#define OP2_TRANSFORMS_RAISE_USUALFORMS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Whether vectors of elements may go through `usual`, a kernel without the
/// paths that print or do not return, where `check` returns false for each of
/// them. Both are raised, for the loop's arguments.
bool canUseUsualForm(ArrayRef<LoopArg> args, func::FuncOp usual,
                     func::FuncOp check);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISE_USUALFORMS_H
