//===- CalleeSwap.h - Redirecting a call to a stub -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CALLEESWAP_H
#define OP2_FRONTEND_CALLEESWAP_H

#include "ParsedLoop.h"

namespace op2::frontend {

/// Makes the loop's call go to a new external function `stubSymbol` of the
/// same type. The template that it called is still generated, as
/// `templateSymbol`, for the case that the loop cannot be compiled. Must come
/// before Clang generates code for the function that contains the call.
void swapCallee(const ParsedLoop &loop, clang::ASTContext &context);

/// The name of the function in the object file.
std::string getSymbol(const clang::FunctionDecl *function,
                      clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CALLEESWAP_H
