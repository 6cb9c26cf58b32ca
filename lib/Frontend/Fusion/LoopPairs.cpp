//===- LoopPairs.cpp - Loops that run one behind the other ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPairs.h"
#include "HostAnalysis/Interference.h"
#include "HostAnalysis/KernelVariables.h"
#include "HostAnalysis/PendingPaths.h"
#include "llvm/ADT/STLExtras.h"

using namespace op2::frontend;
using llvm::CallBase;

namespace {
/// Collects the pairs of one module.
class PairFinder {
public:
  PairFinder(llvm::ArrayRef<CallSite> sites, const FileLoops &loops)
      : sites(sites), loops(loops) {
    for (const CallSite &site : sites)
      stubs.insert(site.stub);
  }

  std::vector<LoopPair> run() {
    for (const CallSite &site : sites)
      for (llvm::User *user : site.stub->users())
        if (auto *call = llvm::dyn_cast<CallBase>(user);
            call && call->getCalledFunction() == site.stub &&
            pathsAreKnown(*call->getFunction()))
          findFrom(site, *call);
    return std::move(pairs);
  }

private:
  void findFrom(const CallSite &first, CallBase &call) {
    IndependenceTest isIndependent(call, *first.loop, loops);
    std::vector<llvm::Instruction *> stops = findStops(call, isIndependent);
    LocalVariables variables(call, loops, {});
    variables.copyGlobals(first);
    std::vector<const llvm::Value *> results = variables.findResults();
    for (llvm::Instruction *stop : stops)
      if (auto *next = llvm::dyn_cast<CallBase>(stop))
        if (LoopPair *pair = getPair(first, *next))
          addCalls(*pair, call, *next, results);
    for (llvm::Instruction *stop : stops) {
      if (auto *next = llvm::dyn_cast<CallBase>(stop);
          next && stubs.count(next->getCalledFunction()))
        continue;
      for (CallBase *next : findNextCalls(*stop, stubs))
        if (LoopPair *pair = getPair(first, *next);
            pair && pair->calls.empty() && pair->obstacle.empty())
          pair->obstacle = describeStop(*stop) + " between them";
    }
  }

  /// A result is in its place only after the fused loop.
  static void addCalls(LoopPair &pair, CallBase &first, CallBase &second,
                       llvm::ArrayRef<const llvm::Value *> results) {
    if (!mayLieIn(results, findVariables(pair.second.kernel))) {
      pair.calls.push_back({&first, &second});
      pair.obstacle.clear();
    } else if (pair.calls.empty()) {
      pair.obstacle = "kernel '" + pair.second.loop->kernelName +
                      "' reads a variable of the program by its name that may "
                      "be a result of the first loop";
    }
  }

  /// Null if `call` calls no loop, or the first one again.
  LoopPair *getPair(const CallSite &first, const CallBase &call) {
    const auto *second = llvm::find_if(sites, [&](const CallSite &site) {
      return site.stub == call.getCalledFunction();
    });
    if (second == sites.end() || second->loop == first.loop)
      return nullptr;
    for (LoopPair &pair : pairs)
      if (pair.first.loop == first.loop && pair.second.loop == second->loop)
        return &pair;
    pairs.push_back({first, *second, {}, ""});
    return &pairs.back();
  }

  llvm::ArrayRef<CallSite> sites;
  const FileLoops &loops;
  std::set<const llvm::Function *> stubs;
  std::vector<LoopPair> pairs;
};
} // namespace

std::vector<LoopPair>
op2::frontend::findLoopPairs(llvm::ArrayRef<CallSite> sites,
                             const FileLoops &loops) {
  return PairFinder(sites, loops).run();
}

/// The first of `args` that `arg` looks like, in what `key` names.
static const ArgDescription *findAlike(const std::vector<ArgDescription> &args,
                                       const ArgDescription &arg,
                                       unsigned ArgDescription::*key) {
  bool isMap = key == &ArgDescription::mapKey;
  auto it = llvm::find_if(args, [&](const ArgDescription &other) {
    return other.*key != 0 && other.*key == arg.*key &&
           (isMap || (other.kind == arg.kind && other.type == arg.type &&
                      other.dim == arg.dim));
  });
  return it == args.end() ? nullptr : &*it;
}

LoopDescription op2::frontend::mergeLoops(const LoopDescription &first,
                                          const LoopDescription &second) {
  LoopDescription merged = second; // its place
  merged.name = first.name + "+" + second.name;
  merged.args = first.args;
  merged.changedTypes.any |= first.changedTypes.any;
  merged.changedTypes.names.insert(first.changedTypes.names.begin(),
                                   first.changedTypes.names.end());
  auto offset = unsigned(first.args.size());
  for (unsigned number = 0; number < second.args.size(); ++number) {
    const ArgDescription &given = second.args[number];
    ArgDescription arg = given;
    // What it is the same as, in the merged list of arguments.
    auto relate = [&](unsigned ArgDescription::*key, auto sameAs) {
      if (const ArgDescription *alike = findAlike(first.args, given, key))
        arg.*sameAs = alike->*sameAs;
      else if (given.*sameAs == number)
        arg.*sameAs = offset + number;
      else
        arg.*sameAs = merged.args[offset + given.*sameAs].*sameAs;
    };
    relate(&ArgDescription::dataKey, &ArgDescription::sameDataAs);
    relate(&ArgDescription::mapKey, &ArgDescription::sameMapAs);
    merged.args.push_back(arg);
  }
  return merged;
}

std::vector<AssumedEqual>
op2::frontend::getAssumedEqual(const LoopDescription &merged,
                               unsigned numFirst) {
  std::vector<AssumedEqual> equal;
  for (unsigned i = numFirst; i < merged.args.size(); ++i) {
    const ArgDescription &arg = merged.args[i];
    if (arg.kind != ArgDescription::Kind::Index && arg.sameDataAs < numFirst)
      equal.push_back({RunParameter::Kind::Data, i, arg.sameDataAs});
    if (arg.isIndirect() && arg.sameMapAs < numFirst)
      equal.push_back({RunParameter::Kind::Map, i, arg.sameMapAs});
  }
  return equal;
}
