//===- CalleeSwap.cpp - Redirecting a call to a stub -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalleeSwap.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"

using namespace clang;
using namespace op2::frontend;

static FunctionDecl *declareStub(const FunctionDecl *original, StringRef symbol,
                                 ASTContext &context) {
  auto *stub = FunctionDecl::Create(
      context, context.getTranslationUnitDecl(), original->getLocation(),
      original->getLocation(), &context.Idents.get(symbol), original->getType(),
      original->getTypeSourceInfo(), SC_Extern);
  SmallVector<ParmVarDecl *> parameters;
  for (const ParmVarDecl *parameter : original->parameters())
    parameters.push_back(ParmVarDecl::Create(
        context, stub, parameter->getLocation(), parameter->getLocation(),
        /*Id=*/nullptr, parameter->getType(), parameter->getTypeSourceInfo(),
        SC_None, /*DefArg=*/nullptr));
  stub->setParams(parameters);
  stub->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
  stub->setImplicit();
  return stub;
}

static DeclRefExpr *refer(FunctionDecl *function, SourceLocation location,
                          ASTContext &context) {
  return DeclRefExpr::Create(context, NestedNameSpecifierLoc(),
                             SourceLocation(), function,
                             /*RefersToEnclosingVariableOrCapture=*/false,
                             location, function->getType(), VK_LValue);
}

static Expr *takeAddress(FunctionDecl *function, SourceLocation location,
                         ASTContext &context) {
  return ImplicitCastExpr::Create(
      context, context.getPointerType(function->getType()),
      CK_FunctionToPointerDecay, refer(function, location, context),
      /*BasePath=*/nullptr, VK_PRValue, FPOptionsOverride());
}

/// `static auto *const symbol = &function;`, of which code is generated.
static VarDecl *declareAnchor(FunctionDecl *function, StringRef symbol,
                              SourceLocation location, ASTContext &context) {
  QualType type = context.getPointerType(function->getType()).withConst();
  auto *anchor =
      VarDecl::Create(context, context.getTranslationUnitDecl(), location,
                      location, &context.Idents.get(symbol), type,
                      context.getTrivialTypeSourceInfo(type), SC_Static);
  anchor->setInit(takeAddress(function, location, context));
  anchor->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
  anchor->addAttr(UsedAttr::CreateImplicit(context));
  anchor->setImplicit();
  return anchor;
}

void op2::frontend::swapCallee(const ParsedLoop &loop, ASTContext &context,
                               ASTConsumer &codeGeneration) {
  FunctionDecl *original = loop.call->getDirectCallee();
  const LoopDescription &description = *loop.description;
  SourceLocation location = loop.call->getCallee()->getBeginLoc();
  auto generateAnchor = [&](FunctionDecl *function, const std::string &symbol) {
    codeGeneration.HandleTopLevelDecl(
        DeclGroupRef(declareAnchor(function, symbol, location, context)));
  };
  generateAnchor(original, description.getTemplateAnchor());
  if (loop.kernel)
    generateAnchor(const_cast<FunctionDecl *>(loop.kernel),
                   description.getKernelAnchor());

  FunctionDecl *stub = declareStub(original, description.stubSymbol, context);
  loop.call->setCallee(takeAddress(stub, location, context));
}
