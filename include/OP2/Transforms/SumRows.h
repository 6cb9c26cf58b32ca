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

/// Makes a row of that type, of the data, which the kernel's operand has as its
/// `slot`th, with additive identities in it.
using MakeRow = function_ref<Value(OpBuilder &, MemRefType type, Value data,
                                   unsigned slot)>;

/// Gives a kernel's call rows of `makeRow` for an operand of argument `number`:
/// a row, or a table of rows; NULL if the argument is optional and off. By
/// slots.
FailureOr<SmallVector<SumRow>> passSumRows(Operation *call, unsigned operand,
                                           ArrayRef<LoopArg> args,
                                           unsigned number, MakeRow makeRow);

/// Gives a kernel's call on the host private rows for what it adds through
/// maps, and adds these behind it in the order of the arguments. Packed rows
/// are private already, and kernels of columns add sums themselves
/// (kInPlaceAttr). Nothing if it is not the call that op2-plan makes.
void sumBeforeAdding(Operation *call, LoopInterface loop);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_SUMROWS_H
