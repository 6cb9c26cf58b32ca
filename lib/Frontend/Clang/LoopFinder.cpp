//===- LoopFinder.cpp - Finding calls of op_par_loop -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopFinder.h"
#include "Annotations.h"
#include "ParsedLoop.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace op2::frontend;

bool LoopFinder::TraverseDecl(Decl *decl) {
  const auto *function = dyn_cast_or_null<FunctionDecl>(decl);
  if (function && function->isDependentContext())
    return true;
  return Base::TraverseDecl(decl);
}

bool LoopFinder::TraverseLambdaExpr(LambdaExpr *lambda) {
  if (lambda->isTypeDependent())
    return true;
  if (!lambda->isGenericLambda())
    return Base::TraverseLambdaExpr(lambda);
  // Instantiations come as functions, most of them.
  lambdas.push_back(lambda->getCallOperator()->getDescribedFunctionTemplate());
  return true;
}

void LoopFinder::traverseGenericLambdas() {
  // There may be others in them.
  for (size_t i = 0; i < lambdas.size(); ++i)
    for (FunctionDecl *instantiation : lambdas[i]->specializations())
      TraverseDecl(instantiation);
}

/// Those of templates are made for who uses them, maybe in another one.
bool LoopFinder::TraverseCXXDefaultArgExpr(CXXDefaultArgExpr *argument) {
  if (!defaults.insert(argument->getExpr()).second)
    return true;
  return TraverseStmt(argument->getExpr());
}

bool LoopFinder::TraverseCXXDefaultInitExpr(CXXDefaultInitExpr *initializer) {
  if (!defaults.insert(initializer->getExpr()).second)
    return true;
  return TraverseStmt(initializer->getExpr());
}

/// Constructors that nobody has written.
bool LoopFinder::VisitCXXConstructExpr(CXXConstructExpr *construction) {
  const CXXConstructorDecl *constructor = construction->getConstructor();
  if (constructors.insert(constructor->getCanonicalDecl()).second)
    if (const FunctionDecl *definition = constructor->getDefinition())
      for (CXXCtorInitializer *part :
           cast<CXXConstructorDecl>(definition)->inits())
        TraverseStmt(part->getInit());
  return true;
}

bool LoopFinder::VisitCallExpr(CallExpr *call) {
  if (const FunctionDecl *callee = call->getDirectCallee())
    noteShared(*callee);
  // What Clang has reported is wrong enough.
  if (call->isTypeDependent() || call->containsErrors())
    return true;
  StringRef what = getOP2Annotation(call);
  bool isLoop = what == "par_loop" && call->getNumArgs() >= kFirstOpArg;
  if ((isLoop || what == "decl_const") && seen.insert(call).second)
    (isLoop ? found : foundConstant)(call);
  return true;
}

/// Files of the standard library are locked.
static bool isFile(QualType type) {
  const auto *record = type->getAsRecordDecl();
  return record && record->getIdentifier() && record->getName() == "_IO_FILE";
}

bool LoopFinder::VisitFunctionDecl(FunctionDecl *function) {
  if (function->isExternC() && function->getIdentifier())
    for (const ParmVarDecl *parameter : function->parameters())
      if (QualType data = parameter->getType()->getPointeeType();
          !data.isNull() && !data.isConstQualified() && !isFile(data))
        writtenByC.insert(
            {function->getName().str(), parameter->getFunctionScopeIndex()});
  if (function->isThisDeclarationADefinition())
    noteShared(*function);
  return true;
}

/// Not what has a body in the header, nor the library's.
void LoopFinder::noteShared(const FunctionDecl &function) {
  auto isInHeader = [&](const FunctionDecl *decl) {
    SourceLocation place = sources.getExpansionLoc(decl->getLocation());
    return place.isValid() && !sources.isInMainFile(place) &&
           !sources.isInSystemHeader(place);
  };
  if (function.isExternallyVisible() && !function.isInlined() &&
      !isa<CXXConstructorDecl, CXXDestructorDecl>(function) &&
      function.getIdentifier() && !function.getName().starts_with("op_") &&
      llvm::any_of(function.redecls(), isInHeader))
    shared.insert(function.getCanonicalDecl());
}
