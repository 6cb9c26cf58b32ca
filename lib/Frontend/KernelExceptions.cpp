//===- KernelExceptions.cpp - Exceptions that kernels throw ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelExceptions.h"
#include "LibraryCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Function;

using Functions = llvm::SmallPtrSet<const Function *, 16>;

static bool mayThrow(const Function &function, Functions &seen);

static bool mayThrow(const llvm::CallBase &call, Functions &seen) {
  const auto *code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (call.doesNotThrow() || (code && !code->canThrow()))
    return false;
  const Function *callee = call.getCalledFunction();
  return !callee || mayThrow(*callee, seen);
}

static bool mayThrow(const Function &function, Functions &seen) {
  if (function.doesNotThrow() || function.isIntrinsic())
    return false;
  if (function.isDeclaration())
    return !isBLAS(function);
  if (!seen.insert(&function).second)
    return false; // what it does counts where it was first met
  bool isCaught = false, resumes = false;
  for (const llvm::Instruction &inst : llvm::instructions(function)) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
      bool throws = mayThrow(*call, seen);
      if (throws && !llvm::isa<llvm::InvokeInst>(call))
        return true;
      isCaught |= throws;
    }
    resumes |= llvm::isa<llvm::ResumeInst>(inst);
  }
  return isCaught && resumes;
}

bool op2::frontend::mayThrow(const Function &function) {
  Functions seen;
  return ::mayThrow(function, seen);
}

Function *op2::frontend::getCatchingCall(Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  std::string name = kernel.getName().str() + ".catching";
  if (Function *known = module.getFunction(name))
    return known;
  llvm::LLVMContext &context = module.getContext();
  auto *function = Function::Create(kernel.getFunctionType(),
                                    Function::InternalLinkage, name, module);
  function->copyAttributesFrom(&kernel);
  // It reads what the kernel does not, and returns where the kernel does not.
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::AlwaysInline, llvm::Attribute::Memory,
        llvm::Attribute::NoReturn})
    function->removeFnAttr(kind);
  function->setDoesNotThrow();
  function->setPersonalityFn(llvm::cast<llvm::Constant>(
      module
          .getOrInsertFunction(
              "__gxx_personality_v0",
              llvm::FunctionType::get(llvm::Type::getInt32Ty(context), true))
          .getCallee()));
  auto newBlock = [&](const char *label) {
    return llvm::BasicBlock::Create(context, label, function);
  };
  llvm::BasicBlock *entry = newBlock("entry"), *run = newBlock("run"),
                   *caught = newBlock("caught"), *end = newBlock("end");
  llvm::IRBuilder<> builder(entry);
  builder.CreateCondBr(createHasException(builder), end, run);

  builder.SetInsertPoint(run);
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  builder.CreateInvoke(&kernel, end, caught, arguments)
      ->setCallingConv(kernel.getCallingConv());

  builder.SetInsertPoint(caught);
  auto *pad = builder.CreateLandingPad(
      llvm::StructType::get(builder.getPtrTy(), builder.getInt32Ty()), 1);
  pad->addClause(llvm::ConstantPointerNull::get(builder.getPtrTy()));
  llvm::CallInst *keep = builder.CreateCall(
      module.getOrInsertFunction("op2rt_keep_exception", builder.getVoidTy(),
                                 builder.getPtrTy()),
      builder.CreateExtractValue(pad, 0));
  keep->setDoesNotThrow();
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return function;
}

llvm::Value *op2::frontend::createHasException(llvm::IRBuilderBase &builder) {
  llvm::Type *word = builder.getInt32Ty();
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::LoadInst *isOver = builder.CreateLoad(
      word, module.getOrInsertGlobal("op2rt_has_exception", word));
  isOver->setAtomic(llvm::AtomicOrdering::Monotonic);
  isOver->setAlignment(llvm::Align(4));
  return builder.CreateIsNotNull(isOver);
}

void op2::frontend::createRethrow(llvm::IRBuilderBase &builder) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(
      module.getOrInsertFunction("op2rt_rethrow", builder.getVoidTy()));
}
