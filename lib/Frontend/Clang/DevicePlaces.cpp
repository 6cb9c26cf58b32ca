//===- DevicePlaces.cpp - Locations of code that a GPU cannot run ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePlaces.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;
using namespace op2::frontend;

namespace {
class PlaceFinder : public RecursiveASTVisitor<PlaceFinder> {
public:
  PlaceFinder(ASTContext &context,
              std::map<std::string, SourceLocation> &places)
      : context(context), places(places) {}

  void visitFunction(const FunctionDecl *function, SourceLocation call) {
    const FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || !visited.insert(definition).second)
      return;
    SourceLocation before = standIn;
    const SourceManager &sources = context.getSourceManager();
    if (standIn.isInvalid() && call.isValid() &&
        sources.isInSystemHeader(definition->getLocation()))
      standIn = call;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *initializer : constructor->inits())
        TraverseStmt(initializer->getInit());
    TraverseStmt(definition->getBody());
    standIn = before;
  }

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (!callee || (method && method->isVirtual()))
      note("pointer", call->getExprLoc());
    if (!callee || callee->isDependentContext())
      return true;
    if (!isa<CXXDestructorDecl>(callee))
      note("call:" + getSymbol(callee), call->getExprLoc());
    visitFunction(callee, call->getExprLoc());
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construct) {
    visitFunction(construct->getConstructor(), construct->getLocation());
    return true;
  }

  bool VisitCXXNewExpr(CXXNewExpr *allocation) {
    if (const FunctionDecl *callee = allocation->getOperatorNew())
      note("call:" + getSymbol(callee), allocation->getExprLoc());
    return true;
  }

  bool VisitCXXThrowExpr(CXXThrowExpr *expr) {
    note("throw", expr->getThrowLoc());
    return true;
  }

  bool VisitAsmStmt(AsmStmt *assembly) {
    note("asm", assembly->getAsmLoc());
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->isStaticLocal() && variable->hasInit() &&
        !variable->hasConstantInitialization())
      note("static", variable->getLocation());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable && variable->hasGlobalStorage())
      note("variable:" + getSymbol(variable), reference->getExprLoc());
    return true;
  }

  bool VisitExpr(Expr *expr) {
    QualType type = expr->getType();
    if (!type.isNull() && type->isSpecificBuiltinType(BuiltinType::LongDouble))
      note("long double", expr->getExprLoc());
    return true;
  }

private:
  /// The name in the object file; of what only this file knows, some name.
  std::string getSymbol(const Decl *decl) {
    return ASTNameGenerator(context).getName(decl);
  }

  void note(const std::string &construct, SourceLocation location) {
    places.try_emplace(construct, standIn.isValid() ? standIn : location);
  }

  ASTContext &context;
  std::map<std::string, SourceLocation> &places;
  llvm::DenseSet<const FunctionDecl *> visited;
  /// In functions of system headers, the call that led there.
  SourceLocation standIn;
};
} // namespace

void op2::frontend::findPlaces(ParsedLoop &loop, ASTContext &context) {
  PlaceFinder(context, loop.description->places)
      .visitFunction(loop.kernel, SourceLocation());
}
