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

/// What other files may have left pending, and what comes behind it.
struct OtherLoops {
  CallBase *call; ///< behind which they are; null: where a function begins
  llvm::SetVector<CallBase *> next; ///< calls that join them
  PendingReach reach;
};

class QueuedCalls {
public:
  QueuedCalls(llvm::Module &module, llvm::ArrayRef<QueuedLoop> queued,
              const FileLoops &loops)
      : queued(queued), sites(getSites(queued)),
        loopCalls(module, sites, loops), syncPoints(sites) {
    for (const auto &[function, calls] : loopCalls.getFollowed())
      syncPoints.addCaller(*function);
    for (const CallBase *call : loopCalls.getOtherFiles().calls)
      syncPoints.addCaller(*call->getCalledFunction());
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
    for (CallBase *call : loopCalls.getOtherFiles().calls)
      followOthers(call, *call);
    for (Function *entry : loopCalls.getOtherFiles().entries)
      followOthers(nullptr, *entry);
  }

  void tell(LoopReport &report) const {
    for (const QueuedLoop &loop : queued)
      if (!loopCalls.getCalls(loop.site).empty())
        reportLoop(loop, report);
  }

  void rewrite() {
    llvm::MapVector<SyncPoint, Sites> places;
    llvm::SetVector<Instruction *> stops;
    llvm::MapVector<Function *, LeftLoops> left;
    Drops drops;
    std::set<const Function *> offered;
    std::set<const CallBase *> joined = findJoined();
    calls.remove_if([&](auto &entry) { return !joined.count(entry.first); });
    auto add = [&](const CallBase *call, const PendingReach &reach,
                   Function *site) {
      for (Instruction *stop : reach.stops)
        for (const SyncPoint &place : syncPoints.find(call, *stop))
          places[place].insert(site);
      stops.insert_range(reach.stops);
      for (Function *function : reach.left)
        left[function].add(site, reach.mayCross);
      for (const auto &drop : reach.drops)
        drops.insert(drop);
    };
    for (auto &[call, pending] : calls) {
      add(call, pending.reach, call->getCalledFunction());
      offered.insert(call->getCalledFunction());
    }
    llvm::SetVector<CallBase *> entering = findEntering();
    for (const OtherLoops &loops : others)
      if (!loops.call || entering.contains(loops.call))
        add(loops.call, loops.reach, kEverySite);
    for (const auto &[place, sites] : places)
      insertFlush(place, sites);
    for (const auto &[place, bytes] : drops)
      if (!stops.contains(place.first))
        insertDrop(*place.first, *place.second, bytes);
    for (auto &[call, pending] : calls)
      letWait(*call, *pending.loop);
    Sites everySite;
    everySite.insert(kEverySite);
    for (CallBase *call : entering)
      insertFlush({&enterOtherFile(*call), nullptr}, everySite);
    for (const auto &[function, loops] : left)
      split(*function, loops);
    for (const QueuedLoop &loop : queued)
      if (offered.count(loop.site.stub))
        offer(loop);
  }

private:
  /// The stubs of pending loops.
  using Sites = llvm::SetVector<Function *>;
  /// Stands for those of other files, and all here.
  static constexpr Function *kEverySite = nullptr;

  /// What is pending where a function returns.
  struct LeftLoops {
    Sites all;
    Sites ours; ///< that may not be pending in other files

    void add(Function *site, bool mayCross) {
      all.insert(site);
      if (!mayCross)
        ours.insert(site);
    }
  };

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
    const QueuedLoop &loop = *pending.loop;
    pending.reach = loopCalls.follow(
        call, loop.site, {loop.followsPointers, loop.mayCross}, meet);
  }

  template <class Start> void followOthers(CallBase *call, Start &start) {
    OtherLoops &loops = others.emplace_back();
    loops.call = call;
    auto meet = [&](CallBase &inst, llvm::ArrayRef<const llvm::Value *>) {
      if (calls.contains(&inst))
        loops.next.insert(&inst);
      return Meeting::Passes;
    };
    loops.reach = loopCalls.followOthers(start, meet);
  }

  bool leavesFile(const PendingReach &reach) const {
    return reach.mayCross &&
           (!reach.crossed.empty() ||
            llvm::any_of(reach.left, [&](const Function *function) {
              return loopCalls.getOtherFiles().isEntry(*function);
            }));
  }

  /// The calls that wait for another one, or that others wait for.
  std::set<const CallBase *> findJoined() const {
    std::set<const CallBase *> joined;
    for (const auto &[call, pending] : calls) {
      bool isLate = pending.loop->mayBeLate && !pending.begun.empty();
      if (!pending.next.empty() || isLate || leavesFile(pending.reach))
        joined.insert(call);
      joined.insert(pending.next.begin(), pending.next.end());
    }
    for (const OtherLoops &loops : others)
      joined.insert(loops.next.begin(), loops.next.end());
    return joined;
  }

  /// The calls of other files where something may be pending, or behind which
  /// something may join what they leave.
  llvm::SetVector<CallBase *> findEntering() const {
    llvm::SetVector<CallBase *> entering;
    for (const auto &[call, pending] : calls)
      entering.insert_range(pending.reach.crossed);
    for (const OtherLoops &loops : others) {
      entering.insert_range(loops.reach.crossed);
      if (loops.call && (!loops.next.empty() || leavesFile(loops.reach)))
        entering.insert(loops.call);
    }
    return entering;
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
    llvm::SetVector<CallBase *> crossed;
    for (const auto &[call, pending] : calls)
      if (pending.loop == &loop) {
        ends.instructions.insert_range(pending.reach.stops);
        if (withLoops)
          ends.instructions.insert_range(pending.begun);
        left.insert_range(pending.reach.left);
        crossed.insert_range(pending.reach.crossed);
      }
    for (const CallBase *call : crossed)
      ends.functions.push_back(describeStop(*call) +
                               " unless op2c++ compiles it");
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
    if (loop.mayBeLate && loop.site.loop->changesGlobals())
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

  /// Divides a function into what followed calls run, what other files enter,
  /// and what is left for everybody else.
  void split(Function &body, const LeftLoops &loops) const {
    llvm::ReturnInst *end =
        splitFunction(body, loopCalls.getFollowed().getCalls(body));
    Function &named = *end->getFunction();
    insertFlush({end, nullptr}, loops.all);
    if (!loopCalls.getOtherFiles().isEntry(body))
      return;
    Function *entry = &body;
    if (!loops.ours.empty()) {
      llvm::ReturnInst *back = makeCaller(body, named.getName() + ".entered");
      entry = back->getFunction();
      insertFlush({back, nullptr}, loops.ours);
    }
    letOthersEnter(named, *entry);
  }

  /// if (op2rt_pending) op2rt_flush(site) for all `sites`.
  static void insertFlush(const SyncPoint &place, const Sites &sites) {
    llvm::IRBuilder<> builder(insertTest(place, sites.contains(kEverySite)));
    llvm::FunctionCallee flush =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_flush", builder.getVoidTy(), builder.getPtrTy());
    llvm::Constant *every = llvm::ConstantPointerNull::get(builder.getPtrTy());
    if (sites.contains(kEverySite))
      builder.CreateCall(flush, every)->setDoesNotThrow();
    else
      for (Function *stub : sites)
        builder.CreateCall(flush, stub)->setDoesNotThrow();
  }

  static void insertDrop(Instruction &inst, llvm::Value &pointer,
                         int64_t bytes) {
    llvm::IRBuilder<> builder(insertTest({&inst, nullptr}, /*isShared=*/false));
    llvm::FunctionCallee drop =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_drop", builder.getVoidTy(), builder.getPtrTy(),
            builder.getInt64Ty());
    builder.CreateCall(drop, {&pointer, builder.getInt64(uint64_t(bytes))})
        ->setDoesNotThrow();
  }

  /// Loops that may be pending do not throw. Others have taken the permission
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
    if (loop.obstacle.empty())
      offerToQueue(loop.site, Target::OpenMP);
    else
      permitOnDevices(loop.site);
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
  std::vector<OtherLoops> others;
};
} // namespace

void op2::frontend::delayLoops(llvm::Module &module,
                               llvm::ArrayRef<QueuedLoop> queued,
                               const FileLoops &loops, LoopReport &report) {
  QueuedCalls calls(module, queued, loops);
  calls.find();
  if (report.isWanted())
    calls.tell(report);
  calls.rewrite();
}
