//===- FusedStub.cpp - Two loops by one call -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedStub.h"
#include "ParsedLoop.h"
#include "PromiseCheck.h"
#include "Stub.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::Value;

/// Are all operations of the function, and of those it calls, rounded one by
/// one? Flags such as `contract` let LLVM combine operations of two kernels.
static bool roundsAsWritten(const Function *kernel) {
  llvm::SmallSetVector<const Function *, 8> reached;
  reached.insert(kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const llvm::Instruction &inst : llvm::instructions(*reached[i])) {
      if (llvm::isa<llvm::FPMathOperator>(inst) &&
          inst.getFastMathFlags().any())
        return false;
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        if (const Function *callee = call->getCalledFunction())
          reached.insert(callee);
    }
  return true;
}

namespace {
/// Writes one such function.
class FusedStubBuilder {
public:
  FusedStubBuilder(Fusion &fusion, const std::vector<Target> &targets,
                   const OpArgLayout &layout, bool usesVectorMath)
      : fusion(fusion), targets(targets), layout(layout),
        usesVectorMath(usesVectorMath),
        stubs{fusion.pair.first.stub, fusion.pair.second.stub},
        module(*stubs[0]->getParent()), builder(module.getContext()) {}

  void run() {
    createFunction();
    llvm::BasicBlock *entry = newBlock("entry");
    llvm::BasicBlock *alike = newBlock("alike");
    llvm::BasicBlock *together = newBlock("together");
    llvm::BasicBlock *apart = newBlock("apart");
    builder.SetInsertPoint(entry);
    Value *isAlike = checkTargets();
    isAlike = builder.CreateAnd(isAlike, checkHandles());
    builder.CreateCondBr(isAlike, alike, apart);
    builder.SetInsertPoint(alike);
    builder.CreateCondBr(askRuntime(), together, apart);
    builder.SetInsertPoint(together);
    callFused();
    builder.CreateRetVoid();
    builder.SetInsertPoint(apart);
    callApart(false);
    callApart(true);
    builder.CreateRetVoid();
    fusion.stub = function;
  }

private:
  llvm::BasicBlock *newBlock(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(module.getContext(), name, function);
  }

  unsigned getNumFirst() const {
    return unsigned(fusion.pair.first.loop->args.size());
  }
  Value *getSet(bool ofSecond) {
    return function->getArg((ofSecond ? stubs[0]->arg_size() : 0) +
                            ParsedLoop::kFirstArg - 1);
  }
  /// The op_arg of an argument of the merged loop.
  Value *getOpArg(unsigned arg) {
    return function->getArg(fusion.getSite().getOperand(arg));
  }
  Value *load(RunParameter::Kind kind, unsigned arg) {
    return loadParameter(builder, getOpArg(arg), fusion.loop, {kind, arg},
                         layout);
  }

  void createFunction() {
    std::vector<llvm::Type *> types;
    for (Function *stub : stubs)
      for (llvm::Argument &argument : stub->args())
        types.push_back(argument.getType());
    function = Function::Create(
        llvm::FunctionType::get(builder.getVoidTy(), types, false),
        llvm::GlobalValue::InternalLinkage, fusion.runSymbol, module);
    unsigned number = 0;
    for (Function *stub : stubs)
      for (llvm::Argument &argument : stub->args()) {
        llvm::AttrBuilder attributes(
            module.getContext(),
            stub->getAttributes().getParamAttrs(argument.getArgNo()));
        function->getArg(number++)->addAttrs(attributes);
      }
  }

  Value *checkTargets() {
    Value *isHere = builder.getTrue();
    for (const CallSite *site : {&fusion.pair.first, &fusion.pair.second}) {
      Value *target = selectTarget(builder, module, targets, site->loop->name);
      isHere = builder.CreateAnd(
          isHere,
          builder.CreateICmpEQ(
              target, builder.getInt32(static_cast<int>(Target::OpenMP))));
    }
    return isHere;
  }

  /// Are the sets one, and the handles that look alike?
  Value *checkHandles() {
    Value *isAlike = builder.CreateICmpEQ(getSet(false), getSet(true));
    for (const AssumedEqual &equal :
         getAssumedEqual(fusion.loop, getNumFirst()))
      isAlike = builder.CreateAnd(
          isAlike, builder.CreateICmpEQ(load(equal.kind, equal.arg),
                                        load(equal.kind, equal.other)));
    return isAlike;
  }

  /// Asks whether the rest holds.
  Value *askRuntime() {
    std::vector<Value *> opArgs;
    std::vector<int32_t> arities;
    for (unsigned i = 0; i < fusion.loop.args.size(); ++i) {
      opArgs.push_back(getOpArg(i));
      arities.push_back(
          i < getNumFirst()
              ? getExpectedArity(*fusion.pair.first.loop, i)
              : getExpectedArity(*fusion.pair.second.loop, i - getNumFirst()));
    }
    requireDims(builder, fusion.loop, opArgs, layout);
    return createPromiseCheck(
        builder, fusion.loop, getSet(false), opArgs, arities,
        findVariables({fusion.pair.first.kernel, fusion.pair.second.kernel}),
        isExact(), layout);
  }

  /// Do the fused kernels give the bits of the kernels alone? Functions of
  /// libmvec do not, where only one of both runs in groups of elements.
  bool isExact() const {
    if (usesVectorMath)
      return false;
    for (const CallSite *site : {&fusion.pair.first, &fusion.pair.second})
      if (!roundsAsWritten(site->kernel))
        return false;
    return true;
  }

  void callFused() {
    std::vector<Value *> arguments{getSet(false)};
    for (const RunParameter &parameter : getRunParameters(fusion.loop))
      arguments.push_back(load(parameter.kind, parameter.arg));
    builder.CreateCall(
        module.getFunction(fusion.getSite().getRunSymbol(Target::OpenMP)),
        arguments);
  }

  void callApart(bool ofSecond) {
    std::vector<Value *> arguments;
    unsigned first = ofSecond ? stubs[0]->arg_size() : 0;
    for (unsigned i = 0; i < stubs[ofSecond]->arg_size(); ++i)
      arguments.push_back(function->getArg(first + i));
    llvm::CallInst *call = builder.CreateCall(stubs[ofSecond], arguments);
    // Structs by value stay so on the way through.
    call->setAttributes(stubs[ofSecond]->getAttributes());
    call->setCallingConv(stubs[ofSecond]->getCallingConv());
  }

  Fusion &fusion;
  const std::vector<Target> &targets;
  const OpArgLayout &layout;
  bool usesVectorMath;
  Function *stubs[2];
  llvm::Module &module;
  llvm::IRBuilder<> builder;
  Function *function = nullptr;
};
} // namespace

void op2::frontend::createFusedStub(Fusion &fusion,
                                    const std::vector<Target> &targets,
                                    const OpArgLayout &layout,
                                    bool usesVectorMath) {
  FusedStubBuilder(fusion, targets, layout, usesVectorMath).run();
}
