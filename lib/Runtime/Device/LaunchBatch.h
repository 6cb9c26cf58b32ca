//===- LaunchBatch.h - Launches that are given together ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch costs the host 2 to 3 us, and the device 1 us between two kernels;
// in a CUDA graph a third of that. So launches wait for those behind them, up
// to what must come after them: a copy, an event, the end of a loop behind
// which the program may look. Launches that have come in the same sequence some
// times, with the same sizes and arguments, are a graph from then on.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_LAUNCHBATCH_H
#define OP2_LIB_RUNTIME_DEVICE_LAUNCHBATCH_H

#include "DeviceDriver.h"

#include <cstdint>
#include <map>
#include <vector>

namespace op2::rt {

class CudaDevice;

/// All members are part of what is compared: no padding.
struct Launch {
  CUfunction function; ///< NULL: an event, which is the parameter
  // Of the kernel; these live on.
  char const *name;
  int32_t const *paramBytes; ///< size of each parameter
  int64_t numParams;
  int64_t blocks, threads, sharedBytes;
};

class LaunchBatch {
public:
  explicit LaunchBatch(CudaDevice &device) : device(device) {}

  /// Behind those of before.
  void add(Launch const &launch, void **args);
  /// The same for an event: what it waits for waits, too.
  void addEvent(CUevent event);
  /// The loop that has launched them ends, and may be delayed: what waits does
  /// so until op2rt_flush, if nothing asks for it before.
  void delay();
  /// Gives the device what waits.
  void submit();
  /// Destroys the graphs, when nothing waits.
  void close();

private:
  /// Launches and their parameters, one after the other.
  using Sequence = std::vector<uint64_t>;
  struct Known {
    int64_t count = 0; ///< how often it has come
    CUgraphExec graph = nullptr;
  };

  void give(Launch const &launch, void **args);
  void giveAll();
  CUgraphExec findGraph();
  CUgraphExec makeGraph();

  CudaDevice &device;
  Sequence waiting;
  int64_t numWaiting = 0;
  bool hasEvents = false; ///< among them
  bool isDelayed = false; ///< counted in op2rt_pending
  std::map<Sequence, Known> known;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_LAUNCHBATCH_H
