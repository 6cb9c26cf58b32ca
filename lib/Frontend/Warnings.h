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

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace op2::frontend {

enum class Warning {
  Const,  ///< a parameter is const, but the loop declares that it is written
  Inc,    ///< OP_INC, but the kernel does not only add
  MinMax, ///< OP_MIN or OP_MAX, but the kernel assigns without comparing
  Read,   ///< OP_READ, but the kernel writes
  Sequential, ///< a loop is not compiled, for some target or at all
  Shared,     ///< a kernel writes a variable that all elements share
  Write,      ///< OP_WRITE, but the kernel reads first
};

/// What the options say about each warning.
class WarningOptions {
public:
  /// Reads "Wno-error=op2-inc" and its like; false if it is not one of them or
  /// names no warning.
  bool parse(llvm::StringRef option);

  /// Nothing if the warning is off. -w and -Werror count, too.
  std::optional<clang::DiagnosticIDs::Level>
  getLevel(Warning warning, bool isErrorByDefault,
           const clang::DiagnosticsEngine &diags) const;

private:
  struct State {
    bool isOn = true;
    std::optional<bool> isError; ///< as asked for
  };
  std::array<State, 7> states;
};

/// Reports a warning, whose name is added to `format`, which is Clang's own
/// format string. Nothing if it is off.
std::optional<clang::DiagnosticBuilder>
warn(clang::DiagnosticsEngine &diags, clang::SourceLocation location,
     const WarningOptions &options, Warning warning, llvm::StringRef format,
     bool isErrorByDefault = false);

} // namespace op2::frontend

#endif // OP2_FRONTEND_WARNINGS_H
