//===- SumRows.h - What a kernel adds, before it is added -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an element adds to a row through a map is summed in private memory,
// from the additive identity on, and then added to the row (rule S4): so the
// bits do not depend on whether elements run alone, in vectors or on a device.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_SUMROWS_H
#define OP2_TRANSFORMS_SUMROWS_H

#include "OP2/Dialect/OP2Ops.h"

namespace mlir::op2 {

/// A private row, the row that it is added to, and the flag of an optional
/// argument.
struct SumRow {
  Value sum, row, flag;
};

/// Gives a kernel's call private rows for an operand of argument `number`: a
/// row, or a table of rows; NULL if the argument is optional and off. By slots.
/// `isOnHeap`: those rows are too large for the stack.
FailureOr<SmallVector<SumRow>> passSumRows(Operation *call, unsigned operand,
                                           ArrayRef<LoopArg> args,
                                           unsigned number, bool isOnHeap);

/// Gives a kernel's call on the host private rows for what it adds through
/// maps, and adds these behind it in the order of the arguments. Packed rows
/// are private already. Nothing if it is not the call that op2-plan makes.
void sumBeforeAdding(Operation *call, ArrayRef<LoopArg> args);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_SUMROWS_H
