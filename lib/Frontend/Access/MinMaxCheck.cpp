//===- MinMaxCheck.cpp - Uses of OP_MIN and OP_MAX in a kernel ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MinMaxCheck.h"
#include "EveryPath.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

/// Whether all stores are of one constant: that is how flags are raised.
static bool isFlag(const ArgumentUses &uses) {
  const Value *first = uses.stores.front()->getValueOperand();
  return llvm::isa<llvm::Constant>(first) &&
         llvm::all_of(uses.stores, [&](const llvm::StoreInst *store) {
           return store->getValueOperand() == first;
         });
}

/// Whether a predicate holds where the first operand is the greater one, or the
/// smaller one; nothing of others.
static std::optional<bool> isGreater(llvm::CmpInst::Predicate predicate) {
  switch (llvm::CmpInst::getStrictPredicate(predicate)) {
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_UGT:
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_UGT:
    return true;
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_ULT:
    return false;
  default:
    return std::nullopt;
  }
}

std::vector<AccessFinding> MinMaxCheck::findUncompared() const {
  if (!isFollowed())
    return {};
  const llvm::Function &kernel = *uses.stores.front()->getFunction();
  for (const llvm::BasicBlock &block : kernel)
    for (const Value *operand : block.getTerminator()->operands())
      if (uses.mayBePartOf(operand))
        return {};
  std::vector<AccessFinding> findings;
  for (const llvm::StoreInst *store : uses.stores)
    if (!uses.mayBePartOf(store->getValueOperand()))
      findings.push_back(
          {store, uses.surelyReaches(store->getPointerOperand()) &&
                      runsAlways(*store)});
  return findings;
}

/// On which it depends whether the store is made; null if on none, or several.
static const llvm::BranchInst *getBranch(const llvm::StoreInst &store) {
  const llvm::BasicBlock *before = store.getParent()->getSinglePredecessor();
  const auto *branch =
      before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator())
             : nullptr;
  return branch && branch->isConditional() ? branch : nullptr;
}

std::vector<AccessFinding> MinMaxCheck::findOther() const {
  if (!isFollowed() || uses.stores.size() != 1)
    return {};
  const llvm::StoreInst &store = *uses.stores.front();
  auto isWrong = [&](std::optional<bool> keepsLarger) {
    return keepsLarger && *keepsLarger == (access == Access::Min);
  };
  bool isAlways = runsAlways(store);
  if (isWrong(keepsLargerByBranch(store)))
    isAlways = runsAlways(*getBranch(store));
  else if (!isSum(store) && !isWrong(keepsLarger(store)))
    return {};
  return {{&store, isAlways && uses.surelyReaches(store.getPointerOperand())}};
}

bool MinMaxCheck::isFollowed() const {
  return uses.unknown.empty() && !uses.stores.empty() &&
         uses.stores.size() == uses.writes.size() && !isFlag(uses);
}

bool MinMaxCheck::isOld(const Value *value,
                        const llvm::StoreInst &store) const {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && addresses.compare(load->getPointerOperand(),
                                   store.getPointerOperand()) ==
                     Addresses::Relation::Same;
}

/// Whether something is added to the old value, or subtracted. Numbers that
/// are 0 or 1 may be multiplied, and-ed and or-ed.
bool MinMaxCheck::isSum(const llvm::StoreInst &store) const {
  const auto *sum =
      llvm::dyn_cast<llvm::BinaryOperator>(store.getValueOperand());
  if (!sum || (sum->getOpcode() != Instruction::FAdd &&
               sum->getOpcode() != Instruction::Add &&
               sum->getOpcode() != Instruction::FSub &&
               sum->getOpcode() != Instruction::Sub))
    return false;
  const Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  return (isOld(left, store) && !uses.mayBePartOf(right)) ||
         (isOld(right, store) && !uses.mayBePartOf(left));
}

std::optional<bool>
MinMaxCheck::keepsLarger(const llvm::StoreInst &store) const {
  const Value *value = store.getValueOperand();
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    value = load->getPointerOperand();
  const auto *select = llvm::dyn_cast<llvm::SelectInst>(value);
  if (!select)
    return std::nullopt;
  return isChosenLarger(*select->getCondition(), *select->getTrueValue(),
                        *select->getFalseValue(), store);
}

std::optional<bool>
MinMaxCheck::keepsLargerByBranch(const llvm::StoreInst &store) const {
  const llvm::BranchInst *branch = getBranch(store);
  const auto *compare =
      branch ? llvm::dyn_cast<llvm::CmpInst>(branch->getCondition()) : nullptr;
  if (!compare)
    return std::nullopt;
  const Value &value = *store.getValueOperand();
  std::optional<bool> isFirst = isGreater(compare->getPredicate());
  bool isNewFirst = isOld(compare->getOperand(1), store) &&
                    isSame(*compare->getOperand(0), value);
  bool isNewSecond = isOld(compare->getOperand(0), store) &&
                     isSame(*compare->getOperand(1), value);
  if (!isFirst || isNewFirst == isNewSecond)
    return std::nullopt;
  bool holds = branch->getSuccessor(0) == store.getParent();
  return (*isFirst == isNewFirst) == holds;
}

/// Of the choice between the old value and another one, or of their places.
std::optional<bool>
MinMaxCheck::isChosenLarger(const Value &condition, const Value &first,
                            const Value &second,
                            const llvm::StoreInst &store) const {
  const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&condition);
  std::optional<bool> isFirst =
      compare ? isGreater(compare->getPredicate()) : std::nullopt;
  if (!isFirst)
    return std::nullopt;
  const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (!isOld(left, store) && !isOld(right, store))
    return std::nullopt;
  if (isSame(*left, first) && isSame(*right, second))
    return *isFirst;
  if (isSame(*left, second) && isSame(*right, first))
    return !*isFirst;
  return std::nullopt;
}

/// Whether `compared` is `other`, or is loaded from where `other` is loaded
/// from, or from there.
bool MinMaxCheck::isSame(const Value &compared, const Value &other) const {
  if (&compared == &other)
    return true;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&compared);
  if (!load)
    return false;
  const auto *again = llvm::dyn_cast<llvm::LoadInst>(&other);
  const Value *place = again ? again->getPointerOperand() : &other;
  return place->getType()->isPointerTy() &&
         addresses.compare(load->getPointerOperand(), place) ==
             Addresses::Relation::Same;
}
