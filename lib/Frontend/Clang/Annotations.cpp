//===- Annotations.cpp - Recognising OP2's functions -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

static StringRef getOwnAnnotation(const FunctionDecl *function) {
  for (const FunctionDecl *decl : function->redecls())
    for (const auto *attr : decl->specific_attrs<AnnotateAttr>()) {
      StringRef text = attr->getAnnotation();
      if (text.consume_front("op2."))
        return text;
    }
  return {};
}

StringRef op2::frontend::getOP2Annotation(const FunctionDecl *function) {
  if (!function)
    return {};
  StringRef text = getOwnAnnotation(function);
  if (!text.empty())
    return text;
  const FunctionDecl *pattern = function->getTemplateInstantiationPattern();
  return pattern ? getOwnAnnotation(pattern) : StringRef();
}

StringRef op2::frontend::getOP2Annotation(const CallExpr *call) {
  return getOP2Annotation(call->getDirectCallee());
}

const Expr *op2::frontend::lookThrough(const Expr *expr) {
  while (true) {
    const Expr *inner = expr->IgnoreParenImpCasts();
    if (const auto *full = dyn_cast<FullExpr>(inner))
      inner = full->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (const auto *substituted =
                 dyn_cast<SubstNonTypeTemplateParmExpr>(inner))
      inner = substituted->getReplacement();
    else if (const auto *construct = dyn_cast<CXXConstructExpr>(inner)) {
      // A copy or move of a temporary of the same type.
      if (construct->getNumArgs() == 1 &&
          construct->getConstructor()->isCopyOrMoveConstructor())
        inner = construct->getArg(0);
    }
    if (inner == expr)
      return expr;
    expr = inner;
  }
}
