//===- PointerChecks.cpp - UBSan's checks of pointers -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerChecks.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::BasicBlock;

/// Numbers of -fsanitize-trap: Clang's SanitizerHandler, an ABI.
static constexpr uint64_t kPointerOverflow = 19, kTypeMismatch = 22;

static bool reportsPointer(const llvm::CallInst &call) {
  if (const auto *trap = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (trap->getIntrinsicID() != llvm::Intrinsic::ubsantrap)
      return false;
    uint64_t kind =
        llvm::cast<llvm::ConstantInt>(trap->getArgOperand(0))->getZExtValue();
    return kind == kPointerOverflow || kind == kTypeMismatch;
  }
  const llvm::Function *callee = call.getCalledFunction();
  return callee &&
         (callee->getName().starts_with("__ubsan_handle_type_mismatch") ||
          callee->getName().starts_with("__ubsan_handle_pointer_overflow"));
}

static bool reportsPointer(const BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &inst) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
    return call && reportsPointer(*call);
  });
}

/// A branch to a report goes the other way in any case.
static void skipReports(llvm::BranchInst &branch) {
  if (!branch.isConditional())
    return;
  for (unsigned way : {0, 1}) {
    BasicBlock *report = branch.getSuccessor(way);
    BasicBlock *other = branch.getSuccessor(1 - way);
    if (report == other || !reportsPointer(*report))
      continue;
    report->removePredecessor(branch.getParent());
    llvm::BranchInst::Create(other, branch.getIterator());
    branch.eraseFromParent();
    return;
  }
}

void op2::frontend::dropPointerChecks(llvm::Module &clone) {
  for (llvm::Function &function : clone)
    for (BasicBlock &block : function)
      if (auto *branch =
              llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator()))
        skipReports(*branch);
}
