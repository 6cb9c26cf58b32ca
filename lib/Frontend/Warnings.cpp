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

/// In the order of the enumeration.
static constexpr StringRef kNames[] = {
    "const", "inc", "min-max", "read", "sequential", "shared", "write"};

bool WarningOptions::parse(StringRef option) {
  static_assert(std::size(kNames) == std::tuple_size_v<decltype(states)>);
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
  const auto *name =
      option.consume_front("-") ? llvm::find(kNames, option) : std::end(kNames);
  if (name == std::end(kNames))
    return false;
  set(states[name - kNames]);
  return true;
}

std::optional<DiagnosticIDs::Level>
WarningOptions::getLevel(Warning warning, bool isErrorByDefault,
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
                    const WarningOptions &options, Warning warning,
                    StringRef format, bool isErrorByDefault) {
  std::optional<DiagnosticIDs::Level> level =
      options.getLevel(warning, isErrorByDefault, diags);
  if (!level)
    return std::nullopt;
  std::string text =
      (format + " [-Wop2-" + kNames[size_t(warning)] + "]").str();
  unsigned id = diags.getDiagnosticIDs()->getCustomDiagID(*level, text);
  return diags.Report(location, id);
}
