//===- CallSite.cpp - A loop in the module being compiled -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSite.h"
#include "OP2/Conversion/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace op2::frontend;

std::string CallSite::getDescriptionSymbol(Target target) const {
  return mlir::op2::kLoopDescriptionPrefix.str() + "." + getRunSymbol(target);
}

std::vector<RunParameter>
op2::frontend::getRunParameters(const LoopDescription &loop) {
  std::vector<RunParameter> parameters;
  for (unsigned i = 0; i < loop.args.size(); ++i) {
    const ArgDescription &arg = loop.args[i];
    if (arg.isOptional)
      parameters.push_back({RunParameter::Kind::Flag, i});
    if (arg.access == Access::Reduce) {
      parameters.push_back({RunParameter::Kind::Merge, i});
      parameters.push_back({RunParameter::Kind::Identity, i});
    }
    if (arg.kind != ArgDescription::Kind::Index && arg.sameDataAs == i)
      parameters.push_back({RunParameter::Kind::Data, i});
    if (arg.isIndirect() && arg.sameMapAs == i)
      parameters.push_back({RunParameter::Kind::Map, i});
  }
  return parameters;
}

std::optional<Target>
op2::frontend::getReplacement(const LoopDescription &loop,
                              const std::vector<Target> &targets) {
  for (Target target : {Target::OpenMP, Target::Seq})
    if (llvm::is_contained(targets, target) &&
        !loop.targetProblems.count(target))
      return target;
  return std::nullopt;
}

/// The stub's name without what only some tools accept in symbols.
static std::string makeRunSymbol(llvm::StringRef stubSymbol) {
  stubSymbol.consume_front("__op2_loop_");
  std::string symbol = "__op2_run_";
  for (char c : stubSymbol)
    symbol += llvm::isAlnum(c) || c == '_' ? c : '.';
  return symbol;
}

/// The function whose address an anchor holds, with its body; null if there is
/// none. The anchor goes.
static llvm::Function *takeAnchored(llvm::Module &module,
                                    llvm::StringRef anchor) {
  llvm::GlobalVariable *variable = module.getNamedGlobal(anchor);
  if (!variable || !variable->hasInitializer())
    return nullptr;
  auto *function = llvm::dyn_cast<llvm::Function>(
      variable->getInitializer()->stripPointerCasts());
  llvm::removeFromUsedLists(
      module, [&](llvm::Constant *value) { return value == variable; });
  variable->eraseFromParent();
  return function && !function->isDeclaration() ? function : nullptr;
}

std::vector<CallSite> op2::frontend::findCallSites(
    llvm::Module &module, const FileLoops &loops,
    llvm::function_ref<void(LoopDescription &, const std::string &)> fallBack) {
  std::vector<CallSite> sites;
  for (const std::unique_ptr<LoopDescription> &loop : loops.loops) {
    CallSite site;
    site.loop = loop.get();
    site.kernel = takeAnchored(module, loop->getKernelAnchor());
    site.original = takeAnchored(module, loop->getTemplateAnchor());
    site.stub = module.getFunction(loop->stubSymbol);
    if (!site.stub || site.stub->use_empty())
      continue;
    site.runSymbol = makeRunSymbol(loop->stubSymbol);
    for (llvm::User *user : site.stub->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledFunction() == site.stub)
        site.caller = call->getFunction();
    if (!site.kernel)
      fallBack(*loop,
               "no code was generated for kernel '" + loop->kernelName + "'");
    sites.push_back(site);
  }
  return sites;
}
