//===- PendingPaths.cpp - Paths on which a loop is pending ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingPaths.h"
#include "OP2/Analysis/SourceName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace op2::frontend;
using llvm::Instruction;

namespace {
class PathWalk {
public:
  void run(Instruction &start, llvm::function_ref<bool(Instruction &)> visit) {
    if (start.isTerminator())
      pushSuccessors(start);
    else
      follow(start.getNextNode(), visit);
    followBlocks(visit);
  }

  void run(llvm::Function &function,
           llvm::function_ref<bool(Instruction &)> visit) {
    blocks.push_back(&function.getEntryBlock());
    followBlocks(visit);
  }

private:
  void followBlocks(llvm::function_ref<bool(Instruction &)> visit) {
    while (!blocks.empty())
      follow(&blocks.pop_back_val()->front(), visit);
  }

  void follow(Instruction *inst,
              llvm::function_ref<bool(Instruction &)> visit) {
    for (; inst; inst = inst->getNextNode()) {
      if (!visit(*inst))
        return;
      if (inst->isTerminator())
        pushSuccessors(*inst);
    }
  }

  void pushSuccessors(Instruction &terminator) {
    for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
      if (seen.insert(terminator.getSuccessor(i)).second)
        blocks.push_back(terminator.getSuccessor(i));
  }

  llvm::SmallVector<llvm::BasicBlock *> blocks;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
};
} // namespace

void op2::frontend::walkPaths(Instruction &start,
                              llvm::function_ref<bool(Instruction &)> visit) {
  PathWalk().run(start, visit);
}

void op2::frontend::walkPaths(llvm::Function &function,
                              llvm::function_ref<bool(Instruction &)> visit) {
  PathWalk().run(function, visit);
}

bool op2::frontend::pathsAreKnown(const llvm::Function &function) {
  return !function.hasOptNone() && !function.isPresplitCoroutine() &&
         !function.callsFunctionThatReturnsTwice() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) &&
         llvm::none_of(function, [](const llvm::BasicBlock &block) {
           return block.isEHPad() && !block.isLandingPad();
         });
}

std::string op2::frontend::describeFunction(const llvm::Function &function) {
  return "'" + mlir::op2::getSourceName(function.getName()) + "'";
}

static std::string describeAction(const Instruction &inst) {
  if (llvm::isa<llvm::LifetimeIntrinsic>(inst))
    return "a variable begins or ends";
  if (llvm::isa<llvm::MemTransferInst>(inst))
    return "memory is copied";
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      return "a function is called";
    return describeFunction(*callee) + " is called";
  }
  if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(inst))
    return "the function ends";
  if (inst.mayWriteToMemory())
    return "memory is written";
  return inst.mayReadFromMemory() ? "memory is read"
                                  : "the program goes another way";
}

std::string op2::frontend::describePlace(const Instruction &inst) {
  const llvm::DebugLoc &place = inst.getDebugLoc();
  if (!place || !place.getLine())
    return "";
  return " (" + llvm::sys::path::filename(place->getFilename()).str() + ":" +
         std::to_string(place.getLine()) + ")";
}

std::string op2::frontend::describeStop(const Instruction &inst) {
  return describeAction(inst) + describePlace(inst);
}

std::string op2::frontend::describeStops(
    llvm::ArrayRef<Instruction *> stops,
    llvm::function_ref<std::string(const Instruction &)> describe) {
  std::vector<std::string> texts;
  for (const Instruction *stop : stops)
    if (std::string text = describe(*stop); !llvm::is_contained(texts, text))
      texts.push_back(text);
  return llvm::join(texts, ", ");
}
