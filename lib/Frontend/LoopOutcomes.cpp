//===- LoopOutcomes.cpp - What became of each loop ------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOutcomes.h"
#include "llvm/ADT/StringExtras.h"

using namespace op2::frontend;

void LoopOutcomes::add(CompiledTarget &code, Target target) {
  if (target == Target::CUDA)
    deviceKernels.merge(code.kernels);
  if (target == Target::OpenMP) {
    for (const auto &[symbol, execution] : code.executions)
      if (execution.operations)
        report.sayOperations(symbol, *execution.operations);
    executions.merge(code.executions);
  }
  ownershipObstacles.merge(code.ownershipObstacles);
}

bool LoopOutcomes::isConfined(const CallSite &site) const {
  auto it = executions.find(site.runSymbol);
  return it != executions.end() && it->second.isConfined;
}

FollowedPointers LoopOutcomes::getPointers(const CallSite &site) const {
  auto it = executions.find(site.runSymbol);
  return it == executions.end() ? std::nullopt : it->second.pointers;
}

void LoopOutcomes::reportLoop(const CallSite &site, bool hasVectors) const {
  const LoopDescription &loop = *site.loop;
  report.say(loop, Topic::Targets, " compiled for " + listTargets(loop));
  auto kernels = deviceKernels.find(site.runSymbol);
  if (kernels != deviceKernels.end())
    report.say(loop, Topic::Device,
               " on cuda: " + describeFormat(options) + "; kernels " +
                   llvm::join(kernels->second, ", "));
  if (auto obstacle = ownershipObstacles.find(site.runSymbol);
      obstacle != ownershipObstacles.end())
    report.say(loop, Topic::Device,
               ": blocks of a device do not own what they add to, because " +
                   obstacle->second + "; they have two-level colours");
  reportExecution(site, hasVectors);
  auto it = executions.find(site.runSymbol);
  if (it == executions.end())
    return;
  std::optional<std::string> const &obstacle = it->second.raiseObstacle;
  if (!obstacle || loop.isOverLayers)
    return;
  report.say(loop, Topic::Kernel,
             obstacle->empty() ? ": kernel raised"
             : it->second.hasUsualForm
                 ? ": kernel raised, but for paths that print or do not return"
                 : ": kernel not raised: it " + *obstacle);
}

bool LoopOutcomes::isRaised(const CallSite &site) const {
  auto it = executions.find(site.runSymbol);
  return it != executions.end() &&
         (it->second.raiseObstacle == "" || it->second.hasUsualForm);
}

/// How elements run on openmp, and what keeps threads apart.
void LoopOutcomes::reportExecution(const CallSite &site,
                                   bool hasVectors) const {
  auto it = executions.find(site.runSymbol);
  if (it == executions.end())
    return;
  const LoopExecution &execution = it->second;
  std::string elements =
      "vectorized across " + std::to_string(execution.width) + " elements";
  if (site.loop->isOverLayers)
    elements = "layers of a column together, in vectors where LLVM finds that "
               "it pays";
  else if (execution.width == 1)
    elements =
        "not vectorized: " + describeObstacle(site, execution, hasVectors);
  if (execution.goesByRows)
    elements = "row after row where the map leads to rows in ascending order; "
               "elsewhere " +
               elements;
  std::string threads =
      !execution.hasConflicts ? "in blocks, without conflicts"
      : execution.isOwned
          ? "by ownership, or block colours where the mesh forbids it"
      : execution.ownershipObstacle.empty()
          ? "by block colours"
          : "by block colours, because " + execution.ownershipObstacle;
  report.say(*site.loop, Topic::Elements,
             ": " + elements + "; threads divide them " + threads);
}

std::string LoopOutcomes::describeObstacle(const CallSite &site,
                                           const LoopExecution &execution,
                                           bool hasVectors) const {
  if (!isRaised(site))
    return "the kernel is not raised";
  if (!hasVectors)
    return "no vectors of four doubles to use (see -march)";
  return execution.obstacle.empty() ? "a vector holds one value only"
                                    : execution.obstacle;
}

std::string LoopOutcomes::listTargets(const LoopDescription &loop) const {
  std::string list;
  for (Target target : options.targets)
    if (!loop.targetProblems.count(target))
      list += (list.empty() ? "" : ", ") + getWord(target).str();
  return list;
}
