//===- DeviceTiming.cpp - Time that loops spend on a device -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two events around the launches of a loop, read on request, so that the host
// does not wait. They take the device 2 to 3 us: of a loop that has run some
// times only some executions have them, at random, so that no order in which a
// program runs it, say over the levels of a multigrid method, is in step.
//
//===----------------------------------------------------------------------===//

#include "DeviceTiming.h"
#include "DeviceCuda.h"
#include "Execute/LoopHooks.h"

#include <deque>
#include <random>
#include <utility>

using namespace op2::rt;

// Loops whose events have not been read: from the first number on, those that
// have finished are looked for; at the second, the oldest is waited for.
static constexpr std::size_t kLook = 256, kMost = 8192;

// The first executions of a loop are all timed, later ones by this chance.
static constexpr int64_t kTimeAll = 4;
static constexpr std::minstd_rand::result_type kOneIn = 32;

namespace {
struct TimedLoop {
  LoopState *loop;
  CUevent start, stop; ///< NULL: not timed
  int64_t executions;  ///< it stands for those since the last one that is timed
};

struct Times {
  CudaDevice *device = nullptr;
  std::deque<TimedLoop> pending; ///< the oldest first
  TimedLoop current{};           ///< `loop` NULL: none
  std::vector<CUevent> idle;
  std::minstd_rand random;

  bool isTimed(DeviceExecutions const &executions) {
    return executions.timed < kTimeAll || random() % kOneIn == 0;
  }

  CUevent record() {
    CUevent event = nullptr;
    if (idle.empty()) {
      device->check(device->api().eventCreate(&event, 0), "creating an event");
    } else {
      event = idle.back();
      idle.pop_back();
    }
    device->launches().addEvent(event);
    return event;
  }

  /// Books the oldest.
  void settle() {
    TimedLoop &timed = pending.front();
    device->launches().submit();
    float milliseconds = 0;
    device->check(device->api().eventSynchronize(timed.stop),
                  "waiting for the kernels of loop %s",
                  timed.loop->name.c_str());
    device->check(
        device->api().eventElapsedTime(&milliseconds, timed.start, timed.stop),
        "reading the time of loop %s", timed.loop->name.c_str());
    timed.loop->device.seconds = 1e-3 * double(milliseconds);
    timed.loop->seconds +=
        timed.loop->device.seconds * double(timed.executions);
    idle.push_back(timed.start);
    idle.push_back(timed.stop);
    pending.pop_front();
  }

  void settleFinished() {
    device->launches().submit();
    while (!pending.empty()) {
      if (pending.size() <= kMost) {
        CUresult result = device->api().eventQuery(pending.front().stop);
        if (result == CUDA_ERROR_NOT_READY)
          return;
        device->check(result, "waiting for the kernels of loop %s",
                      pending.front().loop->name.c_str());
      }
      settle();
    }
  }
};
} // namespace

static Times &times() {
  static auto *theTimes = new Times;
  return *theTimes;
}

void op2::rt::startDeviceTime(CudaDevice &device, LoopState &loop) {
  Times &all = times();
  if (all.current.loop)
    return;
  all.device = &device;
  all.current = {&loop, nullptr, nullptr, ++loop.device.untimed};
  if (all.isTimed(loop.device))
    all.current.start = all.record();
}

/// After the loop's last launch, and before the host waits for its results; the
/// second of two calls does nothing. Does not wait.
static void endDeviceTime() {
  Times &all = times();
  if (!all.current.loop)
    return;
  TimedLoop ended = std::exchange(all.current, {});
  if (!ended.start)
    return;
  all.device->makeCurrent();
  ended.stop = all.record();
  ended.loop->device.untimed = 0;
  ++ended.loop->device.timed;
  all.pending.push_back(ended);
  if (all.pending.size() % kLook == 0)
    all.settleFinished();
}

void op2::rt::settleDeviceTimes() {
  Times &all = times();
  if (all.device)
    all.device->makeCurrent();
  while (!all.pending.empty())
    all.settle();
  // Those since the last one that was timed took as long as it.
  for (LoopState *loop : allLoopStates())
    loop->seconds +=
        loop->device.seconds * double(std::exchange(loop->device.untimed, 0));
}

void op2::rt::forgetDeviceTimes() {
  Times &all = times();
  for (TimedLoop const &timed : all.pending) {
    all.idle.push_back(timed.start);
    all.idle.push_back(timed.stop);
  }
  for (CUevent event : all.idle)
    all.device->api().eventDestroy(event);
  all = Times();
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.endDeviceTime = endDeviceTime;
}
