//===- LoopTuning.cpp - Choice of the execution of a loop -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTuning.h"
#include "Core/MapShape.h"
#include "Loop.h"
#include "Plan/Plan.h"
#include "Reduction.h"
#include "Tune/Tuner.h"

#include <algorithm>
#include <cstdio>

using namespace op2::rt;

// Starting threads takes microseconds: a loop that takes this long with all of
// them gains nothing by one.
static constexpr double kLongestAlone = 100e-6;
// Some 40 ms were seen, with a thread for each of two cores.
static constexpr double kUntilInPlace = 0.1;

static double secondsOfLoops = 0;

bool op2::rt::areThreadsInPlace() { return secondsOfLoops >= kUntilInPlace; }

//===----------------------------------------------------------------------===//
// What may be chosen
//===----------------------------------------------------------------------===//

/// Of minima that are equal, the first brings its infos; and rows that several
/// elements write through a map depend on where blocks are cut. Other results
/// are the elements' own, or exact.
static bool dependsOnBlocks(op2rt_loop const &loop) {
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (arg.access == OP2RT_READ || !loop.args[m].active)
      continue;
    bool isOwnRow = arg.kind == OP2RT_ARG_DAT && !loop.args[m].map;
    if (!isExactReduction(*loop.desc, m) && !isOwnRow)
      return true;
  }
  return false;
}

static void addBlockSizes(Plan const &plan, std::vector<Choice> &choices) {
  for (int64_t size : {plan.blockSize / 4, plan.blockSize * 4}) {
    int64_t rounded = size / kBlockStep * kBlockStep;
    if (rounded >= kBlockStep && rounded < plan.size)
      choices.push_back({true, rounded});
  }
}

static std::vector<Choice> findChoices(op2rt_loop const &loop, Plan const &plan,
                                       bool mayCutBlocks) {
  std::vector<Choice> choices{{}};
  if (plan.mostBlocks > 1)
    choices.push_back({false, 0});
  if (requestedTuning() == Tuning::On && mayCutBlocks && plan.trivial &&
      !dependsOnBlocks(loop))
    addBlockSizes(plan, choices);
  return choices;
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

LoopKey op2::rt::keyOf(op2rt_loop_desc const &desc, op_set_core const &set,
                       op2rt_arg const *args) {
  auto const &state = *static_cast<LoopState const *>(desc.state);
  std::vector<op_map_core const *> maps;
  for (int m = 0; m < desc.nargs; ++m)
    if (args[m].active)
      maps.push_back(args[m].map);
  return {state.name, state.location, ownOf(&set), describeMaps(maps)};
}

/// Takes the choice of the file, if that is possible here.
static void settleFromFile(LoopTuning &tuning) {
  TuneRecord const *record = findChoice(tuning.key);
  if (!record)
    return;
  auto at =
      std::find(tuning.choices.begin(), tuning.choices.end(), record->choice);
  if (at != tuning.choices.end())
    tuning.trial.settle(static_cast<int>(at - tuning.choices.begin()));
}

std::unique_ptr<LoopTuning> op2::rt::beginTuning(op2rt_loop const &loop,
                                                 op2rt_plan const &plan,
                                                 bool mayCutBlocks) {
  auto tuning =
      std::make_unique<LoopTuning>(findChoices(loop, plan, mayCutBlocks));
  if (tuning->choices.size() == 1) {
    tuning->trial.settle(0);
  } else if (keepsChoices()) {
    tuning->key.first() = keyOf(*loop.desc, *loop.set, loop.args);
    settleFromFile(*tuning);
  }
  return tuning;
}

static std::string describe(Choice const &choice) {
  std::string text = choice.inThreads ? "all threads" : "one thread";
  if (choice.blockSize)
    text += ", blocks of " + std::to_string(choice.blockSize);
  return text;
}

/// "loop q over cells (400 elements): one thread, 2.1 us; all threads 4.3 us".
static void report(op2rt_loop const &loop, LoopTuning const &tuning) {
  if (OP_diags < 2)
    return;
  auto timed = [&](int way, char const *between) {
    char text[32];
    double least = tuning.trial.leastSeconds(way);
    std::snprintf(text, sizeof text, "%.1f us",
                  (least > 0 ? least : tuning.least) * 1e6);
    return describe(tuning.choices[way]) + between + text;
  };
  int best = tuning.trial.current();
  std::string text = timed(best, ": ");
  for (int way = 0; way < tuning.trial.numWays(); ++way)
    if (way != best && tuning.trial.leastSeconds(way) > 0)
      text += "; " + timed(way, ": ");
  op_printf("op2: tuned loop %s over %s (%d elements): %s\n", loop.desc->name,
            loop.set->name, ownOf(loop.set), text.c_str());
}

/// One thread is hopeless for long loops.
static void dropAlone(LoopTuning &tuning) {
  for (int way = 1; way < tuning.trial.numWays(); ++way)
    if (!tuning.choices[way].inThreads)
      tuning.trial.drop(way);
}

void op2::rt::bookExecution(op2rt_loop const &loop, double seconds) {
  secondsOfLoops += seconds;
  LoopTuning *tuning = loop.call->tuning.get();
  if (!tuning || tuning->trial.isSettled())
    return;
  Trial &trial = tuning->trial;
  bool isOnTrial = hasTurn(trial);
  bool isDefault = !isOnTrial || trial.current() == 0;
  if (isDefault && tuning->executions < Trial::kInRow) {
    if (++tuning->executions > 1)
      tuning->least =
          tuning->executions == 2 ? seconds : std::min(tuning->least, seconds);
  }
  if (isOnTrial)
    trial.book(seconds);
  if (tuning->executions == Trial::kInRow && tuning->least >= kLongestAlone)
    dropAlone(*tuning);
  if (!trial.isSettled())
    return;
  report(loop, *tuning);
  if (keepsChoices())
    noteChoice({tuning->key, tuning->current()});
}
