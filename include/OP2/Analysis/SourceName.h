//===- SourceName.h - Functions as their source calls them ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_ANALYSIS_SOURCENAME_H
#define OP2_ANALYSIS_SOURCENAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::op2 {

/// What the source calls the function or variable of a symbol: demangled,
/// without template arguments and parameters, and without what passes append to
/// the symbols of kernels (".op2", ".raised").
std::string getSourceName(llvm::StringRef symbol);

/// What a frontend's copy of a kernel, which is not raised, has behind its
/// name.
constexpr llvm::StringLiteral kKernelSuffix = ".op2";

/// Of a copy of a kernel with paths that never return: one without them,
std::string getUsualName(llvm::StringRef copy);
/// and one that returns, as an i1, whether an element takes one of them.
std::string getCheckName(llvm::StringRef copy);

/// A way to do without a function that the compiler calls, to go behind its
/// name: " (-f... does without)"; "" if there is none.
llvm::StringRef getCallHint(llvm::StringRef symbol);

} // namespace mlir::op2

#endif // OP2_ANALYSIS_SOURCENAME_H
