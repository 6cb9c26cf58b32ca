//===- LoopFusions.h - The fused loops of a file ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPFUSIONS_H
#define OP2_FRONTEND_LOOPFUSIONS_H

#include "LoopPairs.h"
#include "Report/LoopReport.h"
#include "TargetCode.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <set>

namespace op2::frontend {

/// Two loops with code for both as one.
struct Fusion {
  LoopPair pair;
  LoopDescription loop;  ///< both, by mergeLoops
  std::string runSymbol; ///< of the code, without its ending
  int64_t savedBytes = 0;
  std::set<Target> targets; ///< for which there is code

  /// It is not called: there is no stub.
  CallSite getSite() {
    CallSite site;
    site.loop = &loop;
    site.kernel = pair.first.kernel;
    site.caller = pair.second.caller;
    site.runSymbol = runSymbol;
    return site;
  }
};

using FusionList = std::vector<std::shared_ptr<Fusion>>;

/// Which loops of a module are fused, from the search for candidates to their
/// descriptions for the runtime.
class LoopFusions {
public:
  LoopFusions(const FileLoops &loops, const PluginOptions &options,
              LoopReport &report)
      : loops(loops), options(options), report(report) {}

  /// Adds a function with both loops of every pair of `sites` that may have a
  /// fused form to `op2Module`, which holds their run functions. Modules for
  /// several targets share the pairs.
  FusionList addTo(mlir::ModuleOp op2Module, llvm::ArrayRef<CallSite> sites);

  /// Those that the compiler has fused.
  FusionList select(const FusionList &candidates,
                    const VariantOutcomes &outcomes);

  /// Records that the module has code for these.
  void use(const FusionList &compiled, Target target);

  /// Chooses the pairs that are worth it, reports the outcome of all if that is
  /// wanted, and describes the chosen ones for the runtime.
  void apply(llvm::Module &module);

  /// Whether a loop is one of a chosen pair that has code for a target.
  bool isFused(const LoopDescription &loop, Target target) const;

private:
  std::vector<LoopPair> limitPairs(llvm::ArrayRef<CallSite> sites) const;
  std::shared_ptr<Fusion> build(LoopPair &pair, mlir::ModuleOp op2Module);
  void reportAll();
  void reportUnfused(const LoopPair &pair, llvm::StringRef reason);

  const FileLoops &loops;
  const PluginOptions &options;
  LoopReport &report;
  void addUnfused(const LoopPair &pair);

  FusionList known;   ///< all that are candidates
  FusionList fusions; ///< with code
  std::vector<Fusion *> chosen;
  std::vector<LoopPair> unfused; ///< and those that have none, with the reason
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPFUSIONS_H
