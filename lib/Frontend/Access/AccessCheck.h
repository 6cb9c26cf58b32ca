//===- AccessCheck.h - Kernels against declared accesses --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_ACCESSCHECK_H
#define OP2_FRONTEND_ACCESSCHECK_H

#include "LoopDescription.h"
#include "PluginOptions.h"
#include "clang/Basic/Diagnostic.h"

namespace llvm {
class Function;
} // namespace llvm

namespace op2::frontend {

/// Reports what `kernel`, a copy with everything inlined, does to arguments of
/// the loop against what the loop declares, at the line where it happens, with
/// what to declare instead. How loud is up to the options.
void checkAccesses(const LoopDescription &loop, const llvm::Function &kernel,
                   const CFunctionParameters &writtenByC,
                   const PluginOptions &options,
                   clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_ACCESSCHECK_H
