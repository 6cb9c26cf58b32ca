//===- LoopSplits.cpp - The split loops of a file -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSplits.h"
#include "Diagnostics.h"
#include "ModuleBuilder.h"
#include "OP2/Transforms/SplitLoops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace op2::frontend;

static mlir::op2::SplitOptions getOptions(const PluginOptions &options) {
  mlir::op2::SplitOptions result;
  result.vectorBits = std::max<int64_t>(0, options.plan.vectorBits);
  result.vectorMath = options.plan.vectorMathBits > 0;
  if (options.plan.strategy == "owner")
    result.strategy = mlir::op2::Strategy::Owner;
  if (options.split == SplitLevel::Always) {
    result.maxValues = 0;
    result.maxExtra = mlir::op2::SplitOptions::kAnyExtra;
  }
  return result;
}

/// Adds the split form of a loop as function `symbol`; false if the loop stays
/// one.
bool LoopSplits::split(const CallSite &site, llvm::StringRef symbol,
                       mlir::ModuleOp op2Module) {
  mlir::op2::ParLoopOp loop = buildPromisedFunction(site, symbol, op2Module);
  auto function = loop->getParentOfType<mlir::func::FuncOp>();
  bool isSplit = false;
  std::string outcome;
  mlir::op2::splitLoop(
      loop, getOptions(options),
      [&](mlir::op2::ParLoopOp, const mlir::op2::SplitResult &result) {
        if (result.obstacle.empty())
          isSplit = true;
        outcome += outcome.empty() ? "" : "; ";
        outcome += result.obstacle.empty() ? result.gain : result.obstacle;
      });
  if (!isSplit)
    function.erase();
  if (options.report)
    report(diags, site.loop->location, clang::DiagnosticsEngine::Remark,
           "loop '%0' %select{not split|split for openmp}1: %2")
        << site.loop->name << isSplit << outcome;
  return isSplit;
}

std::vector<CallSite> LoopSplits::addTo(mlir::ModuleOp op2Module,
                                        llvm::ArrayRef<CallSite> sites) {
  std::vector<CallSite> result;
  for (const CallSite &site : sites) {
    CallSite inParts = site;
    inParts.runSymbol += ".split";
    if (split(site, inParts.runSymbol, op2Module))
      result.push_back(inParts);
  }
  return result;
}

void LoopSplits::use(llvm::ArrayRef<CallSite> sites) {
  for (const CallSite &site : sites)
    compiled[site.loop] = site;
}

const CallSite *LoopSplits::find(const CallSite &site) const {
  auto it = compiled.find(site.loop);
  return it == compiled.end() ? nullptr : &it->second;
}
