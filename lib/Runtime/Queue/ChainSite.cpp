//===- ChainSite.cpp - Loops that may wait ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody tells what loop a site runs, and with which plan: it is seen when the
// site runs with its handles for the first time.
//
//===----------------------------------------------------------------------===//

#include "ChainSite.h"
#include "ChainRun.h"
#include "ChainTiles.h"
#include "Execute/LoopHooks.h"
#include "Plan/Plan.h"

#include <algorithm>

using namespace op2::rt;

// Combinations of handles remembered per site.
static constexpr std::size_t kMaxCalls = 64;

static std::vector<std::unique_ptr<SiteState>> &siteStates() {
  static auto *states = new std::vector<std::unique_ptr<SiteState>>;
  return *states;
}

//===----------------------------------------------------------------------===//
// Which loops may wait
//===----------------------------------------------------------------------===//

static bool isReduction(int32_t access) {
  return access == OP2RT_INC || access == OP2RT_MIN || access == OP2RT_MAX;
}

static bool mayWait(op2rt_site const &site) {
  return std::all_of(
      site.params, site.params + site.nparams, [](op2rt_param const &param) {
        return param.kind != OP2RT_PARAM_GLOBAL || param.access == OP2RT_READ ||
               isReduction(param.access);
      });
}

static bool mayWait(op2rt_arg_desc const &arg) {
  if (arg.kind == OP2RT_ARG_GLOBAL)
    return arg.access == OP2RT_READ || isReduction(arg.access);
  return arg.kind != OP2RT_ARG_INFO && arg.access != OP2RT_WORK;
}

bool SiteCall::reduces() const {
  for (int m = 0; m < desc->nargs; ++m)
    if (desc->args[m].kind == OP2RT_ARG_GLOBAL &&
        desc->args[m].access != OP2RT_READ && args[m].active)
      return true;
  return false;
}

bool SiteCall::isColored() const {
  return !plan->trivial && !plan->isOwned() && set->size > 0;
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
/// runs them. Partial results belong to blocks.
static bool hasRightPlan(SiteCall const &call) {
  if (!call.plan)
    return false;
  if (!call.isColored())
    return call.plan->trivial || !call.reduces();
  bool isPlain = call.plan->what == OP2RT_PLAN_BLOCKS ||
                 call.plan->what == OP2RT_PLAN_OWNER;
  return isPlain && !call.reduces() && isSmall(*call.set);
}

static bool mayWait(SiteCall const &call) {
  return call.desc->target == OP2RT_TARGET_OPENMP && hasRightPlan(call) &&
         std::all_of(call.desc->args, call.desc->args + call.desc->nargs,
                     [](op2rt_arg_desc const &arg) { return mayWait(arg); });
}

//===----------------------------------------------------------------------===//
// Remembered calls
//===----------------------------------------------------------------------===//

SiteState &op2::rt::stateOf(op2rt_site &site) {
  if (!site.state) {
    siteStates().push_back(std::make_unique<SiteState>());
    SiteState &state = *siteStates().back();
    state.site = &site;
    state.mayWait = mayWait(site);
    site.state = &state;
  }
  return *static_cast<SiteState *>(site.state);
}

static void forgetSiteCalls() {
  for (auto &state : siteStates())
    state->calls.clear();
}

static uint64_t serialOfLiving(int32_t kind, void const *value) {
  switch (kind) {
  case OP2RT_PARAM_SET: {
    Set const *set = findSet(static_cast<op_set_core const *>(value));
    return set ? set->serial : 0;
  }
  case OP2RT_PARAM_MAP: {
    Map const *map = findMap(static_cast<op_map_core const *>(value));
    return map ? map->serial : 0;
  }
  case OP2RT_PARAM_DAT: {
    Dat const *dat = findDat(static_cast<op_dat_core const *>(value));
    return dat ? dat->serial : 0;
  }
  }
  return 0;
}

/// Of a value that equals one which was a living handle: it points to a record,
/// so looking at its serial number is safe even if the object is dead.
static uint64_t serialOfRecord(int32_t kind, void const *value) {
  switch (kind) {
  case OP2RT_PARAM_SET:
    return static_cast<Set const *>(static_cast<op_set_core const *>(value))
        ->serial;
  case OP2RT_PARAM_MAP:
    return static_cast<Map const *>(static_cast<op_map_core const *>(value))
        ->serial;
  default:
    return static_cast<Dat const *>(static_cast<op_dat_core const *>(value))
        ->serial;
  }
}

static bool matches(SiteCall const &call, op2rt_site const &site,
                    void *const *values) {
  for (int64_t p = 0; p < site.nparams; ++p) {
    int32_t kind = site.params[p].kind;
    SiteValue const &known = call.values[p];
    if (kind == OP2RT_PARAM_GLOBAL)
      continue;
    if (known.value != values[p] ||
        (known.serial != 0 && serialOfRecord(kind, values[p]) != known.serial))
      return false;
  }
  return true;
}

std::shared_ptr<SiteCall> op2::rt::findCall(SiteState &state,
                                            void *const *values) {
  for (std::size_t c = 0; c < state.calls.size(); ++c)
    if (matches(*state.calls[c], *state.site, values)) {
      if (c != 0)
        std::swap(state.calls[c], state.calls[0]);
      return state.calls[0];
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Learning
//===----------------------------------------------------------------------===//

namespace {
struct Learning {
  SiteState *state = nullptr; ///< NULL: nothing is learned
  std::vector<void *> values;
  std::shared_ptr<SiteCall> call; ///< once its loop has begun
  bool hasSeveralPlans = false;
};
} // namespace

static Learning learning;

void op2::rt::beginLearning(SiteState &state, void *const *values) {
  learning = Learning();
  setPending(kLearning);
  learning.state = &state;
  learning.values.assign(values, values + state.site->nparams);
}

void op2::rt::stopLearning() {
  if (!isPending(kLearning))
    return;
  learning = Learning();
  setPending(kLearning, false);
}

/// An argument that is switched off has no address that means anything.
static bool isUsed(op2rt_loop const &loop, void const *global) {
  for (int m = 0; m < loop.desc->nargs; ++m)
    if (loop.desc->args[m].kind == OP2RT_ARG_GLOBAL && loop.args[m].active &&
        loop.args[m].data == global)
      return true;
  return false;
}

/// A loop begins, has got a plan, has ended: in case it is the one that is to
/// be known from now on.
static void noteBegin(op2rt_loop const &loop) {
  if (!learning.state)
    return;
  op2rt_site const &site = *learning.state->site;
  if (learning.call || loop.set != learning.values[0])
    return stopLearning();
  auto call = std::make_shared<SiteCall>();
  for (int64_t p = 0; p < site.nparams; ++p) {
    op2rt_param const &param = site.params[p];
    bool isGlobal = param.kind == OP2RT_PARAM_GLOBAL;
    void *value = learning.values[p];
    call->isUsed.push_back(isGlobal && isUsed(loop, value));
    call->values.push_back(
        isGlobal ? SiteValue()
                 : SiteValue{value, serialOfLiving(param.kind, value)});
  }
  call->desc = loop.desc;
  call->set = loop.call->set;
  call->args.assign(loop.args, loop.args + loop.desc->nargs);
  // The loop's calls are in the order of their latest use.
  call->call = loop.state->calls.front();
  learning.call = std::move(call);
}

static void notePlan(op2rt_plan const *plan) {
  if (!learning.call)
    return;
  learning.hasSeveralPlans |= learning.call->plan != nullptr;
  learning.call->plan = plan;
}

static void noteEnd() {
  if (!learning.call)
    return;
  std::shared_ptr<SiteCall> call = std::move(learning.call);
  call->mayWait = !learning.hasSeveralPlans && mayWait(*call);
  auto &calls = learning.state->calls;
  if (calls.size() == kMaxCalls)
    calls.pop_back();
  calls.insert(calls.begin(), std::move(call));
  stopLearning();
}

static void forgetCalls() {
  stopLearning();
  forgetSiteCalls();
  forgetKnownChains();
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.noteBegin = noteBegin;
  loopHooks.notePlan = notePlan;
  loopHooks.noteEnd = noteEnd;
  loopHooks.forgetCalls = forgetCalls;
}
