//===- MemoryModel.h - What a GPU's memory would have to move ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OP2_EMULATOR_MODEL: the accesses of emulated kernels, put together as those
// of warps, go through models of the caches. What comes of it are counts, and a
// time that no part of the GPU could be faster than. See docs/design/gpu.md.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EMULATOR_MEMORYMODEL_H
#define OP2_LIB_RUNTIME_EMULATOR_MEMORYMODEL_H

#include "SectorCache.h"

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

namespace op2::rt {

/// A GPU, by the numbers of its vendor and of published measurements.
struct MemoryMachine {
  char const *name;
  int32_t multiprocessors;
  int64_t nearBytes; ///< L1 and shared memory of a multiprocessor
  int64_t l2Bytes;
  double memoryRate;    ///< bytes/s
  double l2Rate;        ///< bytes/s
  double clock;         ///< 1/s
  double launchSeconds; ///< of a kernel behind another one
};

/// By its name in OP2_EMULATOR_MODEL; NULL if there is none.
MemoryMachine const *findMemoryMachine(std::string const &name);

/// What the kernels of one name did.
struct MemoryCounts {
  int64_t launches = 0, blocks = 0;
  int64_t requests = 0;      ///< of warps, to global memory
  int64_t bytes = 0;         ///< that threads asked for there
  int64_t sectors = 0;       ///< of 32 bytes, that requests touch
  int64_t l2Read = 0;        ///< sectors that L1 does not have
  int64_t l2Written = 0;     ///< sectors, for stores and atomic operations
  int64_t memoryRead = 0;    ///< sectors that L2 does not have
  int64_t memoryWritten = 0; ///< sectors that leave L2
  int64_t atomics = 0;       ///< requests
  int64_t atomicTurns = 0;   ///< most threads of a request at one address
  int64_t sharedRequests = 0;
  int64_t sharedTurns = 0; ///< that banks take for them
  int64_t barriers = 0;    ///< times blocks
};

/// A time, and what takes it.
struct MemoryBound {
  double seconds;
  char const *what;
};
MemoryBound boundOf(MemoryCounts const &counts, MemoryMachine const &machine);

class MemoryModel {
public:
  explicit MemoryModel(MemoryMachine const &machine);
  /// That of OP2_EMULATOR_MODEL; NULL if it asks for none.
  static MemoryModel *get();

  enum class Space { Global, Shared };

  void beginLaunch(std::string const &name, int64_t numBlocks,
                   int32_t numThreads, int64_t sharedBytes);
  void beginBlock(int64_t number);
  /// `offset`: an address, or one from the beginning of shared memory. What a
  /// thread loads, or stores, next to what it has loaded or stored before
  /// counts as one access of up to kWidest bytes, as LLVM makes it for a GPU.
  void note(int32_t thread, Space space, int64_t offset, int64_t bytes,
            int32_t kind, int32_t place);
  /// All threads of the block are at a barrier.
  void atBarrier();
  void endBlock() { flush(); }

  /// The loops in the order of their first launches.
  std::vector<std::pair<std::string, MemoryCounts>> const &loops() const {
    return counts;
  }
  /// Sectors that are still to be written when the program ends.
  int64_t countUnwritten() const { return l2.countDirty(); }
  MemoryMachine const &getMachine() const { return machine; }

private:
  static constexpr int64_t kWidest = 16;

  struct Access {
    int64_t offset;
    int32_t place;
    int32_t turn; ///< times that the thread was at the place before
    int32_t bytes;
    uint8_t kind;
    Space space;
  };
  /// Those of a warp's threads that are one instruction.
  struct Request {
    Access const *lanes[32];
    int32_t numLanes = 0;
  };

  bool joins(int32_t thread, Space space, int64_t offset, int64_t bytes,
             int32_t kind);
  void flush();
  void flushWarp(std::size_t firstThread, std::size_t numThreads);
  void access(Request const &request);
  void accessGlobal(Request const &request);
  void accessShared(Request const &request);
  static int64_t countMeetings(Request const &request);

  MemoryMachine machine;
  SectorCache l2;
  std::vector<SectorCache> l1; ///< of each multiprocessor
  std::size_t multiprocessor = 0;
  std::vector<std::pair<std::string, MemoryCounts>> counts;
  MemoryCounts *current = nullptr;
  /// By thread, since the last barrier.
  std::vector<std::vector<Access>> accesses;
  std::vector<std::unordered_map<int32_t, int32_t>> turns;
  /// The latest access to a piece of kWidest bytes.
  std::vector<std::unordered_map<int64_t, std::size_t>> latest;
  std::vector<Request> requests; ///< of a warp
  std::unordered_map<int64_t, std::size_t> requestAt;
};

/// What op_timing_output says of it; nothing without OP2_EMULATOR_MODEL.
void printMemoryModel(std::FILE *file);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EMULATOR_MEMORYMODEL_H
