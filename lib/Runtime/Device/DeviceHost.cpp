//===- DeviceHost.cpp - The host as a device --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For emulated kernels: device memory is the heap, and dats are used where
// they are.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "OP2/Runtime/op2emu.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace op2::rt;

// What the CUDA driver promises for its memory.
static constexpr int64_t kAlignment = 256;

namespace {
class HostDevice final : public Device {
public:
  HostDevice() : Device(0) {}
  std::string name() const override { return "the host"; }
  bool sharesHostMemory() const override { return true; }
  int64_t maxSharedBytes() const override { return OP2EMU_MAX_SHARED; }

  void upload(void *to, void const *from, int64_t bytes) override {
    if (bytes > 0)
      std::memcpy(to, from, static_cast<size_t>(bytes));
  }
  void download(void *to, void const *from, int64_t bytes) override {
    upload(to, from, bytes);
  }
  void *allocatePinned(int64_t bytes) override {
    return ::operator new(static_cast<size_t>(bytes),
                          std::align_val_t(kAlignment));
  }
  void releasePinned(void *data) override {
    ::operator delete(data, std::align_val_t(kAlignment));
  }
  void recordEvent(void *&) override {}
  void waitFor(void *, char const *) override {}
  void destroyEvent(void *) override {}
  void submitLaunches() override {}
  void delayLaunches() override {}

protected:
  void *obtain(int64_t bytes) override {
    int64_t rounded = (bytes / kAlignment + 1) * kAlignment;
    return std::aligned_alloc(kAlignment, static_cast<size_t>(rounded));
  }
  void giveBack(void *data) override { std::free(data); }
};
} // namespace

Device &op2::rt::hostDevice() {
  static auto *device = new HostDevice;
  return *device;
}
