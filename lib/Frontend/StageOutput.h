//===- StageOutput.h - Writing the stages of the compilation -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_STAGEOUTPUT_H
#define OP2_FRONTEND_STAGEOUTPUT_H

#include "PluginOptions.h"
#include "TargetCode.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace op2::frontend {

/// Does an option request the text of any stage?
bool wantsStages(const PluginOptions &options);

/// Writes what --op2-emit and --op2-save-temps ask for; `texts` has an entry
/// for each target. Reports it if a file cannot be written.
void writeStages(llvm::ArrayRef<StageTexts> texts, const PluginOptions &options,
                 clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_STAGEOUTPUT_H
