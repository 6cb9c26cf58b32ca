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

LoopCalls::LoopCalls(llvm::Module &module, llvm::ArrayRef<CallSite> sites,
                     const FileLoops &loops)
    : sites(sites), loops(loops), stubs(::getStubs(sites)),
      otherFiles{findOutgoingCalls(module, sites, loops), {}},
      followed(findCallers()) {
  otherFiles.entries = findEntries(followed.getFunctions(), loops);
}

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

/// The functions that call loops, or what may run some.
llvm::SetVector<Function *> LoopCalls::findCallers() const {
  llvm::SetVector<Function *> callers;
  for (const CallSite &site : sites)
    for (CallBase *call : getCalls(site))
      callers.insert(call->getFunction());
  for (CallBase *call : otherFiles.calls)
    callers.insert(call->getFunction());
  return callers;
}

/// Whether results may still be missing where a function returns: none of them
/// may be in a variable of the function's, or of its callers', of which that is
/// not known.
static bool mayOutlive(llvm::ArrayRef<const llvm::Value *> results) {
  return llvm::all_of(results, [](const llvm::Value *result) {
    const auto *variable = llvm::dyn_cast_or_null<llvm::AllocaInst>(result);
    return llvm::isa_and_nonnull<llvm::GlobalVariable>(result) ||
           (variable && variable->isStaticAlloca() && getSize(*variable));
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

/// Goes along the paths of one pending loop.
class LoopCalls::Step {
public:
  Step(const LoopCalls &calls, IndependenceTest test, bool followsPointers,
       MeetFunction meet)
      : calls(calls), isIndependent(std::move(test)),
        variables(isIndependent.getVariables()),
        results(variables.findResults()), followsPointers(followsPointers),
        meet(meet) {}

  template <class Start> PendingReach run(Start &start, bool mayCross) {
    reach.mayCross = mayCross;
    calls.followed.walk(
        start, [&](Instruction &inst) { return goesOn(inst); },
        [&](const CallBase &next) {
          return isIndependent.copiesArguments(next);
        });
    return std::move(reach);
  }

  llvm::ArrayRef<const llvm::Value *> getResults() const { return results; }

private:
  bool goesOn(Instruction &inst) {
    if (calls.callsLoop(inst)) {
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
    if (mayLeave(inst)) {
      leave(inst, results, reach);
      return true;
    }
    if (mayCross(inst)) {
      reach.crossed.insert(llvm::cast<CallBase>(&inst));
      return true;
    }
    reach.stops.insert(&inst);
    return false;
  }

  bool mayLeave(const Instruction &inst) const {
    if (!llvm::isa<llvm::ReturnInst>(inst) || !mayOutlive(results))
      return false;
    const Function &function = *inst.getFunction();
    bool isExpected = !calls.followed.getCalls(function).empty() ||
                      (reach.mayCross && calls.otherFiles.isEntry(function));
    return isExpected && (!followsPointers || variables.arePrivate(function));
  }

  bool mayCross(const Instruction &inst) const {
    return reach.mayCross && calls.otherFiles.isCall(inst) &&
           isIndependent.copiesArguments(llvm::cast<CallBase>(inst));
  }

  const LoopCalls &calls;
  IndependenceTest isIndependent;
  const LocalVariables &variables;
  std::vector<const llvm::Value *> results;
  bool followsPointers;
  MeetFunction meet;
  PendingReach reach;
};

PendingReach LoopCalls::follow(CallBase &call, const CallSite &site,
                               LoopTraits traits, MeetFunction meet) const {
  Step step(*this, IndependenceTest(call, site, loops), traits.followsPointers,
            meet);
  return step.run(call, traits.mayCross &&
                            mayBePendingElsewhere(site, step.getResults()));
}

PendingReach LoopCalls::followOthers(CallBase &call, MeetFunction meet) const {
  return Step(*this, IndependenceTest(&call, loops), /*followsPointers=*/true,
              meet)
      .run(call, /*mayCross=*/true);
}

PendingReach LoopCalls::followOthers(Function &entry, MeetFunction meet) const {
  return Step(*this, IndependenceTest(nullptr, loops), /*followsPointers=*/true,
              meet)
      .run(entry, /*mayCross=*/true);
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
