//===- CodeGeneration.h - From descriptions of loops to code -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CODEGENERATION_H
#define OP2_FRONTEND_CODEGENERATION_H

#include "LoopDescription.h"
#include "PluginOptions.h"
#include "clang/Basic/Diagnostic.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace op2::frontend {

/// Adds a pass at the start of the pipeline, at every optimisation level, that
/// defines the stub of every loop in `loops` that the module calls.
void registerCodeGeneration(llvm::PassBuilder &builder,
                            std::shared_ptr<FileLoops> loops,
                            const PluginOptions &options,
                            clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CODEGENERATION_H
