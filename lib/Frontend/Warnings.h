//===- Warnings.h - Warnings with names of their own ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -Wop2-<name>, -Wno-op2-<name>, -Werror=op2-<name> and -Wno-error=op2-<name>,
// as Clang's warnings have them; without -<name>, all at once. Clang's own
// tables of groups cannot be extended by a plugin.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_WARNINGS_H
#define OP2_FRONTEND_WARNINGS_H

#include "OP2/Problems.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace op2::frontend {

using op2::Problem;

/// What the options say about each problem that is a warning.
class WarningOptions {
public:
  /// Reads "Wno-error=op2-inc" and its like; false if it is not one of them or
  /// names no warning.
  bool parse(llvm::StringRef option);

  /// Nothing if the warning is off. -w and -Werror count, too.
  std::optional<clang::DiagnosticIDs::Level>
  getLevel(Problem warning, bool isErrorByDefault,
           const clang::DiagnosticsEngine &diags) const;

private:
  struct State {
    bool isOn = true;
    std::optional<bool> isError; ///< as asked for
  };
  std::array<State, kNumProblems> states;
};

/// Reports a warning, whose name is added to `format`, which is Clang's own
/// format string. Nothing if it is off.
std::optional<clang::DiagnosticBuilder>
warn(clang::DiagnosticsEngine &diags, clang::SourceLocation location,
     const WarningOptions &options, Problem warning, llvm::StringRef format,
     bool isErrorByDefault = false);

} // namespace op2::frontend

#endif // OP2_FRONTEND_WARNINGS_H
