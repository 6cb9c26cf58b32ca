//===- CppTypes.h - What C++ types are to OP2 -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type strings, the C++ types that they stand for, and the numbers that types
// of the application consist of.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CPPTYPES_H
#define OP2_FRONTEND_CPPTYPES_H

#include "LoopDescription.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Type.h"

#include <optional>

namespace op2::frontend {

/// The element type whose values C++ values of `type` are; a number only.
std::optional<ElementType> findElementType(clang::QualType type,
                                           const clang::ASTContext &context);
/// Are all numbers in an object of `type` of the element's type?
bool holdsOnly(clang::QualType type, ElementType element,
               const clang::ASTContext &context);

/// What a value of a type of the application is to compiled loops.
struct UserType {
  ElementType element;
  int64_t count;      ///< of `element`
  bool hasOtherTypes; ///< `element` is only as wide as addresses are aligned
  bool hasOwnSum;     ///< a += of the application's, which may be anything
  bool hasPointers;   ///< which are the host's
};
/// The parts of `type`, the type of a kernel's parameter without its pointers.
/// Nothing if the application has no type_error for it, or if it cannot be
/// copied byte by byte.
std::optional<UserType> findUserType(clang::QualType type,
                                     const clang::ASTContext &context);
/// False if type_error for `type` visibly compares with other strings only.
bool mayHaveTypeString(clang::QualType type, llvm::StringRef text,
                       const clang::ASTContext &context);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CPPTYPES_H
