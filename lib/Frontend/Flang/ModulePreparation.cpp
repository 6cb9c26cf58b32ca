//===- ModulePreparation.cpp - flang's modules as ours need them ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModulePreparation.h"
#include "HostAnalysis/Interference.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;

/// flang says that two dummy arguments are never the same memory, and other
/// than C's names of types its names tell nothing about what a loop changes
/// (https://github.com/llvm/llvm-project/issues/89829). Handles that we load
/// have a tag of their own.
static void dropAliasTypes(llvm::Function &function) {
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    const llvm::MDNode *tag = inst.getMetadata(llvm::LLVMContext::MD_tbaa);
    if (!tag)
      continue;
    const auto *type = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(0));
    const auto *name =
        type ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0)) : nullptr;
    if (!name || name->getString() != kHandleType)
      inst.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
  }
}

/// flang says for which processor, Clang also what that has.
static void addFeatures(llvm::Function &function) {
  llvm::StringRef processor =
      function.getFnAttribute("target-cpu").getValueAsString();
  if (!function.getParent()->getTargetTriple().isX86() || processor.empty())
    return;
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(processor, features);
  std::string text;
  for (llvm::StringRef feature : features)
    text += (text.empty() ? "+" : ",+") + feature.str();
  llvm::StringRef given =
      function.getFnAttribute("target-features").getValueAsString();
  if (!given.empty()) // may take some away
    text += "," + given.str();
  function.addFnAttr("target-features", text);
}

/// Removes what only computes with an instruction's result, and is not used.
static void dropUnusedUsers(llvm::Instruction &inst) {
  llvm::SmallSetVector<llvm::User *, 4> users(inst.user_begin(),
                                              inst.user_end());
  for (llvm::User *user : users) {
    auto *next = llvm::cast<llvm::Instruction>(user);
    if (!llvm::wouldInstructionBeTriviallyDead(next))
      continue;
    dropUnusedUsers(*next);
    if (next->use_empty())
      next->eraseFromParent();
  }
}

void op2::frontend::dropUnusedCopies(llvm::Module &module) {
  // The second one is for the first.
  for (const char *name :
       {"__kmpc_threadprivate_cached", "__kmpc_global_thread_num"}) {
    llvm::Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function->users()))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledFunction() == function) {
        dropUnusedUsers(*call);
        if (call->use_empty())
          call->eraseFromParent();
      }
  }
}

void op2::frontend::prepareForLoops(llvm::Module &module) {
  for (llvm::Function &function : module) {
    dropAliasTypes(function);
    addFeatures(function);
  }
}

void op2::frontend::setDebugDetail(llvm::Module &module, DebugDetail detail) {
  if (detail == DebugDetail::Full)
    return;
  llvm::stripNonLineTableDebugInfo(module);
  if (detail == DebugDetail::Lines)
    return;
  // Units of which no code is described.
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  llvm::NamedMDNode *list = module.getNamedMetadata("llvm.dbg.cu");
  if (!list)
    return;
  llvm::DenseMap<llvm::DICompileUnit *, llvm::DICompileUnit *> units;
  for (llvm::MDNode *node : list->operands()) {
    auto *unit = llvm::cast<llvm::DICompileUnit>(node);
    units[unit] = llvm::DICompileUnit::getDistinct(
        module.getContext(), unit->getSourceLanguage(), unit->getFile(),
        unit->getProducer(), unit->isOptimized(), unit->getFlags(),
        unit->getRuntimeVersion(), /*SplitDebugFilename=*/"",
        llvm::DICompileUnit::NoDebug, {}, {}, {}, {}, {}, /*DWOId=*/0,
        unit->getSplitDebugInlining(), unit->getDebugInfoForProfiling(),
        unit->getNameTableKind(), unit->getRangesBaseAddress(), "", "");
  }
  for (llvm::DISubprogram *subprogram : finder.subprograms())
    if (llvm::DICompileUnit *unit = units.lookup(subprogram->getUnit()))
      subprogram->replaceUnit(unit);
  std::vector<llvm::MDNode *> old(list->op_begin(), list->op_end());
  list->clearOperands();
  for (llvm::MDNode *unit : old)
    list->addOperand(units.lookup(llvm::cast<llvm::DICompileUnit>(unit)));
}
