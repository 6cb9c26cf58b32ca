//===- DeviceCuda.h - A CUDA device -----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first device that the driver offers (CUDA_VISIBLE_DEVICES chooses), or
// each rank of a machine the next one; its
// primary context, which the program's own CUDA code shares, and one stream.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICECUDA_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICECUDA_H

#include "Core/Error.h"
#include "Device.h"
#include "DeviceDriver.h"
#include "LaunchBatch.h"

#include <memory>

namespace op2::rt {

class CudaDevice final : public Device {
public:
  /// NULL if there is none; `problem` says why then.
  static std::unique_ptr<CudaDevice> open(std::string &problem);
  /// Everything on it must have been released.
  ~CudaDevice() override;

  std::string name() const override { return deviceName; }
  bool sharesHostMemory() const override { return false; }
  int64_t maxSharedBytes() const override { return sharedBytes; }
  void upload(void *to, void const *from, int64_t bytes) override;
  void download(void *to, void const *from, int64_t bytes) override;
  void *allocatePinned(int64_t bytes) override;
  void releasePinned(void *data) override;
  void recordEvent(void *&event) override;
  void waitFor(void *event, char const *what) override;
  void destroyEvent(void *event) override;
  void submitLaunches() override {
    makeCurrent();
    batch.submit();
  }
  void delayLaunches() override { batch.delay(); }

  /// Waits for everything so far; `before` is what needs it, for the message.
  void wait(char const *before);
  /// The calling thread uses this device from now on.
  void makeCurrent();

  /// An error that begins with the loop's name, what was attempted, and what
  /// the driver says about it.
  template <class... Values>
  void check(CUresult result, char const *format, Values... values) const {
    // The format is always a literal.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (result != CUDA_SUCCESS)
      fail(result, format, values...);
#pragma GCC diagnostic pop
  }
  [[noreturn]] void fail(CUresult result, char const *format, ...) const
      __attribute__((format(printf, 3, 4)));

  CudaDriver const &api() const { return driver; }
  /// For what must come after all launches so far.
  CUstream stream() {
    batch.submit();
    return theStream;
  }
  LaunchBatch &launches() { return batch; }
  int maxThreads() const { return threads; }
  /// 90 for sm_90.
  int architecture() const { return sm; }

protected:
  void *obtain(int64_t bytes) override;
  void giveBack(void *data) override;
  std::string capacity() const override;

private:
  friend class LaunchBatch;
  explicit CudaDevice(CudaDriver const &driver) : Device(1), driver(driver) {}
  std::string start();
  std::string readAttributes();

  CudaDriver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream theStream = nullptr;
  LaunchBatch batch{*this};
  std::string deviceName;
  int threads = 0, sharedBytes = 0, sm = 0;

  /// Pinned memory that small uploads go through, so that the host need not
  /// wait for them. Used from the front to the end, then anew.
  char *ring = nullptr;
  int64_t ringUsed = 0;
};

/// "" if there is a CUDA device, else what is missing. Opens it.
std::string const &cudaProblem();
/// The device; an error naming the loop if there is none.
CudaDevice &cudaDevice();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICECUDA_H
