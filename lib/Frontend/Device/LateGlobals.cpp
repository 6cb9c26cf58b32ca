//===- LateGlobals.cpp - Where the host waits for reductions -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime waits at the end of a loop that changes globals unless
// op2rt_globals_defer came before it; then op2rt_globals_wait must stand on
// every path before whatever might look. See docs/design/gpu.md.
//
//===----------------------------------------------------------------------===//

#include "LateGlobals.h"
#include "Diagnostics.h"
#include "Fusion/PendingPaths.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace op2::frontend;
using llvm::BasicBlock;
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
/// Where a wait stands: before an instruction or, if `into` is not null, on the
/// way from that instruction to a block.
struct Place {
  Instruction *at;
  BasicBlock *into;
};

/// The calls of one loop, and what comes behind them.
struct LateLoop {
  const CallSite *site;
  std::vector<llvm::CallInst *> deviceCalls; ///< in the stub
  llvm::SetVector<std::pair<Instruction *, BasicBlock *>> places;
  llvm::SetVector<Instruction *> stops;
  bool passesLoops = false; ///< other loops run before a stop
};

/// The loops of a function's control flow.
struct FlowLoops {
  explicit FlowLoops(Function &function) : tree(function), info(tree) {}
  llvm::DominatorTree tree;
  llvm::LoopInfo info;
};

class LateGlobals {
public:
  LateGlobals(llvm::ArrayRef<CallSite> sites,
              const std::set<const Function *> &fusedStubs,
              const FileLoops &loops, const PluginOptions &options)
      : sites(sites), fusedStubs(fusedStubs), loops(loops), options(options),
        loopFunctions(fusedStubs) {
    for (const CallSite &site : sites)
      loopFunctions.insert(site.stub);
  }

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
    llvm::MapVector<std::pair<Instruction *, BasicBlock *>,
                    std::vector<Function *>>
        waits;
    for (const LateLoop &loop : late) {
      defer(loop);
      for (const auto &place : loop.places)
        waits[place].push_back(loop.site->stub);
    }
    for (const auto &[place, stubs] : waits)
      insertWait({place.first, place.second}, stubs);
  }

private:
  /// Where a stub runs a loop on a device that brings back globals.
  std::vector<llvm::CallInst *> findDeviceCalls(const CallSite &site) const {
    std::vector<llvm::CallInst *> calls;
    if (!site.loop->fallbackReason.empty() || !changesGlobals(*site.loop))
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
        loop.passesLoops |= callsLoop(*call->getNextNode());
        return followCalls(caller, loop);
      }
      return pathsAreKnown(caller) && followCall(*call, loop);
    });
  }

  bool followCall(CallBase &call, LateLoop &loop) {
    Harmless isHarmless(call, *loop.site->loop, loops, fusedStubs);
    std::vector<Instruction *> stops =
        findStops(call, [&](const Instruction &inst) {
          // The runtime sees to other loops.
          bool isLoop = callsLoop(inst);
          loop.passesLoops |= isLoop;
          return isLoop || isHarmless(inst);
        });
    for (Instruction *stop : stops) {
      if (stop->isEHPad() || llvm::isa<llvm::PHINode>(stop))
        return false;
      loop.stops.insert(stop);
      for (const Place &place : findPlaces(call, *stop))
        loop.places.insert({place.at, place.into});
    }
    return true;
  }

  bool callsLoop(const Instruction &inst) const {
    const auto *call = llvm::dyn_cast<CallBase>(&inst);
    return call && loopFunctions.count(call->getCalledFunction());
  }

  /// Not again and again where the host computes: before the control flow's
  /// loops around the stop that run no loops of OP2.
  std::vector<Place> findPlaces(const CallBase &call, Instruction &stop) {
    std::unique_ptr<FlowLoops> &flow = flows[stop.getFunction()];
    if (!flow)
      flow = std::make_unique<FlowLoops>(*stop.getFunction());
    std::vector<Place> places{{&stop, nullptr}};
    for (llvm::Loop *around = flow->info.getLoopFor(stop.getParent());
         around && !runsLoops(*around) && !around->contains(call.getParent());
         around = around->getParentLoop()) {
      std::vector<Place> entries = findEntries(*around);
      if (entries.empty())
        break;
      places = std::move(entries);
    }
    return places;
  }

  bool runsLoops(const llvm::Loop &around) const {
    return llvm::any_of(around.blocks(), [&](const BasicBlock *block) {
      return llvm::any_of(
          *block, [&](const Instruction &inst) { return callsLoop(inst); });
    });
  }

  /// The ways into a loop; none if something cannot be put on one of them.
  static std::vector<Place> findEntries(const llvm::Loop &around) {
    std::vector<Place> entries;
    BasicBlock *header = around.getHeader();
    for (BasicBlock *before : llvm::predecessors(header)) {
      if (around.contains(before))
        continue;
      Instruction *end = before->getTerminator();
      if (header->isEHPad() ||
          !llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::InvokeInst>(
              end) ||
          llvm::count(llvm::successors(before), header) != 1)
        return {};
      entries.push_back({end, header});
    }
    return entries;
  }

  void reportLoop(const LateLoop &loop, clang::DiagnosticsEngine &diags) const {
    std::vector<std::string> texts;
    for (const Instruction *stop : loop.stops)
      if (std::string text = describeStop(*stop);
          !llvm::is_contained(texts, text))
        texts.push_back(text);
    std::string places = llvm::join(texts, ", ");
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
  static void insertWait(const Place &place,
                         const std::vector<Function *> &stubs) {
    Instruction *before = place.at;
    if (place.into)
      before =
          llvm::SplitEdge(place.at->getParent(), place.into)->getTerminator();
    llvm::Module &module = *before->getModule();
    llvm::IRBuilder<> builder(before);
    llvm::Constant *pending =
        module.getOrInsertGlobal("op2rt_globals_pending", builder.getInt32Ty());
    llvm::Value *arePending = builder.CreateIsNotNull(
        builder.CreateLoad(builder.getInt32Ty(), pending));
    llvm::MDNode *isRare =
        llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights();
    builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
        arePending, before->getIterator(), /*Unreachable=*/false, isRare));
    builder.SetCurrentDebugLocation(place.at->getDebugLoc());
    llvm::FunctionCallee wait = module.getOrInsertFunction(
        "op2rt_globals_wait", builder.getVoidTy(), builder.getPtrTy());
    for (Function *stub : stubs)
      builder.CreateCall(wait, stub)->setDoesNotThrow();
  }

  llvm::ArrayRef<CallSite> sites;
  const std::set<const Function *> &fusedStubs;
  const FileLoops &loops;
  const PluginOptions &options;
  std::set<const Function *> loopFunctions; ///< all stubs
  std::map<const Function *, std::unique_ptr<FlowLoops>> flows;
};
} // namespace

void op2::frontend::makeGlobalsLate(
    llvm::ArrayRef<CallSite> sites,
    const std::set<const Function *> &fusedStubs, const FileLoops &loops,
    const PluginOptions &options, clang::DiagnosticsEngine &diags) {
  LateGlobals(sites, fusedStubs, loops, options).run(diags);
}
