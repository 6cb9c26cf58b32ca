//===- BytesOfBools.cpp - Kernels that use bools as bytes -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BytesOfBools.h"
#include "ArgumentUses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

using namespace op2::frontend;

/// Calls visit(value) for what is chosen to become `value`, or computed bit by
/// bit; until one is not as it should be.
static bool allOrigins(const llvm::Value &value,
                       llvm::function_ref<bool(const llvm::Value &)> visit) {
  llvm::SmallSetVector<const llvm::Value *, 8> values;
  values.insert(&value);
  for (unsigned i = 0; i < values.size(); ++i) {
    const auto *inst = llvm::dyn_cast<llvm::Instruction>(values[i]);
    if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(values[i])) {
      values.insert(select->getTrueValue());
      values.insert(select->getFalseValue());
    } else if (inst && (llvm::isa<llvm::PHINode, llvm::FreezeInst>(inst) ||
                        inst->isBitwiseLogicOp())) {
      values.insert_range(inst->operand_values());
    } else if (!visit(*values[i])) {
      return false;
    }
  }
  return true;
}

/// Whether it matters that a loaded byte is none of a bool's two. Passes that
/// load early what may be chosen forget that it is.
static bool isUsedAsByte(const llvm::LoadInst &load) {
  // UBSan has a check in place of the metadata.
  bool isChecked = llvm::any_of(load.users(), [](const llvm::User *user) {
    const auto *check = llvm::dyn_cast<llvm::ICmpInst>(user);
    return check && check->getPredicate() == llvm::CmpInst::ICMP_ULE;
  });
  if (isChecked || load.hasMetadata(llvm::LLVMContext::MD_range))
    return false;
  llvm::SmallSetVector<const llvm::Value *, 8> values;
  values.insert(&load);
  for (unsigned i = 0; i < values.size(); ++i)
    for (const llvm::User *user : values[i]->users()) {
      if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user))
        values.insert(user);
      else if (!llvm::isa<llvm::StoreInst>(user) &&
               !(llvm::isa<llvm::TruncInst>(user) &&
                 user->getType()->isIntegerTy(1)))
        return true;
    }
  return false;
}

std::optional<unsigned>
op2::frontend::findBytesOfBools(const llvm::Function &kernel,
                                llvm::ArrayRef<ArgDescription> args) {
  if (kernel.isDeclaration() || kernel.arg_size() != args.size())
    return std::nullopt;
  llvm::SmallPtrSet<const llvm::Value *, 8> loads;
  std::vector<std::pair<unsigned, ArgumentUses>> all;
  for (auto [number, arg] : llvm::enumerate(args))
    if (arg.type == ElementType::Bool) {
      all.emplace_back(number, ArgumentUses(*kernel.getArg(number), arg));
      loads.insert_range(all.back().second.loads);
    }
  auto isByteOfBool = [&](const llvm::Value &value) {
    const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&value);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
    const auto *cast = llvm::dyn_cast<llvm::ZExtInst>(&value);
    return (number && number->getZExtValue() < 2) || loads.contains(&value) ||
           (load && load->hasMetadata(llvm::LLVMContext::MD_range)) ||
           (cast && cast->getSrcTy()->isIntegerTy(1));
  };
  auto isByte = [](const llvm::Value *value) {
    return value->getType()->isIntegerTy(8);
  };
  for (auto const &[number, uses] : all)
    if (llvm::any_of(uses.loads,
                     [&](const llvm::LoadInst *load) {
                       return isByte(load) && isUsedAsByte(*load);
                     }) ||
        llvm::any_of(uses.stores, [&](const llvm::StoreInst *store) {
          return isByte(store->getValueOperand()) &&
                 !allOrigins(*store->getValueOperand(), isByteOfBool);
        }))
      return number;
  return std::nullopt;
}
