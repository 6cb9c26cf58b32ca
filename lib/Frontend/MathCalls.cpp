//===- MathCalls.cpp - Functions of the C library stay calls --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathCalls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <vector>

using namespace op2::frontend;
using llvm::Type;
using llvm::Value;

/// The C library's name of a function that LLVM computes with other bits: of
/// floats as of doubles, powers in other ways. Empty if it does not, as for
/// those whose results are exact.
static std::string getFoldedName(const llvm::Function &callee) {
  Type *type = callee.getReturnType()->getScalarType();
  bool isFloat = type->isFloatTy();
  if (!callee.isDeclaration() || (!isFloat && !type->isDoubleTy()))
    return "";
  llvm::StringRef name = callee.getName();
  if (name.consume_front("llvm."))
    name = name.take_until([](char c) { return c == '.'; });
  else if (isFloat)
    name.consume_back("f");
  bool isKnown = isFloat
                     ? llvm::is_contained(
                           {"pow",  "exp",   "exp2",  "exp10", "expm1", "log",
                            "log2", "log10", "log1p", "sin",   "cos",   "tan",
                            "asin", "acos",  "atan",  "atan2", "sinh",  "cosh",
                            "tanh", "cbrt",  "erf",   "erfc"},
                           name)
                     : name == "pow";
  return isKnown ? (name + (isFloat ? "f" : "")).str() : "";
}

namespace {
/// Calls of the C library in place of intrinsics, of which LLVM makes others.
class MathCalls {
public:
  /// Those that are made are added to `calls`.
  MathCalls(llvm::BasicBlock &block, std::vector<llvm::CallInst *> &calls)
      : block(block), module(*block.getModule()), calls(calls),
        builder(&block) {}

  void keep() {
    for (llvm::Instruction &inst : block)
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
        if (call->getIntrinsicID() == llvm::Intrinsic::sin)
          sines.insert(call->getArgOperand(0));
        else if (call->getIntrinsicID() == llvm::Intrinsic::cos)
          cosines.insert(call->getArgOperand(0));
      }
    for (llvm::Instruction &inst : llvm::make_early_inc_range(block)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      std::string name = callee ? getFoldedName(*callee) : "";
      // -ffast-math asks for it.
      if (name.empty() || call->hasApproxFunc())
        continue;
      if (!callee->isIntrinsic())
        call->addFnAttr(llvm::Attribute::NoBuiltin);
      else
        expand(*call, name);
    }
  }

private:
  void expand(llvm::CallInst &call, llvm::StringRef name) {
    builder.SetInsertPoint(&call);
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
    Value *result = nullptr;
    if (!vector) {
      result = compute(call, name, /*lane=*/0);
    } else {
      result = llvm::PoisonValue::get(vector);
      for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
        result = builder.CreateInsertElement(result, compute(call, name, lane),
                                             lane);
    }
    // Of what sines and cosines are asked for, too.
    for (auto *operands : {&sines, &cosines})
      if (operands->erase(&call))
        operands->insert(result);
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  /// The result, or what a lane has of it.
  Value *compute(llvm::CallInst &call, llvm::StringRef name, unsigned lane) {
    Value *first = call.getArgOperand(0);
    if ((name == "sinf" || name == "cosf") && sines.contains(first) &&
        cosines.contains(first) &&
        module.getTargetTriple().isGNUEnvironment()) {
      auto [sine, cosine] = getBoth(first, lane);
      return name == "sinf" ? sine : cosine;
    }
    llvm::SmallVector<Value *> operands;
    for (Value *operand : call.args())
      operands.push_back(getLane(operand, lane));
    llvm::CallInst *result =
        emit(name, call.getType()->getScalarType(), operands);
    result->setDoesNotAccessMemory();
    calls.push_back(result);
    return result;
  }

  /// As LLVM asks the library for both at once.
  std::pair<Value *, Value *> getBoth(Value *operand, unsigned lane) {
    auto &[sine, cosine] = both[{operand, lane}];
    if (!sine) {
      llvm::IRBuilder<> entry(&*block.getParent()->getEntryBlock().begin());
      Type *type = builder.getFloatTy();
      Value *places[] = {entry.CreateAlloca(type), entry.CreateAlloca(type)};
      emit("sincosf", builder.getVoidTy(),
           {getLane(operand, lane), places[0], places[1]});
      sine = builder.CreateLoad(type, places[0]);
      cosine = builder.CreateLoad(type, places[1]);
    }
    return {sine, cosine};
  }

  Value *getLane(Value *value, unsigned lane) {
    return value->getType()->isVectorTy()
               ? builder.CreateExtractElement(value, lane)
               : value;
  }

  llvm::CallInst *emit(llvm::StringRef name, Type *result,
                       llvm::ArrayRef<Value *> operands) {
    llvm::SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    llvm::CallInst *call = builder.CreateCall(
        module.getOrInsertFunction(
            name, llvm::FunctionType::get(result, types, /*isVarArg=*/false)),
        operands);
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
    call->addFnAttr(llvm::Attribute::NoBuiltin);
    return call;
  }

  llvm::BasicBlock &block;
  llvm::Module &module;
  std::vector<llvm::CallInst *> &calls;
  llvm::IRBuilder<> builder;
  llvm::DenseSet<Value *> sines, cosines; ///< what they are asked for
  llvm::DenseMap<std::pair<Value *, unsigned>, std::pair<Value *, Value *>>
      both;
};
} // namespace

/// Clang has made select instructions of branches, and LLVM would have put an
/// intrinsic that one of them takes behind a branch again.
static void putBehindBranch(llvm::CallInst &call) {
  auto *select = call.hasOneUse()
                     ? llvm::dyn_cast<llvm::SelectInst>(*call.user_begin())
                     : nullptr;
  if (!select || select->getParent() != call.getParent() ||
      select->getCondition()->getType()->isVectorTy() ||
      select->getTrueValue() == select->getFalseValue())
    return;
  bool isTrue = select->getTrueValue() == &call;
  Value *other = isTrue ? select->getFalseValue() : select->getTrueValue();
  llvm::IRBuilder<> builder(select);
  Value *isWanted = select->getCondition();
  if (!isTrue)
    isWanted = builder.CreateNot(isWanted);
  llvm::BasicBlock *head = select->getParent();
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(
      isWanted, select->getIterator(), /*Unreachable=*/false);
  call.moveBefore(end->getIterator());
  builder.SetInsertPoint(select->getParent(), select->getParent()->begin());
  llvm::PHINode *result = builder.CreatePHI(call.getType(), 2);
  result->addIncoming(&call, call.getParent());
  result->addIncoming(other, head);
  select->replaceAllUsesWith(result);
  select->eraseFromParent();
}

void op2::frontend::keepMathCalls(llvm::Function &function) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::BasicBlock &block : function)
    MathCalls(block, calls).keep();
  for (llvm::CallInst *call : calls)
    putBehindBranch(*call);
}
