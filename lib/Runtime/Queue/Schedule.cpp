//===- Schedule.cpp - Execution of pending loops ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order of their calls: two as one where there is code for that, several
// in tiles where that is faster.
//
//===----------------------------------------------------------------------===//

#include "ChainRun.h"
#include "Core/Clock.h"
#include "Core/Job.h"
#include "FusedPair.h"

#include <algorithm>

using namespace op2::rt;

namespace {
/// Neighbours that can run as one.
struct Candidate {
  int32_t first;
  std::shared_ptr<FusedPair> pair;
  PendingLoop both;
};

/// What runs in one go: a pending loop, or two as one.
struct Step {
  PendingLoop const *loop;
  /// The pair whose way is on trial, and how many steps that is.
  FusedPair *trial = nullptr;
  int32_t trialSteps = 0;
};

class Schedule {
public:
  Schedule(PendingLoop const *loops, int32_t count)
      : loops(loops), count(count) {
    findCandidates();
    chooseCandidates();
    addSteps();
  }

  /// Might any of its chains go in tiles?
  bool run() {
    for (auto step = steps.cbegin(); step != steps.cend();)
      step = step->trial ? runOnTrial(step) : runUpTo(findEnd(step), step);
    return isPromising;
  }

private:
  using Place = std::vector<Step>::const_iterator;

  void findCandidates() {
    for (int32_t n = 0; n + 1 < count; ++n) {
      Candidate candidate{n, findPair(loops[n], loops[n + 1]), {}};
      if (candidate.pair && !candidate.pair->isApart() &&
          candidate.pair->fuse(loops[n], loops[n + 1], candidate.both))
        candidates.push_back(std::move(candidate));
    }
  }

  /// A loop is in one pair: those that save most come first.
  void chooseCandidates() {
    std::sort(candidates.begin(), candidates.end(),
              [](Candidate const &a, Candidate const &b) {
                return std::make_pair(-a.pair->savedBytes(), a.first) <
                       std::make_pair(-b.pair->savedBytes(), b.first);
              });
    std::vector<Candidate> chosen;
    for (Candidate &candidate : candidates)
      if (std::none_of(chosen.begin(), chosen.end(), [&](auto const &other) {
            return std::abs(other.first - candidate.first) <= 1;
          }))
        chosen.push_back(std::move(candidate));
    candidates = std::move(chosen);
    std::sort(candidates.begin(), candidates.end(),
              [](Candidate const &a, Candidate const &b) {
                return a.first < b.first;
              });
  }

  void addSteps() {
    auto next = candidates.begin();
    for (int32_t n = 0; n < count; ++n) {
      if (next == candidates.end() || next->first != n) {
        steps.push_back({&loops[n]});
        continue;
      }
      Candidate const &candidate = *next++;
      bool isFused = candidate.pair->chooseFused();
      FusedPair *trial = takeTrial(*candidate.pair);
      if (isFused) {
        steps.push_back({&candidate.both, trial, 1});
      } else {
        steps.push_back({&loops[n], trial, 2});
        steps.push_back({&loops[n + 1]});
      }
      ++n;
    }
  }

  /// NULL unless the pair is on trial: once in a schedule, as a time may be the
  /// last one of its way.
  FusedPair *takeTrial(FusedPair &pair) const {
    bool isTaken =
        std::any_of(steps.begin(), steps.end(),
                    [&](Step const &step) { return step.trial == &pair; });
    return pair.isOnTrial() && !isTaken ? &pair : nullptr;
  }

  Place runOnTrial(Place step) const {
    // Chains are not what they will be.
    noteUnsettledLoop();
    Place end = step + step->trialSteps;
    double start = now();
    for (Place next = step; next != end; ++next)
      next->loop->run();
    step->trial->book(now() - start);
    return end;
  }

  /// Of the steps that may run in tiles together.
  Place findEnd(Place step) const {
    return std::find_if(step, steps.end(), [](Step const &other) {
      return other.trial || !(hasRanks() ? mayWaitOnRanks(*other.loop->call)
                                         : mayTileNow(*other.loop->call));
    });
  }

  Place runUpTo(Place end, Place step) {
    if (step == end) {
      if (isUnsettled(*step->loop->call))
        noteUnsettledLoop();
      step->loop->run();
      return step + 1;
    }
    ChainLoops chain;
    for (; step != end; ++step)
      chain.push_back(step->loop);
    isPromising |= runChain(chain);
    return end;
  }

  PendingLoop const *loops;
  int32_t count;
  std::vector<Candidate> candidates;
  std::vector<Step> steps;
  bool isPromising = false;
};
} // namespace

bool op2::rt::runPending(PendingLoop const *loops, int32_t count) {
  return Schedule(loops, count).run();
}
