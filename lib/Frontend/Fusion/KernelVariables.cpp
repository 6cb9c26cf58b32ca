//===- KernelVariables.cpp - What kernels read by its name -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVariables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace op2::frontend;
using llvm::Function;
using llvm::GlobalVariable;

static void addVariables(const llvm::Value *value, VariableSet &variables) {
  if (const auto *variable = llvm::dyn_cast<GlobalVariable>(value)) {
    if (!variable->isConstant())
      variables.insert(variable);
    return;
  }
  if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(value))
    for (const llvm::Value *operand : expression->operands())
      addVariables(operand, variables);
}

VariableSet
op2::frontend::findVariables(llvm::ArrayRef<const Function *> kernels) {
  VariableSet variables;
  llvm::SetVector<const Function *> reached;
  reached.insert_range(kernels);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (const llvm::Instruction &inst : llvm::instructions(*reached[i]))
      for (const llvm::Value *operand : inst.operands()) {
        addVariables(operand, variables);
        if (const auto *callee = llvm::dyn_cast<Function>(operand))
          reached.insert(callee);
      }
  return variables;
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
