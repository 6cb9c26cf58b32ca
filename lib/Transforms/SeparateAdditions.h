//===- SeparateAdditions.h - A row for each addition ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_TRANSFORMS_SEPARATEADDITIONS_H
#define OP2_LIB_TRANSFORMS_SEPARATEADDITIONS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::op2 {

/// Gives a loop whose kernel adds several times to a component, or not in the
/// order of the arguments, an argument for each row of a sequence of rows that
/// get one addition for each component, in the order of the kernel: blocks that
/// own rows then add in the order of the sequential loop. Replaces `loop` and
/// `kernel`; false if that is impossible, or no such loop would have owned rows
/// (findOwnershipObstacle).
bool separateAdditions(ParLoopOp &loop, func::FuncOp &kernel);

} // namespace mlir::op2

#endif // OP2_LIB_TRANSFORMS_SEPARATEADDITIONS_H
