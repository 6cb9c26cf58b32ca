//===- MissedLoops.h - Loops that nobody has redirected -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_MISSEDLOOPS_H
#define OP2_FRONTEND_MISSEDLOOPS_H

#include "PluginOptions.h"
#include "Report/LoopReport.h"

namespace clang {
class DiagnosticsEngine;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace op2::frontend {

/// Reports the calls that still reach sequential loops, which the AST layer has
/// not seen. Must come before stubs are defined, which call them, too.
void reportMissedLoops(llvm::Module &module, bool isWrittenModule,
                       const PluginOptions &options, LoopReport &report,
                       clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_MISSEDLOOPS_H
