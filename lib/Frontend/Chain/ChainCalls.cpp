//===- ChainCalls.cpp - Loops that wait for the next ones -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits if the program says so by op2rt_may_enqueue; then
// op2rt_flush must stand on every path before whatever might look at what
// the loop does, or change what it uses. See docs/design/chains.md.
//
//===----------------------------------------------------------------------===//

#include "ChainCalls.h"
#include "ChainSite.h"
#include "Diagnostics.h"
#include "FollowedCalls.h"
#include "HostAnalysis/Interference.h"
#include "HostAnalysis/KernelVariables.h"
#include "HostAnalysis/PendingPaths.h"
#include "HostAnalysis/SyncPoints.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

namespace {
/// Instructions that overwrite results, and where, with the number of bytes.
using Drops = llvm::MapVector<std::pair<Instruction *, llvm::Value *>, int64_t>;

/// A call that may wait, and what comes behind it.
struct WaitingCall {
  const ChainLoop *loop;
  llvm::SetVector<CallBase *> next;     ///< calls that join it
  llvm::SetVector<Instruction *> begun; ///< of loops that do not wait
  llvm::SetVector<Instruction *> stops;
  llvm::SetVector<Function *> left; ///< functions behind whose ends it waits
  Drops drops;
};

class ChainCalls {
public:
  ChainCalls(llvm::ArrayRef<ChainLoop> chainLoops, const FileLoops &loops)
      : chainLoops(chainLoops), loops(loops),
        fusedStubs(getFusedStubs(chainLoops)),
        syncPoints(getSites(chainLoops), fusedStubs), followed(findCallers()) {
    for (const auto &[function, calls] : followed)
      syncPoints.addCaller(*function);
  }

  /// All paths are looked for before any of them changes.
  void find() {
    for (const ChainLoop &loop : chainLoops) {
      for (CallBase *call : findCalls(loop))
        if (loop.obstacle.empty())
          calls[call].loop = &loop;
      if (loop.obstacle.empty())
        readVariables[&loop] = findVariables(loop.kernels);
    }
    for (auto &[call, waiting] : calls)
      follow(*call, waiting);
  }

  void report(clang::DiagnosticsEngine &diags) const {
    for (const ChainLoop &loop : chainLoops)
      if (!findCalls(loop).empty())
        reportLoop(loop, diags);
  }

  void rewrite() {
    llvm::SetVector<SyncPoint> places;
    llvm::SetVector<Instruction *> stops;
    llvm::SetVector<Function *> left;
    Drops drops;
    std::set<const Function *> offered;
    std::set<const CallBase *> joined = findJoined();
    calls.remove_if([&](auto &entry) { return !joined.count(entry.first); });
    for (auto &[call, waiting] : calls) {
      for (Instruction *stop : waiting.stops)
        places.insert_range(syncPoints.find(*call, *stop));
      stops.insert_range(waiting.stops);
      left.insert_range(waiting.left);
      for (const auto &drop : waiting.drops)
        drops.insert(drop);
      offered.insert(call->getCalledFunction());
    }
    for (const SyncPoint &place : places)
      insertRun(place);
    for (const auto &[place, bytes] : drops)
      if (!stops.contains(place.first))
        insertDrop(*place.first, *place.second, bytes);
    for (auto &[call, waiting] : calls)
      letWait(*call);
    for (Function *function : left)
      insertRun(
          {splitFunction(*function, followed.getCalls(*function)), nullptr});
    offerLoops(offered);
  }

private:
  static std::set<const Function *>
  getFusedStubs(llvm::ArrayRef<ChainLoop> chainLoops) {
    std::set<const Function *> stubs;
    for (const ChainLoop &loop : chainLoops)
      if (loop.isFused)
        stubs.insert(loop.site.stub);
    return stubs;
  }

  static std::vector<CallSite> getSites(llvm::ArrayRef<ChainLoop> chainLoops) {
    std::vector<CallSite> sites;
    for (const ChainLoop &loop : chainLoops)
      sites.push_back(loop.site);
    return sites;
  }

  /// The calls of a loop, where it is known what comes next.
  std::vector<CallBase *> findCalls(const ChainLoop &loop) const {
    std::vector<CallBase *> found;
    for (llvm::User *user : loop.site.stub->users())
      if (auto *call = llvm::dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == loop.site.stub &&
          !fusedStubs.count(call->getFunction()) &&
          pathsAreKnown(*call->getFunction()))
        found.push_back(call);
    return found;
  }

  /// The functions that call loops.
  llvm::SetVector<Function *> findCallers() const {
    llvm::SetVector<Function *> callers;
    for (const ChainLoop &loop : chainLoops)
      for (CallBase *call : findCalls(loop))
        callers.insert(call->getFunction());
    return callers;
  }

  void follow(CallBase &call, WaitingCall &waiting) {
    auto isIndependent = IndependenceTest::withCopies(call, waiting.loop->site,
                                                      loops, fusedStubs);
    const LocalVariables &variables = isIndependent.getVariables();
    std::vector<const llvm::Value *> results = variables.findResults();
    auto visit = [&](Instruction &inst) {
      if (syncPoints.callsLoop(inst)) {
        auto next = calls.find(llvm::cast<CallBase>(&inst));
        // Other loops run what waits before they begin.
        if (next == calls.end()) {
          waiting.begun.insert(&inst);
          return false;
        }
        if (!mayLieIn(results, readVariables[next->second.loop])) {
          waiting.next.insert(next->first);
          return true;
        }
      } else if (isIndependent(inst)) {
        if (std::optional<Overwritten> dropped = variables.getDropped(inst))
          waiting.drops.insert({{&inst, dropped->pointer}, *dropped->bytes});
        return true;
      } else if (mayLeave(inst, results)) {
        leave(inst, results, waiting);
        return true;
      }
      waiting.stops.insert(&inst);
      return false;
    };
    followed.walk(call, visit, [&](const CallBase &next) {
      return isIndependent.copiesArguments(next);
    });
  }

  /// Whether a loop with these results may wait where a function returns. None
  /// of them may be in a variable of the function's, or of its callers', of
  /// which that is not known.
  bool mayLeave(const Instruction &inst,
                llvm::ArrayRef<const llvm::Value *> results) const {
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
  static void leave(Instruction &end,
                    llvm::ArrayRef<const llvm::Value *> results,
                    WaitingCall &waiting) {
    waiting.left.insert(end.getFunction());
    for (const llvm::Value *result : results)
      if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(result);
          variable && variable->getFunction() == end.getFunction())
        waiting.drops.insert({{&end, const_cast<llvm::AllocaInst *>(variable)},
                              *getSize(*variable)});
  }

  /// The calls that wait for another one, or that others wait for.
  std::set<const CallBase *> findJoined() const {
    std::set<const CallBase *> joined;
    for (const auto &[call, waiting] : calls) {
      if (!waiting.next.empty())
        joined.insert(call);
      joined.insert(waiting.next.begin(), waiting.next.end());
    }
    return joined;
  }

  void reportLoop(const ChainLoop &loop,
                  clang::DiagnosticsEngine &diags) const {
    using clang::DiagnosticsEngine;
    std::set<const CallBase *> joined = findJoined();
    llvm::SetVector<Instruction *> ends;
    llvm::SetVector<Function *> left;
    bool waits = false;
    for (const auto &[call, waiting] : calls)
      if (waiting.loop == &loop) {
        ends.insert_range(waiting.stops);
        ends.insert_range(waiting.begun);
        left.insert_range(waiting.left);
        waits |= joined.count(call) != 0;
      }
    std::string places =
        describeStops(ends.getArrayRef(), [&](const Instruction &inst) {
          return syncPoints.callsLoop(inst) ? describeLoop(inst)
                                            : describeStop(inst);
        });
    for (const Function *function : left)
      if (followed.hasOtherCallers(*function))
        places += ", " + describeFunction(*function) +
                  " returns to a caller that is not followed";
    if (!loop.obstacle.empty())
      ::report(diags, loop.site.loop->location, DiagnosticsEngine::Remark,
               "loop '%0' does not wait for other loops: %1")
          << loop.site.loop->name << loop.obstacle;
    else if (!waits)
      ::report(
          diags, loop.site.loop->location, DiagnosticsEngine::Remark,
          "loop '%0' does not wait for other loops: %1 before one could join")
          << loop.site.loop->name << places;
    else
      ::report(diags, loop.site.loop->location, DiagnosticsEngine::Remark,
               "loop '%0' may wait for the next loops; what waits is run where "
               "%1")
          << loop.site.loop->name << places;
  }

  /// "'res_calc' begins (app.cpp:12)"
  std::string describeLoop(const Instruction &call) const {
    const Function *stub = llvm::cast<CallBase>(call).getCalledFunction();
    const ChainLoop *loop =
        llvm::find_if(chainLoops, [&](const ChainLoop &other) {
          return other.site.stub == stub;
        });
    return "'" + loop->site.loop->name + "' begins" + describePlace(call);
  }

  static void insertRun(const SyncPoint &place) {
    llvm::IRBuilder<> builder(insertTest(place, "op2rt_pending"));
    llvm::FunctionCallee run =
        builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            "op2rt_flush", builder.getVoidTy());
    builder.CreateCall(run)->setDoesNotThrow();
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

  /// Loops with raised kernels do not throw.
  static void letWait(CallBase &given) {
    CallBase *call = &given;
    if (auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(call))
      call = llvm::changeToCall(invoke);
    llvm::IRBuilder<> builder(call);
    llvm::Constant *mayWait = call->getModule()->getOrInsertGlobal(
        "op2rt_may_enqueue", builder.getInt32Ty());
    builder.CreateStore(builder.getInt32(1), mayWait);
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateStore(builder.getInt32(0), mayWait);
  }

  /// Stubs for two loops call those of each where both cannot be one.
  void offerLoops(std::set<const Function *> offered) const {
    for (const Function *stub : fusedStubs)
      if (offered.count(stub))
        for (const Instruction &inst : llvm::instructions(*stub))
          if (syncPoints.callsLoop(inst))
            offered.insert(llvm::cast<CallBase>(inst).getCalledFunction());
    for (const ChainLoop &loop : chainLoops)
      if (loop.obstacle.empty() && offered.count(loop.site.stub))
        offerToChain(loop.site, loop.kernels);
  }

  llvm::ArrayRef<ChainLoop> chainLoops;
  const FileLoops &loops;
  std::set<const Function *> fusedStubs;
  SyncPoints syncPoints;
  FollowedCalls followed;
  std::map<const ChainLoop *, VariableSet> readVariables;
  llvm::MapVector<CallBase *, WaitingCall> calls;
};
} // namespace

void op2::frontend::makeChains(llvm::ArrayRef<ChainLoop> chainLoops,
                               const FileLoops &loops,
                               const PluginOptions &options,
                               clang::DiagnosticsEngine &diags) {
  ChainCalls calls(chainLoops, loops);
  calls.find();
  if (options.report)
    calls.report(diags);
  calls.rewrite();
}
