//===- Extents.h - Memory that is too short for a dim -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_EXTENTS_H
#define OP2_FRONTEND_EXTENTS_H

#include "Warnings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace op2::frontend {

/// Warns if `data`, a pointer, leads into a variable which has less than `dim`
/// components behind that place. Members of a struct that follow each other may
/// be one array.
void checkExtent(const clang::Expr *data, const clang::Expr *dim,
                 clang::ASTContext &context, const WarningOptions &warnings);

} // namespace op2::frontend

#endif // OP2_FRONTEND_EXTENTS_H
