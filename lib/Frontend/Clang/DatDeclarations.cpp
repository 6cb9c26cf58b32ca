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
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace op2::frontend;

namespace {
const VarDecl *getVariable(const Expr *expr) {
  const auto *ref = dyn_cast<DeclRefExpr>(lookThrough(expr));
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

/// Finds the values that variables get. Whoever uses one but to read it or to
/// assign to it may change it: that counts as an unknown value.
class ValueFinder : public RecursiveASTVisitor<ValueFinder> {
public:
  /// The only value of a variable; null if there are several or it is unknown.
  llvm::DenseMap<const VarDecl *, const Expr *> values;

  ValueFinder(ASTContext &context, ArrayRef<std::unique_ptr<ParsedLoop>> loops)
      : context(context) {
    for (const std::unique_ptr<ParsedLoop> &loop : loops)
      for (const ParsedArg &arg : loop->args)
        if (arg.description.kind == ArgDescription::Kind::Dat)
          if (const VarDecl *variable = getVariable(arg.data)) {
            isAsked[variable] = true;
            // Other files may assign to it.
            if (variable->isExternallyVisible())
              addValue(variable, nullptr);
          }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *decl) {
    // Of templates their instances: what they are made from does not run.
    const auto *function = dyn_cast_or_null<FunctionDecl>(decl);
    if (function && function->isDependentContext())
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->hasInit() && isAsked.contains(variable->getCanonicalDecl()))
      addValue(variable->getCanonicalDecl(), variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) {
    const auto *ref = dyn_cast<DeclRefExpr>(op->getLHS()->IgnoreParens());
    if (const VarDecl *variable = ref ? getVariable(ref) : nullptr;
        variable && op->getOpcode() == BO_Assign) {
      addValue(variable, op->getRHS());
      known.insert(ref);
    }
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      known.insert(cast->getSubExpr()->IgnoreParens());
    return true;
  }
  // After what it is part of.
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (const VarDecl *variable = getVariable(ref);
        variable && isAsked.contains(variable) && !known.contains(ref))
      addValue(variable, nullptr);
    return true;
  }

private:
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
  /// Uses that read, or assign a value that is known.
  llvm::SmallPtrSet<const Expr *, 32> known;
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
