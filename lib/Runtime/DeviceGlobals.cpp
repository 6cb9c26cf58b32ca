//===- DeviceGlobals.cpp - Reduced globals on devices -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global is known by its address. Variables come and go, and a new one may
// lie where an old one was: a result that is still on its way is written to an
// address only when the program says that the variable is looked at, and is
// dropped when the program says that it is written, or when a loop has a
// global there that is not deferred.
//
//===----------------------------------------------------------------------===//

#include "DeviceGlobals.h"
#include "Loop.h"
#include "Types.h"

#include <cstring>

using namespace op2::rt;

namespace {
struct Slots {
  std::vector<GlobalSlot *> taken;   ///< by reductions of the loop in progress
  std::vector<GlobalSlot *> pending; ///< sent, and not yet at their globals
  std::vector<GlobalSlot *> idle;
};
} // namespace

static Slots &slots() {
  static auto *theSlots = new Slots;
  return *theSlots;
}

static bool overlaps(GlobalSlot const &slot, void const *data, int64_t bytes) {
  auto const *begin = static_cast<char const *>(data);
  return begin < slot.global + slot.bytes && slot.global < begin + bytes;
}

static bool isExactly(GlobalSlot const &slot, void const *data, int64_t bytes) {
  return slot.global == data && slot.bytes == bytes;
}

/// Takes the slots that `select` chooses from those that are pending.
template <class Select>
static std::vector<GlobalSlot *> takePending(Select select) {
  std::vector<GlobalSlot *> taken, rest;
  for (GlobalSlot *slot : slots().pending)
    (select(*slot) ? taken : rest).push_back(slot);
  slots().pending = std::move(rest);
  return taken;
}

//===----------------------------------------------------------------------===//
// The way to the host
//===----------------------------------------------------------------------===//

/// What remains of a slot whose device has been closed.
static void freeKept(GlobalSlot *slot) {
  delete[] static_cast<char *>(slot->pinned);
  delete slot;
}

static void recycle(GlobalSlot *slot) {
  slot->global = nullptr;
  if (slot->device)
    slots().idle.push_back(slot);
  else
    freeKept(slot);
}

static void waitFor(GlobalSlot &slot) {
  if (slot.device)
    slot.device->waitFor(slot.read, "the result of a reduction");
}

static void deliver(std::vector<GlobalSlot *> const &sent) {
  // In the order they were sent: who waits for the last waits for all.
  if (!sent.empty())
    waitFor(*sent.back());
  for (GlobalSlot *slot : sent) {
    std::memcpy(slot->global, slot->pinned, static_cast<size_t>(slot->bytes));
    recycle(slot);
  }
}

static void dropPending(void const *data, int64_t bytes) {
  for (GlobalSlot *slot : takePending(
           [&](GlobalSlot &known) { return overlaps(known, data, bytes); }))
    recycle(slot);
}

static void deliverPending(void const *data, int64_t bytes) {
  deliver(takePending(
      [&](GlobalSlot &known) { return overlaps(known, data, bytes); }));
}

extern "C" void op2rt_global_read(void const *global, int64_t bytes) {
  if (!slots().pending.empty())
    deliverPending(global, bytes);
}

extern "C" void op2rt_global_written(void const *global, int64_t bytes) {
  if (slots().pending.empty())
    return;
  // Of what is written in part only, the rest must be right.
  deliver(takePending([&](GlobalSlot &known) {
    return overlaps(known, global, bytes) &&
           (known.global < global ||
            known.global + known.bytes >
                static_cast<char const *>(global) + bytes);
  }));
  dropPending(global, bytes);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

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
  slot->values = device.allocate(slot->capacity, "reductions");
  slot->pinned = device.allocatePinned(slot->capacity);
  return slot;
}

GlobalSlot *op2::rt::takeGlobalSlot(Device &device, void *global, int64_t bytes,
                                    bool isDeferred) {
  // A loop may reduce to one global through two arguments.
  for (GlobalSlot *slot : slots().taken) {
    if (slot->device == &device && isExactly(*slot, global, bytes))
      return slot;
    if (overlaps(*slot, global, bytes))
      op2rt_fatal("%stwo reductions overlap in part: %lld bytes at %p and %lld "
                  "bytes at %p; expected the same global or different ones",
                  inLoop().c_str(), static_cast<long long>(slot->bytes),
                  static_cast<void *>(slot->global),
                  static_cast<long long>(bytes), global);
  }
  auto known = takePending([&](GlobalSlot &slot) {
    return slot.device == &device && isExactly(slot, global, bytes);
  });
  if (!known.empty()) {
    slots().taken.push_back(known.front());
    return known.front();
  }
  deliverPending(global, bytes);
  GlobalSlot *slot = takeIdle(device, bytes);
  slot->global = static_cast<char *>(global);
  slot->bytes = bytes;
  slot->isDeferred = isDeferred;
  device.upload(slot->values, global, bytes);
  slots().taken.push_back(slot);
  return slot;
}

void const *op2::rt::reducedOnDevice(Device const &device, void const *global,
                                     int64_t bytes) {
  for (auto const *list : {&slots().taken, &slots().pending})
    for (GlobalSlot const *slot : *list)
      if (slot->device == &device && isExactly(*slot, global, bytes))
        return slot->values;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void op2::rt::beginGlobals(op2rt_loop const &loop) {
  if (slots().pending.empty())
    return;
  int target = loop.desc->target;
  bool isOnHost =
      target != OP2RT_TARGET_CUDA && target != OP2RT_TARGET_EMULATOR;
  for (int m = 0; m < loop.desc->nargs; ++m) {
    op2rt_arg_desc const &desc = loop.desc->args[m];
    bool isValue = desc.kind == OP2RT_ARG_GLOBAL || desc.kind == OP2RT_ARG_INFO;
    if (!isValue || !loop.args[m].active)
      continue;
    int64_t bytes = int64_t(desc.dim) * typeSize(desc.type);
    if (!(desc.flags & OP2RT_ARG_DEFERRED))
      dropPending(loop.args[m].data, bytes);
    else if (isOnHost)
      deliverPending(loop.args[m].data, bytes);
  }
}

void op2::rt::endGlobals() {
  auto &all = slots();
  for (GlobalSlot *slot : all.taken) {
    slot->device->startDownload(slot->pinned, slot->values, slot->bytes,
                                slot->read);
    all.pending.push_back(slot);
  }
  all.taken.clear();
  if (!all.pending.empty())
    deliver(takePending([](GlobalSlot &slot) { return !slot.isDeferred; }));
}

void op2::rt::forgetDeviceGlobals() {
  for (GlobalSlot *slot : slots().idle) {
    slot->device->releasePinned(slot->pinned, slot->read);
    delete slot;
  }
  slots().idle.clear();
  for (GlobalSlot *slot : slots().pending) {
    if (!slot->device)
      continue;
    waitFor(*slot);
    auto *kept = new char[static_cast<std::size_t>(slot->bytes)];
    std::memcpy(kept, slot->pinned, static_cast<size_t>(slot->bytes));
    slot->device->releasePinned(slot->pinned, slot->read);
    slot->pinned = kept;
    slot->values = slot->read = nullptr;
    slot->device = nullptr;
  }
}
