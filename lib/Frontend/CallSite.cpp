//===- CallSite.cpp - A loop in the module being compiled -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallSite.h"
#include "ParsedLoop.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;

unsigned CallSite::getOperand(unsigned arg) const {
  unsigned operand = ParsedLoop::kFirstArg + arg;
  return arg < numFirst ? operand : operand + ParsedLoop::kFirstArg;
}

std::vector<RunParameter>
op2::frontend::getRunParameters(const LoopDescription &loop) {
  std::vector<RunParameter> parameters;
  for (unsigned i = 0; i < loop.args.size(); ++i) {
    const ArgDescription &arg = loop.args[i];
    if (arg.isOptional)
      parameters.push_back({RunParameter::Kind::Flag, i});
    if (arg.kind != ArgDescription::Kind::Index && arg.sameDataAs == i)
      parameters.push_back({RunParameter::Kind::Data, i});
    if (arg.isIndirect() && arg.sameMapAs == i)
      parameters.push_back({RunParameter::Kind::Map, i});
  }
  return parameters;
}

int64_t op2::frontend::getByteSize(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::I64:
  case ElementType::U64:
    return 8;
  case ElementType::F32:
  case ElementType::I32:
  case ElementType::U32:
    return 4;
  case ElementType::Bool:
    return 1;
  }
  return 0;
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

/// The call's first argument is the kernel as Clang named it, whatever it
/// is: static, a template, a lambda's function.
static llvm::Function *findKernel(const llvm::CallBase &call,
                                  const LoopDescription &loop,
                                  llvm::Module &module) {
  auto *kernel = llvm::dyn_cast<llvm::Function>(
      call.getArgOperand(0)->stripPointerCasts());
  if (!kernel)
    kernel = module.getFunction(loop.kernelSymbol);
  return kernel && !kernel->isDeclaration() ? kernel : nullptr;
}

std::vector<CallSite> op2::frontend::findCallSites(llvm::Module &module,
                                                   const FileLoops &loops) {
  std::vector<CallSite> sites;
  for (const std::unique_ptr<LoopDescription> &loop : loops.loops) {
    llvm::Function *stub = module.getFunction(loop->stubSymbol);
    if (!stub || stub->use_empty())
      continue;
    CallSite site;
    site.loop = loop.get();
    site.stub = stub;
    site.runSymbol = makeRunSymbol(loop->stubSymbol);
    for (llvm::User *user : stub->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledFunction() == stub) {
        site.caller = call->getFunction();
        site.kernel = findKernel(*call, *loop, module);
      }
    if (!site.kernel && loop->fallbackReason.empty())
      loop->fallbackReason =
          "no code was generated for kernel '" + loop->kernelName + "'";
    sites.push_back(site);
  }
  return sites;
}
