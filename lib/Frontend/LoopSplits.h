//===- LoopSplits.h - The split loops of a file -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPSPLITS_H
#define OP2_FRONTEND_LOOPSPLITS_H

#include "CallSite.h"
#include "Report/LoopReport.h"
#include "TargetCode.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace op2::frontend {

/// Which loops of a module have a second function, for openmp, in which they
/// are split.
class LoopSplits {
public:
  explicit LoopSplits(LoopReport &report) : report(report) {}

  /// Adds a function for the split form of every loop to `op2Module`, which
  /// holds their run functions. Returns the loops with the names of these.
  std::vector<CallSite> addTo(mlir::ModuleOp op2Module,
                              llvm::ArrayRef<CallSite> sites);

  /// Those that the compiler has split; reports what became of all.
  std::vector<CallSite> select(llvm::ArrayRef<CallSite> candidates,
                               const VariantOutcomes &outcomes);

  /// Records that the module has code for these.
  void use(llvm::ArrayRef<CallSite> compiled);

  /// The split form of a loop; null if there is no code for one.
  const CallSite *find(const CallSite &site) const;

private:
  LoopReport &report;
  std::map<const LoopDescription *, CallSite> compiled;
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPSPLITS_H
