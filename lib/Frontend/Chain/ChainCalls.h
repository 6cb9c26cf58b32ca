//===- ChainCalls.h - Loops that wait for the next ones ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_CHAINCALLS_H
#define OP2_FRONTEND_CHAINCALLS_H

#include "CallSite.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

/// A loop, or two as one, with its stub.
struct ChainLoop {
  CallSite site;
  std::vector<const llvm::Function *> kernels;
  std::string obstacle; ///< why it cannot wait; empty if it can
  bool isFused = false;
};

/// Lets calls of `chainLoops`, which are all of a module, wait for the next
/// ones. On every path, what waits is run before whatever might notice.
void makeChains(llvm::ArrayRef<ChainLoop> chainLoops, const FileLoops &loops,
                const PluginOptions &options, clang::DiagnosticsEngine &diags);

} // namespace op2::frontend

#endif // OP2_FRONTEND_CHAINCALLS_H
