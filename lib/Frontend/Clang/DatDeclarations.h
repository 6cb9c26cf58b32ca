//===- DatDeclarations.h - Loops against declarations of dats -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DATDECLARATIONS_H
#define OP2_FRONTEND_DATDECLARATIONS_H

#include "ParsedLoop.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Compares the dim and type string of each dat argument with the dat's
/// op_decl_dat, where the argument names a variable, not one of other files,
/// too, whose only value is an op_decl_dat with a constant dim. Needs the whole
/// file. Returns false if it found an error.
bool checkDatDeclarations(llvm::ArrayRef<std::unique_ptr<ParsedLoop>> loops,
                          clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DATDECLARATIONS_H
