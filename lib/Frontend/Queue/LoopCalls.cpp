//===- LoopCalls.cpp - Calls of loops, and what comes behind them ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopCalls.h"
#include "HostAnalysis/Interference.h"
#include "HostAnalysis/PendingPaths.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

static std::set<const Function *> getStubs(llvm::ArrayRef<CallSite> sites) {
  std::set<const Function *> stubs;
  for (const CallSite &site : sites)
    stubs.insert(site.stub);
  return stubs;
}

LoopCalls::LoopCalls(llvm::ArrayRef<CallSite> sites, const FileLoops &loops)
    : sites(sites), loops(loops), stubs(::getStubs(sites)),
      followed(findCallers()) {}

std::vector<CallBase *> LoopCalls::getCalls(const CallSite &site) const {
  std::vector<CallBase *> found;
  for (llvm::User *user : site.stub->users())
    if (auto *call = llvm::dyn_cast<CallBase>(user);
        call && call->getCalledFunction() == site.stub &&
        pathsAreKnown(*call->getFunction()))
      found.push_back(call);
  return found;
}

bool LoopCalls::callsLoop(const Instruction &inst) const {
  const auto *call = llvm::dyn_cast<CallBase>(&inst);
  return call && stubs.count(call->getCalledFunction());
}

/// The functions that call loops.
llvm::SetVector<Function *> LoopCalls::findCallers() const {
  llvm::SetVector<Function *> callers;
  for (const CallSite &site : sites)
    for (CallBase *call : getCalls(site))
      callers.insert(call->getFunction());
  return callers;
}

/// Whether a loop with these results may be pending where a function returns.
/// None of them may be in a variable of the function's, or of its callers', of
/// which that is not known.
static bool mayLeave(const Instruction &inst, const FollowedCalls &followed,
                     llvm::ArrayRef<const llvm::Value *> results) {
  return llvm::isa<llvm::ReturnInst>(inst) &&
         !followed.getCalls(*inst.getFunction()).empty() &&
         llvm::all_of(results, [](const llvm::Value *result) {
           const auto *variable =
               llvm::dyn_cast_or_null<llvm::AllocaInst>(result);
           return llvm::isa_and_nonnull<llvm::GlobalVariable>(result) ||
                  (variable && variable->isStaticAlloca() &&
                   getSize(*variable));
         });
}

/// With a function its variables end.
static void leave(Instruction &end, llvm::ArrayRef<const llvm::Value *> results,
                  PendingReach &reach) {
  reach.left.insert(end.getFunction());
  for (const llvm::Value *result : results)
    if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(result);
        variable && variable->getFunction() == end.getFunction())
      reach.drops.insert({{&end, const_cast<llvm::AllocaInst *>(variable)},
                          *getSize(*variable)});
}

PendingReach LoopCalls::follow(
    CallBase &call, const CallSite &site, bool followsPointers,
    llvm::function_ref<Meeting(CallBase &, llvm::ArrayRef<const llvm::Value *>)>
        meet) const {
  IndependenceTest isIndependent(call, site, loops);
  const LocalVariables &variables = isIndependent.getVariables();
  std::vector<const llvm::Value *> results = variables.findResults();
  PendingReach reach;
  auto visit = [&](Instruction &inst) {
    if (callsLoop(inst)) {
      Meeting meeting = meet(llvm::cast<CallBase>(inst), results);
      if (meeting == Meeting::Stops)
        reach.stops.insert(&inst);
      return meeting == Meeting::Passes;
    }
    if (isIndependent(inst)) {
      if (std::optional<Overwritten> dropped = variables.getDropped(inst))
        reach.drops.insert({{&inst, dropped->pointer}, *dropped->bytes});
      return true;
    }
    if (mayLeave(inst, followed, results) &&
        (!followsPointers || variables.arePrivate(*inst.getFunction()))) {
      leave(inst, results, reach);
      return true;
    }
    reach.stops.insert(&inst);
    return false;
  };
  followed.walk(call, visit, [&](const CallBase &next) {
    return isIndependent.copiesArguments(next);
  });
  return reach;
}

llvm::SetVector<CallBase *> LoopCalls::findNext(Instruction &inst) const {
  llvm::SetVector<CallBase *> next;
  auto visit = [&](Instruction &other) {
    if (!callsLoop(other))
      return true;
    next.insert(llvm::cast<CallBase>(&other));
    return false;
  };
  followed.walk(inst, visit, [](const CallBase &) { return true; });
  return next;
}
