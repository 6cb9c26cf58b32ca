//===- SameHandle.cpp - Expressions that give the same handle -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameHandle.h"
#include "Annotations.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;

op2::frontend::SameHandle::SameHandle(ASTContext &context,
                                      ArrayRef<const Expr *> all)
    : context(context) {
  for (const Expr *expr : all) {
    anyAssignment |=
        expr->HasSideEffects(context, /*IncludePossibleEffects=*/false);
    anyCall |= expr->HasSideEffects(context, /*IncludePossibleEffects=*/true);
  }
}

/// A variable that no function called meanwhile can change.
static bool isOwnVariable(const Expr *expr) {
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable && !variable->getType()->isReferenceType() &&
         (variable->hasLocalStorage() ||
          variable->getType().isConstQualified());
}

bool op2::frontend::SameHandle::operator()(const Expr *a, const Expr *b) const {
  a = lookThrough(a);
  b = lookThrough(b);
  if (anyAssignment || a->HasSideEffects(context) ||
      b->HasSideEffects(context) || (anyCall && !isOwnVariable(a)))
    return false;
  llvm::FoldingSetNodeID idA, idB;
  a->Profile(idA, context, /*Canonical=*/true);
  b->Profile(idB, context, /*Canonical=*/true);
  return idA == idB;
}

unsigned op2::frontend::getFormKey(const Expr *expr, ASTContext &context) {
  if (!expr)
    return 0;
  llvm::FoldingSetNodeID id;
  lookThrough(expr)->Profile(id, context, /*Canonical=*/true);
  return std::max(1u, id.ComputeHash());
}
