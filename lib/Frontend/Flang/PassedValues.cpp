//===- PassedValues.cpp - What is passed by reference ---------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassedValues.h"
#include "FortranSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"

using namespace op2::frontend;
using llvm::AllocaInst;
using llvm::CallBase;
using llvm::Value;

/// flang makes a pair of a text's address and length and takes it apart again.
static Value *takeFromPair(Value *value) {
  auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  if (!extract)
    return value;
  Value *pair = extract->getAggregateOperand();
  while (auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(pair)) {
    if (insert->getIndices() == extract->getIndices())
      return insert->getInsertedValueOperand();
    pair = insert->getAggregateOperand();
  }
  return value;
}

Value *op2::frontend::getPassed(const CallBase &call, unsigned number) {
  return takeFromPair(call.getArgOperand(number));
}

/// An op_arg is made of what lies there.
static bool isPassed(const llvm::Use &use) {
  const auto *call = llvm::dyn_cast<CallBase>(use.getUser());
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && getMaker(*callee) && use.getOperandNo() != 0;
}

/// Whether an address goes from a pair to OP2's functions only: descriptors
/// begin like a text's pair.
static bool isPassedText(const llvm::Instruction &part) {
  return llvm::all_of(part.uses(), [](const llvm::Use &use) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::InsertValueInst, llvm::ExtractValueInst>(user))
      return user->getType()->isIntegerTy() || isPassedText(*user);
    return isPassed(use);
  });
}

/// The instruction that alone writes a variable, if it does so each time before
/// `call`, in its block. Other than `Writer` only those may use the variable
/// that read it: OP2's functions and loads.
template <typename Writer>
static const Writer *findOnlyWriter(const AllocaInst &variable,
                                    const CallBase &call) {
  const Writer *writer = nullptr;
  for (const llvm::Use &use : variable.uses()) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::LoadInst, llvm::LifetimeIntrinsic>(user))
      continue;
    if (const auto *candidate = llvm::dyn_cast<Writer>(user);
        candidate && !writer &&
        use.getOperandNo() == (llvm::isa<llvm::StoreInst>(user) ? 1u : 0u)) {
      writer = candidate;
      continue;
    }
    if (llvm::isa<llvm::InsertValueInst>(user) && isPassedText(*user))
      continue;
    if (!isPassed(use))
      return nullptr;
  }
  return writer && writer->getParent() == call.getParent() &&
                 writer->comesBefore(&call)
             ? writer
             : nullptr;
}

std::optional<int64_t> op2::frontend::findInteger(const CallBase &call,
                                                  unsigned number) {
  const Value *place = getPassed(call, number);
  const Value *value = nullptr;
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(place)) {
    if (variable->isConstant() && variable->hasDefinitiveInitializer())
      value = variable->getInitializer();
  } else if (const auto *variable = llvm::dyn_cast<AllocaInst>(place)) {
    if (const auto *store = findOnlyWriter<llvm::StoreInst>(*variable, call))
      value = store->getValueOperand();
  }
  const auto *integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
  if (!integer || integer->getBitWidth() != 32)
    return std::nullopt;
  return integer->getSExtValue();
}

std::optional<std::string> op2::frontend::findText(const CallBase &call,
                                                   unsigned number) {
  const Value *place = getPassed(call, number);
  const auto *length =
      llvm::dyn_cast<llvm::ConstantInt>(getPassed(call, call.arg_size() - 1));
  if (!length)
    return std::nullopt;
  if (const auto *variable = llvm::dyn_cast<AllocaInst>(place)) {
    const auto *copy = findOnlyWriter<llvm::MemTransferInst>(*variable, call);
    const auto *copied =
        copy ? llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()) : nullptr;
    if (!copied || copied->getZExtValue() < length->getZExtValue())
      return std::nullopt;
    place = copy->getRawSource();
  }
  const auto *text = llvm::dyn_cast<llvm::GlobalVariable>(place);
  if (!text || !text->isConstant() || !text->hasInitializer())
    return std::nullopt;
  const auto *data =
      llvm::dyn_cast<llvm::ConstantDataArray>(text->getInitializer());
  if (!data || !data->isString() ||
      data->getAsString().size() < length->getZExtValue())
    return std::nullopt;
  return data->getAsString().take_front(length->getZExtValue()).rtrim().str();
}

static void eraseUnused(llvm::ArrayRef<llvm::WeakVH> operands);

/// Removes an operand that nothing uses any more, if it is a variable that was
/// only stored to, or what leads there.
static void eraseUnused(Value *operand) {
  if (auto *pair = llvm::dyn_cast<llvm::Instruction>(operand);
      llvm::isa_and_nonnull<llvm::ExtractValueInst, llvm::InsertValueInst>(
          pair)) {
    if (!pair->use_empty())
      return;
    llvm::SmallVector<llvm::WeakVH> operands(pair->operands());
    pair->eraseFromParent();
    eraseUnused(operands);
    return;
  }
  auto *variable = llvm::dyn_cast<AllocaInst>(operand);
  if (!variable || !llvm::all_of(variable->uses(), [](const llvm::Use &use) {
        return (llvm::isa<llvm::StoreInst>(use.getUser()) &&
                use.getOperandNo() == 1) ||
               (llvm::isa<llvm::MemTransferInst>(use.getUser()) &&
                use.getOperandNo() == 0) ||
               llvm::isa<llvm::LifetimeIntrinsic>(use.getUser());
      }))
    return;
  // One of the program's own is left to its debugger.
  if (variable->isUsedByMetadata())
    return;
  for (llvm::User *user : llvm::make_early_inc_range(variable->users()))
    llvm::cast<llvm::Instruction>(user)->eraseFromParent();
  variable->eraseFromParent();
}

/// Some may be gone by then.
static void eraseUnused(llvm::ArrayRef<llvm::WeakVH> operands) {
  for (const llvm::WeakVH &operand : operands)
    if (operand)
      eraseUnused(static_cast<Value *>(operand));
}

void op2::frontend::eraseWithOperands(CallBase &call) {
  llvm::SmallVector<llvm::WeakVH> operands(call.args());
  call.eraseFromParent();
  eraseUnused(operands);
}

bool op2::frontend::isSamePlace(const Value *a, const Value *b) {
  auto find = [](const Value *pointer) {
    const llvm::DataLayout *layout = nullptr;
    if (const auto *inst = llvm::dyn_cast<llvm::Instruction>(pointer))
      layout = &inst->getDataLayout();
    int64_t offset = 0;
    if (layout) {
      llvm::APInt bytes(64, 0);
      pointer = pointer->stripAndAccumulateConstantOffsets(
          *layout, bytes, /*AllowNonInbounds=*/true);
      offset = bytes.getSExtValue();
    }
    return std::pair(pointer, offset);
  };
  return find(a) == find(b);
}
