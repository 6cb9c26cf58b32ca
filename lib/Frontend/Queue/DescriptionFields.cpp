//===- DescriptionFields.cpp - Fields of loops' descriptions --------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescriptionFields.h"
#include "OP2/Conversion/Passes.h"
#include "OP2/Runtime/op2rt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::Constant;
using llvm::GlobalVariable;

/// Behind the four fields of 32 bits there are only fields of 64.
static constexpr size_t offsetOf(DescriptionField field) {
  return size_t(field) * 8 - 4 * 4;
}
static_assert(
    offsetof(op2rt_loop_desc, run) == offsetOf(DescriptionField::Run) &&
    offsetof(op2rt_loop_desc, variables) ==
        offsetOf(DescriptionField::Variables) &&
    offsetof(op2rt_loop_desc, nvariables) ==
        offsetOf(DescriptionField::NumVariables) &&
    offsetof(op2rt_loop_desc, pointers) ==
        offsetOf(DescriptionField::Pointers) &&
    offsetof(op2rt_loop_desc, npointers) ==
        offsetOf(DescriptionField::NumPointers) &&
    offsetof(op2rt_loop_desc, fusions) == offsetOf(DescriptionField::Fusions) &&
    offsetof(op2rt_loop_desc, site) == offsetOf(DescriptionField::Site) &&
    sizeof(op2rt_loop_desc) == offsetof(op2rt_loop_desc, site) + 8);

Constant *op2::frontend::getDescriptionField(const GlobalVariable &description,
                                             DescriptionField field) {
  return description.getInitializer()->getAggregateElement(unsigned(field));
}

void op2::frontend::setDescriptionField(GlobalVariable &description,
                                        DescriptionField field,
                                        Constant *value) {
  auto *type = llvm::cast<llvm::StructType>(description.getValueType());
  llvm::SmallVector<Constant *> fields;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    fields.push_back(description.getInitializer()->getAggregateElement(i));
  fields[unsigned(field)] = value;
  description.setInitializer(llvm::ConstantStruct::get(type, fields));
}

/// Whether the runtime may run the loop of a description.
static bool isRunLater(const GlobalVariable &description) {
  return llvm::any_of(description.users(), [](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    bool isOffered = callee && callee->getName() == "op2rt_enqueue";
    return isOffered || llvm::isa<Constant>(user); // an op2rt_fusion
  });
}

void op2::frontend::dropUnusedRunFunctions(llvm::Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.hasInitializer() ||
        !variable.getName().starts_with(mlir::op2::kLoopDescriptionPrefix) ||
        isRunLater(variable))
      continue;
    auto *run = llvm::dyn_cast<llvm::Function>(
        getDescriptionField(variable, DescriptionField::Run));
    if (!run)
      continue;
    setDescriptionField(variable, DescriptionField::Run,
                        llvm::ConstantPointerNull::get(llvm::PointerType::get(
                            module.getContext(), /*AddressSpace=*/0)));
    run->removeDeadConstantUsers();
    if (run->use_empty())
      run->eraseFromParent();
  }
}

GlobalVariable *op2::frontend::createConstant(Constant &value,
                                              llvm::Module &module) {
  return new GlobalVariable(module, value.getType(), /*isConstant=*/true,
                            GlobalVariable::InternalLinkage, &value,
                            "op2.constant");
}

GlobalVariable *op2::frontend::createTable(llvm::ArrayRef<Constant *> entries,
                                           llvm::Module &module) {
  auto *type = llvm::ArrayType::get(entries.front()->getType(), entries.size());
  return createConstant(*llvm::ConstantArray::get(type, entries), module);
}
