//===- DeviceTiming.cpp - Time that loops spend on a device -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two events around the launches of each loop, read on request, so
// that the host does not wait.
//
//===----------------------------------------------------------------------===//

#include "DeviceTiming.h"
#include "DeviceCuda.h"
#include "Execute/LoopHooks.h"

#include <deque>

using namespace op2::rt;

// Loops whose events have not been read: from the first number on, those that
// have finished are looked for; at the second, the oldest is waited for.
static constexpr std::size_t kLook = 256, kMost = 8192;

namespace {
struct TimedLoop {
  LoopState *loop;
  CUevent start, stop;
};

struct Times {
  CudaDevice *device = nullptr;
  std::deque<TimedLoop> pending; ///< the oldest first
  TimedLoop current{};           ///< `loop` NULL: none
  std::vector<CUevent> idle;

  CUevent record() {
    CUevent event = nullptr;
    if (idle.empty()) {
      device->check(device->api().eventCreate(&event, 0), "creating an event");
    } else {
      event = idle.back();
      idle.pop_back();
    }
    device->check(device->api().eventRecord(event, device->stream()),
                  "recording an event");
    return event;
  }

  /// Books the oldest.
  void settle() {
    TimedLoop &timed = pending.front();
    float milliseconds = 0;
    device->check(device->api().eventSynchronize(timed.stop),
                  "waiting for the kernels of loop %s",
                  timed.loop->name.c_str());
    device->check(
        device->api().eventElapsedTime(&milliseconds, timed.start, timed.stop),
        "reading the time of loop %s", timed.loop->name.c_str());
    timed.loop->seconds += 1e-3 * double(milliseconds);
    idle.push_back(timed.start);
    idle.push_back(timed.stop);
    pending.pop_front();
  }

  void settleFinished() {
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
  all.current = {&loop, all.record(), nullptr};
}

/// After the loop's last launch, and before the host waits for its results; the
/// second of two calls does nothing. Does not wait.
static void endDeviceTime() {
  Times &all = times();
  if (!all.current.loop)
    return;
  all.device->makeCurrent();
  all.current.stop = all.record();
  all.pending.push_back(all.current);
  all.current = {};
  if (all.pending.size() % kLook == 0)
    all.settleFinished();
}

void op2::rt::settleDeviceTimes() {
  Times &all = times();
  if (all.device)
    all.device->makeCurrent();
  while (!all.pending.empty())
    all.settle();
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
