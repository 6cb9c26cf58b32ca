//===- DeferredReadback.h - Where the host waits for reductions -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_DEFERREDREADBACK_H
#define OP2_FRONTEND_DEFERREDREADBACK_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

/// Lets loops on devices end before the globals that they change have their
/// values, if the program runs other loops before it may look at them; there it
/// waits. The stubs of `sites` are defined; `fusedStubs` call some of them.
void makeGlobalsLate(llvm::ArrayRef<CallSite> sites,
                     const std::set<const llvm::Function *> &fusedStubs,
                     const FileLoops &loops, const PluginOptions &options,
                     clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_DEFERREDREADBACK_H
