//===- SameHandle.h - Expressions that give the same handle -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops often name one dat in several arguments, and generated code treats
// these as one. Where the expressions do not prove it, each call asks.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_SAMEHANDLE_H
#define OP2_FRONTEND_SAMEHANDLE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Whether two handle expressions of one call give the same value. Alike: they
/// look like it, as `mesh.nodes()` and `mesh.nodes()` do.
enum class Sameness { None, Alike, Proven };

/// Decides that.
class SameHandle {
public:
  /// `all` are the expressions evaluated for the call: what they do decides
  /// what may change between two of them.
  SameHandle(clang::ASTContext &context,
             llvm::ArrayRef<const clang::Expr *> all);

  Sameness operator()(const clang::Expr *a, const clang::Expr *b) const;

private:
  clang::ASTContext &context;
  bool anyAssignment = false; ///< some expression assigns
  bool anyCall = false;       ///< some expression calls a function
};

/// A number that is equal for expressions of one form and, but for rare
/// accidents, for no others. 0 for null.
unsigned getFormKey(const clang::Expr *expr, clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_SAMEHANDLE_H
