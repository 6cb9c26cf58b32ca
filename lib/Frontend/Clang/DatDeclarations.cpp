//===- DatDeclarations.cpp - Loops against declarations of dats -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DatDeclarations.h"
#include "Annotations.h"
#include "CppTypes.h"
#include "Diagnostics.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;
using namespace op2::frontend;

namespace {
const VarDecl *getVariable(const Expr *expr) {
  const auto *ref = dyn_cast<DeclRefExpr>(lookThrough(expr));
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

/// Finds the values that variables get. Everything that might change one in
/// another way (its address is taken, a reference is bound to it) counts as a
/// unknown value.
class ValueFinder : public RecursiveASTVisitor<ValueFinder> {
public:
  /// The only value of a variable; null if there are several or it is unknown.
  llvm::DenseMap<const VarDecl *, const Expr *> values;

  ValueFinder(ASTContext &context, ArrayRef<std::unique_ptr<ParsedLoop>> loops)
      : context(context) {
    for (const std::unique_ptr<ParsedLoop> &loop : loops)
      for (const ParsedArg &arg : loop->args)
        if (arg.description.kind == ArgDescription::Kind::Dat)
          if (const VarDecl *variable = getVariable(arg.data))
            isAsked[variable] = true;
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *decl) {
    if (decl &&
        context.getSourceManager().isInSystemHeader(decl->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->hasInit() && isAsked.contains(variable->getCanonicalDecl()))
      addValue(variable->getCanonicalDecl(), variable->getInit());
    if (variable->hasInit() && variable->getType()->isReferenceType())
      addUnknown(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      if (const VarDecl *variable = getVariable(op->getLHS()))
        addValue(variable, op->getRHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->getOpcode() == UO_AddrOf || op->isIncrementDecrementOp())
      addUnknown(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; callee && i < call->getNumArgs(); ++i)
      if (i < callee->getNumParams() &&
          callee->getParamDecl(i)->getType()->isReferenceType())
        addUnknown(call->getArg(i));
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    for (const LambdaCapture &capture : lambda->captures())
      if (capture.getCaptureKind() == LCK_ByRef && capture.capturesVariable())
        if (auto *variable = dyn_cast<VarDecl>(capture.getCapturedVar()))
          addValue(variable->getCanonicalDecl(), nullptr);
    return true;
  }

private:
  void addUnknown(const Expr *expr) {
    if (const VarDecl *variable = getVariable(expr))
      addValue(variable, nullptr);
  }
  void addValue(const VarDecl *variable, const Expr *value) {
    // `op_dat q = nullptr;` says nothing yet.
    if (value && value->isNullPointerConstant(
                     context, Expr::NPC_ValueDependentIsNotNull))
      return;
    auto [entry, isFirst] = values.try_emplace(variable, value);
    if (!isFirst)
      entry->second = nullptr;
  }

  ASTContext &context;
  llvm::DenseMap<const VarDecl *, bool> isAsked;
};

/// Compares one argument with the declaration of its dat.
class DeclarationCheck {
public:
  DeclarationCheck(const ParsedArg &arg, const VarDecl *variable,
                   const CallExpr *declaration, ASTContext &context)
      : arg(arg), variable(variable), declaration(declaration),
        context(context), diags(context.getDiagnostics()) {}

  bool run() { return checkDim() && checkType(); }

private:
  // op_decl_dat(set, dim, type, data, name)
  bool checkDim() {
    Expr::EvalResult result;
    // Whether rows have the levels that layers reach is found at run time.
    if (arg.description.dim == kDynamicDim || arg.description.levels > 0 ||
        !declaration->getArg(1)->EvaluateAsInt(result, context) ||
        result.Val.getInt().getExtValue() == getDim())
      return true;
    int dim = static_cast<int>(result.Val.getInt().getExtValue());
    error(diags, arg.dim->getExprLoc(), Problem::Dim,
          "dim %0 does not match the declaration of %1, which has dim %2")
        << static_cast<int>(getDim()) << variable << dim
        << arg.dim->getSourceRange();
    noteDeclaration();
    return false;
  }

  bool checkType() {
    std::optional<std::string> text =
        declaration->getArg(2)->tryEvaluateString(context);
    if (!text || isSameType(*text))
      return true;
    error(diags, arg.type->getExprLoc(), Problem::TypeString,
          "type string '%0' does not match the declaration of %1, which has "
          "'%2'")
        << arg.typeString << variable << *text << arg.type->getSourceRange();
    noteDeclaration();
    return false;
  }

  int64_t getDim() const {
    return arg.description.dim / arg.valuesPerComponent;
  }

  bool isSameType(StringRef text) const {
    if (!arg.description.isUserType) {
      std::optional<ElementType> type = parseTypeString(text);
      return !type || *type == arg.description.type;
    }
    StringRef given = arg.typeString;
    given.consume_back(":soa");
    text.consume_back(":soa");
    return given == text;
  }

  void noteDeclaration() {
    note(diags, declaration->getExprLoc(), "dat declared here")
        << declaration->getSourceRange();
  }

  const ParsedArg &arg;
  const VarDecl *variable;
  const CallExpr *declaration;
  ASTContext &context;
  DiagnosticsEngine &diags;
};
} // namespace

bool op2::frontend::checkDatDeclarations(
    ArrayRef<std::unique_ptr<ParsedLoop>> loops, ASTContext &context) {
  ValueFinder finder(context, loops);
  finder.TraverseDecl(context.getTranslationUnitDecl());

  bool ok = true;
  for (const std::unique_ptr<ParsedLoop> &loop : loops)
    for (const ParsedArg &arg : loop->args) {
      if (arg.description.kind != ArgDescription::Kind::Dat || !arg.data)
        continue;
      const VarDecl *variable = getVariable(arg.data);
      const Expr *value = variable ? finder.values.lookup(variable) : nullptr;
      const auto *call =
          value ? dyn_cast<CallExpr>(lookThrough(value)) : nullptr;
      // A parameter has a value of its own in every call.
      if (!call || isa<ParmVarDecl>(variable) ||
          getOP2Annotation(call) != "decl_dat" || call->getNumArgs() < 3)
        continue;
      ok &= DeclarationCheck(arg, variable, call, context).run();
    }
  return ok;
}
