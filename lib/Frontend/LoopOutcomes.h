//===- LoopOutcomes.h - What became of each loop ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_FRONTEND_LOOPOUTCOMES_H
#define OP2_FRONTEND_LOOPOUTCOMES_H

#include "CallSite.h"
#include "Report/LoopReport.h"
#include "TargetCode.h"

namespace op2::frontend {

/// What the targets' compilations have found out about the loops of a file.
class LoopOutcomes {
public:
  LoopOutcomes(const PluginOptions &options, LoopReport &report)
      : options(options), report(report) {}

  /// Takes it from the code of a target.
  void add(CompiledTarget &code, Target target);

  /// Whether the loop's kernel, on openmp, changes only what its arguments are.
  bool isConfined(const CallSite &site) const;
  /// Pointers of the program that its kernel follows on openmp; nothing if they
  /// are not known.
  FollowedPointers getPointers(const CallSite &site) const;

  /// Tells the report. hasVectors: the machine has some.
  void reportLoop(const CallSite &site, bool hasVectors) const;

private:
  bool isRaised(const CallSite &site) const;
  void reportExecution(const CallSite &site, bool hasVectors) const;
  std::string describeObstacle(const CallSite &site,
                               const LoopExecution &execution,
                               bool hasVectors) const;
  std::string listTargets(const LoopDescription &loop) const;

  const PluginOptions &options;
  LoopReport &report;
  DeviceKernels deviceKernels;
  std::map<std::string, LoopExecution> executions;       ///< on openmp
  std::map<std::string, std::string> ownershipObstacles; ///< on devices
};

} // namespace op2::frontend

#endif // OP2_FRONTEND_LOOPOUTCOMES_H
