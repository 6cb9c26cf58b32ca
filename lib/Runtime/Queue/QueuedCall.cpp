//===- QueuedCall.cpp - Calls as the queue remembers them -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueuedCall.h"
#include "ChainInput.h"
#include "ChainOptions.h"
#include "Core/Job.h"
#include "Execute/LoopHooks.h"
#include "Execute/LoopPlan.h"
#include "Plan/Plan.h"
#include "Ranks/RankChain.h"

#include <algorithm>

using namespace op2::rt;

QueuedCall &op2::rt::queuedOf(LoopCall &call) {
  if (!call.queued)
    call.queued = std::make_shared<QueuedCall>();
  return *call.queued;
}

op2rt_loop op2::rt::loopOf(LoopCall &call) {
  return {call.desc, call.set, call.args.data(), nullptr, &call, 0, 0,
          true,      false,    nullptr};
}

bool op2::rt::isColored(LoopCall const &call) {
  op2rt_plan const &plan = *call.plan;
  return !plan.trivial && !plan.isOwned() && ownOf(call.set) > 0;
}

bool op2::rt::mayRunByOwners(LoopCall &call) {
  return !reducesInOrder(call) && !countsElements(call) &&
         mayRunAgain(loopOf(call));
}

/// Compared with the largest set of the program.
static bool isSmall(Set const &set) {
  auto const &sets = registry().sets;
  return std::any_of(sets.begin(), sets.end(), [&](op_set_core const *other) {
    return int64_t(set.size) * kSmallSet <= other->size;
  });
}

/// Without conflicts the plan's blocks may be any ranges of elements, and owned
/// parts any ranges of targets. Coloured elements have an order that is not
/// that of any other loop, which is no obstacle where they are few: one thread
/// runs them. Results that are not exact belong to blocks. A tile's thread owns
/// all that its elements change, so that some run again.
static bool hasRightPlan(LoopCall &call) {
  op2rt_plan const *plan = call.plan;
  if (!plan || call.hasSeveralPlans)
    return false;
  if (plan->isOwned())
    return mayRunByOwners(call);
  if (!isColored(call))
    return plan->trivial || !reducesGlobals(call);
  bool isPlain =
      plan->what == OP2RT_PLAN_BLOCKS || plan->what == OP2RT_PLAN_OWNER;
  return isPlain && !reducesInOrder(call) && isSmall(*call.set);
}

static bool mayTile(op2rt_arg_desc const &arg) {
  if (isGlobal(arg))
    return arg.access == OP2RT_READ || arg.access == OP2RT_INC ||
           arg.access == OP2RT_MIN || arg.access == OP2RT_MAX;
  return arg.access != OP2RT_WORK;
}

static bool mayTile(LoopCall &call) {
  return call.desc->target == OP2RT_TARGET_OPENMP && hasRightPlan(call) &&
         std::all_of(call.desc->args, call.desc->args + call.desc->nargs,
                     [](op2rt_arg_desc const &arg) { return mayTile(arg); });
}

/// Where no chain of its loops goes in tiles, waiting only costs time. What
/// options say ranks have agreed on (ChainRun.cpp).
static bool isHopeless(QueuedCall const &queued) {
  constexpr int kMostInVain = 16;
  return (hasRanks() || requestedChaining() != Chaining::Always) &&
         queued.inVain >= kMostInVain;
}

void op2::rt::noteWaiting(LoopCall &call, bool inVain) {
  QueuedCall &queued = queuedOf(call);
  queued.inVain = inVain ? queued.inVain + 1 : 0;
  if (hasRanks() && isHopeless(queued))
    call.ranks->mayWait = false;
}

bool op2::rt::isUnsettled(LoopCall const &call) {
  return requestedChaining() != Chaining::Always && call.isOnTrial();
}

bool op2::rt::mayTileNow(LoopCall &call) {
  if (requestedChaining() == Chaining::Never)
    return false;
  if (hasRanks()) // also where some of them have a profile
    return mayWaitOnRanks(call);
  if (isPending(kProfiling) || isUnsettled(call))
    return false;
  if (!call.plan)
    return false; // it has not run yet
  QueuedCall &queued = queuedOf(call);
  if (call.planPartSize != OP_part_size) {
    queued.mayTile.reset(); // the next plan is another one
    return false;
  }
  if (!queued.mayTile || call.isOnTrial())
    queued.mayTile = mayTile(call);
  // Addresses may be others than those that the plan was made for.
  bool isAsPlanned = !haveOneArray(call) &&
                     !(call.plan->isOwned() && readsChanges(*call.desc, call));
  return *queued.mayTile && isAsPlanned && !isHopeless(queued);
}

/// On ranks, where rows have their additions in the order of the elements,
/// colours do not occur.
[[gnu::constructor]] static void enterHooks() {
  loopHooks.mayTile = [](LoopCall &call) {
    return requestedChaining() != Chaining::Never && call.plan &&
           !isColored(call) && mayTile(call);
  };
}
