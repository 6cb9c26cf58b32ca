//===- CalleeSwap.h - Redirecting a call to a stub -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CALLEESWAP_H
#define OP2_FRONTEND_CALLEESWAP_H

#include "ParsedLoop.h"

namespace clang {
class ASTConsumer;
} // namespace clang

namespace op2::frontend {

/// Makes the loop's call go to a new external function `stubSymbol` of the
/// same type. The template that it called and the kernel are generated all the
/// same, and found by the loop's anchors: names made here might not be those
/// that Clang gives them (every lambda of a file is called `$_0` at first).
/// Must come before Clang generates code for the function that contains the
/// call.
void swapCallee(const ParsedLoop &loop, clang::ASTContext &context,
                clang::ASTConsumer &codeGeneration);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CALLEESWAP_H
