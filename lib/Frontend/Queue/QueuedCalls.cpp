//===- QueuedCalls.cpp - Calls of loops that may be delayed ---------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is pending if op2rt_may_enqueue was called for it; then
// op2rt_flush must stand on every path before whatever might look at what
// the loop does, or change what it uses. See docs/design/queue.md.
//
//===----------------------------------------------------------------------===//

#include "QueuedCalls.h"
#include "HostAnalysis/KernelVariables.h"
#include "HostAnalysis/PendingPaths.h"
#include "HostAnalysis/SyncPoints.h"
#include "LoopCalls.h"
#include "QueueOffer.h"
#include "SourcePlace.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

namespace {
/// A call that may be pending, and what comes behind it.
struct PendingCall {
  const QueuedLoop *loop;
  llvm::SetVector<CallBase *> next; ///< calls that join it
  /// Other calls of loops: what is pending runs when they begin.
  llvm::SetVector<Instruction *> begun;
  PendingReach reach;
};

class QueuedCalls {
public:
  QueuedCalls(llvm::ArrayRef<QueuedLoop> queued, const FileLoops &loops)
      : queued(queued), sites(getSites(queued)), loopCalls(sites, loops),
        syncPoints(sites) {
    for (const auto &[function, calls] : loopCalls.getFollowed())
      syncPoints.addCaller(*function);
  }

  /// All paths are looked for before any of them changes.
  void find() {
    for (const QueuedLoop &loop : queued) {
      if (!loop.mayBePending() && !loop.mayBeLate)
        continue;
      for (CallBase *call : loopCalls.getCalls(loop.site))
        calls[call].loop = &loop;
      readVariables[&loop] = findVariables(loop.site.kernel);
    }
    for (auto &[call, pending] : calls)
      follow(*call, pending);
  }

  void tell(LoopReport &report) const {
    for (const QueuedLoop &loop : queued)
      if (!loopCalls.getCalls(loop.site).empty())
        reportLoop(loop, report);
  }

  void rewrite() {
    const FollowedCalls &followed = loopCalls.getFollowed();
    llvm::MapVector<SyncPoint, llvm::SetVector<Function *>> places;
    llvm::SetVector<Instruction *> stops;
    llvm::MapVector<Function *, llvm::SetVector<Function *>> left;
    Drops drops;
    std::set<const Function *> offered;
    std::set<const CallBase *> joined = findJoined();
    calls.remove_if([&](auto &entry) { return !joined.count(entry.first); });
    for (auto &[call, pending] : calls) {
      const PendingReach &reach = pending.reach;
      Function *stub = call->getCalledFunction();
      for (Instruction *stop : reach.stops)
        for (const SyncPoint &place : syncPoints.find(*call, *stop))
          places[place].insert(stub);
      stops.insert_range(reach.stops);
      for (Function *function : reach.left)
        left[function].insert(stub);
      for (const auto &drop : reach.drops)
        drops.insert(drop);
      offered.insert(stub);
    }
    for (const auto &[place, stubs] : places)
      insertFlush(place, stubs);
    for (const auto &[place, bytes] : drops)
      if (!stops.contains(place.first))
        insertDrop(*place.first, *place.second, bytes);
    for (auto &[call, pending] : calls)
      letWait(*call, *pending.loop);
    for (const auto &[function, stubs] : left)
      insertFlush(
          {splitFunction(*function, followed.getCalls(*function)), nullptr},
          stubs);
    for (const QueuedLoop &loop : queued)
      if (offered.count(loop.site.stub))
        offer(loop);
  }

private:
  static std::vector<CallSite> getSites(llvm::ArrayRef<QueuedLoop> queued) {
    std::vector<CallSite> sites;
    for (const QueuedLoop &loop : queued)
      sites.push_back(loop.site);
    return sites;
  }

  void follow(CallBase &call, PendingCall &pending) {
    auto meet = [&](CallBase &inst,
                    llvm::ArrayRef<const llvm::Value *> results) {
      auto next = calls.find(&inst);
      // Other loops run what is pending before they begin; of late results they
      // wait for what they use.
      if (next == calls.end() || !next->second.loop->mayBePending()) {
        pending.begun.insert(&inst);
        return pending.loop->mayBeLate ? Meeting::Passes : Meeting::Ends;
      }
      if (mayLieIn(results, readVariables[next->second.loop]))
        return Meeting::Stops;
      pending.next.insert(next->first);
      return Meeting::Passes;
    };
    pending.reach = loopCalls.follow(call, pending.loop->site,
                                     !pending.loop->pointers.empty(), meet);
  }

  /// The calls that wait for another one, or that others wait for.
  std::set<const CallBase *> findJoined() const {
    std::set<const CallBase *> joined;
    for (const auto &[call, pending] : calls) {
      bool isLate = pending.loop->mayBeLate && !pending.begun.empty();
      if (!pending.next.empty() || isLate)
        joined.insert(call);
      joined.insert(pending.next.begin(), pending.next.end());
    }
    return joined;
  }

  struct Ends {
    llvm::SetVector<Instruction *> instructions;
    std::vector<std::string> functions; ///< that return to who knows whom
  };

  /// Where the loop's calls must have run; also where other loops begin that
  /// run them.
  Ends findEnds(const QueuedLoop &loop, bool withLoops) const {
    Ends ends;
    llvm::SetVector<Function *> left;
    for (const auto &[call, pending] : calls)
      if (pending.loop == &loop) {
        ends.instructions.insert_range(pending.reach.stops);
        if (withLoops)
          ends.instructions.insert_range(pending.begun);
        left.insert_range(pending.reach.left);
      }
    for (const Function *function : left)
      if (loopCalls.getFollowed().hasOtherCallers(*function))
        ends.functions.push_back(describeFunction(*function) +
                                 " returns to a caller that is not followed");
    return ends;
  }

  std::string describeEnd(const Instruction &inst) const {
    return loopCalls.callsLoop(inst) ? describeLoop(inst) : describeStop(inst);
  }

  std::string describeEnds(const Ends &ends) const {
    std::string places = describeStops(
        ends.instructions.getArrayRef(),
        [&](const Instruction &inst) { return describeEnd(inst); });
    for (const std::string &function : ends.functions)
      places += (places.empty() ? "" : ", ") + function;
    return places;
  }

  std::vector<FlushPlace> listFlushes(const Ends &ends) const {
    std::vector<FlushPlace> places;
    for (const Instruction *inst : ends.instructions) {
      FlushPlace flush{{}, describeEnd(*inst)};
      if (const llvm::DebugLoc &place = inst->getDebugLoc())
        flush.place = {getPath(*place->getScope()), place->getLine()};
      places.push_back(std::move(flush));
    }
    for (const std::string &function : ends.functions)
      places.push_back({{}, function});
    return places;
  }

  void reportLate(const QueuedLoop &loop, bool waits,
                  LoopReport &report) const {
    std::string places = describeEnds(findEnds(loop, /*withLoops=*/false));
    report.say(*loop.site.loop, Topic::Delay,
               ": on devices, its results are waited for " +
                   (waits ? "where " + places
                          : "at its end: " + places + " before another loop"));
  }

  void reportLoop(const QueuedLoop &loop, LoopReport &report) const {
    std::set<const CallBase *> joined = findJoined();
    bool waits = llvm::any_of(calls, [&](const auto &entry) {
      return entry.second.loop == &loop && joined.count(entry.first);
    });
    if (loop.mayBeLate)
      reportLate(loop, waits, report);
    if (!loop.onOpenMP)
      return;
    Ends ends = findEnds(loop, /*withLoops=*/true);
    std::string places = describeEnds(ends);
    const LoopDescription &description = *loop.site.loop;
    if (!loop.obstacle.empty())
      return report.say(description, Topic::Delay,
                        " is not delayed: " + loop.obstacle);
    if (!waits)
      return report.say(description, Topic::Delay,
                        " is not delayed: " + places +
                            " before another loop could join");
    report.say(description, Topic::Delay,
               " may be delayed; pending loops are flushed where " + places);
    report.sayFlushes(description, listFlushes(ends));
  }

  /// "'res_calc' begins (app.cpp:12)"
  std::string describeLoop(const Instruction &call) const {
    const Function *stub = llvm::cast<CallBase>(call).getCalledFunction();
    const QueuedLoop *loop =
        llvm::find_if(queued, [&](const QueuedLoop &other) {
          return other.site.stub == stub;
        });
    return "'" + loop->site.loop->name + "' begins" + describePlace(call);
  }

  /// if (op2rt_pending) op2rt_flush(stub) for all `stubs`.
  static void insertFlush(const SyncPoint &place,
                          const llvm::SetVector<Function *> &stubs) {
    llvm::IRBuilder<> builder(insertTest(place, "op2rt_pending"));
    llvm::FunctionCallee flush =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_flush", builder.getVoidTy(), builder.getPtrTy());
    for (Function *stub : stubs)
      builder.CreateCall(flush, stub)->setDoesNotThrow();
  }

  static void insertDrop(Instruction &inst, llvm::Value &pointer,
                         int64_t bytes) {
    llvm::IRBuilder<> builder(insertTest({&inst, nullptr}, "op2rt_pending"));
    llvm::FunctionCallee drop =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_drop", builder.getVoidTy(), builder.getPtrTy(),
            builder.getInt64Ty());
    builder.CreateCall(drop, {&pointer, builder.getInt64(uint64_t(bytes))})
        ->setDoesNotThrow();
  }

  /// Loops with raised kernels do not throw. Others have taken the permission
  /// back when they might.
  static void letWait(CallBase &given, const QueuedLoop &loop) {
    CallBase *call = &given;
    auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call);
    bool mayThrow = !loop.obstacle.empty();
    if (invoke && !mayThrow)
      call = llvm::changeToCall(invoke);
    llvm::IRBuilder<> builder(call);
    llvm::Constant *mayWait = call->getModule()->getOrInsertGlobal(
        "op2rt_may_enqueue", builder.getInt32Ty());
    builder.CreateStore(builder.getInt32(1), mayWait);
    if (mayThrow)
      return;
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateStore(builder.getInt32(0), mayWait);
  }

  void offer(const QueuedLoop &loop) const {
    if (loop.obstacle.empty()) {
      describePointers(loop.site, loop.pointers);
      offerToQueue(loop.site, Target::OpenMP);
    } else {
      permitOnDevices(loop.site);
    }
    for (Target target : loop.devices)
      offerToQueue(loop.site, target);
    if (loop.mayBeLate)
      describeSite(loop.site);
  }

  llvm::ArrayRef<QueuedLoop> queued;
  std::vector<CallSite> sites;
  LoopCalls loopCalls;
  SyncPoints syncPoints;
  std::map<const QueuedLoop *, VariableSet> readVariables;
  llvm::MapVector<CallBase *, PendingCall> calls;
};
} // namespace

void op2::frontend::delayLoops(llvm::ArrayRef<QueuedLoop> queued,
                               const FileLoops &loops, LoopReport &report) {
  QueuedCalls calls(queued, loops);
  calls.find();
  if (report.isWanted())
    calls.tell(report);
  calls.rewrite();
}
