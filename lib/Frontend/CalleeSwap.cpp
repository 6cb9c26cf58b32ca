//===- CalleeSwap.cpp - Redirecting a call to a stub -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalleeSwap.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"

using namespace clang;
using namespace op2::frontend;

std::string op2::frontend::getSymbol(const FunctionDecl *function,
                                     ASTContext &context) {
  return ASTNameGenerator(context).getName(function);
}

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

void op2::frontend::swapCallee(const ParsedLoop &loop, ASTContext &context) {
  FunctionDecl *original = loop.call->getDirectCallee();
  LoopDescription &description = *loop.description;
  description.templateSymbol = getSymbol(original, context);
  if (!original->hasAttr<UsedAttr>())
    original->addAttr(UsedAttr::CreateImplicit(context));

  FunctionDecl *stub = declareStub(original, description.stubSymbol, context);
  SourceLocation location = loop.call->getCallee()->getBeginLoc();
  auto *reference = DeclRefExpr::Create(
      context, NestedNameSpecifierLoc(), SourceLocation(), stub,
      /*RefersToEnclosingVariableOrCapture=*/false, location, stub->getType(),
      VK_LValue);
  loop.call->setCallee(ImplicitCastExpr::Create(
      context, context.getPointerType(stub->getType()),
      CK_FunctionToPointerDecay, reference, /*BasePath=*/nullptr, VK_PRValue,
      FPOptionsOverride()));
}
