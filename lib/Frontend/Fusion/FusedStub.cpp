//===- FusedStub.cpp - Two loops by one call -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedStub.h"
#include "OP2/Runtime/op2rt.h"
#include "ParsedLoop.h"
#include "Stub.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::Value;

static_assert(sizeof(op2rt_use) == 32 && offsetof(op2rt_use, map) == 8 &&
              offsetof(op2rt_use, bytes) == 16 &&
              offsetof(op2rt_use, changed) == 20 &&
              offsetof(op2rt_use, group) == 24 &&
              offsetof(op2rt_use, arity) == 28);

static int32_t getBytes(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::I64:
  case ElementType::U64:
    return 8;
  case ElementType::F32:
  case ElementType::I32:
  case ElementType::U32:
    return 4;
  case ElementType::Bool:
    return 1;
  }
  return 0;
}

/// The arity that a map has which fits the slots used of it in a loop: chunk
/// functions for elements in groups are made for that one.
static int32_t getArity(const LoopDescription &loop, unsigned arg) {
  int64_t arity = 0;
  for (const ArgDescription &other : loop.args)
    if (other.isIndirect() && other.sameMapAs == loop.args[arg].sameMapAs)
      arity = std::max(arity, other.slot + other.count);
  return int32_t(arity);
}

namespace {
/// Writes one such function.
class FusedStubBuilder {
public:
  FusedStubBuilder(Fusion &fusion, const std::vector<Target> &targets,
                   const OpArgLayout &layout)
      : fusion(fusion), targets(targets), layout(layout),
        stubs{fusion.pair.first.stub, fusion.pair.second.stub},
        module(*stubs[0]->getParent()), builder(module.getContext()) {}

  Function *run() {
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
    return function;
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
    unsigned place = ParsedLoop::kFirstArg + arg;
    return function->getArg(
        arg < getNumFirst() ? place : place + ParsedLoop::kFirstArg);
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

  /// Fills an array of op2rt_use and asks whether the rest holds.
  Value *askRuntime() {
    auto *useType = llvm::StructType::get(
        builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty(),
        builder.getInt32Ty(), builder.getInt32Ty(), builder.getInt32Ty());
    auto numArgs = unsigned(fusion.loop.args.size());
    auto *type = llvm::ArrayType::get(useType, numArgs);
    llvm::IRBuilder<> atEntry(&*function->getEntryBlock().begin());
    Value *uses = atEntry.CreateAlloca(type);
    for (unsigned i = 0; i < numArgs; ++i)
      storeUse(builder.CreateConstInBoundsGEP2_32(type, uses, 0, i), useType,
               i);
    auto *state = new llvm::GlobalVariable(
        module, builder.getPtrTy(), /*isConstant=*/false,
        llvm::GlobalValue::InternalLinkage,
        llvm::ConstantPointerNull::get(builder.getPtrTy()), "op2.fused_state");
    llvm::FunctionCallee ask = module.getOrInsertFunction(
        "op2rt_may_fuse", builder.getInt32Ty(), builder.getPtrTy(),
        builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty());
    return builder.CreateIsNotNull(builder.CreateCall(
        ask, {state, getSet(false), uses, builder.getInt32(numArgs)}));
  }

  void storeUse(Value *use, llvm::StructType *type, unsigned number) {
    const ArgDescription &arg = fusion.loop.args[number];
    bool isDat = arg.kind == ArgDescription::Kind::Dat;
    bool isGlobal = arg.kind == ArgDescription::Kind::Global;
    bool isSecond = number >= getNumFirst();
    Value *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
    const LoopDescription &alone =
        isSecond ? *fusion.pair.second.loop : *fusion.pair.first.loop;
    Value *fields[] = {
        isDat || isGlobal ? load(RunParameter::Kind::Data, number) : null,
        arg.isIndirect() ? load(RunParameter::Kind::Map, number) : null,
        builder.getInt32(isGlobal ? int32_t(arg.dim) * getBytes(arg.type) : 0),
        builder.getInt32(arg.access != Access::Read),
        builder.getInt32(int32_t(arg.sameDataAs)),
        builder.getInt32(
            arg.isIndirect()
                ? getArity(alone, number - (isSecond ? getNumFirst() : 0))
                : 0)};
    for (auto [index, field] : llvm::enumerate(fields))
      builder.CreateStore(field,
                          builder.CreateStructGEP(type, use, unsigned(index)));
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
  Function *stubs[2];
  llvm::Module &module;
  llvm::IRBuilder<> builder;
  Function *function = nullptr;
};
} // namespace

Function *op2::frontend::createFusedStub(Fusion &fusion,
                                         const std::vector<Target> &targets,
                                         const OpArgLayout &layout) {
  return FusedStubBuilder(fusion, targets, layout).run();
}
