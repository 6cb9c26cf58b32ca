//===- DeviceGlobals.cpp - Reduced globals on devices -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGlobals.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/Threads.h"
#include "DeviceTables.h"
#include "Execute/LoopHooks.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <pthread.h>
#include <utility>

using namespace op2::rt;

// Loops without a wait behind them; more would keep memory and gain nothing.
static constexpr std::size_t kMostPending = 64;

namespace {
/// The place of a global's values, which the device and the host see: memory of
/// the host, as one thread of the device looks at each value. A copy would take
/// 7 us each way.
struct GlobalSlot {
  Device *device = nullptr;
  void *values = nullptr;
  void *event = nullptr; ///< of the last of a loop's: Device::recordEvent
  int64_t capacity = 0;  ///< bytes

  char *global = nullptr;
  int64_t bytes = 0;
  bool isDropped = false; ///< the values are not needed any more
};

/// What a loop has sent to the host.
struct SentGlobals {
  void const *site;
  LoopState const *loop;
  std::vector<GlobalSlot *> slots; ///< in the order they were sent
};

struct Slots {
  std::vector<GlobalSlot *> taken; ///< by reductions of the loop in progress
  std::vector<GlobalSlot *> idle;
  std::deque<SentGlobals> pending; ///< the oldest first
  // Of the loop in progress.
  bool mayBeLate = false;
  void const *currentSite = nullptr; ///< if its results may be late
};
} // namespace

static Slots &slots() {
  static auto *theSlots = new Slots;
  return *theSlots;
}

static bool overlaps(GlobalSlot const &slot, void const *data, int64_t bytes) {
  return overlap(slot.global, slot.bytes, static_cast<char const *>(data),
                 bytes);
}

static bool isExactly(GlobalSlot const &slot, void const *data, int64_t bytes) {
  return slot.global == data && slot.bytes == bytes;
}

static GlobalSlot *takeIdle(Device &device, int64_t bytes) {
  auto &idle = slots().idle;
  for (std::size_t n = 0; n < idle.size(); ++n)
    if (idle[n]->device == &device && idle[n]->capacity >= bytes) {
      GlobalSlot *slot = idle[n];
      idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(n));
      return slot;
    }
  auto *slot = new GlobalSlot;
  slot->device = &device;
  slot->capacity = (bytes + 255) / 256 * 256;
  slot->values = device.allocatePinned(slot->capacity);
  return slot;
}

void *op2::rt::findTaken(Device &device, void *global, int64_t bytes) {
  for (GlobalSlot *slot : slots().taken) {
    if (slot->device == &device && isExactly(*slot, global, bytes))
      return slot->values;
    if (overlaps(*slot, global, bytes))
      fatal(Problem::Reduction,
            "%stwo reductions overlap in part: %lld bytes at %p and %lld "
            "bytes at %p; expected the same global or different ones",
            inLoop().c_str(), static_cast<long long>(slot->bytes),
            static_cast<void *>(slot->global), static_cast<long long>(bytes),
            global);
  }
  return nullptr;
}

void *op2::rt::takeGlobal(Device &device, void *global, int64_t bytes) {
  // A loop may reduce to one global through two arguments.
  if (void *known = findTaken(device, global, bytes))
    return known;
  GlobalSlot *slot = takeIdle(device, bytes);
  slot->global = static_cast<char *>(global);
  slot->bytes = bytes;
  slot->isDropped = false;
  // Nobody else looks at an idle slot.
  std::memcpy(slot->values, global, static_cast<size_t>(bytes));
  slots().taken.push_back(slot);
  setPending(kResults);
  return slot->values;
}

void const *op2::rt::reducedOnDevice(Device const &device, void const *global,
                                     int64_t bytes) {
  for (GlobalSlot const *slot : slots().taken)
    if (slot->device == &device && isExactly(*slot, global, bytes))
      return slot->values;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The way to the host
//===----------------------------------------------------------------------===//

/// Waits and writes the globals.
static void deliver(std::vector<GlobalSlot *> const &sent, char const *what) {
  GlobalSlot const &last = *sent.back();
  last.device->waitFor(last.event, what);
  for (GlobalSlot const *slot : sent)
    if (!slot->isDropped)
      std::memcpy(slot->global, slot->values, static_cast<size_t>(slot->bytes));
  auto &idle = slots().idle;
  idle.insert(idle.end(), sent.begin(), sent.end());
}

static void deliverOldest() {
  auto &pending = slots().pending;
  SentGlobals sent = std::move(pending.front());
  pending.pop_front();
  --op2rt_pending;
  deliver(sent.slots,
          ("the result of a reduction of loop " + sent.loop->name).c_str());
}

/// Delivers the pending loops up to the last one that `isAsked` is true of.
template <class IsAsked> static void deliverUpTo(IsAsked isAsked) {
  auto const &pending = slots().pending;
  std::size_t count = pending.size();
  while (count > 0 && !isAsked(pending[count - 1]))
    --count;
  for (; count > 0; --count)
    deliverOldest();
}

void op2::rt::settleGlobals(void const *data, int64_t bytes) {
  deliverUpTo([&](SentGlobals const &sent) {
    for (GlobalSlot const *slot : sent.slots)
      if (!slot->isDropped && overlaps(*slot, data, bytes))
        return true;
    return false;
  });
}

template <class Action> static void forDevices(Action action) {
  for (int number = 0; number < kNumDevices; ++number)
    if (Device *device = usedDevice(number))
      action(*device);
}

static void deliverResults(void const *site) {
  forDevices([](Device &device) { device.submitLaunches(); });
  deliverUpTo(
      [&](SentGlobals const &sent) { return !site || sent.site == site; });
}

static void dropResults(void const *data, int64_t bytes) {
  auto const *first = static_cast<char const *>(data);
  auto covers = [&](GlobalSlot const &slot) {
    return first <= slot.global && slot.global + slot.bytes <= first + bytes;
  };
  // What is overwritten in part must be there first.
  deliverUpTo([&](SentGlobals const &sent) {
    return std::any_of(sent.slots.begin(), sent.slots.end(),
                       [&](GlobalSlot const *slot) {
                         return !slot->isDropped && !covers(*slot) &&
                                overlaps(*slot, data, bytes);
                       });
  });
  for (SentGlobals &sent : slots().pending)
    for (GlobalSlot *slot : sent.slots)
      slot->isDropped |= covers(*slot);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What the loop may look at on the host, if it runs on a device: kernels there
/// see dats, globals and tables only, and constants, which have a function of
/// their own.
static void settleArguments(op2rt_loop const &loop) {
  settleTables(*loop.desc);
  for (UsedDat const &used : loop.call->dats)
    settleGlobals(used.dat->data, used.dat->bytes);
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &arg = loop.desc->args[m];
    if (!isGlobal(arg) || !loop.args[m].active)
      continue;
    settleGlobals(loop.args[m].data, bytesOfGlobal(arg));
    if (arg.access == OP2RT_REDUCE)
      settleGlobals(loop.args[m].identity, bytesOfGlobal(arg));
  }
}

static void beginResults(op2rt_loop &loop) {
  Slots &all = slots();
  // Ranks combine what each has, when the loop ends.
  all.mayBeLate = op2rt_may_enqueue && !hasRanks();
  all.currentSite = all.mayBeLate ? loop.desc->site : nullptr;
  if (all.pending.empty())
    return;
  if (isDeviceTarget(loop.desc->target))
    settleArguments(loop);
  else
    deliverResults(nullptr);
}

static std::pair<char const *, char const *> findStack() {
  pthread_attr_t attributes;
  void *begin = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return {static_cast<char *>(begin), static_cast<char *>(begin) + bytes};
}

/// Emulated kernels read variables of the program where they are, so only the
/// program's local variables may be late.
static bool mayBeLate(GlobalSlot const &slot) {
  if (!slot.device->sharesHostMemory())
    return true;
  static auto const stack = findStack();
  return slot.global >= stack.first && slot.global < stack.second;
}

static bool mayAllBeLate(std::vector<GlobalSlot *> const &taken) {
  for (GlobalSlot const *slot : taken)
    if (!mayBeLate(*slot))
      return false;
  return true;
}

/// The results of the loop, which ends, are there or will be.
static void sendGlobals(op2rt_loop const &loop) {
  Slots &all = slots();
  void const *site = std::exchange(all.currentSite, nullptr);
  if (all.taken.empty())
    return;
  GlobalSlot &last = *all.taken.back();
  last.device->recordEvent(last.event);
  std::vector<GlobalSlot *> sent = std::move(all.taken);
  all.taken.clear();
  if (!site || !mayAllBeLate(sent)) {
    deliver(sent, "the result of a reduction");
    return;
  }
  all.pending.push_back({site, loop.state, std::move(sent)});
  addPending();
  if (all.pending.size() > kMostPending)
    deliverOldest();
}

static void endResults(op2rt_loop const &loop) {
  bool mayBeLate = std::exchange(slots().mayBeLate, false);
  sendGlobals(loop);
  forDevices([=](Device &device) {
    mayBeLate ? device.delayLaunches() : device.submitLaunches();
  });
  setPending(kResults, op2rt_pending > 0);
}

void op2::rt::forgetDeviceGlobals() {
  for (GlobalSlot *slot : slots().idle) {
    slot->device->releasePinned(slot->values);
    if (slot->event)
      slot->device->destroyEvent(slot->event);
    delete slot;
  }
  slots().idle.clear();
}

[[gnu::constructor]] static void enterHooks() {
  loopHooks.beginResults = beginResults;
  loopHooks.endResults = endResults;
  loopHooks.deliverResults = deliverResults;
  loopHooks.settleResults = settleGlobals;
  loopHooks.dropResults = dropResults;
}
