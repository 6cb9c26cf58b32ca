//===- QueueOffer.cpp - Loops that the runtime may delay ------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueOffer.h"
#include "DescriptionFields.h"
#include "HostAnalysis/KernelVariables.h"
#include "OP2/Runtime/op2rt.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace op2::frontend;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Function;
using llvm::Value;

static_assert(sizeof(op2rt_variable) == 16 &&
              offsetof(op2rt_variable, bytes) == 8);

std::string op2::frontend::findArgumentObstacle(const LoopDescription &loop) {
  for (auto [number, arg] : llvm::enumerate(loop.args)) {
    std::string name = "argument " + std::to_string(number);
    if (arg.kind != ArgDescription::Kind::Global)
      continue;
    if (arg.isOptional)
      return name + " is an optional global";
    if (arg.access == Access::Work)
      return name + " is scratch memory";
    if (!llvm::is_contained(
            {Access::Read, Access::Inc, Access::Min, Access::Max}, arg.access))
      return name + " is a global that is written";
  }
  return "";
}

Value *op2::frontend::storeValues(llvm::IRBuilderBase &builder,
                                  llvm::ArrayRef<Value *> arguments) {
  llvm::BasicBlock &entry =
      builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::Type *pointer = builder.getPtrTy();
  Value *values =
      llvm::IRBuilder<>(&entry, entry.begin())
          .CreateAlloca(llvm::ArrayType::get(pointer, arguments.size()));
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    Value *value = argument;
    if (!value->getType()->isPointerTy())
      value = builder.CreateIntToPtr(
          builder.CreateZExt(value, builder.getInt64Ty()), pointer);
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_32(
                                   pointer, values, unsigned(number)));
  }
  return values;
}

/// Where a target that the loop is not compiled for runs openmp's code, loops
/// keep their order: the others run on a device.
static bool isFor(Target wanted, const llvm::CallInst &call) {
  const llvm::BasicBlock *block = call.getParent();
  const llvm::BasicBlock *from = block->getSinglePredecessor();
  const auto *choice =
      from ? llvm::dyn_cast<llvm::SwitchInst>(from->getTerminator()) : nullptr;
  if (!choice)
    return true;
  const ConstantInt *target =
      const_cast<llvm::SwitchInst *>(choice)->findCaseDest(
          const_cast<llvm::BasicBlock *>(block));
  return target && target->getSExtValue() == static_cast<int>(wanted);
}

void op2::frontend::describeVariables(const CallSite &site) {
  llvm::Module &module = *site.stub->getParent();
  llvm::Type *int64 = llvm::Type::getInt64Ty(module.getContext());
  std::vector<Constant *> table;
  for (const llvm::GlobalVariable *variable : findVariables(site.kernel))
    if (!variable->isThreadLocal())
      table.push_back(llvm::ConstantStruct::getAnon(
          {const_cast<llvm::GlobalVariable *>(variable),
           ConstantInt::get(int64, uint64_t(getExtent(*variable)))}));
  if (table.empty())
    return;
  llvm::GlobalVariable *variables = createTable(table, module);
  for (Target target : {Target::OpenMP, Target::CUDA, Target::Emulator})
    if (llvm::GlobalVariable *description =
            module.getNamedGlobal(site.getDescriptionSymbol(target))) {
      setDescriptionField(*description, DescriptionField::Variables, variables);
      setDescriptionField(*description, DescriptionField::NumVariables,
                          ConstantInt::get(int64, table.size()));
    }
}

void op2::frontend::describePointers(const CallSite &site, Target target,
                                     const std::optional<Addresses> &pointers) {
  llvm::Module &module = *site.stub->getParent();
  llvm::GlobalVariable *description =
      module.getNamedGlobal(site.getDescriptionSymbol(target));
  if (!description || (pointers && pointers->empty()))
    return;
  llvm::GlobalVariable *table =
      pointers ? createTable(*pointers, module) : nullptr;
  if (table)
    setDescriptionField(*description, DescriptionField::Pointers, table);
  setDescriptionField(
      *description, DescriptionField::NumPointers,
      ConstantInt::getSigned(llvm::Type::getInt64Ty(module.getContext()),
                             pointers ? int64_t(pointers->size()) : -1));
}

void op2::frontend::describeSite(const CallSite &site) {
  for (Target target : kDevices)
    if (llvm::GlobalVariable *description =
            site.stub->getParent()->getNamedGlobal(
                site.getDescriptionSymbol(target)))
      setDescriptionField(*description, DescriptionField::Site, site.stub);
}

void op2::frontend::permitOnDevices(const CallSite &site) {
  llvm::BasicBlock &entry = site.stub->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::Constant *mayWait = site.stub->getParent()->getOrInsertGlobal(
      "op2rt_may_enqueue", builder.getInt32Ty());
  Value *given = builder.CreateLoad(builder.getInt32Ty(), mayWait);
  builder.CreateStore(builder.getInt32(0), mayWait);
  for (Target target : kDevices) {
    Function *run =
        site.stub->getParent()->getFunction(site.getRunSymbol(target));
    if (!run)
      continue;
    for (llvm::User *user : run->users()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getFunction() != site.stub)
        continue;
      builder.SetInsertPoint(call);
      builder.CreateStore(given, mayWait);
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(builder.getInt32(0), mayWait);
    }
  }
}

/// if (!op2rt_enqueue(description, values)) run(values)
static void offer(llvm::CallInst &call, llvm::GlobalVariable &description) {
  llvm::IRBuilder<> builder(&call);
  Value *values = storeValues(builder, llvm::SmallVector<Value *>(call.args()));
  llvm::FunctionCallee add = call.getModule()->getOrInsertFunction(
      "op2rt_enqueue", builder.getInt32Ty(), builder.getPtrTy(),
      builder.getPtrTy());
  llvm::CallInst *added = builder.CreateCall(add, {&description, values});
  added->setDoesNotThrow();
  Value *runsNow = builder.CreateIsNull(added);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
      runsNow, call.getIterator(), /*Unreachable=*/false));
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  auto *run = llvm::cast<Function>(
      getDescriptionField(description, DescriptionField::Run));
  builder.CreateCall(run, values);
  call.eraseFromParent();
}

void op2::frontend::offerToQueue(const CallSite &site, Target target) {
  llvm::Module &module = *site.stub->getParent();
  llvm::GlobalVariable &description =
      *module.getNamedGlobal(site.getDescriptionSymbol(target));
  const Function *run = module.getFunction(site.getRunSymbol(target));
  std::vector<llvm::CallInst *> calls;
  for (llvm::Instruction &inst : llvm::instructions(*site.stub))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
        call && call->getCalledFunction() == run && isFor(target, *call))
      calls.push_back(call);
  for (llvm::CallInst *call : calls)
    offer(*call, description);
}
