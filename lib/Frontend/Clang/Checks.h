//===- Checks.h - Constraints on the arguments of a loop --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that need only the call itself and the kernel's type. Each reports
// with Clang's engine and returns false if it found an error.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CHECKS_H
#define OP2_FRONTEND_CHECKS_H

#include "ParsedLoop.h"

namespace op2::frontend {

/// The number of arguments is that of the kernel's parameters. Needs only
/// `call`.
bool checkArgumentCount(const clang::CallExpr *call,
                        clang::ASTContext &context);

/// Access modes, map indices and types of all arguments. An OP_RW argument that
/// the kernel takes as const becomes an OP_READ one.
bool checkArguments(ParsedLoop &loop, clang::ASTContext &context,
                    const WarningOptions &warnings);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CHECKS_H
