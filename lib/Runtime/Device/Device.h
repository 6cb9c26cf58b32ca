//===- Device.h - Devices and their memory ----------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime needs of a device, whatever it is: memory that is accounted
// for, copies there and back, limits. There are two: the host itself, for
// emulated kernels, and a CUDA device.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICE_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICE_H

#include "OP2/Runtime/op2rt_device.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace op2::rt {

constexpr int kNumDevices = 2;

/// All functions end the program with an error that says what was attempted
/// if the device does not do it.
class Device {
public:
  explicit Device(int number) : number(number) {}
  virtual ~Device() = default;

  /// 0 the host, 1 the CUDA device: where objects keep their copies.
  int const number;

  /// For messages: "NVIDIA H200".
  virtual std::string name() const = 0;
  /// Host pointers are device pointers.
  virtual bool sharesHostMemory() const = 0;

  /// Aligned storage, not initialised; never NULL. `what` stands in reports.
  void *allocate(int64_t bytes, std::string const &what);
  /// NULL is fine.
  void release(void *data);
  /// Storage for the launches of one loop, the same for all loops: who asks for
  /// more gets another.
  void *scratch(int64_t bytes);
  /// At the end of a program.
  void releaseAll();
  int64_t allocatedBytes() const { return allocated; }

  /// In the order of the calls and launches. `from` may change when upload
  /// returns; download returns when the values are there.
  virtual void upload(void *to, void const *from, int64_t bytes) = 0;
  virtual void download(void *to, void const *from, int64_t bytes) = 0;

  /// Aligned memory of the host that kernels reach at the same address, but
  /// slowly; never NULL.
  virtual void *allocatePinned(int64_t bytes) = 0;
  virtual void releasePinned(void *data) = 0;
  /// waitFor(event) returns when everything asked for before recordEvent is
  /// done. `event` is NULL before the first one, and is used again for the
  /// next.
  virtual void recordEvent(void *&event) = 0;
  virtual void waitFor(void *event, char const *what) = 0;
  /// As recordEvent has left it.
  virtual void destroyEvent(void *event) = 0;

  /// At the end of a loop: its launches, and those of before, are given to the
  /// device, or may wait until op2rt_flush. What else is asked for here comes
  /// behind them anyway.
  virtual void submitLaunches() = 0;
  virtual void delayLaunches() = 0;

  /// Most shared memory of a block, bytes.
  virtual int64_t maxSharedBytes() const = 0;

  /// What is allocated, the largest first, one line each, with `indent` before
  /// it; at most `most` lines, then the rest as one.
  std::string inventory(char const *indent, std::size_t most) const;

protected:
  /// NULL if there is not enough.
  virtual void *obtain(int64_t bytes) = 0;
  virtual void giveBack(void *data) = 0;
  /// "1000 bytes, 896 bytes of them free", or "".
  virtual std::string capacity() const { return ""; }

private:
  struct Allocation {
    int64_t bytes;
    std::string what;
  };
  std::unordered_map<void *, Allocation> allocations;
  int64_t allocated = 0;
  void *ofLaunches = nullptr; ///< scratch
};

/// Memory of the host. Always there.
Device &hostDevice();

/// The device that a loop runs on; an error if its target has none.
Device &deviceOf(op2rt_loop const &loop);
/// A device that has been used, or NULL.
Device *usedDevice(int number);

/// "loop NAME: " in a loop, else "".
std::string inLoop();
/// "512 bytes", "92160000 bytes (87.9 MiB)"
std::string describeBytes(int64_t bytes);

/// What is on the devices, on stdout; nothing if nothing is.
void reportDeviceMemory();
/// Frees everything on all devices, at op_exit. They can be used again.
void closeDevices();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICE_H
