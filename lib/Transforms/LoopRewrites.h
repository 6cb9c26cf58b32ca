//===- LoopRewrites.h - What rewrites of loops have in common ---*- C++ -*-===//
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

/// Gives a loop what another one asks of its plan.
void copyPlanRequests(ParLoopOp from, ParLoopOp to);

/// Whether `function`, which may be null, is there for that form of its loops
/// only.
bool isVariant(func::FuncOp function, VariantKind variant);

/// Adds to what the function around `loop` says of its being a variant, if it
/// is one.
void addOutcome(ParLoopOp loop, const Twine &outcome);

/// Makes a declaration of a variant that does not exist.
void dropBody(func::FuncOp function);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_LOOPREWRITES_H
