//===- EveryPath.cpp - Instructions of every call -------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for a way from the entry to a return that goes round the block of
// the instruction. It goes from edge to edge, not from block to block: by the
// edge that enters a loop its counter is a constant, and so is what the
// condition of `i < 2` comes to.
//
//===----------------------------------------------------------------------===//

#include "EveryPath.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using llvm::BasicBlock;
using llvm::Constant;
using llvm::Instruction;

/// The value in `block`, reached from `from`, if it is a constant there.
static Constant *evaluate(llvm::Value *value, const BasicBlock *block,
                          const BasicBlock *from, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  if (auto *constant = llvm::dyn_cast<Constant>(value))
    return constant;
  auto *inst = llvm::dyn_cast<Instruction>(value);
  if (!inst || inst->getParent() != block || depth == kDeepest)
    return nullptr;
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(inst))
    return from ? llvm::dyn_cast<Constant>(phi->getIncomingValueForBlock(from))
                : nullptr;
  if (!llvm::isa<llvm::CmpInst, llvm::BinaryOperator, llvm::CastInst>(inst))
    return nullptr;
  llvm::SmallVector<Constant *, 2> operands;
  for (llvm::Value *operand : inst->operands()) {
    Constant *constant = evaluate(operand, block, from, depth + 1);
    if (!constant)
      return nullptr;
    operands.push_back(constant);
  }
  return llvm::ConstantFoldInstOperands(inst, operands,
                                        block->getModule()->getDataLayout());
}

/// Where a block goes that was reached from `from`; null if that is open.
static const BasicBlock *getOnlySuccessor(const BasicBlock *block,
                                          const BasicBlock *from) {
  const Instruction *end = block->getTerminator();
  llvm::Value *condition = nullptr;
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(end))
    condition = branch->isConditional() ? branch->getCondition() : nullptr;
  else if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    condition = choice->getCondition();
  if (!condition)
    return nullptr;
  auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(
      evaluate(condition, block, from));
  if (!number)
    return nullptr;
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    return choice->findCaseValue(number)->getCaseSuccessor();
  return end->getSuccessor(number->isZero() ? 1 : 0);
}

bool op2::frontend::runsAlways(const Instruction &inst) {
  using Edge = std::pair<const BasicBlock *, const BasicBlock *>;
  const BasicBlock *avoided = inst.getParent();
  llvm::DenseSet<Edge> seen;
  llvm::SmallVector<Edge> edges = {
      {nullptr, &inst.getFunction()->getEntryBlock()}};
  while (!edges.empty()) {
    auto [from, block] = edges.pop_back_val();
    if (block == avoided || !seen.insert({from, block}).second)
      continue;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return false;
    const BasicBlock *only = getOnlySuccessor(block, from);
    for (const BasicBlock *next : llvm::successors(block))
      if (!only || next == only)
        edges.push_back({block, next});
  }
  return true;
}
