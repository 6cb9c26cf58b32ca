//===- Interference.cpp - Interference with pending loops -----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop changes the data of dats and reduced globals, all of them arrays of
// arithmetic types, and nothing else that a program may look at but the
// runtime's own records. See docs/design/queue.md.
//
//===----------------------------------------------------------------------===//

#include "Interference.h"
#include "ChangedTypes.h"
#include "LibraryCalls.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::StringRef;

IndependenceTest::IndependenceTest(const llvm::CallBase &call,
                                   const CallSite &site, const FileLoops &loops)
    : start(&call), variables(&call, &site, loops),
      changedTypes(site.loop->changedTypes) {}

IndependenceTest::IndependenceTest(const llvm::CallBase *call,
                                   const FileLoops &loops)
    : start(call), variables(nullptr, nullptr, loops),
      changedTypes(getTypesOfOtherFiles()) {}

static bool isConstant(const llvm::Value *pointer) {
  const auto *variable =
      llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  return variable && variable->isConstant();
}

/// Whether TBAA's name of a record, in C or in C++, is that of `record`: not of
/// a template for it.
static bool isRecord(StringRef name, StringRef record) {
  return name == record ||
         name == ("_ZTS" + llvm::Twine(record.size()) + record).str();
}

/// By C++'s rules a store cannot have changed values of certain other types.
bool IndependenceTest::isIndependentLoad(const llvm::LoadInst &load) const {
  if (!load.isSimple())
    return false;
  const llvm::Value *pointer = load.getPointerOperand();
  std::optional<int64_t> bytes =
      getFixedSize(load.getDataLayout().getTypeStoreSize(load.getType()));
  if (variables.mayRead(pointer, bytes) || isConstant(pointer))
    return true;
  const llvm::Value *object = llvm::getUnderlyingObject(pointer);
  // OP_kernels and its like: the runtime's own.
  if (llvm::isa<llvm::GlobalVariable>(object) &&
      object->getName().starts_with("OP_"))
    return false;
  const llvm::MDNode *tag = load.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return false;
  StringRef type = getTypeName(tag->getOperand(1));
  if (type == kHandleType)
    return true;
  bool isField = tag->getOperand(0) != tag->getOperand(1);
  StringRef base = isField ? getTypeName(tag->getOperand(0)) : "";
  // Of the records that the runtime keeps, what never changes.
  if (isRecord(base, "op_kernel") || isRecord(base, "op_dat_entry_core"))
    return false;
  if (isRecord(base, "op_dat_core") || isRecord(base, "op_map_core"))
    return type.contains("op_set_core");
  // A pointer may lead to a counter of a loop, where the program has any.
  if (const llvm::GlobalVariable *kernels =
          load.getModule()->getNamedGlobal("OP_kernels");
      kernels && !kernels->use_empty() && !isField)
    return false;
  return !type.empty() && type != "omnipotent char" && !changedTypes.any &&
         !changedTypes.names.count(type.str());
}

/// Whether a function does nothing that would not be harmless in its place.
bool IndependenceTest::isIndependentBody(const llvm::Function &function) const {
  if (function.isDeclaration() || function.isInterposable())
    return false;
  // One that calls itself is not.
  auto [it, isNew] = bodies.try_emplace(&function, false);
  if (isNew)
    it->second = llvm::all_of(
        llvm::instructions(function), [&](const Instruction &inst) {
          return llvm::isa<llvm::ReturnInst>(inst) || (*this)(inst);
        });
  return it->second;
}

/// OP2's own functions for what stands between loops. The clock does not wait
/// where the loop comes again, so that time steps measure each other's work at
/// worst, and their sum is right.
bool IndependenceTest::isIndependentService(const llvm::CallBase &call) const {
  const llvm::Function *callee = call.getCalledFunction();
  HostService service = callee ? getHostService(*callee) : HostService::None;
  if (service == HostService::None)
    return false;
  if (service == HostService::Query)
    return true;
  bool isClock = service == HostService::Clock;
  if (isClock && (!start || call.getFunction() != start->getFunction() ||
                  !llvm::isPotentiallyReachable(&call, start)))
    return false;
  constexpr int64_t kClockBytes = sizeof(double);
  return llvm::all_of(call.args(), [&](const llvm::Use &operand) {
    if (!operand->getType()->isPointerTy() ||
        llvm::isa<llvm::ConstantPointerNull>(operand))
      return true;
    return isClock ? variables.mayRead(operand, kClockBytes)
                   : isConstant(operand);
  });
}

bool IndependenceTest::isIndependentCall(const llvm::CallBase &call) const {
  if (variables.makesArgument(call) || isIndependentService(call))
    return true;
  // A variable that begins has ended before, or is new: it is unused.
  if (call.getIntrinsicID() == llvm::Intrinsic::lifetime_start &&
      !variables.getDropped(call))
    return true;
  if (llvm::isa<llvm::LifetimeIntrinsic>(call))
    return variables.mayOverwrite(*getOverwritten(call));
  if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    Overwritten place = *getOverwritten(call);
    return !copy->isVolatile() && variables.mayOverwrite(place) &&
           (variables.mayRead(copy->getSource(), place.bytes) ||
            isConstant(copy->getSource()));
  }
  if (const auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&call))
    return !fill->isVolatile() && variables.mayOverwrite(*getOverwritten(call));
  if (call.isMustTailCall())
    return false;
  if (const llvm::Function *callee = call.getCalledFunction();
      callee && isIndependentBody(*callee))
    return true;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
      intrinsic &&
      (intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory()))
    return true;
  return call.doesNotAccessMemory() && call.doesNotThrow() && call.willReturn();
}

bool IndependenceTest::copiesArguments(const llvm::CallBase &call) const {
  for (unsigned operand = 0; operand < call.arg_size(); ++operand) {
    llvm::Type *type = call.getParamByValType(operand);
    if (type && !variables.mayRead(
                    call.getArgOperand(operand),
                    getFixedSize(call.getDataLayout().getTypeAllocSize(type))))
      return false;
  }
  return true;
}

bool IndependenceTest::operator()(const Instruction &inst) const {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
    return isIndependentLoad(*load);
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return store->isSimple() && variables.mayOverwrite(*getOverwritten(*store));
  if (llvm::isa<llvm::CallInst, llvm::InvokeInst>(inst))
    return isIndependentCall(llvm::cast<llvm::CallBase>(inst));
  if (inst.isTerminator())
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::UnreachableInst>(
        inst);
  return !inst.mayHaveSideEffects() && !inst.mayReadFromMemory();
}
