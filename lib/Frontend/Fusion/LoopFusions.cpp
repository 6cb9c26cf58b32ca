//===- LoopFusions.cpp - The fused loops of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopFusions.h"
#include "Diagnostics.h"
#include "FusedCalls.h"
#include "GeneratedCode.h"
#include "ModuleBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace op2::frontend;

/// The function with both loops, not yet fused; null if they cannot be.
std::shared_ptr<Fusion> LoopFusions::build(LoopPair &pair,
                                           mlir::ModuleOp op2Module) {
  if (pair.obstacle.empty() &&
      pair.first.loop->setKey != pair.second.loop->setKey)
    pair.obstacle = "they run over different sets";
  if (!pair.obstacle.empty())
    return nullptr;
  auto fusion = std::make_shared<Fusion>();
  fusion->loop = mergeLoops(*pair.first.loop, *pair.second.loop);
  llvm::StringRef second = pair.second.runSymbol;
  second.consume_front("__op2_run_");
  fusion->runSymbol = pair.first.runSymbol + ".and." + second.str();
  fusion->pair = pair;
  buildFusedFunction(fusion->getSite(), pair.first, pair.second, op2Module);
  return fusion;
}

FusionList LoopFusions::addTo(mlir::ModuleOp op2Module,
                              llvm::ArrayRef<CallSite> sites) {
  FusionList candidates;
  for (LoopPair &pair : findLoopPairs(sites, loops)) {
    if (std::shared_ptr<Fusion> fusion = build(pair, op2Module))
      candidates.push_back(fusion);
    else
      unfused.push_back(pair);
  }
  return candidates;
}

FusionList LoopFusions::select(const FusionList &candidates,
                               const VariantOutcomes &outcomes) {
  FusionList existing;
  for (const std::shared_ptr<Fusion> &fusion : candidates) {
    auto it = outcomes.find(fusion->runSymbol);
    if (it == outcomes.end())
      continue;
    fusion->savedBytes = it->second.savedBytes;
    if (it->second.exists) {
      existing.push_back(fusion);
      continue;
    }
    fusion->pair.obstacle = it->second.outcome;
    unfused.push_back(fusion->pair);
  }
  return existing;
}

std::vector<Fusion *> LoopFusions::apply() {
  std::vector<FusedCall> calls = chooseFusedCalls(fusions);
  std::vector<Fusion *> chosen;
  for (const FusedCall &call : calls) {
    Fusion &fusion = *call.fusion;
    if (fusion.stub)
      continue;
    createFusedStub(fusion, options.targets, loops.layout,
                    options.plan.vectorMath.value_or(false));
    finishFunction(*fusion.stub, fusion.getSite());
    chosen.push_back(&fusion);
  }
  if (options.report)
    reportAll(chosen);
  rewriteFusedCalls(std::move(calls), loops);
  return chosen;
}

/// " (file.cpp:12)", the place of a loop's call.
static std::string describePlace(const LoopDescription &loop) {
  llvm::StringRef file = llvm::sys::path::filename(loop.file);
  return " (" + file.str() + ":" + std::to_string(loop.line) + ")";
}

void LoopFusions::reportUnfused(const LoopPair &pair, llvm::StringRef reason) {
  report(diags, pair.first.loop->location, clang::DiagnosticsEngine::Remark,
         "loop '%0' not fused with '%1'%2: %3")
      << pair.first.loop->name << pair.second.loop->name
      << describePlace(*pair.second.loop) << reason;
}

void LoopFusions::reportAll(const std::vector<Fusion *> &chosen) {
  for (const std::shared_ptr<Fusion> &fusion : fusions) {
    const LoopPair &pair = fusion->pair;
    if (!llvm::is_contained(chosen, fusion.get()))
      reportUnfused(pair, "one of them is fused with another loop");
    else
      report(diags, pair.first.loop->location, clang::DiagnosticsEngine::Remark,
             "loop '%0' fused with '%1'%2: saves %3 bytes for each element")
          << pair.first.loop->name << pair.second.loop->name
          << describePlace(*pair.second.loop)
          << static_cast<unsigned>(fusion->savedBytes);
  }
  for (const LoopPair &pair : unfused)
    reportUnfused(pair, pair.obstacle);
}
