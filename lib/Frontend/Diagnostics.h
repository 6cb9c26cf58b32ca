//===- Diagnostics.h - Reporting at the user's source -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One place for how the frontend reports: errors, notes, remarks, and loops
// that stay sequential.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DIAGNOSTICS_H
#define OP2_FRONTEND_DIAGNOSTICS_H

#include "Warnings.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"

namespace op2::frontend {

/// Reports with Clang's engine; `format` is Clang's own format string, to which
/// the problem's id is added.
inline clang::DiagnosticBuilder error(clang::DiagnosticsEngine &diags,
                                      clang::SourceLocation location,
                                      Problem problem, llvm::StringRef format) {
  std::string text = (format + " [" + infoOf(problem).name + "]").str();
  return diags.Report(location, diags.getDiagnosticIDs()->getCustomDiagID(
                                    clang::DiagnosticIDs::Error, text));
}

template <unsigned N>
clang::DiagnosticBuilder note(clang::DiagnosticsEngine &diags,
                              clang::SourceLocation location,
                              const char (&format)[N]) {
  return diags.Report(
      location, diags.getCustomDiagID(clang::DiagnosticsEngine::Note, format));
}

template <unsigned N>
clang::DiagnosticBuilder remark(clang::DiagnosticsEngine &diags,
                                clang::SourceLocation location,
                                const char (&format)[N]) {
  return diags.Report(location, diags.getCustomDiagID(
                                    clang::DiagnosticsEngine::Remark, format));
}

/// Reports that a loop keeps the header's sequential implementation and why.
inline void reportFallback(clang::DiagnosticsEngine &diags,
                           clang::SourceLocation location,
                           llvm::StringRef loopName, llvm::StringRef reason,
                           const WarningOptions &warnings) {
  if (auto diagnostic =
          warn(diags, location, warnings, Problem::Sequential,
               "loop '%0' is not compiled and runs sequentially: %1"))
    *diagnostic << loopName << reason;
}

} // namespace op2::frontend

#endif // OP2_FRONTEND_DIAGNOSTICS_H
