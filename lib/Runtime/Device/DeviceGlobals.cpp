//===- DeviceGlobals.cpp - Reduced globals on devices -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGlobals.h"
#include "Loop.h"

#include <cstring>

using namespace op2::rt;

namespace {
/// The place of a global's values on a device.
struct GlobalSlot {
  Device *device = nullptr;
  void *values = nullptr; ///< on the device
  void *pinned = nullptr; ///< on the host, what was last read from there
  void *read = nullptr;   ///< when that has happened: Device::waitFor
  int64_t capacity = 0;   ///< bytes of both

  char *global = nullptr;
  int64_t bytes = 0;
};

struct Slots {
  std::vector<GlobalSlot *> taken; ///< by reductions of the loop in progress
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

void *op2::rt::takeGlobal(Device &device, void *global, int64_t bytes) {
  // A loop may reduce to one global through two arguments.
  for (GlobalSlot *slot : slots().taken) {
    if (slot->device == &device && isExactly(*slot, global, bytes))
      return slot->values;
    if (overlaps(*slot, global, bytes))
      op2rt_fatal("%stwo reductions overlap in part: %lld bytes at %p and %lld "
                  "bytes at %p; expected the same global or different ones",
                  inLoop().c_str(), static_cast<long long>(slot->bytes),
                  static_cast<void *>(slot->global),
                  static_cast<long long>(bytes), global);
  }
  GlobalSlot *slot = takeIdle(device, bytes);
  slot->global = static_cast<char *>(global);
  slot->bytes = bytes;
  device.upload(slot->values, global, bytes);
  slots().taken.push_back(slot);
  return slot->values;
}

void const *op2::rt::reducedOnDevice(Device const &device, void const *global,
                                     int64_t bytes) {
  for (GlobalSlot const *slot : slots().taken)
    if (slot->device == &device && isExactly(*slot, global, bytes))
      return slot->values;
  return nullptr;
}

void op2::rt::deliverGlobals() {
  auto &all = slots();
  if (all.taken.empty())
    return;
  for (GlobalSlot *slot : all.taken)
    slot->device->startDownload(slot->pinned, slot->values, slot->bytes,
                                slot->read);
  // In the order they were sent: who waits for the last waits for all.
  GlobalSlot &last = *all.taken.back();
  last.device->waitFor(last.read, "the result of a reduction");
  for (GlobalSlot *slot : all.taken)
    std::memcpy(slot->global, slot->pinned, static_cast<size_t>(slot->bytes));
  all.idle.insert(all.idle.end(), all.taken.begin(), all.taken.end());
  all.taken.clear();
}

void op2::rt::forgetDeviceGlobals() {
  for (GlobalSlot *slot : slots().idle) {
    slot->device->releasePinned(slot->pinned, slot->read);
    delete slot;
  }
  slots().idle.clear();
}
