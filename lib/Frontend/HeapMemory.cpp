//===- HeapMemory.cpp - Memory that kernels allocate ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeapMemory.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include <algorithm>

using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

/// Bytes of one allocation, and of all of a function: more belongs where it is.
static constexpr uint64_t kMostBytes = 4096, kMostInAll = 16384;

/// The name of the library's function that is called; empty if it may be
/// another one.
static llvm::StringRef getLibraryName(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !call.isNoBuiltin()
             ? callee->getName()
             : "";
}

static bool isAllocation(const CallBase &call) {
  return llvm::StringSwitch<bool>(getLibraryName(call))
      .Cases({"malloc", "_Znwm", "_Znam"}, true)
      .Default(false);
}

static bool isRelease(const CallBase &call) {
  return llvm::StringSwitch<bool>(getLibraryName(call))
      .Cases({"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"}, true)
      .Default(false);
}

namespace {
/// What becomes of one allocation.
class Allocation {
public:
  explicit Allocation(CallBase &call) : call(call) {}

  /// Moves it if that may be and it has no more than `left` bytes, of which it
  /// takes its own.
  void move(uint64_t &left) {
    auto *size = call.arg_size() == 1
                     ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0))
                     : nullptr;
    if (!size || size->isZero() ||
        size->getValue().ugt(std::min(kMostBytes, left)) || !followUses(call))
      return;
    left -= size->getZExtValue();
    replace(size->getZExtValue());
  }

private:
  /// False if somebody else may get the address, or keep it until the next
  /// allocation here.
  bool followUses(llvm::Value &pointer) {
    for (llvm::Use &use : pointer.uses()) {
      auto &user = *llvm::cast<Instruction>(use.getUser());
      if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
        if (!followUses(*place))
          return false;
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
        if (use.getOperandNo() != store->getPointerOperandIndex())
          return false;
        addType(store->getValueOperand()->getType());
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
        addType(load->getType());
      } else if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&user)) {
        // It is there.
        if (!comparison->isEquality() ||
            !llvm::isa<llvm::ConstantPointerNull>(comparison->getOperand(1)))
          return false;
      } else if (auto *other = llvm::dyn_cast<CallBase>(&user)) {
        if (isRelease(*other) && use.getOperandNo() == 0 && &pointer == &call)
          released.push_back(other);
        else if (!llvm::isa<llvm::MemIntrinsic, llvm::LifetimeIntrinsic>(other))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

  /// An array of the only type that is stored and loaded, or else bytes.
  void addType(llvm::Type *type) {
    if (!element)
      element = type;
    isUniform &= element == type;
  }

  llvm::Type *getType(uint64_t bytes) const {
    const llvm::DataLayout &layout = call.getDataLayout();
    llvm::Type *byte = llvm::Type::getInt8Ty(call.getContext());
    bool isNumber = isUniform && element &&
                    (element->isIntegerTy() || element->isFloatingPointTy());
    uint64_t size =
        isNumber ? layout.getTypeStoreSize(element).getFixedValue() : 1;
    if (!isNumber || bytes % size != 0 ||
        layout.getTypeAllocSize(element).getFixedValue() != size)
      return llvm::ArrayType::get(byte, bytes);
    return llvm::ArrayType::get(element, bytes / size);
  }

  void replace(uint64_t bytes) {
    Function &function = *call.getFunction();
    llvm::IRBuilder<> builder(&function.getEntryBlock(),
                              function.getEntryBlock().begin());
    llvm::AllocaInst *variable = builder.CreateAlloca(getType(bytes));
    // As the library does it.
    variable->setAlignment(llvm::Align(16));
    for (CallBase *release : released)
      erase(*release);
    call.replaceAllUsesWith(variable);
    erase(call);
  }

  static void erase(CallBase &done) {
    CallBase *gone = &done;
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(gone))
      gone = llvm::changeToCall(invoke);
    gone->eraseFromParent();
  }

  CallBase &call;
  llvm::SmallVector<CallBase *> released;
  llvm::Type *element = nullptr;
  bool isUniform = true;
};
} // namespace

void op2::frontend::moveToStack(llvm::Module &kernels) {
  for (Function &function : kernels) {
    llvm::SmallVector<CallBase *> calls;
    for (Instruction &inst : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<CallBase>(&inst);
          call && isAllocation(*call))
        calls.push_back(call);
    uint64_t left = kMostInAll;
    for (CallBase *call : calls)
      Allocation(*call).move(left);
  }
}
