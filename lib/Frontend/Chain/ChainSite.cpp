//===- ChainSite.cpp - A loop that the runtime may let wait -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainSite.h"
#include "GeneratedCode.h"
#include "HostAnalysis/KernelVariables.h"
#include "OP2/Runtime/op2rt.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace op2::frontend;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Function;
using llvm::Value;

static_assert(sizeof(op2rt_param) == 16 && offsetof(op2rt_param, access) == 4 &&
              offsetof(op2rt_param, bytes) == 8);
static_assert(sizeof(op2rt_site) == 32 && offsetof(op2rt_site, nparams) == 8 &&
              offsetof(op2rt_site, run) == 16 &&
              offsetof(op2rt_site, state) == 24);

std::string op2::frontend::findArgumentObstacle(const LoopDescription &loop) {
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    std::string name = "argument " + std::to_string(number);
    if (arg.kind == ArgDescription::Kind::Info)
      return name + " goes along with another one";
    if (arg.kind != ArgDescription::Kind::Global)
      continue;
    if (arg.isOptional)
      return name + " is an optional global";
    if (!llvm::is_contained(
            {Access::Read, Access::Inc, Access::Min, Access::Max}, arg.access))
      return name + " is a global that is written";
  }
  return "";
}

namespace {
/// Writes what belongs to one loop.
class SiteBuilder {
public:
  SiteBuilder(const CallSite &site, llvm::ArrayRef<const Function *> kernels)
      : site(site), variables(findVariables(kernels)),
        module(*site.stub->getParent()), context(module.getContext()),
        pointer(llvm::PointerType::get(context, 0)),
        int32(llvm::Type::getInt32Ty(context)),
        int64(llvm::Type::getInt64Ty(context)),
        run(*module.getFunction(site.getRunSymbol(Target::OpenMP))) {}

  void build() {
    std::vector<llvm::CallInst *> calls;
    for (llvm::Instruction &inst : llvm::instructions(*site.stub))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
          call && call->getCalledFunction() == &run && isForOpenMP(*call))
        calls.push_back(call);
    Function *runLater = createRunLater();
    Constant *description = createDescription(*runLater);
    for (llvm::CallInst *call : calls)
      offer(*call, *runLater, *description);
  }

private:
  /// Where a target that the loop is not compiled for runs openmp's code, loops
  /// keep their order: the others run on a device.
  static bool isForOpenMP(const llvm::CallInst &call) {
    const llvm::BasicBlock *block = call.getParent();
    const llvm::BasicBlock *from = block->getSinglePredecessor();
    const auto *choice =
        from ? llvm::dyn_cast<llvm::SwitchInst>(from->getTerminator())
             : nullptr;
    if (!choice)
      return true;
    const ConstantInt *target =
        const_cast<llvm::SwitchInst *>(choice)->findCaseDest(
            const_cast<llvm::BasicBlock *>(block));
    return target && target->getSExtValue() == static_cast<int>(Target::OpenMP);
  }

  /// The function that takes the values of all parameters from an array.
  Function *createRunLater() {
    auto *type =
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), pointer, false);
    Function *function =
        Function::Create(type, llvm::GlobalValue::InternalLinkage,
                         run.getName() + ".later", module);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(context, "entry", function));
    std::vector<Value *> arguments;
    for (llvm::Argument &parameter : run.args()) {
      Value *value = builder.CreateLoad(
          pointer, builder.CreateConstInBoundsGEP1_32(
                       pointer, function->getArg(0), parameter.getArgNo()));
      arguments.push_back(parameter.getType()->isPointerTy()
                              ? value
                              : builder.CreateIsNotNull(value));
    }
    builder.CreateCall(&run, arguments);
    builder.CreateRetVoid();
    finishFunction(*function, site);
    return function;
  }

  Constant *describeParameter(int32_t kind, int32_t access = OP2RT_READ,
                              int64_t bytes = 0) {
    return llvm::ConstantStruct::getAnon({ConstantInt::get(int32, kind),
                                          ConstantInt::get(int32, access),
                                          ConstantInt::get(int64, bytes)});
  }

  Constant *describeParameter(const RunParameter &parameter) {
    const ArgDescription &arg = site.loop->args[parameter.arg];
    switch (parameter.kind) {
    case RunParameter::Kind::Flag:
      return describeParameter(OP2RT_PARAM_FLAG);
    case RunParameter::Kind::Map:
      return describeParameter(OP2RT_PARAM_MAP);
    case RunParameter::Kind::Data:
      break;
    }
    if (arg.kind == ArgDescription::Kind::Dat)
      return describeParameter(OP2RT_PARAM_DAT);
    return describeParameter(OP2RT_PARAM_GLOBAL, static_cast<int>(arg.access),
                             arg.getBytes());
  }

  /// The op2rt_site.
  Constant *createDescription(Function &runLater) {
    std::vector<Constant *> params{describeParameter(OP2RT_PARAM_SET)};
    for (const RunParameter &parameter : getRunParameters(*site.loop))
      params.push_back(describeParameter(parameter));
    for (const llvm::GlobalVariable *variable : variables)
      params.push_back(describeParameter(OP2RT_PARAM_NAMED, OP2RT_READ,
                                         getExtent(*variable)));
    auto *table = llvm::ConstantArray::get(
        llvm::ArrayType::get(params.front()->getType(), params.size()), params);
    Constant *null = llvm::ConstantPointerNull::get(pointer);
    Constant *description = llvm::ConstantStruct::getAnon(
        {createVariable(*table, /*isConstant=*/true, "op2.chain_params"),
         ConstantInt::get(int64, params.size()), &runLater, null});
    return createVariable(*description, /*isConstant=*/false, "op2.chain_site");
  }

  Constant *createVariable(Constant &value, bool isConstant,
                           llvm::StringRef name) {
    return new llvm::GlobalVariable(module, value.getType(), isConstant,
                                    llvm::GlobalValue::InternalLinkage, &value,
                                    name);
  }

  /// if (!op2rt_enqueue(description, values)) run
  void offer(llvm::CallInst &call, Function &runLater, Constant &description) {
    llvm::BasicBlock &entry = site.stub->getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::SmallVector<Value *> given(call.args());
    for (const llvm::GlobalVariable *variable : variables)
      given.push_back(const_cast<llvm::GlobalVariable *>(variable));
    Value *values =
        builder.CreateAlloca(llvm::ArrayType::get(pointer, given.size()));
    builder.SetInsertPoint(&call);
    for (auto [number, value] : llvm::enumerate(given)) {
      if (!value->getType()->isPointerTy())
        value =
            builder.CreateIntToPtr(builder.CreateZExt(value, int64), pointer);
      builder.CreateStore(value, builder.CreateConstInBoundsGEP1_32(
                                     pointer, values, unsigned(number)));
    }
    llvm::FunctionCallee add =
        module.getOrInsertFunction("op2rt_enqueue", int32, pointer, pointer);
    llvm::CallInst *added = builder.CreateCall(add, {&description, values});
    added->setDoesNotThrow();
    Value *runsNow = builder.CreateIsNull(added);
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
        runsNow, call.getIterator(), /*Unreachable=*/false));
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateCall(&runLater, values);
    call.eraseFromParent();
  }

  const CallSite &site;
  VariableSet variables; ///< that the kernels use by their names
  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::PointerType *pointer;
  llvm::Type *int32, *int64;
  Function &run;
};
} // namespace

void op2::frontend::offerToChain(const CallSite &site,
                                 llvm::ArrayRef<const Function *> kernels) {
  SiteBuilder(site, kernels).build();
}
