//===- KernelVariables.cpp - Global variables that kernels read -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVariables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalVariable;

namespace {
/// Walks over all code and constants that kernels lead to.
class VariableWalk {
public:
  explicit VariableWalk(llvm::ArrayRef<const Function *> kernels) {
    functions.insert_range(kernels);
  }

  void run() {
    for (unsigned i = 0; i < functions.size(); ++i) {
      isOpen |= functions[i]->isDeclaration() && !functions[i]->isIntrinsic() &&
                !functions[i]->doesNotAccessMemory();
      for (const llvm::Instruction &inst : llvm::instructions(*functions[i]))
        visit(inst);
    }
  }

  VariableSet variables;
  /// There are pointers in variables, or functions without a body.
  bool isOpen = false;

private:
  void visit(const llvm::Instruction &inst) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    isOpen |= llvm::isa<llvm::IntToPtrInst>(inst) ||
              (call && (call->isIndirectCall() || call->isInlineAsm()));
    for (const llvm::Value *operand : inst.operands())
      if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
        visit(*constant);
  }

  /// Unions have the type of a member, and COMMON blocks are bytes.
  static bool holdsPointers(const llvm::Type *type) {
    constexpr uint64_t kPointerBytes = 8;
    const auto *record = llvm::dyn_cast<llvm::StructType>(type);
    return type->isPointerTy() || !type->isSized() ||
           (record && record->hasName() &&
            record->getName().starts_with("union.")) ||
           (type->isArrayTy() && type->getArrayElementType()->isIntegerTy(8) &&
            type->getArrayNumElements() >= kPointerBytes) ||
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

  llvm::SetVector<const Function *> functions;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
};
} // namespace

VariableSet
op2::frontend::findVariables(llvm::ArrayRef<const Function *> kernels) {
  VariableWalk walk(kernels);
  walk.run();
  return std::move(walk.variables);
}

bool op2::frontend::mayReadAnything(const Function &kernel) {
  VariableWalk walk(&kernel);
  walk.run();
  return walk.isOpen;
}

int64_t op2::frontend::getExtent(const GlobalVariable &variable) {
  // There are no addresses above 2^47.
  constexpr int64_t kUnknown = int64_t(1) << 47;
  llvm::Type *type = variable.getValueType();
  if (!type->isSized())
    return kUnknown;
  auto bytes = int64_t(variable.getDataLayout().getTypeAllocSize(type));
  bool mayBeLonger = variable.isDeclaration() && !type->isSingleValueType() &&
                     !type->isArrayTy();
  return bytes == 0 || mayBeLonger ? kUnknown : bytes;
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
