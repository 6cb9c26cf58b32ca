//===- ReportPass.h - The page, when code is complete -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_REPORT_REPORTPASS_H
#define OP2_FRONTEND_REPORT_REPORTPASS_H

#include "LoopReport.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace op2::frontend {

/// Adds a pass at the end of the pipeline, at every optimisation level, that
/// writes the page and takes away what only the page needed.
void registerPage(llvm::PassBuilder &builder, std::shared_ptr<FileLoops> loops,
                  std::shared_ptr<LoopReport> report);

} // namespace op2::frontend

#endif // OP2_FRONTEND_REPORT_REPORTPASS_H
