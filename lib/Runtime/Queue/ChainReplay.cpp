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
#include "Core/Copies.h"
#include "Execute/LoopHooks.h"
#include "Execute/LoopPart.h"
#include "Execute/TileReductions.h"

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
  Replay(ChainPlans const &plans, ChainLoops const &loops)
      : plans(plans), loops(loops), count(loops.size()),
        progress(plans.threads.size()), reductions(count),
        seconds(plans.threads.size()) {}

  void run() {
    for (std::size_t n = 0; n < count; ++n)
      beginOnHost(callOf(n));
    auto threads = static_cast<int32_t>(plans.threads.size());
    setPending(kReplaying);
#pragma omp parallel num_threads(threads)
    runShare(threads, omp_get_thread_num(), omp_get_num_threads());
    setPending(kReplaying, false);
    for (std::size_t n = 0; n < count; ++n)
      finish(n);
  }

private:
  LoopCall &callOf(std::size_t loop) const { return *loops[loop]->call; }

  /// Threads wait for later ones only, so fewer than were asked for begin with
  /// the last.
  void runShare(int32_t threads, int32_t number, int32_t team) {
    if (team == threads)
      return runThread(number);
    for (int32_t thread = threads - 1 - number; thread >= 0; thread -= team)
      runThread(thread);
  }

  void runThread(int32_t thread) {
    std::vector<LoopPart> parts(count);
    for (std::size_t n = 0; n < count; ++n) {
      LoopCall &call = *loops[n]->call;
      parts[n].desc = call.desc;
      parts[n].call = &call;
      parts[n].numBlocks = call.plan->nblocks;
      parts[n].reductions = &reductions[n];
    }
    ThreadPlans const &own = plans.threads[thread];
    auto next = own.parts.begin();
    auto wait = own.waits.begin();
    for (int32_t tile = 0; tile < plans.numTiles; ++tile) {
      for (; wait != own.waits.end() && wait->tile == tile; ++wait)
        progress[wait->other].waitFor(wait->done);
      for (; next != own.parts.end() && next->tile == tile; ++next)
        runPart(*next, parts[next->loop]);
      progress[thread].done.store(tile + 1, std::memory_order_release);
    }
    for (LoopPart const &part : parts) {
      seconds[thread].push_back(part.seconds);
      part.reductions->drop(part.views);
    }
  }

  void runPart(TilePlan const &tile, LoopPart &part) const {
    part.plan = tile.plan.get();
    part.firstBlock = tile.firstBlock;
    part.hasRun = false;
    setPartOfThread(&part);
    loops[tile.loop]->run();
    setPartOfThread(nullptr);
    requireHasRun(part);
  }

  /// What the end of a loop is.
  void finish(std::size_t loop) {
    LoopCall &call = callOf(loop);
    LoopState &state = *static_cast<LoopState *>(call.desc->state);
    endOnHost(call);
    reductions[loop].finish();
    for (std::vector<double> const &ofThread : seconds)
      state.seconds += ofThread[loop] / double(seconds.size());
    state.bytes += call.bytes;
    ++state.count;
    ++state.countChained;
    bookKernel(state);
  }

  ChainPlans const &plans;
  ChainLoops const &loops;
  std::size_t count;
  std::vector<Progress> progress;
  std::vector<TileReductions> reductions;   ///< by loop
  std::vector<std::vector<double>> seconds; ///< [thread][loop]
};
} // namespace

void op2::rt::replay(ChainPlans const &plans, ChainLoops const &loops) {
  if (isPending(kResults))
    loopHooks.deliverResults(nullptr);
  Replay(plans, loops).run();
}
