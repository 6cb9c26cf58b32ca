//===- KernelWrites.cpp - Kernels that write what they may only read -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWrites.h"
#include "Diagnostics.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;
using namespace op2::frontend;

namespace {
/// Finds the first write to the data of each pointer parameter.
class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  llvm::DenseMap<const VarDecl *, const Expr *> firstWrite;

  explicit WriteFinder(const ASTContext &context) : context(context) {}

  void run(const FunctionDecl *function) {
    for (const ParmVarDecl *parameter : function->parameters())
      sources[parameter] = parameter;
    // Pointers that are assigned again may point elsewhere; they must be known
    // before the walk that follows pointers.
    collecting = true;
    TraverseStmt(function->getBody());
    collecting = false;
    TraverseStmt(function->getBody());
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (collecting || !variable->hasInit() || reassigned.contains(variable))
      return true;
    const VarDecl *source = nullptr;
    if (variable->getType()->isPointerType())
      source = pointerSource(variable->getInit());
    else if (variable->getType()->isReferenceType())
      source = placeSource(variable->getInit());
    if (source)
      sources[variable] = source;
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      noteWrite(op->getLHS(), op->getOpcode() == BO_Assign);
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp())
      noteWrite(op->getSubExpr(), /*replaces=*/false);
    return true;
  }

private:
  /// `replaces`: the old value is lost (p = q), not moved on (p++).
  void noteWrite(const Expr *target, bool replaces) {
    if (collecting) {
      const auto *ref = dyn_cast<DeclRefExpr>(target->IgnoreParens());
      const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
      if (replaces && variable && variable->getType()->isPointerType())
        reassigned.insert(variable);
      return;
    }
    // Data are numbers; storing a pointer changes where a row lies, no data.
    if (target->getType()->isPointerType())
      return;
    if (const VarDecl *parameter = placeSource(target))
      firstWrite.try_emplace(parameter, target);
  }

  /// The parameter in whose data the place lies that `expr` names.
  const VarDecl *placeSource(const Expr *expr) {
    expr = expr->IgnoreParenNoopCasts(context);
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
      return pointerSource(subscript->getBase());
    if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
      if (unary->getOpcode() == UO_Deref)
        return pointerSource(unary->getSubExpr());
      if (unary->isPrefix() && unary->isIncrementDecrementOp())
        return placeSource(unary->getSubExpr());
      return nullptr;
    }
    if (const auto *member = dyn_cast<MemberExpr>(expr))
      return member->isArrow() ? pointerSource(member->getBase())
                               : placeSource(member->getBase());
    if (const auto *either = dyn_cast<ConditionalOperator>(expr)) {
      const VarDecl *source = placeSource(either->getTrueExpr());
      return source ? source : placeSource(either->getFalseExpr());
    }
    if (const auto *cast = dyn_cast<CastExpr>(expr))
      return cast->getCastKind() == CK_LValueToRValue
                 ? nullptr
                 : placeSource(cast->getSubExpr());
    if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
      const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
      return variable && variable->getType()->isReferenceType()
                 ? sources.lookup(variable)
                 : nullptr;
    }
    return nullptr;
  }

  /// The parameter into whose data the pointer `expr` points.
  const VarDecl *pointerSource(const Expr *expr) {
    expr = expr->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(expr)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay)
        return placeSource(cast->getSubExpr());
      return pointerSource(cast->getSubExpr());
    }
    if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
      const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
      return variable && !reassigned.contains(variable)
                 ? sources.lookup(variable)
                 : nullptr;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
      if (!binary->isAdditiveOp() && !binary->isCompoundAssignmentOp())
        return nullptr;
      const Expr *left = binary->getLHS();
      return pointerSource(left->getType()->isPointerType() ? left
                                                            : binary->getRHS());
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
      if (unary->getOpcode() == UO_AddrOf)
        return placeSource(unary->getSubExpr());
      return unary->isIncrementDecrementOp()
                 ? pointerSource(unary->getSubExpr())
                 : nullptr;
    }
    // v[i] of a vector argument: one of its rows.
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
      return pointerSource(subscript->getBase());
    if (const auto *either = dyn_cast<ConditionalOperator>(expr)) {
      const VarDecl *source = pointerSource(either->getTrueExpr());
      return source ? source : pointerSource(either->getFalseExpr());
    }
    return nullptr;
  }

  const ASTContext &context;
  llvm::DenseMap<const VarDecl *, const VarDecl *> sources;
  llvm::DenseSet<const VarDecl *> reassigned;
  bool collecting = false;
};
} // namespace

/// The function whose body runs: a lambda's call operator for the static
/// function that a conversion to a pointer gives.
static const FunctionDecl *getFunctionWithBody(const FunctionDecl *kernel) {
  const auto *method = dyn_cast<CXXMethodDecl>(kernel);
  if (method && method->isLambdaStaticInvoker())
    kernel = method->getParent()->getLambdaCallOperator();
  const FunctionDecl *definition = nullptr;
  return kernel->isDefined(definition) ? definition : nullptr;
}

bool op2::frontend::checkKernelWrites(const ParsedLoop &loop,
                                      ASTContext &context) {
  const FunctionDecl *kernel = getFunctionWithBody(loop.kernel);
  if (!kernel || !kernel->getBody() || loop.args.empty())
    return true;
  WriteFinder finder(context);
  finder.run(kernel);

  bool ok = true;
  for (unsigned i = 0; i < loop.args.size(); ++i) {
    const ParsedArg &arg = loop.args[i];
    const ParmVarDecl *parameter = kernel->getParamDecl(i);
    const Expr *write = finder.firstWrite.lookup(parameter);
    if (!write || !arg.access || arg.description.access != Access::Read)
      continue;
    ok = false;
    DiagnosticsEngine &diags = context.getDiagnostics();
    error(diags, write->getExprLoc(),
          "kernel %0 writes to parameter %1, which this loop declares OP_READ")
        << loop.kernel << parameter << write->getSourceRange();
    CharSourceRange range = context.getSourceManager().getExpansionRange(
        arg.access->getSourceRange());
    note(diags, range.getBegin(),
         "access declared here; did you mean OP_RW or OP_INC?")
        << FixItHint::CreateReplacement(range, "OP_RW");
  }
  return ok;
}
