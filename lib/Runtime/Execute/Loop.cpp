//===- Loop.cpp - Beginning and end of a loop -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_loop_begin and op2rt_loop_end. What generated code asks between them:
// LoopQueries.cpp.
//
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapShape.h"
#include "Core/Memory.h"
#include "Core/Pending.h"
#include "Core/Threads.h"
#include "Core/Trace.h"
#include "Core/Types.h"
#include "LoopHooks.h"
#include "LoopPart.h"
#include "LoopPlan.h"
#include "OP2/API/op_profile.h"
#include "Reduction.h"
#include "Renumber/Renumber.h"
#include "StepRecord.h"

#include <algorithm>

using namespace op2::rt;

// Combinations of handles remembered per call site.
static constexpr std::size_t kMaxCalls = 64;
// Above this value of OP_diags each loop that begins is said.
static constexpr int kSayAllLoops = 2;

OP2_FAST_PATH_DATA alignas(64) op2rt_loop op2::rt::theLoop = {};
// The loop that runs for copies of elements, and their plan.
static LoopCall *callOfCopies = nullptr;
static op2rt_plan const *planOfCopies = nullptr;
LoopHooks op2::rt::loopHooks;

static std::vector<LoopState *> &loopStates() {
  static auto *states = new std::vector<LoopState *>;
  return *states;
}

std::vector<LoopState *> const &op2::rt::allLoopStates() {
  return loopStates();
}

char const *op2::rt::currentLoopName() {
  op2rt_loop const *loop = currentLoop();
  return loop ? loop->desc->name : nullptr;
}

void op2::rt::forgetHandles(Set const *set) {
  auto isForgotten = [&](std::shared_ptr<LoopCall> const &call) {
    return !set || call->set == set;
  };
  for (LoopState *state : loopStates()) {
    if (!set || (state->latest && state->latest->set == set))
      state->latest = nullptr;
    auto &calls = state->calls;
    calls.erase(std::remove_if(calls.begin(), calls.end(), isForgotten),
                calls.end());
  }
  loopHooks.forgetCalls(set);
}

void op2::rt::forgetLoopCalls() {
  forgetHandles(nullptr);
  for (LoopState *state : loopStates()) {
    state->kernel = -1;
    state->count = state->countAlone = state->countChained = 0;
    state->seconds = state->planSeconds = state->bytes = 0;
    state->ranks = {};
    state->device = {};
  }
  forgetKernels();
}

LoopState &op2::rt::newLoopState(std::string const &name) {
  auto *state = new LoopState;
  state->name = name;
  loopStates().push_back(state);
  return *state;
}

static LoopState &stateOf(op2rt_loop_desc &desc) {
  if (desc.state)
    return *static_cast<LoopState *>(desc.state);
  if (desc.abi_version != OP2RT_ABI_VERSION)
    fatal(Problem::Version,
          "loop %s was compiled for version %u of the runtime's "
          "interface, this is version %d: compile the program again",
          desc.name, desc.abi_version, OP2RT_ABI_VERSION);
  LoopState &state = newLoopState(desc.name ? desc.name : "");
  state.location = desc.location ? desc.location : "";
  state.compiledStrategy = desc.strategy ? desc.strategy : "";
  state.strategy = state.compiledStrategy.c_str();
  state.target = desc.target;
  desc.state = &state;
  return state;
}

//===----------------------------------------------------------------------===//
// Remembered calls
//===----------------------------------------------------------------------===//

// A handle that equals a remembered one points to a record, so looking at its
// serial number is safe even if the object is dead.
static bool isAlive(LoopCall const &call) {
  if (call.set->serial != call.setSerial)
    return false;
  for (std::size_t m = 0; m < call.keys.size(); ++m) {
    auto const *map = static_cast<Map const *>(call.keys[m].map);
    auto const *dat = static_cast<Dat const *>(call.keys[m].dat);
    if ((map && map->serial != call.serials[m].map) ||
        (dat && dat->serial != call.serials[m].dat))
      return false;
  }
  return true;
}

static bool hasHandles(LoopCall const &call, op_set_core const *set,
                       op2rt_arg const *args) {
  if (call.set != set)
    return false;
  for (ArgKey const &key : call.keys) {
    op2rt_arg const &arg = *args++;
    bool isActive = arg.active != 0;
    if (isActive != key.active)
      return false;
    if (!isActive)
      continue;
    bool isSame = key.map == arg.map &&
                  (key.dat ? key.dat == arg.data : arg.data || !key.isGlobal);
    if (!isSame)
      return false;
  }
  return true;
}

static bool matches(LoopCall &call, op_set_core const *set,
                    op2rt_arg const *args) {
  if (!hasHandles(call, set, args) || !isAlive(call))
    return false;
  call.checkedAt = fastPath.freed;
  return true;
}

static void addDat(LoopCall &call, std::vector<int32_t> &groups, Dat *dat,
                   op2rt_arg_desc const &arg) {
  bool written = arg.access != OP2RT_READ;
  bool asSoA = (arg.flags & OP2RT_ARG_SOA) != 0;
  for (std::size_t d = 0; d < call.dats.size(); ++d)
    if (call.dats[d].dat == dat) {
      call.dats[d].written |= written;
      call.dats[d].severalGroups |= groups[d] != arg.group;
      call.dats[d].severalLayouts |= call.dats[d].asSoA != asSoA;
      return;
    }
  call.dats.push_back({dat, written, asSoA});
  groups.push_back(arg.group);
}

/// Whether the loop changes a global of which `is` says so.
template <class Is> static bool changesGlobal(LoopCall const &call, Is is) {
  for (int m = 0; m < call.desc->nargs; ++m)
    if (call.desc->args[m].kind == OP2RT_ARG_GLOBAL &&
        call.desc->args[m].access != OP2RT_READ && call.args[m].active && is(m))
      return true;
  return false;
}

bool op2::rt::reducesGlobals(LoopCall const &call) {
  return changesGlobal(call, [](int) { return true; });
}

bool op2::rt::reducesInOrder(LoopCall const &call) {
  return changesGlobal(call,
                       [&](int m) { return !isExactReduction(*call.desc, m); });
}

bool op2::rt::countsElements(LoopCall const &call) {
  return changesGlobal(
      call, [&](int m) { return call.desc->args[m].access == OP2RT_INC; });
}

/// The one to be forgotten: the least recent one. On ranks all forget the same
/// one, which is the oldest: pending loops are not looked for at the same time.
static auto leastOf(LoopState &state) {
  auto &calls = state.calls;
  return hasRanks() ? std::min_element(calls.begin(), calls.end(),
                                       [](auto const &a, auto const &b) {
                                         return a->number < b->number;
                                       })
                    : calls.end() - 1;
}

static void addCall(LoopState &state, op2rt_loop_desc &desc, op_set_core *set,
                    op2rt_arg const *args) {
  double start = now();
  checkLoop(desc, set, args);
  static uint64_t number = 0;
  auto call = std::make_shared<LoopCall>();
  call->number = number++;
  call->set = static_cast<Set *>(set);
  call->desc = &desc;
  call->args.assign(args, args + desc.nargs);
  call->setSerial = call->set->serial;
  call->checkedAt = fastPath.freed;
  call->keys.resize(desc.nargs);
  call->serials.resize(desc.nargs);
  std::vector<int32_t> groups;
  for (int m = 0; m < desc.nargs; ++m) {
    ArgKey &key = call->keys[m];
    key.active = args[m].active != 0;
    key.isGlobal = desc.args[m].kind == OP2RT_ARG_GLOBAL;
    if (desc.args[m].kind != OP2RT_ARG_DAT)
      call->args[m].data = nullptr;
    if (!key.active)
      continue;
    key.map = args[m].map;
    if (auto const *map = static_cast<Map const *>(args[m].map)) {
      call->serials[m].map = map->serial;
      bool isKnown = std::any_of(
          call->keys.begin(), call->keys.begin() + m,
          [&](ArgKey const &before) { return before.map == key.map; });
      if (desc.args[m].access == OP2RT_INC)
        call->targets.push_back(static_cast<Set const *>(map->to));
      if (!isKnown)
        call->distance = std::max(call->distance, sampleDistance(*map));
    }
    if (desc.args[m].kind == OP2RT_ARG_DAT) {
      auto *dat = static_cast<Dat *>(static_cast<op_dat>(args[m].data));
      key.dat = args[m].data;
      call->serials[m].dat = dat->serial;
      addDat(*call, groups, &storageOf(*dat), desc.args[m]);
    }
  }
  call->bytes = usefulBytes(desc, set, args);
  if (state.calls.size() == kMaxCalls) {
    auto least = leastOf(state);
    if (least->get() == state.latest)
      state.latest = nullptr;
    state.calls.erase(least);
  }
  state.calls.insert(state.calls.begin(), std::move(call));
  bookPlanTime(state, now() - start);
}

std::shared_ptr<LoopCall> op2::rt::findKnownCall(op2rt_loop_desc &desc,
                                                 op_set_core const *set,
                                                 op2rt_arg const *args) {
  auto *state = static_cast<LoopState *>(desc.state);
  if (!state)
    return nullptr;
  for (std::size_t c = 0; c < state->calls.size(); ++c)
    if (matches(*state->calls[c], set, args)) {
      auto first = state->calls.begin();
      std::rotate(first, first + long(c), first + long(c) + 1);
      return state->calls[0];
    }
  return nullptr;
}

std::shared_ptr<LoopCall> op2::rt::findCheckedCall(op2rt_loop_desc &desc,
                                                   op_set_core *set,
                                                   op2rt_arg const *args) {
  LoopState &state = stateOf(desc);
  if (std::shared_ptr<LoopCall> call = findKnownCall(desc, set, args))
    return call;
  addCall(state, desc, set, args);
  return state.calls.front();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

void op2::rt::beginOnHost(LoopCall &call) {
  for (UsedDat &used : call.dats)
    makeHostCurrent(*used.dat);
}

void op2::rt::endOnHost(LoopCall &call) {
  for (UsedDat &used : call.dats)
    if (used.written)
      hostChanged(*used.dat);
}

/// Waiting for the results of other loops is not this one's time.
static void beginResultsOf(op2rt_loop &loop) {
  if (!isPending(kResults))
    return loopHooks.beginResults(loop);
  double before = now();
  loopHooks.beginResults(loop);
  loop.start += now() - before;
}

/// Everything about the loop has been found, and done for all threads.
OP2_SLOW_PATH
static op2rt_loop *begin(LoopPart &part, op2rt_loop_desc &desc,
                         op2rt_arg const *args) {
  static thread_local op2rt_loop loop;
  beginPart(part, desc);
  LoopState &state = *static_cast<LoopState *>(desc.state);
  LoopCall &call = *part.call;
  loop = {&desc,
          call.set,
          args,
          &state,
          &call,
          now(),
          /*planSeconds=*/0,
          /*inThreads=*/false,
          /*leavesThreads=*/false,
          /*copies=*/nullptr};
  return &loop;
}

static void enter(op2rt_loop_desc &desc, op_set_core *set,
                  op2rt_arg const *args, LoopState &state, LoopCall &call,
                  double start, double planSeconds) {
  theLoop = {&desc,
             set,
             args,
             &state,
             &call,
             start,
             planSeconds,
             /*inThreads=*/true,
             /*leavesThreads=*/false,
             planOfCopies};
  setPending(kInLoop);
}

//===----------------------------------------------------------------------===//
// Copies at the border of a rank's part
//===----------------------------------------------------------------------===//

RunOfCopies::RunOfCopies(LoopCall &call, op2rt_plan const &plan) {
  callOfCopies = &call;
  planOfCopies = &plan;
}

RunOfCopies::~RunOfCopies() {
  callOfCopies = nullptr;
  planOfCopies = nullptr;
}

static op2rt_loop *beginCopies(op2rt_loop_desc &desc, op_set_core *set,
                               op2rt_arg const *args) {
  LoopState &state = *static_cast<LoopState *>(desc.state);
  enter(desc, set, args, state, *callOfCopies, now(), state.planSeconds);
  theLoop.inThreads = planOfCopies->mostBlocks > 1;
  if (isDeviceTarget(desc.target)) {
    loopHooks.beginResults(theLoop);
    loopHooks.beginOnDevice(*callOfCopies);
  }
  return &theLoop;
}

static void endCopies(op2rt_loop const &loop) {
  if (!isDeviceTarget(loop.desc->target))
    return;
  loopHooks.endOnDevice(*loop.call);
  if (loop.desc->target == OP2RT_TARGET_CUDA)
    loopHooks.endDeviceTime();
  loopHooks.endResults(loop);
}

/// What other ranks have a part in: the loop is no longer in progress.
static void endOnRanks(op2rt_loop const &loop) {
  double start = now(), plans = loop.state->planSeconds;
  loopHooks.endOnRanks(loop);
  // On a device a loop's time is that of its kernels, and of plans.
  loop.state->seconds += loop.desc->target == OP2RT_TARGET_CUDA
                             ? loop.state->planSeconds - plans
                             : now() - start;
  bookKernel(*loop.state);
}

/// With all optional arrays.
OP2_SLOW_PATH
static op2rt_loop *beginOnSlowPath(op2rt_loop_desc &desc, op_set_core *set,
                                   op2rt_arg const *args) try {
  if (callOfCopies)
    return beginCopies(desc, set, args);
  flush();
  renumberIfRequested();
  if (isPending(kRanks))
    loopHooks.distribute("the first loop");
  settleStorage();
  bool isChecked = isChecking();
  setPending(kNewSettings, false);
  double start = now();
  LoopState &state = stateOf(desc);
  double planSeconds = state.planSeconds;
  LoopCall &call = *findCheckedCall(desc, set, args);
  state.latest = &call;
  if (OP_diags > kSayAllLoops)
    op_printf("op2: loop %s over %s\n", desc.name, set->name);
  if (isPending(kProfiling))
    op_profile_enter_kernel(state.name.c_str(), targetName(state.target),
                            state.strategy);
  enter(desc, set, args, state, call, start, planSeconds);
  beginResultsOf(theLoop);
  if (isPending(kRanks))
    loopHooks.beginOnRanks(theLoop);
  if (isChecked)
    loopHooks.beginCheck(theLoop);
  if (isDeviceTarget(desc.target))
    loopHooks.beginOnDevice(call);
  else
    beginOnHost(call);
  return &theLoop;
} catch (std::bad_alloc const &) {
  endWithoutMemory("the beginning of a loop");
}

extern "C" OP2_FAST_PATH op2rt_loop *op2rt_loop_begin(op2rt_loop_desc *desc,
                                                      op_set_core *set,
                                                      op2rt_arg const *args) {
  if (LoopPart *part = currentPart())
    return begin(*part, *desc, args);
  enterLoop(desc->name);
  auto *state = static_cast<LoopState *>(desc->state);
  LoopCall *call = state ? state->latest : nullptr;
  bool isUsual = fastPath.pending == 0 && OP_diags <= kSayAllLoops && call &&
                 call->isSettled && call->checkedAt == fastPath.freed &&
                 hasHandles(*call, set, args);
  if (!isUsual)
    return beginOnSlowPath(*desc, set, args);
  enter(*desc, set, args, *state, *call, now(), state->planSeconds);
  return &theLoop;
}

static void count(op2rt_loop const &loop, double seconds) {
  LoopState &state = *loop.state;
  state.seconds += seconds;
  state.bytes += loop.call->bytes;
  ++state.count;
  bookKernel(state);
}

/// With all optional arrays of its beginning, or made since then.
OP2_SLOW_PATH
static void endOnSlowPath(op2rt_loop &loop) try {
  LoopState &state = *loop.state;
  bool isOnDevice = isDeviceTarget(state.target);
  if (isOnDevice)
    loopHooks.endOnDevice(*loop.call);
  else
    endOnHost(*loop.call);
  if (isChecking())
    loopHooks.endCheck(loop);
  double planSeconds = state.planSeconds - loop.planSeconds;
  if (state.target == OP2RT_TARGET_CUDA) {
    // The kernels may not even have started: their time is booked later.
    loopHooks.endDeviceTime();
    loopHooks.endResults(loop);
    count(loop, planSeconds);
    traceSince(loop.start, "launch", loop.desc->name);
  } else {
    loopHooks.endResults(loop);
    double seconds = now() - loop.start;
    bookExecution(loop, seconds - planSeconds);
    count(loop, seconds);
    traceSince(loop.start, "loop", loop.desc->name);
  }
  loop.call->isSettled = !isOnDevice && !loop.call->isOnTrial();
  if (isPending(kReporting))
    recordStep(*loop.call);
  setPending(kInLoop, false);
  if (isPending(kProfiling))
    op_profile_exit();
} catch (std::bad_alloc const &) {
  endWithoutMemory("the end of a loop");
}

extern "C" OP2_FAST_PATH void op2rt_loop_end(op2rt_loop *loop) {
  if (LoopPart *part = currentPart()) {
    part->seconds += now() - loop->start;
    traceSince(loop->start, "tile", loop->desc->name);
    return;
  }
  if (loop->copies) {
    endCopies(*loop);
    setPending(kInLoop, false);
  } else if (fastPath.pending != kInLoop || !loop->call->isSettled) {
    // Copies run as the loop in progress.
    op2rt_loop const ended = *loop;
    endOnSlowPath(*loop);
    if (isPending(kRanks))
      endOnRanks(ended);
  } else {
    count(*loop, now() - loop->start);
    setPending(kInLoop, false);
  }
  leave();
}

[[gnu::constructor]] static void enterHooks() {
  hooks.forgetHandles = [](Set const *set) {
    releasePlans(set);
    forgetHandles(set);
  };
}
