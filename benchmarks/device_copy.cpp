//===- device_copy.cpp - Copies in the memory of a GPU --------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// device-copy [MiB] [repeats]: the rate of the driver's copies from device
// memory to device memory, timed by events: what loops on this device are
// compared with. Bytes read and bytes written both count. Prints one JSON line.
// Without a CUDA device it says what is missing, exit status 1.
//
//===----------------------------------------------------------------------===//

#include "Device/DeviceCuda.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace op2::rt;

namespace {

/// Two areas of device memory, and events around copies between them.
class CopyBenchmark {
public:
  CopyBenchmark(CudaDevice &device, int64_t bytes)
      : device(device), bytes(bytes), from(area("source")), to(area("copy")) {
    device.makeCurrent();
    for (CUevent *event : {&start, &stop})
      device.check(device.api().eventCreate(event, 0), "creating an event");
  }
  ~CopyBenchmark() {
    device.api().eventDestroy(start);
    device.api().eventDestroy(stop);
    device.releaseAll();
  }
  CopyBenchmark(CopyBenchmark const &) = delete;

  /// GB/s of one copy.
  double measure() {
    CudaDriver const &api = device.api();
    float milliseconds = 0;
    device.check(api.eventRecord(start, device.stream()), "recording an event");
    device.check(
        api.copyOnDevice(to, from, static_cast<size_t>(bytes), device.stream()),
        "copying %lld bytes", static_cast<long long>(bytes));
    device.check(api.eventRecord(stop, device.stream()), "recording an event");
    device.check(api.eventSynchronize(stop), "waiting for a copy");
    device.check(api.eventElapsedTime(&milliseconds, start, stop),
                 "reading the time of a copy");
    return 2e-6 * double(bytes) / std::max(double(milliseconds), 1e-6);
  }

private:
  CUdeviceptr area(char const *what) {
    return reinterpret_cast<uintptr_t>(device.allocate(bytes, what));
  }

  CudaDevice &device;
  int64_t bytes;
  CUdeviceptr from, to;
  CUevent start = nullptr, stop = nullptr;
};

long parsePositive(char const *text) {
  char *end = nullptr;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end || value < 1 || value > 1 << 20) {
    std::fprintf(stderr,
                 "usage: device-copy [MiB] [repeats]; '%s' is no number from 1 "
                 "to %d\n",
                 text, 1 << 20);
    std::exit(2);
  }
  return value;
}

} // namespace

int main(int argc, char **argv) {
  int64_t bytes = int64_t(argc > 1 ? parsePositive(argv[1]) : 1024) << 20;
  long repeats = argc > 2 ? parsePositive(argv[2]) : 20;
  std::string problem;
  std::unique_ptr<CudaDevice> device = CudaDevice::open(problem);
  if (!device) {
    std::fprintf(stderr, "device-copy: error: %s\n", problem.c_str());
    return 1;
  }
  std::vector<double> rates;
  {
    CopyBenchmark copy(*device, bytes);
    copy.measure(); // the first one is slower
    for (long n = 0; n < repeats; ++n)
      rates.push_back(copy.measure());
  }
  std::sort(rates.begin(), rates.end());
  std::printf("{\"record\": \"device-copy\", \"device\": \"%s\", \"bytes\": "
              "%lld, \"repeats\": %ld, \"best_gb_s\": %.1f, \"median_gb_s\": "
              "%.1f}\n",
              device->name().c_str(), static_cast<long long>(bytes), repeats,
              rates.back(), rates[rates.size() / 2]);
  return 0;
}
