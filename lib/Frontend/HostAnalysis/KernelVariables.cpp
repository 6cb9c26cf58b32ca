//===- KernelVariables.cpp - Global variables that kernels read -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVariables.h"
#include "OP2/Runtime/op2rt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalVariable;

//===----------------------------------------------------------------------===//
// Pointers of the program
//===----------------------------------------------------------------------===//

const GlobalVariable *op2::frontend::findVariable(const llvm::Value *place) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(place, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const llvm::Value *object : objects)
    if (const auto *variable = llvm::dyn_cast<GlobalVariable>(object))
      if (!variable->isConstant())
        return variable;
  return nullptr;
}

namespace {
/// What local memory gets its contents from.
class LocalMemory {
public:
  explicit LocalMemory(const llvm::AllocaInst &memory) { follow(memory); }

  const GlobalVariable *variable = nullptr; ///< that is copied there
  bool isFilledElsewhere = false; ///< by copies of something else, by calls

private:
  void follow(const llvm::AllocaInst &memory) {
    if (!seen.insert(&memory).second)
      return;
    llvm::SmallVector<const llvm::Value *> places = {&memory};
    while (!places.empty()) {
      const llvm::Value *place = places.pop_back_val();
      for (const llvm::User *user : place->users())
        visit(*user, place, places);
    }
  }

  void visit(const llvm::User &user, const llvm::Value *place,
             llvm::SmallVectorImpl<const llvm::Value *> &places) {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(
            user)) {
      if (seenPlaces.insert(&user).second)
        places.push_back(&user);
      return;
    }
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      // Also a number may be an address.
      constexpr unsigned kPointerBits = 64;
      const llvm::Type *type = store->getValueOperand()->getType();
      if (store->getPointerOperand() == place)
        isFilledElsewhere |=
            !type->isPtrOrPtrVectorTy() && !type->isFPOrFPVectorTy() &&
            !(type->isIntegerTy() && type->getIntegerBitWidth() < kPointerBits);
      else
        visitKept(*store, places);
      return;
    }
    if (const auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&user)) {
      if (copy->getRawDest() != place)
        return;
      const llvm::Value *from =
          llvm::getUnderlyingObject(copy->getSource(), /*MaxLookup=*/0);
      if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(from))
        return follow(*local);
      if (const GlobalVariable *found = findVariable(copy->getSource()))
        variable = found;
      else
        isFilledElsewhere |= !llvm::isa<GlobalVariable>(from);
      return;
    }
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&user);
    isFilledElsewhere |= call && !llvm::isa<llvm::IntrinsicInst>(call) &&
                         !call->onlyReadsMemory();
  }

  /// The address is kept in local memory: what is loaded from there may be it.
  void visitKept(const llvm::StoreInst &store,
                 llvm::SmallVectorImpl<const llvm::Value *> &places) {
    const llvm::Value *kept =
        llvm::getUnderlyingObject(store.getPointerOperand(), /*MaxLookup=*/0);
    if (!llvm::isa<llvm::AllocaInst>(kept)) {
      isFilledElsewhere = true; // by whoever has it
      return;
    }
    llvm::SmallVector<const llvm::Value *> parts = {kept};
    while (!parts.empty())
      for (const llvm::User *user : parts.pop_back_val()->users()) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
        if (llvm::isa<llvm::GetElementPtrInst>(user))
          parts.push_back(user);
        else if (llvm::isa<llvm::LoadInst>(user) &&
                 user->getType()->isPointerTy() &&
                 seenPlaces.insert(user).second)
          places.push_back(user);
        isFilledElsewhere |= llvm::isa<llvm::AnyMemTransferInst>(user) ||
                             (call && !llvm::isa<llvm::IntrinsicInst>(call));
      }
  }

  llvm::SmallPtrSet<const llvm::AllocaInst *, 4> seen;
  llvm::SmallPtrSet<const llvm::User *, 8> seenPlaces;
};
} // namespace

const GlobalVariable *
op2::frontend::findPointerVariable(const llvm::LoadInst &load) {
  if (const GlobalVariable *variable = findVariable(load.getPointerOperand()))
    return variable;
  const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(
      llvm::getUnderlyingObject(load.getPointerOperand(), /*MaxLookup=*/0));
  return memory ? LocalMemory(*memory).variable : nullptr;
}

bool op2::frontend::isFromElsewhere(const llvm::LoadInst &load) {
  const llvm::Value *object =
      llvm::getUnderlyingObject(load.getPointerOperand(), /*MaxLookup=*/0);
  if (const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(object))
    return LocalMemory(*memory).isFilledElsewhere;
  return !llvm::isa<GlobalVariable>(object);
}

namespace {
/// Walks over all code and constants that kernels lead to.
class VariableWalk {
public:
  /// `followsPointers`: to all functions of the file that a call through a
  /// pointer may lead to.
  explicit VariableWalk(llvm::ArrayRef<const Function *> kernels,
                        bool followsPointers = false)
      : followsPointers(followsPointers) {
    functions.insert_range(kernels);
  }

  void run() {
    for (unsigned i = 0; i < functions.size(); ++i) {
      isOpen |= functions[i]->isDeclaration() && !functions[i]->isIntrinsic() &&
                !functions[i]->doesNotAccessMemory();
      for (const llvm::Instruction &inst : llvm::instructions(*functions[i]))
        visit(inst);
    }
    // Numbers, unions and COMMON blocks do not tell by their types.
    isOpen |= hasPointersFromElsewhere && !variables.empty();
  }

  VariableSet variables;
  /// There are pointers in variables, or functions without a body.
  bool isOpen = false;

private:
  void visit(const llvm::Instruction &inst) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst);
    if (load && load->getType()->isPtrOrPtrVectorTy()) {
      isOpen |= findPointerVariable(*load) != nullptr;
      hasPointersFromElsewhere |= isFromElsewhere(*load);
    }
    isOpen |= llvm::isa<llvm::IntToPtrInst>(inst) ||
              (call && (call->isIndirectCall() || call->isInlineAsm()));
    if (followsPointers && call && call->isIndirectCall())
      addCallees(*call);
    for (const llvm::Value *operand : inst.operands())
      if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
        visit(*constant);
  }

  /// A pointer to a function leads to one of its own type; other files may take
  /// the address of those that they can name.
  void addCallees(const llvm::CallBase &call) {
    if (!seenTypes.insert(call.getFunctionType()).second)
      return;
    for (const Function &function : *call.getModule())
      if (function.getFunctionType() == call.getFunctionType() &&
          (!function.hasLocalLinkage() || function.hasAddressTaken()))
        functions.insert(&function);
  }

  static bool holdsPointers(const llvm::Type *type) {
    return type->isPointerTy() || !type->isSized() ||
           llvm::any_of(type->subtypes(), holdsPointers);
  }

  void visit(const llvm::Constant &constant) {
    if (!seen.insert(&constant).second)
      return;
    if (const auto *function = llvm::dyn_cast<Function>(&constant)) {
      functions.insert(function);
      return;
    }
    // Tables hold addresses of others.
    const auto *variable = llvm::dyn_cast<GlobalVariable>(&constant);
    if (variable && !variable->isConstant()) {
      variables.insert(variable);
      isOpen |= holdsPointers(variable->getValueType());
      return;
    }
    for (const llvm::Use &operand : constant.operands())
      if (const auto *inner = llvm::dyn_cast<llvm::Constant>(operand.get()))
        visit(*inner);
  }

  bool followsPointers;
  llvm::SmallPtrSet<const llvm::FunctionType *, 8> seenTypes;
  llvm::SetVector<const Function *> functions;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
  bool hasPointersFromElsewhere = false;
};
} // namespace

VariableSet
op2::frontend::findVariables(llvm::ArrayRef<const Function *> kernels) {
  VariableWalk walk(kernels);
  walk.run();
  return std::move(walk.variables);
}

const GlobalVariable *op2::frontend::findThreadLocal(const Function &kernel) {
  VariableWalk walk(&kernel, /*followsPointers=*/true);
  walk.run();
  const auto *own = llvm::find_if(walk.variables, [](const auto *variable) {
    return isOfThread(*variable);
  });
  return own == walk.variables.end() ? nullptr : *own;
}

bool op2::frontend::mayReadAnything(const Function &kernel) {
  VariableWalk walk(&kernel);
  walk.run();
  return walk.isOpen;
}

int64_t op2::frontend::getExtent(const GlobalVariable &variable) {
  llvm::Type *type = variable.getValueType();
  if (!type->isSized())
    return OP2RT_UNKNOWN_BYTES;
  auto bytes = int64_t(variable.getDataLayout().getTypeAllocSize(type));
  bool mayBeLonger = variable.isDeclaration() && !type->isSingleValueType() &&
                     !type->isArrayTy();
  return bytes == 0 || mayBeLonger ? OP2RT_UNKNOWN_BYTES : bytes;
}

bool op2::frontend::mayLieIn(llvm::ArrayRef<const llvm::Value *> results,
                             const VariableSet &variables) {
  return llvm::any_of(results, [&](const llvm::Value *result) {
    if (const auto *variable = llvm::dyn_cast_or_null<GlobalVariable>(result))
      return variables.count(variable) != 0;
    return !llvm::isa_and_nonnull<llvm::AllocaInst>(result) &&
           !variables.empty();
  });
}

bool op2::frontend::isOfThread(const GlobalVariable &variable) {
  return variable.isThreadLocal() ||
         llvm::any_of(variable.uses(), [](const llvm::Use &use) {
           const auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
           const Function *callee = call ? call->getCalledFunction() : nullptr;
           return callee && use.getOperandNo() == 2 &&
                  callee->getName() == "__kmpc_threadprivate_cached";
         });
}
