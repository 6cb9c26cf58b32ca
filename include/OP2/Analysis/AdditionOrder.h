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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// A store by which a kernel adds at most one value to a component of a row.
struct Addition {
  memref::StoreOp store;
  unsigned row; ///< the kernel's operand of this number
  OpFoldResult index;
};

/// What the kernel adds to the rows that matter above, in its order; nothing if
/// it does anything else to one.
std::optional<SmallVector<Addition>> findAdditions(ArrayRef<LoopArg> args,
                                                   func::FuncOp kernel);

/// Whether an addition has another place in each turn of all loops around it.
bool movesOn(const Addition &addition, func::FuncOp kernel);

/// Whether, if two rows are one, both additions may be to one component.
bool mayMeet(const Addition &a, const Addition &b);

/// The operands that take the value which an addition replaces.
SmallVector<OpOperand *> findReplaced(memref::StoreOp store);

/// Whether one of those has the value that is there when `store` runs: nothing
/// in between stores to a memref that `isRow`.
bool isCurrent(OpOperand &replaced, memref::StoreOp store,
               function_ref<bool(Value)> isRow);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_ADDITIONORDER_H
