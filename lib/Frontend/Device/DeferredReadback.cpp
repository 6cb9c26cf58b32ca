//===- DeferredReadback.cpp - Where the host waits for reductions *- C++
//-*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime waits at the end of a loop that changes globals unless
// op2rt_globals_defer came before it; then op2rt_globals_wait must stand on
// every path before whatever might look. See docs/design/gpu.md.
//
//===----------------------------------------------------------------------===//

#include "DeferredReadback.h"
#include "Diagnostics.h"
#include "HostAnalysis/Interference.h"
#include "HostAnalysis/PendingPaths.h"
#include "HostAnalysis/SyncPoints.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace op2::frontend;
using llvm::CallBase;
using llvm::Function;
using llvm::Instruction;

static bool changesGlobals(const LoopDescription &loop) {
  return llvm::any_of(loop.args, [](const ArgDescription &arg) {
    return (arg.kind == ArgDescription::Kind::Global ||
            arg.kind == ArgDescription::Kind::Info) &&
           arg.access != Access::Read && arg.access != Access::Work;
  });
}

namespace {
/// The calls of one loop, and what comes behind them.
struct LateLoop {
  const CallSite *site;
  std::vector<llvm::CallInst *> deviceCalls; ///< in the stub
  llvm::SetVector<SyncPoint> places;
  llvm::SetVector<Instruction *> stops;
  bool passesLoops = false; ///< other loops run before a stop
};

class DeferredReadback {
public:
  DeferredReadback(llvm::ArrayRef<CallSite> sites,
                   const std::set<const Function *> &fusedStubs,
                   const FileLoops &loops, const PluginOptions &options)
      : sites(sites), fusedStubs(fusedStubs), loops(loops), options(options),
        syncPoints(sites, fusedStubs) {}

  void run(clang::DiagnosticsEngine &diags) {
    // All paths are looked for before any of them changes.
    std::vector<LateLoop> late;
    for (const CallSite &site : sites) {
      LateLoop loop{&site, findDeviceCalls(site), {}, {}};
      if (loop.deviceCalls.empty() || !followCalls(*site.stub, loop))
        continue;
      if (options.report)
        reportLoop(loop, diags);
      if (loop.passesLoops)
        late.push_back(std::move(loop));
    }
    llvm::MapVector<SyncPoint, std::vector<Function *>> waits;
    for (const LateLoop &loop : late) {
      defer(loop);
      for (const SyncPoint &place : loop.places)
        waits[place].push_back(loop.site->stub);
    }
    for (const auto &[place, stubs] : waits)
      insertWait(place, stubs);
  }

private:
  /// Where a stub runs a loop on a device that brings back globals.
  std::vector<llvm::CallInst *> findDeviceCalls(const CallSite &site) const {
    std::vector<llvm::CallInst *> calls;
    if (site.loop->fallsBack() || !changesGlobals(*site.loop))
      return calls;
    for (Instruction &inst : llvm::instructions(*site.stub)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee)
        continue;
      for (Target target : {Target::CUDA, Target::Emulator})
        if (callee->getName() == site.getRunSymbol(target))
          calls.push_back(call);
    }
    return calls;
  }

  /// Follows the paths behind all calls of `stub`; false if that cannot be
  /// done. Fused stubs call the stubs of both loops and do nothing else then.
  bool followCalls(Function &stub, LateLoop &loop) {
    return llvm::all_of(stub.users(), [&](llvm::User *user) {
      auto *call = llvm::dyn_cast<CallBase>(user);
      if (!call || call->getCalledFunction() != &stub)
        return false;
      Function &caller = *call->getFunction();
      if (fusedStubs.count(&caller)) {
        loop.passesLoops |= syncPoints.callsLoop(*call->getNextNode());
        return followCalls(caller, loop);
      }
      return pathsAreKnown(caller) && followCall(*call, loop);
    });
  }

  bool followCall(CallBase &call, LateLoop &loop) {
    IndependenceTest isIndependent(call, *loop.site->loop, loops, fusedStubs);
    std::vector<Instruction *> stops =
        findStops(call, [&](const Instruction &inst) {
          // The runtime sees to other loops.
          bool isLoop = syncPoints.callsLoop(inst);
          loop.passesLoops |= isLoop;
          return isLoop || isIndependent(inst);
        });
    for (Instruction *stop : stops) {
      if (stop->isEHPad() || llvm::isa<llvm::PHINode>(stop))
        return false;
      loop.stops.insert(stop);
      for (const SyncPoint &place : syncPoints.find(call, *stop))
        loop.places.insert(place);
    }
    return true;
  }

  void reportLoop(const LateLoop &loop, clang::DiagnosticsEngine &diags) const {
    std::string places = describeStops(loop.stops.getArrayRef());
    report(diags, loop.site->loop->location, clang::DiagnosticsEngine::Remark,
           "loop '%0': on devices, its results are waited for %1")
        << loop.site->loop->name
        << (loop.passesLoops
                ? "where " + places
                : "at its end: " + places + " before another loop");
  }

  static void defer(const LateLoop &loop) {
    for (llvm::CallInst *call : loop.deviceCalls) {
      llvm::IRBuilder<> builder(call);
      llvm::FunctionCallee defer = call->getModule()->getOrInsertFunction(
          "op2rt_globals_defer", builder.getVoidTy(), builder.getPtrTy());
      builder.CreateCall(defer, loop.site->stub);
    }
  }

  /// if (op2rt_globals_pending) op2rt_globals_wait(stub) for all `stubs`.
  static void insertWait(const SyncPoint &place,
                         const std::vector<Function *> &stubs) {
    llvm::IRBuilder<> builder(insertTest(place, "op2rt_globals_pending"));
    llvm::Module &module = *builder.GetInsertBlock()->getModule();
    llvm::FunctionCallee wait = module.getOrInsertFunction(
        "op2rt_globals_wait", builder.getVoidTy(), builder.getPtrTy());
    for (Function *stub : stubs)
      builder.CreateCall(wait, stub)->setDoesNotThrow();
  }

  llvm::ArrayRef<CallSite> sites;
  const std::set<const Function *> &fusedStubs;
  const FileLoops &loops;
  const PluginOptions &options;
  SyncPoints syncPoints;
};
} // namespace

void op2::frontend::makeGlobalsLate(
    llvm::ArrayRef<CallSite> sites,
    const std::set<const Function *> &fusedStubs, const FileLoops &loops,
    const PluginOptions &options, clang::DiagnosticsEngine &diags) {
  DeferredReadback(sites, fusedStubs, loops, options).run(diags);
}
