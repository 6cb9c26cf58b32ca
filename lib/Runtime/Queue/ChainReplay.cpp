//===- ChainReplay.cpp - The tiles of a chain -------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread runs each loop once for each tile in which it has elements, by
// the function that runs the loop alone, which gets the plan of the tile.
//
//===----------------------------------------------------------------------===//

#include "ChainRun.h"
#include "Core/Clock.h"
#include "Core/Copies.h"
#include "Core/Memory.h"
#include "Execute/LoopHooks.h"
#include "Execute/LoopPart.h"
#include "Execute/TileReductions.h"

#include <algorithm>
#include <atomic>
#include <omp.h>
#include <thread>

using namespace op2::rt;

namespace {
/// How many tiles a thread has done, on a line of the cache of its own.
struct alignas(128) Progress {
  std::atomic<int32_t> done{0};

  void waitFor(int32_t tiles) const {
    constexpr int kSpins = 4096;
    for (int spin = 0; done.load(std::memory_order_acquire) < tiles; ++spin)
      if (spin >= kSpins)
        std::this_thread::yield();
  }
};

class Replay {
public:
  Replay(ChainPlans const &plans, ChainLoops const &loops, RankChain *border)
      : plans(plans), loops(loops), border(border), count(loops.size()),
        progress(plans.threads.size()), reductions(count),
        seconds(plans.threads.size()) {}

  void run() {
    for (std::size_t n = 0; n < count; ++n)
      beginOnHost(callOf(n));
    if (border)
      beginOnRanks();
    auto threads = static_cast<int32_t>(plans.threads.size());
    setPending(kReplaying);
#pragma omp parallel num_threads(threads)
    runShare(threads, omp_get_thread_num(), omp_get_num_threads());
    if (border) {
      border->beginZone();
      runZone();
    }
    setPending(kReplaying, false);
    if (border)
      border->end();
    for (std::size_t n = 0; n < count; ++n)
      finish(n);
  }

private:
  void beginOnRanks() {
    std::vector<std::vector<void *> const *> values;
    for (PendingLoop const *loop : loops)
      values.push_back(&loop->values);
    border->begin(values);
  }

  LoopCall &callOf(std::size_t loop) const { return *loops[loop]->call; }

  /// Threads wait for later ones only, so fewer than were asked for begin with
  /// the last.
  void runShare(int32_t threads, int32_t number, int32_t team) try {
    if (team == threads)
      return runThread(number);
    for (int32_t thread = threads - 1 - number; thread >= 0; thread -= team)
      runThread(thread);
  } catch (std::bad_alloc const &) {
    // Others wait for what this thread has not done.
    endWithoutMemory("tiles");
  }

  void runThread(int32_t thread) {
    std::vector<LoopPart> parts;
    for (std::size_t n = 0; n < count; ++n)
      parts.push_back(partOf(n, reductions[n]));
    ThreadPlans const &own = plans.threads[thread];
    auto next = own.parts.begin();
    auto wait = own.waits.begin();
    for (int32_t tile = 0; tile < plans.numTiles; ++tile) {
      for (; wait != own.waits.end() && wait->tile == tile; ++wait)
        progress[wait->other].waitFor(wait->done);
      for (; next != own.parts.end() && next->tile == tile; ++next) {
        runPart(*next, parts[next->loop], loops[next->loop]->values);
        if (border && omp_get_thread_num() == 0)
          border->poll();
      }
      progress[thread].done.store(tile + 1, std::memory_order_release);
    }
    for (LoopPart const &part : parts) {
      seconds[thread].push_back(part.seconds);
      part.reductions->drop(part.views);
    }
  }

  LoopPart partOf(std::size_t loop, TileReductions &into) const {
    LoopPart part;
    part.desc = loops[loop]->call->desc;
    part.call = loops[loop]->call.get();
    part.numBlocks = plans.numBlocks[loop];
    part.reductions = &into;
    return part;
  }

  /// Of a tile, or in the zone.
  template <class AnyPlan>
  static void runPart(AnyPlan const &tile, LoopPart &part,
                      std::vector<void *> const &values) {
    part.plan = tile.plan.get();
    part.firstBlock = tile.firstBlock;
    part.hasRun = false;
    setPartOfThread(&part);
    part.desc->run(values.data());
    setPartOfThread(nullptr);
    requireHasRun(part);
  }

  void runZone() {
    std::vector<std::vector<void *>> values;
    std::vector<TileReductions> elsewhere(plans.border.size());
    std::size_t threads = 1;
    for (BorderPlan const &plan : plans.border) {
      std::size_t loop = std::size_t(plan.loop);
      values.push_back(border->valuesInZone(loop, loops[loop]->values));
      threads = std::max(threads, plan.parts.size());
    }
#pragma omp parallel num_threads(static_cast<int>(threads)) if (threads > 1)
    for (std::size_t n = 0; n < values.size(); ++n) {
      runInZone(plans.border[n], values[n], elsewhere[n]);
#pragma omp barrier
    }
    for (TileReductions &reduced : elsewhere)
      reduced.forget();
  }

  /// What this thread does of a loop there.
  void runInZone(BorderPlan const &plan, std::vector<void *> const &values,
                 TileReductions &elsewhere) {
    std::size_t loop = std::size_t(plan.loop);
    std::size_t thread = std::size_t(omp_get_thread_num());
    LoopPart part = partOf(loop, plan.counts ? reductions[loop] : elsewhere);
    if (!plan.counts)
      part.numBlocks = plan.numBlocks;
    for (std::size_t n = thread; n < plan.parts.size();
         n += std::size_t(omp_get_num_threads()))
      runPart(plan.parts[n], part, values);
    part.reductions->drop(part.views);
    if (thread > 0)
      return;
    LoopState &state = *static_cast<LoopState *>(part.desc->state);
    state.seconds += part.seconds;
    state.ranks.border += part.seconds;
  }

  /// What the end of a loop is.
  void finish(std::size_t loop) {
    LoopCall &call = callOf(loop);
    LoopState &state = *static_cast<LoopState *>(call.desc->state);
    endOnHost(call);
    // On ranks it waits for the others' sums.
    double start = border ? now() : 0;
    reductions[loop].finish();
    if (border) {
      state.seconds += now() - start;
      border->combine(loop, loops[loop]->values);
    }
    for (std::vector<double> const &ofThread : seconds)
      state.seconds += ofThread[loop] / double(seconds.size());
    state.bytes += call.bytes;
    ++state.count;
    ++state.countChained;
    bookKernel(state);
  }

  ChainPlans const &plans;
  ChainLoops const &loops;
  RankChain *border;
  std::size_t count;
  std::vector<Progress> progress;
  std::vector<TileReductions> reductions;   ///< by loop
  std::vector<std::vector<double>> seconds; ///< [thread][loop]
};
} // namespace

void op2::rt::replay(ChainPlans const &plans, ChainLoops const &loops,
                     RankChain *border) {
  if (isPending(kResults))
    loopHooks.deliverResults(nullptr);
  Replay(plans, loops, border).run();
}
