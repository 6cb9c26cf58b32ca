//===- AdditionOrder.h - What kernels add, and in which order ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_ADDITIONORDER_H
#define OP2_ANALYSIS_ADDITIONORDER_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace mlir::op2 {

/// Why a kernel that is given private rows for what it increments through maps,
/// which are added to the data afterwards, argument after argument, may leave
/// other bits than one that adds to the data itself; nothing if it leaves the
/// same. It does where floating-point components get one addition each, and
/// those of several arguments, which may lead to one row, have the order of the
/// arguments. "its kernel adds to argument 3 more than once", to go behind
/// "because".
///
/// Packed arguments, which are private anyway (S17), and integers do not
/// matter. The kernel keeps its promises (S3).
std::optional<std::string> findOrderObstacle(ArrayRef<LoopArg> args,
                                             func::FuncOp kernel);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_ADDITIONORDER_H
