//===- LoopSplits.cpp - The split loops of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSplits.h"
#include "ModuleBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace op2::frontend;

std::vector<CallSite> LoopSplits::addTo(mlir::ModuleOp op2Module,
                                        llvm::ArrayRef<CallSite> sites) {
  std::vector<CallSite> candidates;
  for (const CallSite &site : sites) {
    CallSite inParts = site;
    inParts.runSymbol += ".split";
    buildSplitFunction(site, inParts.runSymbol, op2Module);
    candidates.push_back(inParts);
  }
  return candidates;
}

std::vector<CallSite> LoopSplits::select(llvm::ArrayRef<CallSite> candidates,
                                         const VariantOutcomes &outcomes) {
  std::vector<CallSite> existing;
  for (const CallSite &site : candidates) {
    auto it = outcomes.find(site.runSymbol);
    if (it == outcomes.end())
      continue;
    if (it->second.exists)
      existing.push_back(site);
    report.say(*site.loop, Topic::Split,
               (it->second.exists ? " split for openmp: " : " not split: ") +
                   it->second.outcome);
  }
  return existing;
}

void LoopSplits::use(llvm::ArrayRef<CallSite> sites) {
  for (const CallSite &site : sites)
    compiled[site.loop] = site;
}

const CallSite *LoopSplits::find(const CallSite &site) const {
  auto it = compiled.find(site.loop);
  return it == compiled.end() ? nullptr : &it->second;
}
