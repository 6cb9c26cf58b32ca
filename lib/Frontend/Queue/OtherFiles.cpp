//===- OtherFiles.cpp - Loops that are pending across files ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function `step` that others may enter has a record `step.op2.<version>`:
//
//   { where the code of `step` is, where that is which expects pending loops }
//
// Callers have a weak one, of zeros. They enter if `step` is, for them, the
// very code that the record names: not where the file was compiled by others,
// where a linker's option or another library puts a function in its place, or
// where the versions of the interface differ.
//
//===----------------------------------------------------------------------===//

#include "OtherFiles.h"
#include "HostAnalysis/ChangedTypes.h"
#include "HostAnalysis/PendingPaths.h"
#include "OP2/Runtime/op2rt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

bool OtherFiles::isCall(const Instruction &inst) const {
  return calls.contains(
      const_cast<CallBase *>(llvm::dyn_cast<CallBase>(&inst)));
}

bool OtherFiles::isEntry(const Function &function) const {
  return entries.contains(const_cast<Function *>(&function));
}

static bool mayRunLoops(const CallBase &call) {
  return llvm::isa<llvm::CallInst, llvm::InvokeInst>(call) &&
         !call.isMustTailCall() && !call.hasOperandBundles() &&
         !call.doesNotReturn() && !call.onlyReadsMemory() &&
         pathsAreKnown(*call.getFunction());
}

/// The functions that run when loops do: their stubs, and what these lead to.
static llvm::SetVector<const Function *>
findLoopCode(llvm::ArrayRef<CallSite> sites) {
  llvm::SetVector<const Function *> found;
  for (const CallSite &site : sites) {
    found.insert(site.stub);
    if (site.kernel) // unless its body is missing
      found.insert(site.kernel);
  }
  for (unsigned i = 0; i < found.size(); ++i)
    for (const Instruction &inst : llvm::instructions(*found[i]))
      for (const llvm::Value *operand : inst.operands())
        if (const auto *function = llvm::dyn_cast<Function>(operand))
          found.insert(function);
  return found;
}

llvm::SetVector<CallBase *>
op2::frontend::findOutgoingCalls(llvm::Module &module,
                                 llvm::ArrayRef<CallSite> sites,
                                 const FileLoops &loops) {
  llvm::SetVector<const Function *> loopCode = findLoopCode(sites);
  llvm::SetVector<CallBase *> calls;
  for (const std::string &name : loops.sharedFunctions) {
    Function *callee = module.getFunction(name);
    if (!callee || !callee->isDeclaration() || callee->isVarArg())
      continue;
    for (llvm::User *user : callee->users())
      if (auto *call = llvm::dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == callee && mayRunLoops(*call) &&
          !loopCode.contains(call->getFunction()))
        calls.insert(call);
  }
  return calls;
}

llvm::SetVector<Function *>
op2::frontend::findEntries(llvm::ArrayRef<Function *> functions,
                           const FileLoops &loops) {
  llvm::SetVector<Function *> entries;
  for (Function *function : functions)
    if (function->hasExternalLinkage() &&
        loops.sharedFunctions.count(function->getName().str()))
      entries.insert(function);
  return entries;
}

bool op2::frontend::mayBePendingElsewhere(
    const CallSite &site, llvm::ArrayRef<const llvm::Value *> results) {
  return changesOnly(site.loop->changedTypes, getTypesOfOtherFiles()) &&
         llvm::all_of(results, [](const llvm::Value *result) {
           // Nothing is stored in strings, which make arguments as well.
           const auto *variable =
               llvm::dyn_cast_or_null<llvm::GlobalVariable>(result);
           return llvm::isa_and_nonnull<llvm::AllocaInst>(result) ||
                  (variable && variable->isConstant());
         });
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static std::string getRecordName(const Function &function) {
  return (function.getName() + ".op2." + llvm::Twine(OP2RT_ABI_VERSION)).str();
}

/// Two addresses.
static llvm::StructType *getRecordType(llvm::LLVMContext &context) {
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  return llvm::StructType::get(pointer, pointer);
}

static llvm::GlobalVariable *makeRecord(Function &function,
                                        llvm::GlobalValue::LinkageTypes linkage,
                                        llvm::Constant &value) {
  auto *record = new llvm::GlobalVariable(
      *function.getParent(), value.getType(),
      /*isConstant=*/true, linkage, &value, getRecordName(function));
  record->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return record;
}

/// The record of a function that is elsewhere; zeros if it has none.
static llvm::GlobalVariable *referToRecord(Function &function) {
  if (llvm::GlobalVariable *record =
          function.getParent()->getNamedGlobal(getRecordName(function)))
    return record;
  return makeRecord(
      function, llvm::GlobalValue::WeakAnyLinkage,
      *llvm::Constant::getNullValue(getRecordType(function.getContext())));
}

CallBase &op2::frontend::enterOtherFile(CallBase &call) {
  llvm::GlobalVariable *record = referToRecord(*call.getCalledFunction());
  llvm::IRBuilder<> builder(&call);
  llvm::Type *pointer = builder.getPtrTy();
  llvm::Value *named = builder.CreateLoad(pointer, record);
  // The first way is for calls of what the record names.
  CallBase &entering = llvm::versionCallSite(call, named, nullptr);
  builder.SetInsertPoint(&entering);
  llvm::Value *place = builder.CreateConstInBoundsGEP2_32(
      getRecordType(builder.getContext()), record, 0, 1);
  entering.setCalledOperand(builder.CreateLoad(pointer, place));
  return call;
}

void op2::frontend::letOthersEnter(Function &named, Function &entry) {
  // Its own name may mean another function in the end. Of a weak alias LLVM
  // does not assume what it is.
  auto *code = llvm::GlobalAlias::create(
      named.getValueType(), named.getAddressSpace(),
      llvm::GlobalValue::WeakAnyLinkage, named.getName() + ".code", &named,
      named.getParent());
  code->setVisibility(llvm::GlobalValue::HiddenVisibility);
  makeRecord(named, llvm::GlobalValue::ExternalLinkage,
             *llvm::ConstantStruct::get(getRecordType(named.getContext()),
                                        {code, &entry}));
}
