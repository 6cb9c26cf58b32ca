//===- IncrementCheck.cpp - Uses of OP_INC arguments in a kernel ----------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old value is followed through sums to where it is stored. What becomes of
// it in local memory, or behind a call, is unknown: then nothing is reported of
// stores that may have to do with it.
//
//===----------------------------------------------------------------------===//

#include "IncrementCheck.h"
#include "EveryPath.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

/// Whether a conversion keeps what the argument's type can hold: `n += 0.5`
/// adds to a whole number, too, and goes back to it.
static bool keepsValue(const Instruction &conversion,
                       const llvm::LoadInst &load) {
  return conversion.getType() == load.getType() ||
         conversion.getType()->getScalarSizeInBits() >
             load.getType()->getScalarSizeInBits();
}

static bool isTermOfIntrinsic(const Value *value, const Instruction *user,
                              const llvm::LoadInst &load) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::experimental_constrained_fmuladd:
  case llvm::Intrinsic::experimental_constrained_fma:
    return call->getArgOperand(0) != value && call->getArgOperand(1) != value;
  // With -ftrapping-math and the like.
  case llvm::Intrinsic::experimental_constrained_fadd:
    return call->getArgOperand(0) != call->getArgOperand(1);
  case llvm::Intrinsic::experimental_constrained_fsub:
    return call->getArgOperand(0) == value && call->getArgOperand(1) != value;
  case llvm::Intrinsic::experimental_constrained_fpext:
  case llvm::Intrinsic::experimental_constrained_sitofp:
  case llvm::Intrinsic::experimental_constrained_uitofp:
    return true;
  case llvm::Intrinsic::experimental_constrained_fptrunc:
  case llvm::Intrinsic::experimental_constrained_fptosi:
  case llvm::Intrinsic::experimental_constrained_fptoui:
    return keepsValue(*user, load);
  // Sums as sanitizers watch them.
  case llvm::Intrinsic::sadd_with_overflow:
  case llvm::Intrinsic::uadd_with_overflow:
    return call->getArgOperand(0) != call->getArgOperand(1);
  case llvm::Intrinsic::ssub_with_overflow:
  case llvm::Intrinsic::usub_with_overflow:
    return call->getArgOperand(0) == value && call->getArgOperand(1) != value;
  default:
    return false;
  }
}

/// Whether a complex number is made with a component that comes from another
/// one of `load`.
static bool movesComponent(const llvm::InsertValueInst &insert,
                           const llvm::LoadInst &load) {
  llvm::SmallSetVector<const Value *, 8> values;
  values.insert(insert.getInsertedValueOperand());
  for (unsigned i = 0; i < values.size(); ++i) {
    const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(values[i]);
    if (part && part->getAggregateOperand() == &load &&
        part->getIndices() != insert.getIndices())
      return true;
    if (const auto *inst = llvm::dyn_cast<Instruction>(values[i]);
        inst && !part)
      values.insert_range(inst->operand_values());
  }
  return false;
}

/// Whether `user` is a sum of which `value`, which comes from `load`, is a
/// term.
static bool isTerm(const Value *value, const Instruction *user,
                   const llvm::LoadInst &load) {
  switch (user->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return user->getOperand(0) != user->getOperand(1);
  case Instruction::Or: // as LLVM adds where no bit is set on both sides
    return llvm::cast<llvm::PossiblyDisjointInst>(user)->isDisjoint();
  case Instruction::FSub:
  case Instruction::Sub:
    return user->getOperand(0) == value && user->getOperand(1) != value;
  case Instruction::FPTrunc:
  case Instruction::Trunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return keepsValue(*user, load);
  case Instruction::FPExt:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::Freeze:
  case Instruction::PHI:
    return true;
  case Instruction::Select:
    return user->getOperand(0) != value;
  case Instruction::ExtractValue: // of a sum, not whether it overflows
    return !llvm::isa<llvm::CallBase>(value) ||
           llvm::cast<llvm::ExtractValueInst>(user)->getIndices()[0] == 0;
  case Instruction::InsertValue:
    return !movesComponent(*llvm::cast<llvm::InsertValueInst>(user), load);
  case Instruction::Call:
    return isTermOfIntrinsic(value, user, load);
  default:
    return false;
  }
}

/// Whether an instruction computes something else of a scalar.
static bool isArithmetic(const Instruction &user) {
  if (user.getType()->isVectorTy())
    return false;
  if (llvm::isa<llvm::ConstrainedFPIntrinsic>(user))
    return true;
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
    return !call->mayReadOrWriteMemory() && !call->getType()->isVoidTy();
  return user.isBinaryOp() || user.isUnaryOp() || user.isShift() ||
         llvm::isa<llvm::CmpInst, llvm::SelectInst, llvm::SwitchInst,
                   llvm::FPTruncInst, llvm::FPToSIInst, llvm::FPToUIInst>(user);
}

/// Whether a sum has a term on each side. What is chosen or converted has one.
static bool isOfTwo(const Instruction &sum) {
  return sum.isBinaryOp() || llvm::isa<llvm::CallBase>(sum);
}

/// Whether nobody but the kernel has the memory: flang takes some for arrays
/// that it puts together.
static bool isLocal(const Value &object) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&object);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return llvm::isa<llvm::AllocaInst>(object) || llvm::isNoAliasCall(&object) ||
         (callee && callee->getName() == "malloc");
}

IncrementCheck::Use IncrementCheck::classifyStore(const llvm::StoreInst &store,
                                                  const llvm::LoadInst &load) {
  const Value *pointer = store.getPointerOperand();
  if (uses.mayReach(pointer)) {
    switch (addresses.compare(pointer, load.getPointerOperand())) {
    case Addresses::Relation::Same:
      sums.insert(&store);
      return Use::Fits;
    case Addresses::Relation::Different:
      return Use::Breaks;
    case Addresses::Relation::Unknown:
      sums.insert(&store); // or not: it is reported here
      return Use::MayBreak;
    }
  }
  const Value *object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (llvm::isa<llvm::GlobalVariable>(object))
    return Use::Breaks;
  if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(object)) {
    const ArgDescription &to = args[parameter->getArgNo()];
    const ArgDescription &from = args[number];
    // Two slots of a map may lead to one row.
    bool mayBeSame = to.access == Access::Inc && to.kind == from.kind &&
                     to.type == from.type && to.dim == from.dim;
    return mayBeSame ? Use::MayBreak : Use::Breaks;
  }
  return isLocal(*object) ? Use::Hides : Use::MayBreak;
}

/// What `user` does with `term`, which is the value of `load` or a sum of it.
IncrementCheck::Use IncrementCheck::classify(const Value *term,
                                             const Instruction &user,
                                             const llvm::LoadInst &load) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&user))
    return classifyStore(*store, load);
  if (user.isDebugOrPseudoInst() || isInstrumentation(user))
    return Use::Fits;
  return isArithmetic(user) ? Use::Breaks : Use::MayBreak;
}

/// Whether each component of a number that is made of several is a sum of its
/// own.
static bool isMadeOfSums(const Value *stored,
                         const llvm::SmallSetVector<const Value *, 8> &terms) {
  const auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(stored);
  if (!insert)
    return true;
  for (; insert; insert = llvm::dyn_cast<llvm::InsertValueInst>(
                     insert->getAggregateOperand()))
    if (!terms.contains(insert->getInsertedValueOperand()))
      return false;
  return true;
}

void IncrementCheck::followSum(const llvm::LoadInst &load,
                               std::vector<AccessFinding> &findings) {
  llvm::SmallSetVector<const Value *, 8> terms;
  // Those that may be another value.
  llvm::SmallPtrSet<const Value *, 4> mixed;
  llvm::SmallVector<const llvm::StoreInst *, 4> stores;
  terms.insert(&load);
  if (!uses.surelyReaches(load.getPointerOperand()))
    mixed.insert(&load);
  for (unsigned i = 0; i < terms.size(); ++i)
    for (const llvm::User *user : terms[i]->users()) {
      const auto *inst = llvm::cast<Instruction>(user);
      if (isTerm(terms[i], inst, load)) {
        // Another load of the argument may be the other term.
        const auto *other = addedTo.try_emplace(inst, terms[i]).first->second;
        if (isOfTwo(*inst) && other != terms[i])
          findings.push_back(
              {inst, !mixed.contains(terms[i]) && runsAlways(*inst)});
        terms.insert(inst);
        if (mixed.contains(terms[i]) ||
            llvm::isa<llvm::PHINode, llvm::SelectInst>(inst))
          mixed.insert(inst);
        continue;
      }
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(inst))
        stores.push_back(store);
      Use use = classify(terms[i], *inst, load);
      isHidden |= use == Use::Hides;
      if (use == Use::Breaks || use == Use::MayBreak)
        findings.push_back({inst, use == Use::Breaks &&
                                      !mixed.contains(terms[i]) &&
                                      runsAlways(*inst)});
    }
  for (const llvm::StoreInst *store : stores)
    if (!isMadeOfSums(store->getValueOperand(), terms))
      findings.push_back({store, /*isCertain=*/false});
}

std::vector<AccessFinding> IncrementCheck::findReads() {
  std::vector<AccessFinding> findings;
  for (const llvm::LoadInst *load : uses.loads)
    followSum(*load, findings);
  // Other ways to read: copies, calls. An address as a number is none.
  isHidden |= llvm::any_of(uses.unknown, [](const Instruction *inst) {
    return !llvm::isa<llvm::PtrToIntInst>(inst);
  });
  return findings;
}

static bool isZero(const Value *value) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isNullValue();
}

std::vector<AccessFinding> IncrementCheck::findAssignments(bool ofZero) const {
  std::vector<AccessFinding> findings;
  for (const Instruction *write : uses.writes) {
    if (sums.contains(write))
      continue;
    const Value *pointer, *value;
    bool isCopy = false;
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(write)) {
      pointer = store->getPointerOperand();
      value = store->getValueOperand();
    } else {
      const auto *memory = llvm::cast<llvm::MemIntrinsic>(write);
      const auto *fill = llvm::dyn_cast<llvm::MemSetInst>(memory);
      pointer = memory->getRawDest();
      value = fill ? fill->getValue() : nullptr;
      isCopy = !fill;
    }
    if ((value && isZero(value)) != ofZero)
      continue;
    if (isHidden && (isCopy || uses.mayBePartOf(value)))
      continue;
    findings.push_back(
        {write, uses.surelyReaches(pointer) && runsAlways(*write)});
  }
  return findings;
}

bool IncrementCheck::isAllAdditions() {
  return !uses.writes.empty() && uses.unknown.empty() && findReads().empty() &&
         !isHidden && findAssignments(false).empty() &&
         findAssignments(true).empty();
}
