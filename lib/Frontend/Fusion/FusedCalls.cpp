//===- FusedCalls.cpp - Calls of loops that wait ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedCalls.h"
#include "HostAnalysis/Interference.h"
#include "HostAnalysis/PendingPaths.h"
#include "ParsedLoop.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Value;

std::vector<FusedCall> op2::frontend::chooseFusedCalls(
    llvm::ArrayRef<std::shared_ptr<Fusion>> fusions) {
  std::vector<Fusion *> order;
  for (const std::shared_ptr<Fusion> &fusion : fusions)
    order.push_back(fusion.get());
  llvm::sort(order, [](const Fusion *a, const Fusion *b) {
    return std::make_tuple(-a->savedBytes, a->runSymbol) <
           std::make_tuple(-b->savedBytes, b->runSymbol);
  });
  std::vector<FusedCall> chosen;
  for (Fusion *fusion : order)
    for (auto &[first, second] : fusion->pair.calls) {
      FusedCall call{first, second, fusion};
      if (llvm::none_of(chosen, [&](const FusedCall &other) {
            return other.first == call.second || other.second == call.first;
          }))
        chosen.push_back(call);
    }
  return chosen;
}

namespace {
/// A call that waits: its operands are kept in variables of the function.
class WaitingCall {
public:
  explicit WaitingCall(CallBase &call) : call(&call) {
    llvm::BasicBlock &entry = call.getFunction()->getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    flag = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "op2.waits");
    for (unsigned i = 0; i < call.arg_size(); ++i)
      variables.push_back(createVariable(builder, i));
    auto after = entry.begin();
    while (llvm::isa<llvm::AllocaInst>(*after))
      ++after;
    builder.SetInsertPoint(&entry, after);
    builder.CreateStore(builder.getFalse(), flag);
  }

  Value *loadFlag(llvm::IRBuilderBase &builder) const {
    return builder.CreateLoad(builder.getInt1Ty(), flag);
  }

  void clearFlag(llvm::IRBuilderBase &builder) const {
    builder.CreateStore(builder.getFalse(), flag);
  }

  std::vector<Value *> loadOperands(llvm::IRBuilderBase &builder) const {
    std::vector<Value *> operands;
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      if (!variables[i])
        operands.push_back(call->getArgOperand(i));
      else if (isStruct(i))
        operands.push_back(variables[i]);
      else
        operands.push_back(builder.CreateLoad(call->getArgOperand(i)->getType(),
                                              variables[i]));
    }
    return operands;
  }

  /// Keeps the operands instead of calling the loop. Comes last: the call goes.
  void wait() {
    llvm::IRBuilder<> builder(call);
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      Value *operand = call->getArgOperand(i);
      if (!variables[i])
        continue;
      if (isStruct(i))
        builder.CreateMemCpy(variables[i], variables[i]->getAlign(), operand,
                             variables[i]->getAlign(), getStructSize(i));
      else
        builder.CreateStore(operand, variables[i]);
    }
    builder.CreateStore(builder.getTrue(), flag);
    call->eraseFromParent();
  }

  /// Runs the loop by itself, if it waits, before `inst`.
  void completeBefore(llvm::Instruction &inst) const {
    llvm::IRBuilder<> builder(&inst);
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
        loadFlag(builder), inst.getIterator(), /*Unreachable=*/false);
    builder.SetInsertPoint(then);
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    llvm::CallInst *copy =
        builder.CreateCall(call->getFunctionType(), call->getCalledOperand(),
                           loadOperands(builder));
    copy->setAttributes(call->getAttributes());
    copy->setCallingConv(call->getCallingConv());
    clearFlag(builder);
  }

private:
  /// The op_args are structs that stay where they are.
  static bool isStruct(unsigned operand) {
    return operand >= ParsedLoop::kFirstArg;
  }

  uint64_t getStructSize(unsigned operand) const {
    return call->getDataLayout().getTypeAllocSize(
        variables[operand]->getAllocatedType());
  }

  llvm::AllocaInst *createVariable(llvm::IRBuilderBase &builder,
                                   unsigned operand) const {
    Value *value = call->getArgOperand(operand);
    if (!isStruct(operand))
      return llvm::isa<llvm::Constant>(value)
                 ? nullptr
                 : builder.CreateAlloca(value->getType());
    llvm::AllocaInst *variable =
        builder.CreateAlloca(getArgumentType(*call, operand));
    variable->setAlignment(std::max(variable->getAlign(),
                                    call->getParamAlign(operand).valueOrOne()));
    return variable;
  }

public:
  /// The type of an op_arg that a call passes; null if that is not to be seen.
  static llvm::Type *getArgumentType(const CallBase &call, unsigned operand) {
    if (llvm::Type *type = call.getParamByValType(operand))
      return type;
    auto *variable =
        llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(operand));
    return variable ? variable->getAllocatedType() : nullptr;
  }

private:
  CallBase *call;
  llvm::AllocaInst *flag;
  std::vector<llvm::AllocaInst *> variables; ///< null: the operand is constant
};

/// Rewrites the calls of one module.
class CallRewriter {
public:
  CallRewriter(std::vector<FusedCall> calls, const FileLoops &loops)
      : calls(std::move(calls)), loops(loops) {}

  void run() {
    dropUnclear();
    makeCalls();
    // All paths are looked for before any of them changes.
    llvm::MapVector<CallBase *, std::vector<llvm::Instruction *>> stops;
    for (const FusedCall &call : calls)
      if (!stops.count(call.first))
        stops[call.first] =
            findStops(*call.first,
                      IndependenceTest(*call.first,
                                       *call.fusion->pair.first.loop, loops));
    llvm::MapVector<CallBase *, WaitingCall> waiting;
    for (auto &[first, list] : stops)
      waiting.insert({first, WaitingCall(*first)});
    for (auto &[first, list] : stops)
      for (llvm::Instruction *stop : list)
        if (!isPair(*first, *stop))
          waiting.find(first)->second.completeBefore(*stop);
    llvm::MapVector<CallBase *, std::vector<const FusedCall *>> bySecond;
    for (const FusedCall &call : calls)
      bySecond[call.second].push_back(&call);
    for (auto &[second, list] : bySecond)
      for (const FusedCall *call : list)
        fuseAt(*second, waiting.find(call->first)->second, *call->fusion->stub);
    for (auto &[first, call] : waiting)
      call.wait();
  }

private:
  /// Calls whose structs cannot be copied stay as they are.
  void dropUnclear() {
    llvm::erase_if(calls, [](const FusedCall &fused) {
      for (unsigned i = ParsedLoop::kFirstArg; i < fused.first->arg_size(); ++i)
        if (!WaitingCall::getArgumentType(*fused.first, i))
          return true;
      return false;
    });
  }

  /// Loops with raised kernels do not throw.
  void makeCalls() {
    for (FusedCall &fused : calls)
      for (CallBase *call : {fused.first, fused.second})
        if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) {
          CallBase *plain = llvm::changeToCall(invoke);
          for (FusedCall &other : calls) {
            if (other.first == call)
              other.first = plain;
            if (other.second == call)
              other.second = plain;
          }
        }
  }

  bool isPair(CallBase &first, llvm::Instruction &stop) const {
    return llvm::any_of(calls, [&](const FusedCall &call) {
      return call.first == &first && call.second == &stop;
    });
  }

  /// At a second call: both at once if the first one waits.
  static void fuseAt(CallBase &second, const WaitingCall &first,
                     llvm::Function &stub) {
    llvm::IRBuilder<> builder(&second);
    builder.SetCurrentDebugLocation(second.getDebugLoc());
    Value *waits = first.loadFlag(builder);
    llvm::Instruction *then, *otherwise;
    llvm::SplitBlockAndInsertIfThenElse(waits, second.getIterator(), &then,
                                        &otherwise);
    builder.SetInsertPoint(then);
    builder.SetCurrentDebugLocation(second.getDebugLoc());
    std::vector<Value *> operands = first.loadOperands(builder);
    operands.insert(operands.end(), second.arg_begin(), second.arg_end());
    llvm::CallInst *call = builder.CreateCall(&stub, operands);
    call->setAttributes(
        stub.getAttributes().removeFnAttributes(stub.getContext()));
    first.clearFlag(builder);
    second.moveBefore(otherwise->getIterator());
  }

  std::vector<FusedCall> calls;
  const FileLoops &loops;
};
} // namespace

void op2::frontend::rewriteFusedCalls(std::vector<FusedCall> calls,
                                      const FileLoops &loops) {
  CallRewriter(std::move(calls), loops).run();
}
