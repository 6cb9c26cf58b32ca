//===- ArgumentUses.cpp - Uses of an argument in a kernel -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentUses.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::Value;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The same value, or the same entry of a table of rows, loaded twice.
bool Addresses::isSameBase(const llvm::SCEV *left, const llvm::SCEV *right) {
  if (left == right)
    return true;
  const auto *first = llvm::dyn_cast<llvm::SCEVUnknown>(left);
  const auto *second = llvm::dyn_cast<llvm::SCEVUnknown>(right);
  if (!first || !second)
    return false;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(first->getValue());
  const auto *other = llvm::dyn_cast<llvm::LoadInst>(second->getValue());
  return load && other &&
         evolution.getSCEV(const_cast<Value *>(load->getPointerOperand())) ==
             evolution.getSCEV(const_cast<Value *>(other->getPointerOperand()));
}

Addresses::Relation Addresses::compare(const Value *left, const Value *right) {
  if (left == right)
    return Relation::Same;
  const llvm::SCEV *first = evolution.getSCEV(const_cast<Value *>(left));
  const llvm::SCEV *second = evolution.getSCEV(const_cast<Value *>(right));
  if (!isSameBase(evolution.getPointerBase(first),
                  evolution.getPointerBase(second)))
    return Relation::Unknown;
  const llvm::SCEV *distance = evolution.getMinusSCEV(
      evolution.removePointerBase(first), evolution.removePointerBase(second));
  if (distance->isZero())
    return Relation::Same;
  return llvm::isa<llvm::SCEVConstant>(distance) ? Relation::Different
                                                 : Relation::Unknown;
}

std::optional<int64_t> Addresses::countTurns(const llvm::Loop &loop,
                                             const llvm::BasicBlock &block) {
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  const llvm::BasicBlock *exit = loop.getExitingBlock();
  const auto *back = llvm::dyn_cast<llvm::SCEVConstant>(
      evolution.getBackedgeTakenCount(&loop));
  if (!latch || !exit || !back || !back->getAPInt().isIntN(31) ||
      !dominators.dominates(&block, latch))
    return std::nullopt;
  // Behind the condition, not before it.
  bool isLast = exit != &block && dominators.dominates(exit, &block);
  return back->getAPInt().getSExtValue() + (isLast ? 0 : 1);
}

std::optional<Addresses::Range> Addresses::getRange(const Instruction &access,
                                                    const Value *pointer) {
  const llvm::SCEV *address = evolution.getSCEV(const_cast<Value *>(pointer));
  const auto *base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(address));
  if (!base || !llvm::isa<llvm::Argument, llvm::LoadInst>(base->getValue()))
    return std::nullopt;
  const llvm::SCEV *offset = evolution.removePointerBase(address);
  Range range{0, 0};
  // From inside out: a loop that goes at least once comes to its header.
  const llvm::BasicBlock *block = access.getParent();
  while (const auto *steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(offset)) {
    const auto *step =
        llvm::dyn_cast<llvm::SCEVConstant>(steps->getStepRecurrence(evolution));
    std::optional<int64_t> turns = countTurns(*steps->getLoop(), *block);
    block = steps->getLoop()->getHeader();
    if (!steps->isAffine() || !step || !step->getAPInt().isSignedIntN(31) ||
        !turns || *turns == 0)
      return std::nullopt;
    int64_t way = step->getAPInt().getSExtValue() * (*turns - 1);
    (way < 0 ? range.first : range.last) += way;
    offset = steps->getStart();
  }
  const auto *start = llvm::dyn_cast<llvm::SCEVConstant>(offset);
  if (!start || !start->getAPInt().isSignedIntN(31))
    return std::nullopt;
  int64_t bytes = start->getAPInt().getSExtValue();
  return Range{range.first + bytes, range.last + bytes};
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

ArgumentUses::ArgumentUses(const llvm::Argument &parameter,
                           const ArgDescription &arg)
    : layout(parameter.getParent()->getParent()->getDataLayout()) {
  follow(&parameter, arg.takesTable());
  findMixed();
  // Uses come in no useful order; what is reported should be the first.
  llvm::DenseMap<const Instruction *, unsigned> order;
  for (const Instruction &inst : llvm::instructions(*parameter.getParent()))
    order.try_emplace(&inst, order.size());
  auto sort = [&](auto &list) {
    llvm::sort(list, [&](const Instruction *left, const Instruction *right) {
      return order.lookup(left) < order.lookup(right);
    });
  };
  sort(loads);
  sort(entries);
  sort(stores);
  sort(writes);
}

Place ArgumentUses::getPlace(const Value *pointer) const {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Place place;
  place.base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (!llvm::isa<llvm::GetElementPtrInst>(place.base))
    place.offset = offset.getSExtValue();
  if (const auto *row = llvm::dyn_cast<llvm::LoadInst>(place.base)) {
    llvm::APInt entry(offset.getBitWidth(), 0);
    const Value *table =
        row->getPointerOperand()->stripAndAccumulateConstantOffsets(
            layout, entry, /*AllowNonInbounds=*/true);
    place.base =
        rows.try_emplace({table, entry.getSExtValue()}, row).first->second;
  }
  return place;
}

/// Collects what is done with `pointer`; if `isTable`, it points to pointers.
void ArgumentUses::follow(const Value *pointer, bool isTable) {
  if (!seen.insert(pointer))
    return;
  for (const llvm::Use &use : pointer->uses()) {
    const auto *user = llvm::cast<Instruction>(use.getUser());
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      (isTable ? entries : loads).push_back(load);
      if (isTable)
        follow(load, false);
    } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getPointerOperand() != pointer) {
        unknown.push_back(store); // the address itself is kept somewhere
      } else if (!isTable) {
        stores.push_back(store);
        writes.push_back(store);
      }
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst,
                         llvm::AddrSpaceCastInst, llvm::PHINode,
                         llvm::SelectInst>(user)) {
      follow(user, isTable);
    } else if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
      if (memory->getRawDest() == pointer)
        writes.push_back(memory);
      else
        unknown.push_back(memory);
    } else if (!llvm::isa<llvm::ICmpInst>(user) &&
               !user->isDebugOrPseudoInst() && !user->isLifetimeStartOrEnd() &&
               !isInstrumentation(*user)) {
      unknown.push_back(user);
    }
  }
}

/// What is one of several pointers, of which some lead elsewhere, and what is
/// computed from that.
void ArgumentUses::findMixed() {
  auto isMixed = [&](const Value *pointer) {
    return !seen.contains(pointer) || mixed.contains(pointer);
  };
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const Value *pointer : seen) {
      const auto *inst = llvm::dyn_cast<Instruction>(pointer);
      if (!inst)
        continue;
      bool isNow = false;
      if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(inst))
        isNow = llvm::any_of(phi->incoming_values(), isMixed);
      else if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(inst))
        isNow =
            isMixed(select->getTrueValue()) || isMixed(select->getFalseValue());
      else
        isNow = isMixed(inst->getOperand(0));
      hasChanged |= isNow && mixed.insert(pointer).second;
    }
  }
}

bool ArgumentUses::mayBePartOf(const Value *value) const {
  llvm::SmallSetVector<const Value *, 16> sources;
  sources.insert(value);
  for (unsigned i = 0; i < sources.size(); ++i) {
    const auto *inst = llvm::dyn_cast<Instruction>(sources[i]);
    if (!inst)
      continue;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(inst)) {
      llvm::SmallVector<const Value *> objects;
      llvm::getUnderlyingObjects(load->getPointerOperand(), objects,
                                 /*LI=*/nullptr, /*MaxLookup=*/0);
      if (mayReach(load->getPointerOperand()) ||
          !llvm::all_of(objects,
                        llvm::IsaPred<llvm::Argument, llvm::GlobalVariable>))
        return true;
      continue;
    }
    if (inst->mayReadFromMemory())
      return true;
    for (const Value *operand : inst->operands())
      sources.insert(operand);
  }
  return false;
}

/// Whether a block does nothing but report what a sanitizer has found.
static bool isReport(const llvm::BasicBlock *block) {
  return llvm::any_of(*block, [](const Instruction &inst) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName().starts_with("__ubsan_") ||
                      callee->getIntrinsicID() == llvm::Intrinsic::ubsantrap);
  });
}

bool op2::frontend::isInstrumentation(const Instruction &inst) {
  if (inst.hasMetadata(llvm::LLVMContext::MD_nosanitize) ||
      llvm::isa<llvm::ExtractValueInst>(inst)) // whether a sum overflows
    return true;
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&inst))
    return llvm::any_of(branch->successors(), isReport);
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
    const llvm::Function *callee = call->getCalledFunction();
    return callee && callee->getName().starts_with("__ubsan_");
  }
  // What only decides whether to report.
  return llvm::isa<llvm::CmpInst>(inst) && !inst.use_empty() &&
         llvm::all_of(inst.users(), [](const llvm::User *user) {
           return llvm::isa<llvm::BranchInst>(user) &&
                  isInstrumentation(*llvm::cast<Instruction>(user));
         });
}
