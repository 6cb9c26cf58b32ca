//===- MathCalls.h - Functions of the C library stay calls ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MATHCALLS_H
#define OP2_FRONTEND_MATHCALLS_H

namespace llvm {
class Function;
} // namespace llvm

namespace op2::frontend {

/// Keeps LLVM from computing functions of the C library, or replacing them by
/// others (pow(8, x) by exp2(3 * x)), where it gets to know an argument: what a
/// raised kernel computes would depend on whether its loop runs fused with one
/// that has the argument as a constant.
void keepMathCalls(llvm::Function &function);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MATHCALLS_H
