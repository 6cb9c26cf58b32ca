//===- Annotations.h - Recognising OP2's functions -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The application headers mark OP2's functions with annotations, so that they
// are found by what they are, whatever the program calls them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_ANNOTATIONS_H
#define OP2_FRONTEND_ANNOTATIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace op2::frontend {

/// The part after "op2." of the function's annotation, e.g. "arg_dat"; empty
/// if it has none.
llvm::StringRef getOP2Annotation(const clang::FunctionDecl *function);

/// The same for the function that `call` calls directly.
llvm::StringRef getOP2Annotation(const clang::CallExpr *call);

/// Removes parentheses, implicit casts, temporaries and copies: what the user
/// wrote.
const clang::Expr *lookThrough(const clang::Expr *expr);

} // namespace op2::frontend

#endif // OP2_FRONTEND_ANNOTATIONS_H
