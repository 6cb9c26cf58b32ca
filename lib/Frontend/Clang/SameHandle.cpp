//===- SameHandle.cpp - Expressions that give the same handle -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameHandle.h"
#include "Annotations.h"
#include "clang/AST/RecursiveASTVisitor.h"
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

namespace {
/// Looks for uses of a variable by which other code could change it:
/// all but reading it, and assigning to it where it was declared.
class ExposureFinder : public RecursiveASTVisitor<ExposureFinder> {
public:
  explicit ExposureFinder(const VarDecl *variable) : variable(variable) {}

  bool isExposed() const { return numUses > numHarmless; }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    numUses += reference->getDecl() == variable;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    numHarmless += cast->getCastKind() == CK_LValueToRValue &&
                   refersTo(cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *assignment) {
    const DeclRefExpr *target =
        assignment->isAssignmentOp() ? refersTo(assignment->getLHS()) : nullptr;
    numHarmless += target && !target->refersToEnclosingVariableOrCapture();
    return true;
  }

private:
  const DeclRefExpr *refersTo(const Expr *expr) const {
    const auto *reference = dyn_cast<DeclRefExpr>(expr->IgnoreParens());
    return reference && reference->getDecl() == variable ? reference : nullptr;
  }

  const VarDecl *variable;
  unsigned numUses = 0, numHarmless = 0;
};
} // namespace

/// A variable that no function called meanwhile can change.
static bool isOwnVariable(const Expr *expr) {
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!variable || variable->getType()->isReferenceType())
    return false;
  if (variable->getType().isConstQualified())
    return true;
  const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
  if (!variable->hasLocalStorage() || !function || !function->hasBody())
    return false;
  ExposureFinder finder(variable);
  finder.TraverseStmt(function->getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *member : constructor->inits())
      finder.TraverseStmt(member->getInit());
  return !finder.isExposed();
}

/// Whether the expression is meant to have another value each time, as `*p++`.
static bool isStepping(const Expr *expr, const ASTContext &context) {
  if (expr->HasSideEffects(context, /*IncludePossibleEffects=*/false))
    return true;
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
      call &&
      llvm::is_contained({OO_PlusPlus, OO_MinusMinus}, call->getOperator()))
    return true;
  return llvm::any_of(expr->children(), [&](const Stmt *child) {
    const auto *part = dyn_cast_or_null<Expr>(child);
    return part && isStepping(part, context);
  });
}

op2::frontend::Sameness
op2::frontend::SameHandle::operator()(const Expr *a, const Expr *b) const {
  a = lookThrough(a);
  b = lookThrough(b);
  // To the canonical form a lambda's parameter and one of the function around
  // it are the same.
  llvm::FoldingSetNodeID idA, idB;
  a->Profile(idA, context, /*Canonical=*/false);
  b->Profile(idB, context, /*Canonical=*/false);
  if (idA != idB || isStepping(a, context))
    return Sameness::None;
  bool isProven = !anyAssignment && !a->HasSideEffects(context) &&
                  (!anyCall || isOwnVariable(a));
  return isProven ? Sameness::Proven : Sameness::Alike;
}

unsigned op2::frontend::getFormKey(const Expr *expr, ASTContext &context) {
  if (!expr)
    return 0;
  llvm::FoldingSetNodeID id;
  lookThrough(expr)->Profile(id, context, /*Canonical=*/true);
  return std::max(1u, id.ComputeHash());
}
