//===- LoopFinder.h - Finding calls of op_par_loop -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPFINDER_H
#define OP2_FRONTEND_LOOPFINDER_H

#include "LoopDescription.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <vector>

namespace op2::frontend {

/// Finds each call of op_par_loop and op_decl_const once, in functions, in
/// methods, in lambdas and in instantiations of templates; templates themselves
/// are skipped. Also finds the functions that other files may know.
class LoopFinder : public clang::RecursiveASTVisitor<LoopFinder> {
  using Base = clang::RecursiveASTVisitor<LoopFinder>;

public:
  LoopFinder(clang::SourceManager &sources,
             std::function<void(clang::CallExpr *)> found,
             std::function<void(clang::CallExpr *)> foundConstant)
      : sources(sources), found(std::move(found)),
        foundConstant(std::move(foundConstant)) {}

  /// Those that are called or defined, and that headers of the program declare.
  llvm::ArrayRef<const clang::FunctionDecl *> getSharedFunctions() const {
    return shared.getArrayRef();
  }
  const CFunctionParameters &getWrittenByC() const { return writtenByC; }

  /// What of them Clang hands over to nobody: what it instantiated for a type
  /// only, as std::visit does, and what is called then.
  void traverseGenericLambdas();

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(clang::Decl *decl);
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda);
  bool TraverseCXXDefaultArgExpr(clang::CXXDefaultArgExpr *argument);
  bool TraverseCXXDefaultInitExpr(clang::CXXDefaultInitExpr *initializer);
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construction);
  bool VisitCallExpr(clang::CallExpr *call);
  bool VisitFunctionDecl(clang::FunctionDecl *function);

private:
  void noteShared(const clang::FunctionDecl &function);

  clang::SourceManager &sources;
  std::function<void(clang::CallExpr *)> found, foundConstant;
  llvm::DenseSet<const clang::CallExpr *> seen;
  llvm::DenseSet<const clang::Expr *> defaults;
  llvm::DenseSet<const clang::CXXConstructorDecl *> constructors;
  llvm::SetVector<const clang::FunctionDecl *> shared;
  CFunctionParameters writtenByC;
  std::vector<clang::FunctionTemplateDecl *> lambdas; ///< generic ones
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPFINDER_H
