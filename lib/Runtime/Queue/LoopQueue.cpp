//===- LoopQueue.cpp - The queue of pending loops ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op2rt_enqueue, op2rt_flush, op2rt_drop, and op2rt_is_separate: what may be
// pending together, and where the values of globals are.
//
//===----------------------------------------------------------------------===//

#include "ChainRun.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Hooks.h"
#include "Core/Job.h"
#include "Core/Memory.h"
#include "Core/Pending.h"
#include "Core/Regions.h"
#include "Core/Threads.h"
#include "Core/Trace.h"
#include "Execute/LoopHooks.h"
#include "Execute/StepRecord.h"
#include "PendingLoop.h"
#include "QueuedCall.h"
#include "Ranks/RankChain.h"

#include <algorithm>
#include <new>
#include <utility>

using namespace op2::rt;

// A program that never looks does not make it longer. Two loops that can run as
// one count as one.
static constexpr int32_t kMostPending = 24;

namespace {
struct Queue {
  /// The first ones are pending; the others are kept for their storage.
  std::vector<PendingLoop> loops{2 * kMostPending + 1};
  int32_t count = 0;      ///< that are pending
  int32_t length = 0;     ///< with pairs as one
  int32_t latestTurn = 0; ///< latest position of the first loop
  bool isRunning = false;
  std::vector<op2rt_arg> args; ///< of the loop that comes

  PendingLoop *begin() { return loops.data(); }
  PendingLoop *end() { return loops.data() + count; }
};
} // namespace

static Queue &queue() {
  static auto *theQueue = new Queue;
  return *theQueue;
}

//===----------------------------------------------------------------------===//
// What may be pending together
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

/// Of a loop with these values, and what its kernel reads by name.
static std::vector<ProgramGlobal> programGlobalsOf(op2rt_loop_desc const &desc,
                                                   void *const *values) {
  std::vector<ProgramGlobal> globals;
  for (GlobalUse const &use : globalsOf(desc, values))
    globals.push_back({static_cast<char const *>(values[use.param]), use.bytes,
                       use.isChanged});
  for (int64_t n = 0; n < desc.nvariables; ++n)
    globals.push_back({static_cast<char const *>(desc.variables[n].data),
                       extentOf(desc.variables[n]), false});
  return globals;
}

/// Copies do not share anything with each other or with dats, so globals must
/// not either.
static bool areOnTheirOwn(std::vector<ProgramGlobal> const &globals,
                          LoopCall const &call) {
  for (std::size_t a = 0; a < globals.size(); ++a) {
    for (UsedDat const &used : call.dats)
      if (liesIn(globals[a], *used.dat))
        return false;
    for (std::size_t b = 0; b < a; ++b)
      if ((globals[a].isChanged || globals[b].isChanged) &&
          overlap(globals[a], globals[b]))
        return false;
  }
  return true;
}

/// Copying larger globals would take longer than waiting may save. The
/// program's variables, which come last, are not copied.
static bool areSmall(std::vector<ProgramGlobal> const &globals,
                     op2rt_loop_desc const &desc) {
  constexpr int64_t kMostBytes = 64 * 1024;
  int64_t bytes = 0;
  for (int64_t n = 0; n < int64_t(globals.size()) - desc.nvariables; ++n)
    bytes += globals[std::size_t(n)].bytes;
  return bytes <= kMostBytes;
}

/// May the kernel follow a pointer to the storage of any dat? On ranks, of
/// which each gives its own answer, it may where they do not agree on what
/// runs.
static bool mayFollowToDats(op2rt_loop_desc const &desc, LoopCall const &call) {
  std::vector<Dat *> const &dats = registry().dats;
  return desc.npointers != 0 &&
         ((hasRanks() && !mayWaitOnRanks(call)) ||
          std::any_of(dats.begin(), dats.end(),
                      [&](Dat const *dat) { return mayFollowTo(desc, *dat); }));
}

/// Must `pending` have run before a loop with these globals looks at them, or
/// at its dats?
static bool mustRunFirst(PendingLoop const &pending,
                         op2rt_loop_desc const &desc, LoopCall const &call,
                         std::vector<ProgramGlobal> const &globals) {
  for (PendingGlobal const &result : pending.globals) {
    if (!result.isChanged || result.isDropped)
      continue;
    // What that leads into may have the result as a part.
    if (desc.npointers != 0)
      return true;
    ProgramGlobal place = {result.data, result.bytes, true};
    for (ProgramGlobal const &global : globals)
      if (overlap(place, global))
        return true;
    for (UsedDat const &used : call.dats)
      if (liesIn(place, *used.dat))
        return true;
  }
  for (UsedDat const &used : pending.call->dats)
    for (ProgramGlobal const &global : globals)
      if (used.written && liesIn(global, *used.dat))
        return true;
  return readsChanges(pending.desc(), call);
}

/// Is the queue so long that what is pending is to be run before `call` joins?
/// Where the program goes round and round, a chain is whole rounds: else each
/// chain would begin somewhere else.
static bool isLongEnough(Queue &all, LoopCall const &call) {
  if (all.count == 0)
    return false;
  if (all.loops[0].call.get() != &call)
    return all.length >= kMostPending;
  int32_t round = all.length - all.latestTurn;
  all.latestTurn = all.length;
  return all.length + round > kMostPending;
}

/// May the second loop look at what the first one reduces? That is a question
/// of addresses, which differ between ranks.
static bool mayLookAtResults(op2rt_loop_desc const &first,
                             op2rt_loop_desc const &second) {
  auto isResult = [](op2rt_arg_desc const &arg) {
    return isGlobal(arg) && arg.access != OP2RT_READ;
  };
  return std::any_of(first.args, first.args + first.nargs, isResult) &&
         (second.nvariables > 0 || second.npointers != 0 ||
          std::any_of(second.args, second.args + second.nargs,
                      [](op2rt_arg_desc const &arg) { return isGlobal(arg); }));
}

/// Is there code for the latest loop and this one as one? Ranks must all use
/// it, or none.
static bool joins(Queue &all, op2rt_loop_desc const &desc) {
  if (all.count == 0)
    return false;
  op2rt_loop_desc const &latest = all.end()[-1].desc();
  return findFusion(latest, desc) &&
         !(hasRanks() && mayLookAtResults(latest, desc));
}

/// Two loops as one are never torn apart because the queue is long: results of
/// those that are not exact may depend on it.
static bool isSecondOfPair(Queue &all, op2rt_loop_desc const &desc) {
  return joins(all, desc) && !all.end()[-1].isSecond;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

extern "C" int32_t op2rt_is_separate(op2rt_loop_desc *desc,
                                     void *const *values) try {
  Turn const turn(desc->name, /*isLoop=*/true);
  // Broken promises are reported by the loops' own names.
  if (isChecking() || isPending(kRanks))
    return 0;
  settleStorage();
  std::vector<op2rt_arg> &args = queue().args;
  readArgs(*desc, values, args);
  std::shared_ptr<LoopCall> call =
      findKnownCall(*desc, static_cast<op_set>(values[0]), args.data());
  return call && haveOwnStorage(*call) && !readsChanges(*desc, *call) &&
         areOnTheirOwn(programGlobalsOf(*desc, values), *call) &&
         haveExpectedArities(*desc, values);
} catch (std::bad_alloc const &) {
  endWithoutMemory("pending loops");
}

/// The call that may be pending; NULL if it must run now.
static std::shared_ptr<LoopCall> findCall(Queue &all, op2rt_loop_desc &desc,
                                          void *const *values) {
  readArgs(desc, values, all.args);
  std::shared_ptr<LoopCall> call =
      findKnownCall(desc, static_cast<op_set>(values[0]), all.args.data());
  bool mayFuse = desc.fusions || joins(all, desc);
  if (call && (mayFuse || mayTileNow(*call)))
    return call;
  // One that waits is looked at when it runs: if that is always as one with
  // another, it never settles by itself.
  if (!call || isUnsettled(*call))
    noteUnsettledLoop();
  return nullptr;
}

/// Shares of the time go by the bytes that loops move.
static void bookInRegions(PendingLoop const *loops, int32_t count,
                          double seconds) {
  if (!currentRegion())
    return;
  double bytes = 0;
  for (int32_t n = 0; n < count; ++n)
    bytes += double(loops[n].call->bytes);
  for (int32_t n = 0; n < count && bytes > 0; ++n)
    moveTime(seconds * double(loops[n].call->bytes) / bytes, loops[n].region);
}

/// Two loops as one are not torn apart.
static int32_t lengthOfFirst(PendingLoop const *loops, int32_t count) {
  return count > 1 && loops[1].isSecond ? 2 : 1;
}

/// Ranks look, and so flush, in different places, but see the same loops. Those
/// that may wait for a chain run when all ranks come to them, as many as all of
/// them have.
static void runOnRanks(PendingLoop const *loops, int32_t count) {
  AgreedLoops const agreed;
  for (int32_t done = 0, next; done < count; done += next) {
    PendingLoop const *first = loops + done;
    if (!mayWaitOnRanks(*first->call)) {
      next = lengthOfFirst(first, count - done);
      runPending(first, next);
      continue;
    }
    std::vector<LoopName> names;
    for (int32_t n = done; n < count; ++n)
      names.push_back(nameOnRanks(*loops[n].call));
    next = agreeOnPending(names);
    bool isPromising = runPending(first, next);
    for (int32_t n = 0; n < next; ++n)
      noteWaiting(*first[n].call, !isPromising);
  }
}

/// Kernels that throw are not pending: what is thrown is the library's.
static void runQueue() try {
  Queue &all = queue();
  int32_t count = all.count;
  if (count == 0)
    return;
  settleStorage();
  // What the loops call finds nothing pending.
  op2rt_pending -= count;
  setPending(kWaiting, false);
  all.count = all.length = all.latestTurn = 0;
  all.isRunning = true;
  // On devices their results may be late: the program allowed it.
  int32_t mayEnqueue = std::exchange(op2rt_may_enqueue, 1);
  double start = now();
  // As the program called them, however they run.
  bool isReporting = isPending(kReporting);
  for (int32_t n = 0; isReporting && n < count; ++n)
    recordStep(*all.loops[n].call);
  setPending(kReporting, false);
  if (hasRanks())
    runOnRanks(all.loops.data(), count);
  else
    runPending(all.loops.data(), count);
  setPending(kReporting, isReporting);
  bookInRegions(all.loops.data(), count, now() - start);
  traceSince(start, "flush", "pending loops");
  op2rt_may_enqueue = mayEnqueue;
  all.isRunning = false;
  for (int32_t n = 0; n < count; ++n)
    all.loops[n].storeResults();
} catch (std::bad_alloc const &) {
  endWithoutMemory("pending loops");
}

extern "C" int32_t op2rt_enqueue(op2rt_loop_desc *desc,
                                 void *const *values) try {
  Turn const turn(desc->name, /*isLoop=*/true);
  Queue &all = queue();
  // Inside a loop or a call nothing would be flushed.
  if (all.isRunning || fastPath.depth > 1 || !op2rt_may_enqueue || isChecking())
    return 0;
  settleStorage();
  std::shared_ptr<LoopCall> call = findCall(all, *desc, values);
  if (!call)
    return 0;
  std::vector<ProgramGlobal> globals = programGlobalsOf(*desc, values);
  if (!areSmall(globals, *desc) || !areOnTheirOwn(globals, *call) ||
      mayFollowToDats(*desc, *call))
    return 0;
  bool isSecond = isSecondOfPair(all, *desc);
  bool isForChain = mayWaitOnRanks(*call);
  // On ranks loops that wait for chains, and others, are not pending together.
  bool isOfAnotherKind = hasRanks() && all.count > 0 && !isSecond &&
                         !(isForChain && mayWaitOnRanks(*all.end()[-1].call));
  bool mustRun =
      isOfAnotherKind || (!isSecond && isLongEnough(all, *call)) ||
      std::any_of(all.begin(), all.end(), [&](PendingLoop const &pending) {
        return mustRunFirst(pending, *desc, *call, globals);
      });
  if (mustRun)
    runQueue();
  // Copies are taken of values that are there.
  if (op2rt_pending > all.count)
    for (ProgramGlobal const &global : globals)
      loopHooks.settleResults(global.data, global.bytes);
  PendingLoop &loop = *all.end();
  loop.isSecond = isSecondOfPair(all, *desc);
  loop.fill(std::move(call), values);
  loop.region = currentRegion();
  all.length += loop.isSecond ? 0 : 1;
  ++all.count;
  addPending();
  setPending(kWaiting);
  // Ranks flush in different places, and must run the same loops as one: one
  // that is not for a chain waits for nothing but the next one.
  isForChain = isForChain && mayWaitOnRanks(*all.begin()->call);
  if (hasRanks() && !isForChain && (loop.isSecond || !desc->fusions))
    runQueue();
  return 1;
} catch (std::bad_alloc const &) {
  endWithoutMemory("pending loops");
}

extern "C" void op2rt_execute(op2rt_loop_desc *desc, void *const *values) {
  op2rt_may_enqueue = 1;
  if (!op2rt_enqueue(desc, values))
    desc->run(values);
  op2rt_may_enqueue = 0;
}

/// Whether there is something to flush. What another thread left pending is
/// nothing that this one could notice: when they meet, the other one flushes.
/// Nor is there anything in a handler of a signal that came while this thread
/// was in the library.
static bool mayFlush() {
  uintptr_t self = thisThread();
  return op2rt_pending != 0 &&
         pendingThread.load(std::memory_order_relaxed) == self &&
         fastPath.thread.load(std::memory_order_relaxed) != self;
}

void op2::rt::flushWithResults(void const *site) try {
  Turn const turn("flush of pending loops");
  runQueue();
  if (op2rt_pending != 0)
    loopHooks.deliverResults(site);
} catch (std::bad_alloc const &) {
  endWithoutMemory("pending loops");
}

extern "C" void op2rt_flush(void const *site) {
  if (mayFlush())
    flushWithResults(site);
}

extern "C" void op2rt_drop(void const *data, int64_t bytes) {
  if (!mayFlush())
    return;
  Turn const turn("flush of pending loops");
  Queue &all = queue();
  auto const *first = static_cast<char const *>(data);
  // What is overwritten in part must be there first; what a device changes is
  // not a copy.
  auto mustRun = [&](PendingGlobal const &global) {
    bool isCovered =
        first <= global.data && global.data + global.bytes <= first + bytes;
    return global.isChanged && !global.isDropped &&
           overlap(first, bytes, global.data, global.bytes) &&
           (!isCovered || global.isInPlace());
  };
  if (std::any_of(all.begin(), all.end(), [&](PendingLoop const &loop) {
        return std::any_of(loop.globals.begin(), loop.globals.end(), mustRun);
      }))
    runQueue();
  for (PendingLoop &loop : all)
    for (PendingGlobal &global : loop.globals)
      global.isDropped |= overlap(first, bytes, global.data, global.bytes);
  if (op2rt_pending > all.count)
    loopHooks.dropResults(data, bytes);
}

[[gnu::constructor]] static void enterHooks() { hooks.runPending = runQueue; }
