//===- Warnings.cpp - Warnings with names of their own --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warnings.h"
#include "llvm/ADT/STLExtras.h"

using namespace op2::frontend;
using clang::DiagnosticIDs;
using llvm::StringRef;

bool WarningOptions::parse(StringRef option) {
  if (!option.consume_front("W"))
    return false;
  bool isNo = option.consume_front("no-");
  bool isError = option.consume_front("error=");
  if (!option.consume_front("op2"))
    return false;
  auto set = [&](State &state) {
    if (isError)
      state.isError = !isNo;
    if (!isError || !isNo)
      state.isOn = !isNo;
  };
  if (option.empty()) {
    llvm::for_each(states, set);
    return true;
  }
  const auto *problem = llvm::find_if(kProblems, [&](const ProblemInfo &info) {
    return info.isWarning && option == StringRef(info.name).drop_front(3);
  });
  if (problem == std::end(kProblems))
    return false;
  set(states[problem - kProblems]);
  return true;
}

std::optional<DiagnosticIDs::Level>
WarningOptions::getLevel(Problem warning, bool isErrorByDefault,
                         const clang::DiagnosticsEngine &diags) const {
  const State &state = states[size_t(warning)];
  if (!state.isOn)
    return std::nullopt;
  if (state.isError.value_or(isErrorByDefault))
    return DiagnosticIDs::Error;
  // Clang applies neither of these to warnings of plugins.
  if (diags.getIgnoreAllWarnings())
    return std::nullopt;
  return diags.getWarningsAsErrors() && !state.isError ? DiagnosticIDs::Error
                                                       : DiagnosticIDs::Warning;
}

std::optional<clang::DiagnosticBuilder>
op2::frontend::warn(clang::DiagnosticsEngine &diags,
                    clang::SourceLocation location,
                    const WarningOptions &options, Problem warning,
                    StringRef format, bool isErrorByDefault) {
  std::optional<DiagnosticIDs::Level> level =
      options.getLevel(warning, isErrorByDefault, diags);
  if (!level)
    return std::nullopt;
  std::string text = (format + " [-W" + infoOf(warning).name + "]").str();
  unsigned id = diags.getDiagnosticIDs()->getCustomDiagID(*level, text);
  return diags.Report(location, id);
}
