//===- MapArities.h - How many slots maps are likely to have ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MAPARITIES_H
#define OP2_FRONTEND_MAPARITIES_H

#include "ParsedLoop.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Guesses the arities of the maps of a file's loops: what the op_decl_map says
/// that the variable begins with; else as many slots as these loops use of what
/// has the same declaration. The runtime compares them with the maps' own.
void guessArities(llvm::ArrayRef<std::unique_ptr<ParsedLoop>> loops,
                  const clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MAPARITIES_H
