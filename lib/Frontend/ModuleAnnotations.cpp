//===- ModuleAnnotations.cpp - OP2's functions in LLVM IR -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleAnnotations.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;

llvm::StringRef op2::frontend::getConstantText(const llvm::Value &value) {
  const auto *text =
      llvm::dyn_cast<llvm::GlobalVariable>(value.stripPointerCasts());
  const auto *data =
      text && text->hasInitializer()
          ? llvm::dyn_cast<llvm::ConstantDataArray>(text->getInitializer())
          : nullptr;
  return data && data->isCString() ? data->getAsCString() : llvm::StringRef();
}

/// The text of an entry of llvm.global.annotations.
static llvm::StringRef getAnnotation(const llvm::Value *entry) {
  const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
  return fields ? getConstantText(*fields->getOperand(1)) : llvm::StringRef();
}

std::vector<llvm::Function *>
op2::frontend::findTemplates(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 8> templates;
  llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  if (!list || !list->hasInitializer())
    return {};
  for (llvm::Value *operand : list->getInitializer()->operands())
    if (getAnnotation(operand) == "op2.par_loop")
      if (auto *function = llvm::dyn_cast<llvm::Function>(
              llvm::cast<llvm::ConstantStruct>(operand)
                  ->getOperand(0)
                  ->stripPointerCasts()))
        templates.insert(function);
  return {templates.begin(), templates.end()};
}

void op2::frontend::dropAnnotations(llvm::Module &module) {
  llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  auto *entries =
      list && list->hasInitializer()
          ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())
          : nullptr;
  if (!entries)
    return;
  std::vector<llvm::Constant *> kept;
  for (llvm::Value *entry : entries->operand_values())
    if (!getAnnotation(entry).starts_with("op2."))
      kept.push_back(llvm::cast<llvm::Constant>(entry));
  if (!kept.empty()) {
    auto *type = llvm::ArrayType::get(kept.front()->getType(), kept.size());
    auto *shorter = new llvm::GlobalVariable(
        module, type, list->isConstant(), list->getLinkage(),
        llvm::ConstantArray::get(type, kept));
    shorter->setSection(list->getSection());
    shorter->takeName(list);
  }
  list->eraseFromParent();
}
