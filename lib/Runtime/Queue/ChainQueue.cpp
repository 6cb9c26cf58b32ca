//===- ChainQueue.cpp - Loops that wait -------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_enqueue, op2rt_flush, op2rt_drop: the queue, and the values
// of globals.
//
//===----------------------------------------------------------------------===//

#include "ChainQueue.h"
#include "ChainOptions.h"
#include "ChainRun.h"
#include "Core/Threads.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

// A program that never looks does not make it longer.
static constexpr std::size_t kMostWaiting = 24;

int32_t op2rt_may_enqueue = 0;
int32_t op2rt_pending = 0;

namespace {
struct Queue {
  /// The first op2rt_pending wait; the others are kept for their storage.
  std::vector<PendingLoop> loops{kMostWaiting};
  /// Where the loop that waits first was last seen in the queue.
  std::size_t latestTurn = 0;
  bool isRunning = false;

  PendingLoop *begin() { return loops.data(); }
  PendingLoop *end() { return loops.data() + op2rt_pending; }
};
} // namespace

static Queue &queue() {
  static auto *theQueue = new Queue;
  return *theQueue;
}

//===----------------------------------------------------------------------===//
// A loop that waits
//===----------------------------------------------------------------------===//

void PendingLoop::fill(op2rt_site const &ofSite,
                       std::shared_ptr<SiteCall const> withCall,
                       void *const *from) {
  constexpr int64_t kLine = sizeof(Line);
  site = &ofSite;
  call = std::move(withCall);
  values.assign(from, from + site->nparams);
  globals.clear();
  int64_t lines = 0;
  for (int64_t p = 0; p < site->nparams; ++p)
    if (call->isUsed[p])
      lines += (site->params[p].bytes + kLine - 1) / kLine;
  storage.resize(static_cast<std::size_t>(lines));
  Line *next = storage.data();
  for (int64_t p = 0; p < site->nparams; ++p) {
    op2rt_param const &param = site->params[p];
    if (!call->isUsed[p])
      continue;
    PendingGlobal global = {static_cast<char *>(values[p]), param.bytes,
                            next->bytes, param.access != OP2RT_READ,
                            /*isDropped=*/false};
    std::memcpy(global.copy, global.data,
                static_cast<std::size_t>(global.bytes));
    next += (param.bytes + kLine - 1) / kLine;
    values[p] = global.copy;
    globals.push_back(global);
  }
}

void PendingLoop::storeResults() const {
  for (PendingGlobal const &global : globals)
    if (global.isChanged && !global.isDropped)
      std::memcpy(global.data, global.copy,
                  static_cast<std::size_t>(global.bytes));
}

//===----------------------------------------------------------------------===//
// What may wait together
//===----------------------------------------------------------------------===//

namespace {
/// A global, or a variable that a kernel reads by its name, as the program has
/// it now.
struct ProgramGlobal {
  char const *data;
  int64_t bytes;
  bool isChanged;
};
} // namespace

static bool overlap(ProgramGlobal const &a, ProgramGlobal const &b) {
  return overlap(a.data, a.bytes, b.data, b.bytes);
}

static bool liesIn(ProgramGlobal const &global, Dat const &dat) {
  return overlap(global.data, global.bytes, dat.data, dat.bytes);
}

static std::vector<ProgramGlobal>
globalsOf(SiteCall const &call, op2rt_site const &site, void *const *values) {
  std::vector<ProgramGlobal> globals;
  for (int64_t p = 0; p < site.nparams; ++p)
    if (call.isUsed[p] || site.params[p].kind == OP2RT_PARAM_NAMED)
      globals.push_back({static_cast<char const *>(values[p]),
                         site.params[p].bytes,
                         site.params[p].access != OP2RT_READ});
  return globals;
}

/// Copies do not share anything with each other or with dats, so globals must
/// not either.
static bool areOnTheirOwn(std::vector<ProgramGlobal> const &globals,
                          SiteCall const &call) {
  for (std::size_t a = 0; a < globals.size(); ++a) {
    for (UsedDat const &used : call.call->dats)
      if (liesIn(globals[a], *used.dat))
        return false;
    for (std::size_t b = 0; b < a; ++b)
      if ((globals[a].isChanged || globals[b].isChanged) &&
          overlap(globals[a], globals[b]))
        return false;
  }
  return true;
}

/// Does a kernel of `waiting` read variables that are the storage of dats which
/// `call` changes? Of globals it has copies.
static bool readsByName(PendingLoop const &waiting, SiteCall const &call) {
  for (int64_t p = 0; p < waiting.site->nparams; ++p) {
    op2rt_param const &param = waiting.site->params[p];
    if (param.kind != OP2RT_PARAM_NAMED)
      continue;
    ProgramGlobal variable = {static_cast<char const *>(waiting.values[p]),
                              param.bytes, false};
    for (UsedDat const &used : call.call->dats)
      if (used.written && liesIn(variable, *used.dat))
        return true;
  }
  return false;
}

/// Must `waiting` have run before a loop with these globals looks at them, or
/// at its dats?
static bool mustRunFirst(PendingLoop const &waiting, SiteCall const &call,
                         std::vector<ProgramGlobal> const &globals) {
  for (PendingGlobal const &result : waiting.globals) {
    if (!result.isChanged || result.isDropped)
      continue;
    ProgramGlobal place = {result.data, result.bytes, true};
    for (ProgramGlobal const &global : globals)
      if (overlap(place, global))
        return true;
    for (UsedDat const &used : call.call->dats)
      if (liesIn(place, *used.dat))
        return true;
  }
  for (UsedDat const &used : waiting.call->call->dats)
    for (ProgramGlobal const &global : globals)
      if (used.written && liesIn(global, *used.dat))
        return true;
  return readsByName(waiting, call);
}

/// Is the queue so long that what waits is to be run before `call` waits? Where
/// the program goes round and round, a chain is whole rounds: else each chain
/// would begin somewhere else.
static bool isLongEnough(Queue &all, SiteCall const &call) {
  auto waiting = static_cast<std::size_t>(op2rt_pending);
  if (waiting == 0)
    return false;
  if (all.loops[0].call.get() != &call)
    return waiting == kMostWaiting;
  std::size_t round = waiting - all.latestTurn;
  all.latestTurn = waiting;
  return waiting + round > kMostWaiting;
}

/// Where no chain of its loops goes in tiles, waiting only costs time.
static bool isHopeless(SiteCall const &call) {
  constexpr int kMostInVain = 16;
  return askedChaining() != Chaining::Always && call.inVain >= kMostInVain;
}

/// A loop that is on trial shows its time only if it runs by itself.
static bool isOnTrial(SiteCall const &call) {
  return askedChaining() != Chaining::Always && call.call->isOnTrial();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// The call that waits from now on; NULL if it must run now.
static std::shared_ptr<SiteCall> findWaiting(op2rt_site &site,
                                             void *const *values) {
  SiteState &state = stateOf(site);
  if (!state.mayWait)
    return nullptr;
  std::shared_ptr<SiteCall> call = findCall(state, values);
  if (!call) {
    // Other loops that run before this one begins are not it.
    op2rt_flush();
    beginLearning(state, values);
  }
  if (!call || (call->mayWait && isOnTrial(*call)))
    noteUnsettledLoop();
  bool waits = call && call->mayWait && !isOnTrial(*call) && !isHopeless(*call);
  return waits ? call : nullptr;
}

extern "C" int32_t op2rt_enqueue(op2rt_site *site, void *const *values) {
  Turn const turn(__func__);
  stopLearning();
  Queue &all = queue();
  if (all.isRunning || !op2rt_may_enqueue || isChecking() ||
      isPending(kProfiling) || askedChaining() == Chaining::Never)
    return 0;
  // Their time is measured.
  if (isPending(kPair)) {
    noteUnsettledLoop();
    return 0;
  }
  std::shared_ptr<SiteCall> call = findWaiting(*site, values);
  if (!call)
    return 0;
  std::vector<ProgramGlobal> globals = globalsOf(*call, *site, values);
  if (!areOnTheirOwn(globals, *call))
    return 0;
  bool mustRun =
      isLongEnough(all, *call) ||
      std::any_of(all.begin(), all.end(), [&](PendingLoop const &waiting) {
        return mustRunFirst(waiting, *call, globals);
      });
  if (mustRun)
    op2rt_flush();
  all.loops[op2rt_pending].fill(*site, std::move(call), values);
  ++op2rt_pending;
  setPending(kWaiting);
  return 1;
}

extern "C" void op2rt_flush(void) {
  if (op2rt_pending == 0)
    return;
  Turn const turn(__func__);
  Queue &all = queue();
  int32_t count = op2rt_pending;
  // What the loops call finds nothing waiting.
  op2rt_pending = 0;
  setPending(kWaiting, false);
  all.latestTurn = 0;
  all.isRunning = true;
  runChain(all.loops.data(), count);
  all.isRunning = false;
  for (int32_t n = 0; n < count; ++n)
    all.loops[n].storeResults();
}

extern "C" void op2rt_drop(void const *data, int64_t bytes) {
  Turn const turn(__func__);
  Queue &all = queue();
  auto const *first = static_cast<char const *>(data);
  auto covers = [&](PendingGlobal const &global) {
    return first <= global.data && global.data + global.bytes <= first + bytes;
  };
  for (PendingLoop const &loop : all)
    for (PendingGlobal const &global : loop.globals)
      if (global.isChanged && !global.isDropped && !covers(global) &&
          overlap(first, bytes, global.data, global.bytes))
        return op2rt_flush();
  for (PendingLoop &loop : all)
    for (PendingGlobal &global : loop.globals)
      global.isDropped |= covers(global);
}
