//===- ChainRun.cpp - Running a loop chain ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chains that are known, and which of them run in tiles.
//
//===----------------------------------------------------------------------===//

#include "ChainRun.h"
#include "ChainOptions.h"
#include "Core/Clock.h"
#include "Core/Job.h"
#include "Core/Progress.h"
#include "Core/Trace.h"
#include "Execute/LoopHooks.h"
#include "Execute/LoopTuning.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <omp.h>
#include <optional>
#include <set>

using namespace op2::rt;

// Chains that are remembered.
static constexpr std::size_t kMaxChains = 64;
// So often a chain runs before it is recorded, and loop after loop before
// anything is spent on it: making tiles takes as long as some executions,
// trials some more. A long chain has had its share of the run before.
static constexpr int kExecutionsBefore = 2;
static constexpr int kExecutionsBeforeTiles = 12;
static constexpr int kLoopsBeforeTiles = 84;
// On ranks they take longer to make, some of this for each element of each
// loop: at most what so many executions lose by waiting or, guessed, by bytes.
static constexpr double kSecondsOfTiles = 20e-9;
static constexpr double kExecutionsToCome = 64;
// On one process what the inspector takes for an element of a loop.
static constexpr double kSecondsOfInspection = 5e-9;
static constexpr double kLossByBytes = 0.25;
// Tiles are worth more where others use the memory, too, than in the quiet
// moments that least times are of. Making them has been paid for already.
static constexpr int kTrialRounds = 4;
// Fewer tiles save too few bytes.
static constexpr int32_t kLeastTiles = 3;
static constexpr double kGainByTiles = 0.95;

static int64_t unsettledLoops = 0;

void op2::rt::noteUnsettledLoop() { ++unsettledLoops; }

/// Where tiles of a certain size are requested, the choice is not one of
/// other runs.
static bool keepsChoicesOfChains() {
  return keepsChoices() && requestedTileSize() == 0;
}

static TuneKey keyOf(ChainCalls const &calls) {
  TuneKey key{"", 1, Tuned::Chain, {}};
  for (auto const &call : calls)
    key.loops.push_back(keyOf(*call->desc, *call->set, call->args.data()));
  return key;
}

namespace {
/// Loops with certain handles, one after the other.
class Chain {
public:
  Chain(ChainCalls ofCalls, int withThreads)
      : calls(std::move(ofCalls)), names(namesOf(calls)), threads(withThreads),
        exceedsCaches(op2::rt::exceedsCaches(calls, threads)) {
    for (auto const &call : calls)
      states.insert(static_cast<LoopState *>(call->desc->state));
    if (calls.size() < 2 || !exceedsCaches || !keepsChoicesOfChains() ||
        hasRanks())
      return;
    key = keyOf(calls);
    if (TuneRecord const *record = findChoice(key))
      inTilesBefore = record->inTiles;
  }

  /// Ranks may have different numbers of threads, and remember the same chains.
  bool isOf(ChainLoops const &loops, int withThreads) const {
    return ((threads == withThreads && partSize == OP_part_size) ||
            hasRanks()) &&
           std::equal(calls.begin(), calls.end(), loops.begin(), loops.end(),
                      [](auto const &call, PendingLoop const *loop) {
                        return call == loop->call;
                      });
  }

  /// The result: runChain.
  bool run(ChainLoops const &loops) {
    bool inTiles = hasRanks() ? chooseOnRanks()
                              : haveStorageOfTheirOwn(calls) && chooseTiles();
    // Until ranks have looked at it, what it loses counts.
    bool countsLosses = hasRanks() && !isInspected;
    double start = now(), waitedBefore = countsLosses ? waitedInAll() : 0;
    if (inTiles)
      replay(plans, loops, border.get());
    else
      for (PendingLoop const *loop : loops)
        loop->run();
    wentInTiles = inTiles;
    if (!hasRanks()) {
      book(inTiles, now() - start);
      if (!isInspected && knownExecutions > 0)
        taken += now() - start;
    } else if (isOnTrialOnRanks()) {
      bookOnTrial(greatestOfRanks(now() - start, names.c_str()));
    } else if (countsLosses) {
      taken += now() - start;
      waited += waitedInAll() - waitedBefore;
    }
    traceSince(start, inTiles ? "chain in tiles" : "chain", names.c_str());
    if (hasRanks())
      return isAsked || !isSettledAgainst();
    return !isKnown() || mayGoInTiles();
  }

  /// The number of a loop with this call; -1: there is none.
  int32_t find(LoopCall const &call) const {
    auto at = std::find_if(calls.begin(), calls.end(),
                           [&](auto const &one) { return one.get() == &call; });
    return at == calls.end() ? -1 : static_cast<int32_t>(at - calls.begin());
  }

  bool runsOver(Set const &set) const {
    return std::any_of(calls.begin(), calls.end(),
                       [&](auto const &call) { return call->set == &set; });
  }

  LoopInTiles tilesOf(int32_t loop) const {
    LoopInTiles found;
    if (!wentInTiles)
      return found;
    found.numThreads = threads;
    found.tiles.resize(plans.threads.size() *
                       static_cast<std::size_t>(plans.numTiles));
    for (std::size_t t = 0; t < plans.threads.size(); ++t)
      for (TilePlan const &part : plans.threads[t].parts)
        if (part.loop == loop)
          found.tiles[t * std::size_t(plans.numTiles) + part.tile] =
              elementsOf(*part.plan);
    return found;
  }

private:
  bool chooseTiles() {
    bool isNew = countExecution();
    if (calls.size() < 2)
      return false;
    if (requestedChaining() == Chaining::Always)
      return hasPlans();
    if (!exceedsCaches)
      return false;
    if (inTilesBefore && !trial.isSettled())
      trial.settle(*inTilesBefore && isPromising() ? 1 : 0);
    if (!inTilesBefore && (isNew || isEarly()))
      return false;
    if (requestedTuning() == Tuning::Off && !trial.isSettled())
      trial.settle(isPromising() ? 1 : 0);
    if (!trial.isSettled() && !isInspected && !hasLostEnough())
      return false;
    if (!trial.isSettled() && !takeTurn(trial))
      return false;
    if (!trial.isSettled() && trial.current() == 1 && !isPromising()) {
      trial.drop(1);
      keepChoice();
    }
    return trial.current() == 1;
  }

  //===--------------------------------------------------------------------===//
  // On ranks: what they choose is the same on all of them
  //===--------------------------------------------------------------------===//

  bool chooseOnRanks() {
    agreeOnOptions();
    if (!isInspected && !isAsked && isEarly())
      return false;
    inspectOnRanks();
    return border && border->isPossible() && trial.current() == 1;
  }
  bool isOnTrialOnRanks() const { return border && !trial.isSettled(); }

  /// What is not said on all ranks does not count.
  void agreeOnOptions() {
    if (areOptionsAgreed)
      return;
    areOptionsAgreed = true;
    isAsked = allRanks(requestedChaining() == Chaining::Always);
    isTuned = allRanks(requestedTuning() != Tuning::Off);
  }

  bool allRanks(bool is) const {
    return votesOfRanks(is, names.c_str()) == job.size;
  }

  bool anyRank(bool is) const { return votesOfRanks(is, names.c_str()) > 0; }

  /// May making tiles pay? Asked once.
  bool isWorthInspecting() const {
    double lost = mayMoveLess() ? kLossByBytes * taken : 0;
    return kExecutionsToCome * std::max(lost, waited) >=
           double(knownExecutions) * kSecondsOfTiles * countElements();
  }

  void inspectOnRanks() {
    if (isInspected)
      return;
    isInspected = true;
    double start = now();
    Progress progress("tiles of loops " + names);
    bool movesLess = anyRank(mayMoveLess()), waits = anyRank(waitsForRanks()),
         isWorthIt = anyRank(isWorthInspecting());
    ChainTiles tiles;
    reason = "it saves no bytes, and no time for messages";
    if ((movesLess || waits) && !isWorthIt)
      reason = "making tiles would take longer than they may save";
    else if (movesLess || waits)
      reason = "";
    if (isAsked || reason.empty()) {
      border = std::make_unique<RankChain>(calls);
      ChainInput input = describeChain(calls, threads);
      tiles = findTiles(input);
      reason = reasonAgainst(input, tiles, waits ? 1 : kLeastTiles);
    }
    // The slowest rank counts: one that has little to do is in nobody's way.
    bool isPossible = border && allRanks(tiles.obstacle.empty()),
         isPromising = isPossible && anyRank(reason.empty());
    if (isPossible && (isPromising || isAsked))
      plans = makePlans(calls, tiles, border.get());
    else
      border = nullptr;
    if (!border && reason.empty())
      reason = "other ranks' parts are in the way";
    if (!border || isAsked || !isTuned)
      trial.settle(border ? 1 : 0);
    progress.end();
    bookInspection(now() - start, tiles.numTiles);
    traceSince(start, "inspection", names.c_str());
    if (border && shouldCheckPlans())
      requireSoundPlans(calls, plans, border.get());
  }

  /// Do its loops, one by one, wait for messages, which come while tiles run? A
  /// single loop is a chain for that.
  bool waitsForRanks() const {
    constexpr double kLeastShare = 0.05;
    return waited > kLeastShare * taken;
  }

  /// What its loops have waited for messages so far, in this chain or not.
  double waitedInAll() const {
    double seconds = 0;
    for (LoopState const *state : states)
      seconds += state->ranks.waiting;
    return seconds;
  }

  //===--------------------------------------------------------------------===//
  // Trials
  //===--------------------------------------------------------------------===//

  /// Since the last loop that was not settled, which may yet be one of the
  /// chain's. True if it is one of the first ones.
  bool countExecution() {
    if (unsettledBefore != unsettledLoops)
      executions = 0;
    unsettledBefore = unsettledLoops;
    if (isKnown())
      return false;
    ++executions;
    return true;
  }
  /// True for the first ones of a recorded chain.
  bool isEarly() {
    ++knownExecutions;
    return knownExecutions < kExecutionsBeforeTiles &&
           knownExecutions * int64_t(calls.size()) < kLoopsBeforeTiles;
  }
  bool isKnown() const { return executions == kExecutionsBefore; }
  bool isSettledAgainst() const {
    return trial.isSettled() && trial.current() == 0;
  }
  bool mayMoveLess() const { return calls.size() > 1 && exceedsCaches; }
  bool mayGoInTiles() const { return mayMoveLess() && !isSettledAgainst(); }

  double countElements() const {
    double elements = 0;
    for (auto const &call : calls)
      elements += double(ownOf(call->set));
    return elements;
  }
  /// Would what tiles may have saved so far pay for making them? Of loops that
  /// take little time for an element many must have run.
  bool hasLostEnough() const {
    return kLossByBytes * taken >= kSecondsOfInspection * countElements();
  }

  bool hasPlans() {
    inspect();
    return !plans.empty();
  }
  bool isPromising() { return hasPlans() && reason.empty(); }

  void inspect() {
    if (isInspected)
      return;
    isInspected = true;
    double start = now();
    Progress progress("tiles of loops " + names);
    ChainInput input = describeChain(calls, threads);
    int32_t wanted = input.numTiles;
    if (wanted > 1) {
      ChainTiles tiles = findTiles(input);
      reason = reasonAgainst(input, tiles, kLeastTiles);
      bool isAsked = requestedChaining() == Chaining::Always;
      if (reason.empty() || (isAsked && tiles.obstacle.empty()))
        plans = makePlans(calls, tiles);
    } else {
      reason = "all of it is one tile";
    }
    progress.end();
    bookInspection(now() - start, wanted);
    traceSince(start, "inspection", names.c_str());
    if (!plans.empty() && shouldCheckPlans())
      requireSoundPlans(calls, plans);
  }

  /// Inspections are plans of the chain's first loop.
  void bookInspection(double seconds, int32_t numTiles) const {
    LoopState &state = *static_cast<LoopState *>(calls.front()->desc->state);
    bookPlanTime(state, seconds);
    state.seconds += seconds;
    if (OP_diags < 2)
      return;
    if (plans.empty())
      op_printf("op2: chain %s: loop after loop, %s; %.3f ms\n", names.c_str(),
                reason.c_str(), seconds * 1e3);
    else
      op_printf("op2: chain %s: %d tiles, %lld elements twice or more, %.3f "
                "ms, %lld bytes\n",
                names.c_str(), numTiles,
                static_cast<long long>(repeatedElements(calls, plans)),
                seconds * 1e3, static_cast<long long>(memoryOf(plans)));
  }

  void book(bool inTiles, double seconds) {
    if (trial.isSettled() || !hasTurn(trial) ||
        inTiles != (trial.current() == 1))
      return;
    bookOnTrial(seconds);
    if (trial.isSettled())
      keepChoice();
  }

  void bookOnTrial(double seconds) {
    trial.book(seconds);
    if (!trial.isSettled())
      return;
    if (OP_diags >= 2)
      op_printf("op2: tuned chain %s: %s; in tiles: %.1f us, loop after loop: "
                "%.1f us\n",
                names.c_str(),
                trial.current() == 1 ? "in tiles" : "loop after loop",
                trial.leastSeconds(1) * 1e6, trial.leastSeconds(0) * 1e6);
  }

  void keepChoice() const {
    if (trial.isSettled() && keepsChoicesOfChains())
      noteChoice({key, {}, /*fused=*/true, trial.current() == 1});
  }

  ChainCalls calls;
  std::set<LoopState const *> states; ///< of its loops
  std::string names;
  int threads;
  int partSize = OP_part_size;
  bool exceedsCaches;
  int executions = 0;          ///< up to kExecutionsBefore
  int64_t knownExecutions = 0; ///< since
  int64_t unsettledBefore = -1;
  bool isInspected = false;
  bool wentInTiles = false; ///< the latest execution
  std::string reason;       ///< against tiles
  ChainPlans plans;
  // On ranks.
  std::unique_ptr<RankChain> border; ///< if there are plans
  bool areOptionsAgreed = false, isAsked = false, isTuned = false;
  double taken = 0, waited = 0;      ///< seconds, before it is inspected
  TuneKey key;                       ///< if choices are kept
  std::optional<bool> inTilesBefore; ///< what an earlier run has chosen
  Trial trial{2, kTrialRounds, kGainByTiles}; ///< loop after loop, in tiles
};
} // namespace

/// The latest first.
static std::vector<std::unique_ptr<Chain>> &chains() {
  static auto *list = new std::vector<std::unique_ptr<Chain>>;
  return *list;
}

static Chain &findChain(ChainLoops const &loops) {
  int threads = omp_get_max_threads();
  auto &all = chains();
  auto at = std::find_if(all.begin(), all.end(), [&](auto const &chain) {
    return chain->isOf(loops, threads);
  });
  if (at == all.end()) {
    ChainCalls calls;
    for (PendingLoop const *loop : loops)
      calls.push_back(loop->call);
    if (all.size() == kMaxChains)
      all.pop_back();
    all.push_back(std::make_unique<Chain>(std::move(calls), threads));
    at = all.end() - 1;
  }
  std::rotate(all.begin(), at, at + 1);
  return *all.front();
}

bool op2::rt::runChain(ChainLoops const &loops) {
  bool isPromising = findChain(loops).run(loops);
  for (PendingLoop const *loop : loops)
    noteWaiting(*loop->call, !isPromising);
  return isPromising;
}

LoopInTiles op2::rt::tilesOf(LoopCall const &call) {
  for (auto const &chain : chains())
    if (int32_t loop = chain->find(call); loop >= 0)
      return chain->tilesOf(loop);
  return {};
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.forgetCalls = [](Set const *set) {
    auto &all = chains();
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](auto const &chain) {
                               return !set || chain->runsOver(*set);
                             }),
              all.end());
  };
}
