//===- LoopPairs.cpp - Loops that run one behind the other ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPairs.h"
#include "HostAnalysis/KernelVariables.h"
#include "HostAnalysis/PendingPaths.h"
#include "LoopCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace op2::frontend;
using llvm::CallBase;

namespace {
/// Collects the pairs of one module.
class PairFinder {
public:
  PairFinder(llvm::ArrayRef<CallSite> sites, const FileLoops &loops,
             bool forRanks)
      : sites(sites), calls(sites, loops), forRanks(forRanks) {}

  std::vector<LoopPair> run() {
    for (const CallSite &site : sites)
      for (CallBase *call : calls.getCalls(site))
        findFrom(site, *call);
    for (const auto &[first, second, obstacle] : parted)
      if (LoopPair *pair = getPair(first, *second)) {
        pair->calls.clear();
        pair->obstacle = obstacle;
      }
    return std::move(pairs);
  }

private:
  void findFrom(const CallSite &first, CallBase &call) {
    std::vector<CallBase *> met;
    auto meet = [&](CallBase &next,
                    llvm::ArrayRef<const llvm::Value *> results) {
      met.push_back(&next);
      if (LoopPair *pair = getPair(first, next))
        addCalls(*pair, call, next, results);
      return Meeting::Ends;
    };
    // Whether its kernel follows pointers is not known yet; other files come
    // between.
    PendingReach reach = calls.follow(call, first, {false, false}, meet);
    for (llvm::Instruction *stop : reach.stops) {
      const llvm::SetVector<CallBase *> &behind = getNext(*stop);
      for (CallBase *next : behind)
        if (LoopPair *pair = getPair(first, *next);
            pair && pair->calls.empty() && pair->obstacle.empty())
          pair->obstacle = describeStop(*stop) + " between them";
      for (CallBase *next : met)
        if (forRanks && behind.contains(next))
          parted.push_back({first, next,
                            describeStop(*stop) +
                                " between them, perhaps on some ranks only"});
    }
  }

  const llvm::SetVector<CallBase *> &getNext(llvm::Instruction &stop) {
    auto [at, isNew] = nextOf.try_emplace(&stop);
    if (isNew)
      at->second = calls.findNext(stop);
    return at->second;
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

  /// Null if the first loop is called again.
  LoopPair *getPair(const CallSite &first, const CallBase &call) {
    const auto *second = llvm::find_if(sites, [&](const CallSite &site) {
      return site.stub == call.getCalledFunction();
    });
    if (second->loop == first.loop)
      return nullptr;
    for (LoopPair &pair : pairs)
      if (pair.first.loop == first.loop && pair.second.loop == second->loop)
        return &pair;
    pairs.push_back({first, *second, {}, ""});
    return &pairs.back();
  }

  llvm::ArrayRef<CallSite> sites;
  LoopCalls calls;
  bool forRanks;
  std::vector<LoopPair> pairs;
  /// The calls of loops that may come next behind a stop.
  std::map<const llvm::Instruction *, llvm::SetVector<CallBase *>> nextOf;
  /// A loop, a call of another one, and what may come between them.
  std::vector<std::tuple<CallSite, CallBase *, std::string>> parted;
};
} // namespace

std::vector<LoopPair>
op2::frontend::findLoopPairs(llvm::ArrayRef<CallSite> sites,
                             const FileLoops &loops, bool forRanks) {
  return PairFinder(sites, loops, forRanks).run();
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

std::vector<int32_t>
op2::frontend::getMergedParameters(const LoopDescription &merged,
                                   const LoopDescription &first,
                                   const LoopDescription &second) {
  std::vector<RunParameter> all = getRunParameters(merged);
  auto find = [&](RunParameter::Kind kind, unsigned arg) {
    if (kind == RunParameter::Kind::Data)
      arg = merged.args[arg].sameDataAs;
    else if (kind == RunParameter::Kind::Map)
      arg = merged.args[arg].sameMapAs;
    auto at = llvm::find_if(all, [&](const RunParameter &parameter) {
      return parameter.kind == kind && parameter.arg == arg;
    });
    return int32_t(at - all.begin()) + 1;
  };
  std::vector<int32_t> places;
  unsigned offset = 0;
  for (const LoopDescription *loop : {&first, &second}) {
    places.push_back(0); // the set
    for (const RunParameter &parameter : getRunParameters(*loop))
      places.push_back(find(parameter.kind, offset + parameter.arg));
    offset += unsigned(loop->args.size());
  }
  return places;
}
