//===- DeviceKernels.cpp - Kernels for GPUs from host code ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceKernels.h"
#include "DeviceOutput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace op2::frontend;
using llvm::Attribute;
using llvm::Function;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// An attribute about what a function does; all others are about how the host
/// compiles it.
static bool isTrueEverywhere(Attribute attribute) {
  if (!attribute.hasKindAsEnum())
    return false;
  switch (attribute.getKindAsEnum()) {
  case Attribute::Memory:
  case Attribute::MustProgress:
  case Attribute::NoFree:
  case Attribute::NoReturn:
  case Attribute::NoSync:
  case Attribute::NoUnwind:
  case Attribute::Speculatable:
  case Attribute::WillReturn:
    return true;
  default:
    return false;
  }
}

static void dropHostAttributes(Function &function) {
  llvm::AttrBuilder kept(function.getContext());
  for (Attribute attribute : function.getAttributes().getFnAttrs())
    if (isTrueEverywhere(attribute))
      kept.addAttribute(attribute);
  function.setAttributes(function.getAttributes()
                             .removeFnAttributes(function.getContext())
                             .addFnAttributes(function.getContext(), kept));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool op2::frontend::isInstrumentation(const Function &callee) {
  static constexpr llvm::StringLiteral prefixes[] = {
      "__ubsan_handle_", "__asan_",      "__tsan_",         "__msan_",
      "__hwasan_",       "__sanitizer_", "__cyg_profile_",  "__llvm_profile_",
      "llvm.instrprof.", "mcount",       "llvm.pseudoprobe"};
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
    return callee.getName().starts_with(prefix);
  });
}

/// Intrinsics that change no result, or whose result may be "unknown", and that
/// a GPU does not have.
static bool isHint(const Function &callee) {
  switch (callee.getIntrinsicID()) {
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::var_annotation:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::sideeffect:
  case llvm::Intrinsic::objectsize:
  case llvm::Intrinsic::is_constant:
  case llvm::Intrinsic::expect_with_probability:
    return true;
  default:
    return false;
  }
}

/// A counter of --coverage.
static bool isCounter(const llvm::Value *place) {
  const auto *global =
      llvm::dyn_cast<llvm::GlobalVariable>(place->stripInBoundsOffsets());
  return global && global->getName().starts_with("__llvm_gcov");
}

static bool isHostOnly(const llvm::Instruction &inst) {
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&inst)) {
    const Function *callee = call->getCalledFunction();
    return callee && (isInstrumentation(*callee) || isHint(*callee));
  }
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    return isCounter(store->getPointerOperand());
  if (const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst))
    return isCounter(atomic->getPointerOperand());
  return false;
}

/// A BLOCK of Fortran remembers where the stack ends. Nothing has to be done
/// where that is one place.
static bool isMarkOfStack(const llvm::Instruction &inst) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  return call && (call->getIntrinsicID() == llvm::Intrinsic::stacksave ||
                  call->getIntrinsicID() == llvm::Intrinsic::stackrestore);
}

static bool growsStack(const llvm::Instruction &inst) {
  const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&inst);
  return alloca && !alloca->isStaticAlloca();
}

/// Clang marks loops at -O0 not to be unrolled: arrays of a thread would
/// have to stay in memory.
static void allowUnrolling(llvm::Instruction &inst) {
  llvm::MDNode *loop = inst.getMetadata(llvm::LLVMContext::MD_loop);
  if (!loop)
    return;
  for (const llvm::MDOperand &operand : llvm::drop_begin(loop->operands())) {
    const auto *node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    const auto *name =
        node && node->getNumOperands()
            ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0).get())
            : nullptr;
    if (name && name->getString() == "llvm.loop.unroll.disable") {
      inst.setMetadata(llvm::LLVMContext::MD_loop, nullptr);
      return;
    }
  }
}

/// What may stand for an instruction that a GPU does not have; poison if nobody
/// needs its result.
static llvm::Value *getReplacement(const llvm::Instruction &inst) {
  const auto *hint = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  switch (hint ? hint->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::objectsize:
    // Sanitizers ask for the least or the greatest that is possible.
    return llvm::cast<llvm::ConstantInt>(hint->getArgOperand(1))->isOne()
               ? llvm::Constant::getNullValue(inst.getType())
               : llvm::Constant::getAllOnesValue(inst.getType());
  case llvm::Intrinsic::is_constant:
    return llvm::Constant::getNullValue(inst.getType());
  case llvm::Intrinsic::expect_with_probability:
    return hint->getArgOperand(0);
  default:
    return llvm::PoisonValue::get(inst.getType());
  }
}

static void stripFunction(Function &function) {
  dropHostAttributes(function);
  bool keepsMarks = llvm::any_of(llvm::instructions(function), growsStack);
  for (llvm::Instruction &inst :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    allowUnrolling(inst);
    // Loops have a place, too, with its scope.
    llvm::updateLoopMetadataDebugLocations(
        inst, [](llvm::Metadata *node) -> llvm::Metadata * {
          return llvm::isa<llvm::DILocation>(node) ? nullptr : node;
        });
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst))
      call->removeFnAttr(Attribute::NoInline);
    if (!isHostOnly(inst) && (keepsMarks || !isMarkOfStack(inst)))
      continue;
    if (!inst.getType()->isVoidTy())
      inst.replaceAllUsesWith(getReplacement(inst));
    inst.eraseFromParent();
  }
}

void op2::frontend::stripHostCode(llvm::Module &clone,
                                  llvm::ArrayRef<Function *> kernels) {
  // Lines are for people; see dropScopes.
  llvm::stripNonLineTableDebugInfo(clone);
  for (Function &function : clone) {
    if (function.isIntrinsic())
      continue;
    if (function.isDeclaration()) {
      dropHostAttributes(function);
      continue;
    }
    stripFunction(function);
    bool isKernel = llvm::is_contained(kernels, &function);
    function.setLinkage(isKernel ? llvm::GlobalValue::ExternalLinkage
                                 : llvm::GlobalValue::InternalLinkage);
    function.setPersonalityFn(nullptr);
    if (!isKernel)
      function.addFnAttr(Attribute::AlwaysInline);
  }
  for (llvm::GlobalVariable &variable : clone.globals()) {
    if (!variable.isDeclaration())
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    else
      // A constant whose value is elsewhere: the host passes it at run time.
      variable.setConstant(false);
  }
  mapOutput(clone);
}
