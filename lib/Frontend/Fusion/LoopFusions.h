//===- LoopFusions.h - The fused loops of a file ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPFUSIONS_H
#define OP2_FRONTEND_LOOPFUSIONS_H

#include "FusedStub.h"
#include "TargetCode.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace op2::frontend {

using FusionList = std::vector<std::shared_ptr<Fusion>>;

/// Which loops of a module are fused, from the search for candidates to the
/// calls.
class LoopFusions {
public:
  LoopFusions(const FileLoops &loops, const PluginOptions &options,
              clang::DiagnosticsEngine &diags)
      : loops(loops), options(options), diags(diags) {}

  /// Adds a function with both loops of every pair of `sites` that may have a
  /// fused form to `op2Module`, which holds their run functions.
  FusionList addTo(mlir::ModuleOp op2Module, llvm::ArrayRef<CallSite> sites);

  /// Those that the compiler has fused.
  FusionList select(const FusionList &candidates,
                    const VariantOutcomes &outcomes);

  /// Says that there is code for these in the module.
  void use(const FusionList &compiled) {
    fusions.insert(fusions.end(), compiled.begin(), compiled.end());
  }

  /// Lets the calls of loops wait for what they are fused with, and reports
  /// what became of all pairs if that is wanted. The loops' stubs are defined.
  /// Returns the pairs that have a stub now.
  std::vector<Fusion *> apply();

private:
  std::shared_ptr<Fusion> build(LoopPair &pair, mlir::ModuleOp op2Module);
  void reportAll(const std::vector<Fusion *> &chosen);
  void reportUnfused(const LoopPair &pair, llvm::StringRef reason);

  const FileLoops &loops;
  const PluginOptions &options;
  clang::DiagnosticsEngine &diags;
  FusionList fusions;            ///< with code
  std::vector<LoopPair> unfused; ///< and those that have none, with the reason
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPFUSIONS_H
