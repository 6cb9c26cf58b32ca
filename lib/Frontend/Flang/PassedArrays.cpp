//===- PassedArrays.cpp - Arrays that are passed to op_arg_gbl ------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an assumed-shape array, a pointer or a section flang makes
//
//     asks:   contiguous = _FortranAIsContiguous(array)
//             br contiguous, passes, copies
//     copies: _FortranACopyInAssign(...); br passes
//     passes: of = phi [array, asks], [copy, copies]
//             op_arg_gbl(address in of, ...)
//             br contiguous == false, copiesBack, goesOn
//     copiesBack: _FortranACopyOutAssign(...); br goesOn
//
// and op_arg_gbl, which keeps the address, is left with memory that is free.
//
//===----------------------------------------------------------------------===//

#include "PassedArrays.h"
#include "FortranSymbols.h"
#include "PassedValues.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace op2::frontend;
using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::CallBase;
using llvm::Value;

static constexpr llvm::StringLiteral kIsContiguous = "_FortranAIsContiguous",
                                     kRequireContiguous =
                                         "op2rt_require_contiguous";

static bool calls(const BasicBlock &block, llvm::StringRef name) {
  return llvm::any_of(block, [&](const llvm::Instruction &inst) {
    const auto *call = llvm::dyn_cast<CallBase>(&inst);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == name;
  });
}

namespace {
/// See above.
struct CopiedArray {
  CallBase *contiguous;
  llvm::PHINode *of;
  BranchInst *asks, *asksAgain;
};
} // namespace

static std::optional<CopiedArray> findCopiedArray(CallBase &maker,
                                                  unsigned data) {
  using namespace llvm::PatternMatch;
  auto *address = llvm::dyn_cast<llvm::LoadInst>(getPassed(maker, data));
  if (!address)
    return std::nullopt;
  BasicBlock *passes = maker.getParent();
  auto *of = llvm::dyn_cast<llvm::PHINode>(
      address->getPointerOperand()->stripPointerCasts());
  auto *asksAgain = llvm::dyn_cast<BranchInst>(passes->getTerminator());
  Value *contiguous = nullptr;
  if (!of || of->getParent() != passes || of->getNumIncomingValues() != 2 ||
      !asksAgain || !asksAgain->isConditional() ||
      !match(asksAgain->getCondition(),
             m_SpecificICmp(llvm::CmpInst::ICMP_EQ, m_Value(contiguous),
                            m_Zero())) ||
      !calls(*asksAgain->getSuccessor(0), "_FortranACopyOutAssign"))
    return std::nullopt;
  auto *call = llvm::dyn_cast<CallBase>(contiguous);
  if (!call || !call->getCalledFunction() ||
      call->getCalledFunction()->getName() != kIsContiguous)
    return std::nullopt;
  auto *asks = llvm::dyn_cast<BranchInst>(call->getParent()->getTerminator());
  if (!asks || !asks->isConditional() || asks->getCondition() != call ||
      asks->getSuccessor(0) != passes ||
      asks->getSuccessor(1)->getSinglePredecessor() != asks->getParent() ||
      asks->getSuccessor(1)->getSingleSuccessor() != passes ||
      asksAgain->getSuccessor(0)->getSinglePredecessor() != passes)
    return std::nullopt;
  return CopiedArray{call, of, asks, asksAgain};
}

/// The branch goes one way only; the block of the other one goes.
static void takeWay(BranchInst *branch, unsigned way) {
  BasicBlock *taken = branch->getSuccessor(way);
  BasicBlock *other = branch->getSuccessor(1 - way);
  llvm::IRBuilder<>(branch).CreateBr(taken);
  branch->eraseFromParent();
  llvm::DeleteDeadBlock(other);
  llvm::MergeBlockIntoPredecessor(taken);
}

void op2::frontend::requireContiguous(CallBase &maker, llvm::StringRef place) {
  FortranMaker form = *getMaker(*maker.getCalledFunction());
  if (!form.getData())
    return;
  std::optional<CopiedArray> array = findCopiedArray(maker, form.getData());
  if (!array)
    return;
  llvm::IRBuilder<> builder(&maker);
  llvm::Type *int32 = builder.getInt32Ty();
  Value *active = builder.getInt32(1);
  if (unsigned flag = form.getFlag())
    active = builder.CreateLoad(int32, getPassed(maker, flag));
  builder.CreateCall(maker.getModule()->getOrInsertFunction(
                         kRequireContiguous, builder.getVoidTy(), int32, int32,
                         builder.getPtrTy()),
                     {active, builder.CreateZExt(array->contiguous, int32),
                      builder.CreateGlobalString(place, "op2.place")});
  takeWay(array->asksAgain, 1);
  takeWay(array->asks, 0);
}

bool op2::frontend::isContiguityCheck(const llvm::Function &function) {
  return function.getName() == kIsContiguous ||
         function.getName() == kRequireContiguous;
}
