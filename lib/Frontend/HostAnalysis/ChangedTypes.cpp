//===- ChangedTypes.cpp - Type-based aliasing of loops --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangedTypes.h"
#include "Device/DeviceKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <set>

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
  case ElementType::I16:
  case ElementType::U16:
    return {"short"};
  case ElementType::I8:
  case ElementType::U8:
    return {};
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

/// The type that an instruction stores; empty if it is unknown.
static StringRef getStoredType(const Instruction &inst) {
  const llvm::MDNode *tag = inst.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!llvm::isa<llvm::StoreInst>(inst) || !tag || tag->getNumOperands() < 3)
    return "";
  StringRef name = getTypeName(tag->getOperand(1));
  return isPlainType(name) ? name : "";
}

namespace {

/// Collects the types of what a kernel stores where it is not its own.
class StoreWalk {
public:
  explicit StoreWalk(ChangedTypes &types) : types(types) {}

  /// `locals` are the arguments that point to variables of the kernel or of a
  /// function that it called.
  void walk(const llvm::Function &function, const std::vector<bool> &locals) {
    if (!walked.insert({&function, locals}).second)
      return;
    for (const Instruction &inst : llvm::instructions(function)) {
      if (!inst.mayWriteToMemory())
        continue;
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
        visitCall(*call, locals);
      else
        visitStore(inst, locals);
    }
  }

private:
  static bool isLocal(const llvm::Value *pointer,
                      const std::vector<bool> &locals) {
    const llvm::Value *object = llvm::getUnderlyingObject(pointer);
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(object))
      return locals[argument->getArgNo()];
    return llvm::isa<llvm::AllocaInst>(object);
  }

  void visitStore(const Instruction &inst, const std::vector<bool> &locals) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&inst);
    if (pointer && isLocal(pointer, locals))
      return;
    StringRef type = getStoredType(inst);
    if (type.empty())
      types.any = true;
    else
      types.names.insert(type.str());
  }

  /// A function out of sight may have the address of a row from anywhere,
  /// unless it leaves alone what its arguments do not point to: llvm.memcpy,
  /// llvm.lifetime.start.
  void visitCall(const llvm::CallBase &call, const std::vector<bool> &locals) {
    const llvm::Function *callee = call.getCalledFunction();
    if (callee && isInstrumentation(*callee))
      return;
    if (callee && !callee->isDeclaration() && !callee->isInterposable() &&
        !callee->isVarArg()) {
      std::vector<bool> passed;
      for (const llvm::Use &argument : call.args())
        passed.push_back(isLocal(argument, locals));
      walk(*callee, passed);
      return;
    }
    types.any |=
        !call.onlyAccessesInaccessibleMemOrArgMem() ||
        llvm::any_of(call.args(), [&](const llvm::Use &argument) {
          return argument->getType()->isPointerTy() &&
                 !isLocal(argument, locals) &&
                 !call.onlyReadsMemory(call.getArgOperandNo(&argument));
        });
  }

  ChangedTypes &types;
  std::set<std::pair<const llvm::Function *, std::vector<bool>>> walked;
};

} // namespace

const ChangedTypes &op2::frontend::getTypesOfOtherFiles() {
  static const ChangedTypes types = {/*any=*/false, {"double", "float"}};
  return types;
}

bool op2::frontend::changesOnly(const ChangedTypes &changed,
                                const ChangedTypes &types) {
  return !changed.any && llvm::all_of(changed.names, [&](const auto &name) {
    return types.names.count(name) != 0;
  });
}

ChangedTypes op2::frontend::findChangedTypes(const LoopDescription &loop,
                                             const llvm::Function &kernel) {
  ChangedTypes types;
  types.any = false;
  for (const ArgDescription &arg : loop.args) {
    if (arg.access == Access::Read)
      continue;
    // Bytes may be part of anything.
    types.any |= arg.hasOtherTypes || arg.type == ElementType::I8 ||
                 arg.type == ElementType::U8;
    for (const char *name : getTypeNames(arg.type))
      types.names.insert(name);
  }
  StoreWalk(types).walk(kernel, std::vector<bool>(kernel.arg_size(), false));
  return types;
}
