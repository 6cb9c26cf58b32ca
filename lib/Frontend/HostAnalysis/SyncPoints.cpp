//===- SyncPoints.cpp - Synchronization points of the program ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyncPoints.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace op2::frontend;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;

/// The loops of a function's control flow.
struct SyncPoints::FlowLoops {
  explicit FlowLoops(Function &function) : tree(function), info(tree) {}
  llvm::DominatorTree tree;
  llvm::LoopInfo info;
};

SyncPoints::SyncPoints(llvm::ArrayRef<CallSite> sites) {
  for (const CallSite &site : sites)
    loopFunctions.insert(site.stub);
}

SyncPoints::~SyncPoints() = default;

bool SyncPoints::runsLoops(const Instruction &inst) const {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
  return call && (loopFunctions.count(call->getCalledFunction()) ||
                  callers.count(call->getCalledFunction()));
}

/// The ways into a loop; none if something cannot be put on one of them.
static std::vector<SyncPoint> findEntries(const llvm::Loop &around) {
  std::vector<SyncPoint> entries;
  BasicBlock *header = around.getHeader();
  for (BasicBlock *before : llvm::predecessors(header)) {
    if (around.contains(before))
      continue;
    Instruction *end = before->getTerminator();
    if (header->isEHPad() ||
        !llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::InvokeInst>(end) ||
        llvm::count(llvm::successors(before), header) != 1)
      return {};
    entries.push_back({end, header});
  }
  return entries;
}

std::vector<SyncPoint> SyncPoints::find(const Instruction *start,
                                        Instruction &stop) {
  std::unique_ptr<FlowLoops> &flow = flows[stop.getFunction()];
  if (!flow)
    flow = std::make_unique<FlowLoops>(*stop.getFunction());
  auto mayPass = [&](const llvm::Loop &around) {
    return llvm::none_of(around.blocks(), [&](const BasicBlock *block) {
      return llvm::any_of(
          *block, [&](const Instruction &inst) { return runsLoops(inst); });
    });
  };
  std::vector<SyncPoint> places{{&stop, nullptr}};
  for (llvm::Loop *around = flow->info.getLoopFor(stop.getParent());
       around && mayPass(*around) &&
       !(start && around->contains(start->getParent()));
       around = around->getParentLoop()) {
    std::vector<SyncPoint> entries = findEntries(*around);
    if (entries.empty())
      break;
    places = std::move(entries);
  }
  return places;
}

Instruction *op2::frontend::insertTest(const SyncPoint &place, bool isShared) {
  auto [before, into] = place;
  llvm::DebugLoc location = before->getDebugLoc();
  if (into)
    before = llvm::SplitEdge(before->getParent(), into)->getTerminator();
  llvm::IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(location);
  llvm::Constant *variable = before->getModule()->getOrInsertGlobal(
      "op2rt_pending", builder.getInt32Ty());
  llvm::LoadInst *count = builder.CreateLoad(builder.getInt32Ty(), variable);
  if (isShared)
    count->setAtomic(llvm::AtomicOrdering::Unordered);
  llvm::Value *isPositive = builder.CreateIsNotNull(count);
  llvm::MDNode *isRare =
      llvm::MDBuilder(before->getContext()).createUnlikelyBranchWeights();
  Instruction *then = llvm::SplitBlockAndInsertIfThen(
      isPositive, before->getIterator(), /*Unreachable=*/false, isRare);
  then->setDebugLoc(location);
  return then;
}
