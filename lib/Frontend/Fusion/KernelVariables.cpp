//===- KernelVariables.cpp - What kernels read by its name -*- C++ -*-===//
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

  VariableSet run() {
    for (unsigned i = 0; i < functions.size(); ++i)
      for (const llvm::Instruction &inst : llvm::instructions(*functions[i]))
        for (const llvm::Value *operand : inst.operands())
          if (const auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
            visit(*constant);
    return std::move(variables);
  }

private:
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
      return;
    }
    for (const llvm::Use &operand : constant.operands())
      if (const auto *inner = llvm::dyn_cast<llvm::Constant>(operand.get()))
        visit(*inner);
  }

  llvm::SetVector<const Function *> functions;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
  VariableSet variables;
};
} // namespace

VariableSet
op2::frontend::findVariables(llvm::ArrayRef<const Function *> kernels) {
  return VariableWalk(kernels).run();
}

int64_t op2::frontend::getExtent(const GlobalVariable &variable) {
  // Nobody has addresses above 2^47.
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
