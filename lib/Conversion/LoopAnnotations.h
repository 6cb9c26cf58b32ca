//===- LoopAnnotations.h - What LLVM is not to do with loops ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_CONVERSION_LOOPANNOTATIONS_H
#define OP2_LIB_CONVERSION_LOOPANNOTATIONS_H

#include "OP2/Dialect/OP2Ops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::op2 {

/// Annotates a loop for LLVM not to vectorize its iterations, and not to unroll
/// a short one: that would only be more code.
void keepScalar(scf::ForOp loop, bool isShort);

/// Whether a loop's elements are better left to it one by one, as rows have
/// more components than so many: LLVM would take one of several rows at a time,
/// in place of several of one row; by strides where they have more than eight.
bool isLeftToRows(ArrayRef<LoopArg> args, int64_t most);
constexpr int64_t kMostInterleaved = 8;

/// Makes annotations effective that loops in `scope` have had: the conversion
/// of scf hands them to branches as discardable attributes, which the
/// translation to LLVM IR does not look at.
void annotateBranches(Operation *scope);

} // namespace mlir::op2

#endif // OP2_LIB_CONVERSION_LOOPANNOTATIONS_H
