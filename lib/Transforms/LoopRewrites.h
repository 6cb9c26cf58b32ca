//===- LoopRewrites.h - Helpers of rewrites of loops ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_LOOPREWRITES_H
#define OP2_LIB_TRANSFORMS_LOOPREWRITES_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Makes a kernel that was made from `original` a private function next to it,
/// under a name of its own.
void addKernel(func::FuncOp kernel, func::FuncOp original);

/// Copies to a loop what another one requires of its plan.
void copyPlanRequests(ParLoopOp from, ParLoopOp to);

/// Whether `function`, which may be null, is there for that form of its loops
/// only.
bool isVariant(func::FuncOp function, VariantKind variant);

/// Adds to the attribute op2.variant of the function around `loop`, if it
/// is one.
void addOutcome(ParLoopOp loop, const Twine &outcome);

/// Makes a declaration of a variant that does not exist.
void dropBody(func::FuncOp function);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LOOPREWRITES_H
