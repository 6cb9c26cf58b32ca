//===- ChangedTypes.cpp - What type-based aliasing knows of a loop -*- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangedTypes.h"
#include "Device/DeviceKernels.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Instruction;
using llvm::StringRef;

static std::vector<const char *> getTypeNames(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return {"double"};
  case ElementType::F32:
    return {"float"};
  case ElementType::I32:
  case ElementType::U32:
    return {"int", "long"};
  case ElementType::I64:
  case ElementType::U64:
    return {"long", "long long"};
  case ElementType::Bool:
    return {"bool"};
  }
  return {};
}

StringRef op2::frontend::getTypeName(const llvm::MDOperand &operand) {
  const auto *node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
  if (!node || node->getNumOperands() == 0)
    return "";
  const auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
  return name ? name->getString() : "";
}

/// Types that no other type is derived from.
static bool isPlainType(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"double", "float", "short", "int", "long", "long long", "bool"},
             true)
      .Default(false);
}

/// The type that an instruction stores; empty if it is not known.
static StringRef getStoredType(const Instruction &inst) {
  const llvm::MDNode *tag = inst.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!llvm::isa<llvm::StoreInst>(inst) || !tag || tag->getNumOperands() < 3)
    return "";
  StringRef name = getTypeName(tag->getOperand(1));
  return isPlainType(name) ? name : "";
}

static bool isLocal(const llvm::Value *pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

/// Whether an instruction may store to what is not the kernel's own. A function
/// that gets no address knows none of a row; that of a local variable may lead
/// to one.
static bool mayStore(const Instruction &inst) {
  if (!inst.mayWriteToMemory())
    return false;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return !isLocal(store->getPointerOperand());
  if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst))
    return !isLocal(memory->getRawDest());
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
  if (call && call->getCalledFunction() &&
      isInstrumentation(*call->getCalledFunction()))
    return false;
  return !call || llvm::any_of(call->args(), [](const llvm::Use &argument) {
    return argument->getType()->isPointerTy();
  });
}

ChangedTypes op2::frontend::findChangedTypes(const LoopDescription &loop,
                                             const llvm::Function &kernel) {
  ChangedTypes types;
  types.any = false;
  for (const ArgDescription &arg : loop.args) {
    if (arg.access == Access::Read)
      continue;
    types.any |= arg.hasOtherTypes;
    for (const char *name : getTypeNames(arg.type))
      types.names.insert(name);
  }
  for (const Instruction &inst : llvm::instructions(kernel))
    if (mayStore(inst)) {
      StringRef type = getStoredType(inst);
      if (type.empty())
        types.any = true;
      else
        types.names.insert(type.str());
    }
  return types;
}
