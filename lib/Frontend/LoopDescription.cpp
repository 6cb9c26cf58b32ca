//===- LoopDescription.cpp - Descriptions of the loops of a file ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopDescription.h"
#include "Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

void op2::frontend::LoopDescription::fallBack(const std::string &reason,
                                              clang::DiagnosticsEngine &diags,
                                              const WarningOptions &warnings,
                                              clang::SourceLocation place) {
  if (fallsBack())
    return;
  fallbackReason = reason;
  reportFallback(diags, place.isValid() ? place : location, name, reason,
                 warnings);
}

bool op2::frontend::LoopDescription::changesGlobals() const {
  return llvm::any_of(args, [](const ArgDescription &arg) {
    return arg.isGlobal() && arg.access != Access::Read &&
           arg.access != Access::Work;
  });
}
