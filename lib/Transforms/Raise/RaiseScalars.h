//===- RaiseScalars.h - Scalar LLVM ops as arith and math -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_RAISE_RAISESCALARS_H
#define OP2_TRANSFORMS_RAISE_RAISESCALARS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::op2 {

/// The value of an op that computes a scalar from scalars, in arith or math
/// with the same flags, from `operands` instead of the op's own. Elementwise
/// ops that these dialects do not have stay what they are. Null if the op is
/// none of either.
Value raiseScalar(OpBuilder &builder, Operation *op, ValueRange operands);

/// The value of a call of a function of the C library that computes a float
/// from floats; null if it is no such call.
Value raiseMathCall(OpBuilder &builder, LLVM::CallOp call, ValueRange operands);

} // namespace mlir::op2

#endif // OP2_TRANSFORMS_RAISE_RAISESCALARS_H
