//===- SourcePlace.h - Source locations of instructions ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_SOURCEPLACE_H
#define OP2_FRONTEND_SOURCEPLACE_H

#include "clang/Basic/SourceLocation.h"
#include <string>

namespace clang {
class SourceManager;
} // namespace clang
namespace llvm {
class DILocation;
class DIScope;
} // namespace llvm

namespace op2::frontend {

/// The path of a scope's file; a relative one begins where it was compiled.
std::string getPath(const llvm::DIScope &scope);

/// The place of an instruction in the user's files; invalid if it has none.
clang::SourceLocation getPlace(const llvm::DILocation *place,
                               clang::SourceManager &sources);

} // namespace op2::frontend

#endif // OP2_FRONTEND_SOURCEPLACE_H
