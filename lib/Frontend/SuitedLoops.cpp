//===- SuitedLoops.cpp - Loops that a target can run ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SuitedLoops.h"
#include "HostAnalysis/KernelVariables.h"
#include "OP2/Analysis/SourceName.h"

using namespace op2::frontend;

static std::string quote(const ArgDescription &arg) {
  return arg.parameter.empty() ? "" : " '" + arg.parameter + "'";
}

/// Why a device has no use for the values of an argument, or "".
static std::string findPointerProblem(const LoopDescription &loop) {
  for (const ArgDescription &arg : loop.args)
    if (arg.hasPointers)
      return "parameter" + quote(arg) +
             " is of a type with pointers, which lead to the host's memory";
  return "";
}

/// Why no code of a target has these globals (rules L7 and L12), or "".
static std::string findGlobalProblem(const LoopDescription &loop,
                                     Target target) {
  for (const ArgDescription &arg : loop.args) {
    if (!arg.isGlobal())
      continue;
    if (arg.access == Access::ReadWrite && target != Target::Seq)
      return "global" + quote(arg) +
             " is OP_RW: each element sees what those before it have left, "
             "so they cannot run in parallel; expected OP_INC, OP_MIN, "
             "OP_MAX or OP_WRITE";
    bool isReduced = arg.access == Access::Inc || arg.access == Access::Min ||
                     arg.access == Access::Max || arg.access == Access::Reduce;
    for (const ArgDescription &other : loop.args)
      if (isReduced && &other != &arg && other.isGlobal() &&
          other.sameDataAs == arg.sameDataAs)
        return "global" + quote(arg) + " is reduced, and is the variable of" +
               quote(other) + " as well";
  }
  return "";
}

/// Threads have variables of their own where a kernel means the caller's.
static TargetProblem findThreadProblem(const CallSite &site) {
  const llvm::GlobalVariable *own = findThreadLocal(*site.kernel);
  if (!own)
    return {};
  std::string symbol = own->getName().str();
  bool isNamed = findVariables(site.kernel).contains(own);
  return {"kernel '" + site.loop->kernelName +
              (isNamed ? "' uses"
                       : "' calls a function through a pointer, and "
                         "may so use") +
              " the thread-local variable '" +
              mlir::op2::getSourceName(symbol) + "'",
          "variable:" + symbol};
}

std::vector<CallSite> op2::frontend::keepSuited(llvm::ArrayRef<CallSite> sites,
                                                Target target) {
  std::vector<CallSite> kept;
  for (const CallSite &site : sites) {
    TargetProblem problem = {findGlobalProblem(*site.loop, target), ""};
    if (problem.reason.empty() && isDevice(target))
      problem.reason = findPointerProblem(*site.loop);
    if (problem.reason.empty() && target == Target::OpenMP)
      problem = findThreadProblem(site);
    if (problem.reason.empty())
      kept.push_back(site);
    else
      site.loop->targetProblems[target] = problem;
  }
  return kept;
}
