//===- ParsedLoop.h - A loop with its syntax -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a loop together with the expressions it came from, for
// checks and diagnostics. Lives as long as the AST.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_PARSEDLOOP_H
#define OP2_FRONTEND_PARSEDLOOP_H

#include "LoopDescription.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace op2::frontend {

/// One op_arg_... call; an expression that its kind does not have is null.
struct ParsedArg {
  ArgDescription description;
  const clang::CallExpr *call = nullptr;
  const clang::Expr *flag = nullptr;
  const clang::Expr *data = nullptr; ///< the dat, or the global's address
  const clang::Expr *index = nullptr;
  const clang::Expr *map = nullptr;
  const clang::Expr *dim = nullptr;
  const clang::Expr *type = nullptr;
  const clang::Expr *access = nullptr;
  const clang::Expr *follows = nullptr; ///< the number in op_arg_info
  const clang::Expr *merge = nullptr;   ///< the function of op_arg_reduce
  const clang::Expr *identity = nullptr;
  std::string typeString;
  clang::QualType userType; ///< of a component, if it is the application's
  /// Numbers that a component of such a type is to compiled loops.
  int64_t valuesPerComponent = 1;
  bool hasMap = false;                                   ///< map is not OP_ID
  const clang::Expr *level = nullptr, *levels = nullptr; ///< op_arg_dat_layers
  // Of op_arg_mat:
  bool isMatrix = false; ///< `data` is the matrix, `index` its row index
  const clang::Expr *rowDim = nullptr, *colIndex = nullptr;
  /// Values in a row of what is packed; 0: `dim`.
  int64_t rowLength = 0;
};

struct ParsedLoop {
  clang::CallExpr *call = nullptr;
  const clang::FunctionDecl *kernel = nullptr;
  const clang::FunctionProtoType *kernelType = nullptr;
  std::vector<ParsedArg> args;
  std::string name;
  /// Shared with the IR layer.
  LoopDescription *description = nullptr;

  /// Over a subset, with arguments as over the set of its elements.
  bool isOverSubset() const { return isOver("op_subset_core"); }
  bool isOverLayers() const { return isOver("op_layers_core"); }
  bool isOver(llvm::StringRef recordName) const {
    const clang::RecordDecl *record = call->getDirectCallee()
                                          ->getParamDecl(kFirstOpArg - 1)
                                          ->getType()
                                          ->getPointeeType()
                                          ->getAsRecordDecl();
    return record && record->getName() == recordName;
  }
  const clang::Expr *getKernelExpr() const { return call->getArg(0); }
  clang::SourceLocation getLocation() const { return call->getExprLoc(); }
};

/// Why a loop cannot be compiled, and where; it stays sequential.
struct Unsupported {
  clang::SourceLocation location;
  std::string reason;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_PARSEDLOOP_H
