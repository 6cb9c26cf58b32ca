//===- EmulatorBlock.cpp - The threads of one block -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and shuffles have wait states of their own: a thread that waits for
// its warp must not be taken for one that waits for the block, or a kernel that
// never ends on a GPU would end here.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Emulator.h"
#include "MemoryModel.h"
#include "OP2/Runtime/op2rt.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <numeric>

using namespace op2::rt;

static constexpr int32_t kWarpSize = OP2EMU_WARP_SIZE;

static uint32_t lanesBelow(int32_t width) {
  return width >= kWarpSize ? ~0u : (1u << width) - 1;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string triple(int64_t const (&v)[3]) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," +
         std::to_string(v[2]) + ")";
}

std::string Emulator::threadName(int32_t number) const {
  return "thread " + triple(threads[number].thread);
}

void Emulator::fail(std::string message) {
  if (current != kScheduler) {
    failure = std::move(message);
    Fibre &from = usesFibres ? fibreOf(current) : turnRunner;
    current = kScheduler;
    from.switchTo(scheduler);
  }
  fatal(Problem::Emulator, "loop '%s' (emulator): block %s: %s", launch->name,
        triple(block.block).c_str(), message.c_str());
}

void Emulator::reportStuck() {
  static constexpr char const *kPlace[] = {"", "at a barrier", "at a shuffle",
                                           "finished"};
  int counts[4] = {}, first[4] = {};
  for (int32_t t = numThreads - 1; t >= 0; --t) {
    ++counts[int(states[t])];
    first[int(states[t])] = t;
  }
  std::string text;
  for (int s = int(State::AtBarrier); s <= int(State::Finished); ++s)
    if (counts[s] > 0)
      text += (text.empty() ? "" : "; ") + std::string(kPlace[s]) + ": " +
              std::to_string(counts[s]) + ", first " + threadName(first[s]);
  bool isDivergent = counts[int(State::AtShuffle)] == 0;
  fail((isDivergent ? "divergent barrier, of " : "deadlock, of ") +
       std::to_string(numThreads) + " threads " + text);
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void Emulator::setUpThreads() {
  int32_t const *dim = launch->block;
  numThreads = dim[0] * dim[1] * dim[2];
  int32_t numWarps = (numThreads + kWarpSize - 1) / kWarpSize;
  for (int d = 0; d < 3; ++d) {
    block.block_dim[d] = dim[d];
    block.grid_dim[d] = launch->grid[d];
  }
  block.num_warps = numWarps;
  threads.resize(std::size_t(numThreads));
  for (int32_t t = 0; t < numThreads; ++t)
    threads[t] = {{t % dim[0], t / dim[0] % dim[1], t / dim[0] / dim[1]},
                  t % kWarpSize,
                  t / kWarpSize};
  order.resize(std::size_t(numThreads));
  std::iota(order.begin(), order.end(), 0);
  random.permute(order);
  scheduler.adopt();
  if (!usesFibres)
    return;
  states.assign(std::size_t(numThreads), State::Finished);
  exchanges.resize(std::size_t(numThreads));
  warps.resize(std::size_t(numWarps));
  while (fibres.size() < std::size_t(numThreads)) {
    fibres.push_back(std::make_unique<Fibre>());
    fibres.back()->create(fibreMain, int(fibres.size()));
  }
}

/// In one random order for all blocks, begun elsewhere in each: threads that
/// do not wait for each other hardly notice, and a new order would cost more
/// than small kernels do. On a stack whose end is watched.
void Emulator::runThreadsInTurn() {
  if (!turnRunner.exists())
    turnRunner.create(turnMain, 0);
  scheduler.switchTo(turnRunner);
  if (!failure.empty())
    fail(std::move(failure));
}

void Emulator::turnMain() {
  Fibre::enter();
  Emulator &emulator = get();
  while (true) {
    emulator.runAllInTurn();
    emulator.turnRunner.switchTo(emulator.scheduler);
  }
}

void Emulator::runAllInTurn() {
  auto begin = order.begin() + random.below(uint32_t(numThreads));
  auto runRange = [&](auto from, auto to) {
    for (; from != to; ++from) {
      current = *from;
      launch->thread(launch->args);
    }
  };
  runRange(begin, order.end());
  runRange(order.begin(), begin);
  current = kScheduler;
}

void Emulator::runFibres() {
  states.assign(std::size_t(numThreads), State::Ready);
  for (std::size_t w = 0; w < warps.size(); ++w)
    warps[w] = {lanesBelow(numThreads - int32_t(w) * kWarpSize), 0};
  released.clear();
  random.permute(order);
  ready = order;
  cursor = 1;
  atBarrier = finished = 0;
  current = ready[0];
  scheduler.switchTo(fibreOf(current));
  if (!failure.empty())
    fail(std::move(failure));
  if (finished != numThreads)
    reportStuck();
}

//===----------------------------------------------------------------------===//
// On the fibres
//===----------------------------------------------------------------------===//

void Emulator::fibreMain() {
  Fibre::enter();
  Emulator &emulator = get();
  // A fibre serves the same thread of every block.
  while (true) {
    emulator.launch->thread(emulator.launch->args);
    emulator.finishThread();
  }
}

int32_t Emulator::pickNext() {
  if (cursor == ready.size()) {
    cursor = 0;
    if (!released.empty()) {
      std::swap(ready, released);
      released.clear();
      random.permute(ready);
    } else if (atBarrier == numThreads) {
      atBarrier = 0;
      if (model)
        model->atBarrier();
      checkStores();
      races.atBarrier();
      states.assign(std::size_t(numThreads), State::Ready);
      random.permute(order);
      ready = order;
    } else {
      ready.clear();
      return kScheduler;
    }
  }
  return ready[cursor++];
}

void Emulator::suspend() {
  int32_t from = current;
  current = pickNext();
  if (current != from)
    fibreOf(from).switchTo(fibreOf(current));
}

void Emulator::barrier() {
  if (!usesFibres)
    fail("barrier in a kernel launched as one without barriers");
  states[current] = State::AtBarrier;
  ++atBarrier;
  suspend();
}

void Emulator::finishThread() {
  states[current] = State::Finished;
  ++finished;
  int32_t warpNumber = int32_t(threads[current].warp);
  Warp &warp = warps[warpNumber];
  warp.live &= ~(1u << threads[current].lane);
  // Those that wait may have waited for this lane only.
  if (warp.waiting) {
    int32_t lane = __builtin_ctz(warp.waiting);
    int32_t width = exchanges[warpNumber * kWarpSize + lane].width;
    if (warp.waiting == participants(warp, width))
      completeShuffle(warpNumber);
  }
  suspend();
}

uint32_t Emulator::participants(Warp const &warp, int32_t width) const {
  return warp.live & lanesBelow(width);
}

static int64_t sourceLane(int32_t lane, int32_t offset, int32_t mode) {
  switch (mode) {
  case OP2EMU_SHUFFLE_XOR:
    return int64_t(lane) ^ offset;
  case OP2EMU_SHUFFLE_DOWN:
    return int64_t(lane) + offset;
  case OP2EMU_SHUFFLE_UP:
    return int64_t(lane) - offset;
  default:
    return offset;
  }
}

void Emulator::completeShuffle(int32_t warpNumber) {
  Warp &warp = warps[warpNumber];
  int32_t firstThread = warpNumber * kWarpSize;
  Exchange *lanes = &exchanges[firstThread];
  Exchange const &model = lanes[__builtin_ctz(warp.waiting)];
  for (uint32_t left = warp.waiting; left; left &= left - 1) {
    int32_t lane = __builtin_ctz(left);
    Exchange &own = lanes[lane];
    if (own.width != model.width || own.mode != model.mode ||
        own.bits != model.bits)
      fail("the lanes of a warp wait at different shuffles: " +
           threadName(firstThread + __builtin_ctz(warp.waiting)) + " and " +
           threadName(firstThread + lane));
    int64_t source = sourceLane(lane, own.offset, own.mode);
    bool isValid = source >= 0 && source < own.width;
    bool isThere = isValid && ((warp.waiting >> source) & 1);
    own.result = {isThere ? lanes[source].value : -1, isValid};
    states[firstThread + lane] = State::Ready;
    released.push_back(firstThread + lane);
  }
  warp.waiting = 0;
}

op2emu_shuffled Emulator::shuffle(int64_t value, int32_t offset, int32_t width,
                                  int32_t mode, int32_t bits) {
  if (!usesFibres)
    fail("shuffle in a kernel launched as one without shuffles");
  if (width < 1 || width > kWarpSize)
    fail(threadName(current) + ": shuffle of width " + std::to_string(width) +
         "; expected 1 to 32");
  int32_t lane = int32_t(threads[current].lane);
  if (lane >= width)
    return {-1, 0};
  int32_t self = current;
  int32_t warpNumber = int32_t(threads[self].warp);
  Warp &warp = warps[warpNumber];
  exchanges[self] = {value, offset, width, mode, bits, {}};
  states[self] = State::AtShuffle;
  warp.waiting |= 1u << lane;
  if (warp.waiting == participants(warp, width))
    completeShuffle(warpNumber);
  suspend();
  return exchanges[self].result;
}
