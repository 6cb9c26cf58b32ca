//===- Emulator.h - A block of GPU threads as fibres ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EMULATOR_EMULATOR_H
#define OP2_LIB_RUNTIME_EMULATOR_EMULATOR_H

#include "EmulatorFibre.h"
#include "OP2/Runtime/op2emu.h"
#include "RaceCheck.h"

#include <memory>
#include <string>
#include <vector>

namespace op2::rt {

class MemoryModel;

/// Random numbers for orders (xorshift64*).
class OrderRandom {
public:
  explicit OrderRandom(uint64_t seed = 1);
  uint64_t next();
  /// In [0, n), for n < 2^32.
  uint32_t below(uint32_t n) {
    return uint32_t((uint64_t(uint32_t(next() >> 32)) * n) >> 32);
  }
  void permute(std::vector<int32_t> &values);

private:
  uint64_t state;
};

/// The parameters of a launch.
struct EmulatorLaunch {
  char const *name;
  void (*thread)(void **);
  void **args;
  int64_t grid[3];
  int32_t block[3];
  int64_t staticBytes, dynamicBytes;
  int32_t flags;
};

/// Runs launches, one at a time.
///
/// A thread is ready, waits at a barrier, waits at a shuffle, or has finished.
/// The thread that stops picks the next ready one and switches to it; with no
/// thread ready, the last one to stop releases the barrier. Only when nothing
/// can go on does the scheduler's own stack take over: the block has finished,
/// or it never will.
class Emulator {
public:
  static Emulator &get();

  void run(EmulatorLaunch const &request);
  void barrier();
  op2emu_shuffled shuffle(int64_t value, int32_t offset, int32_t width,
                          int32_t mode, int32_t bits);
  /// For the model of memory, or else the check for races.
  void noteAccess(void const *address, int64_t bytes, int32_t kind,
                  int32_t place);
  op2emu_thread const *self() const { return &threads[current]; }
  op2emu_block const *group() const { return &block; }
  bool isRunning() const { return launch != nullptr; }
  char const *loopName() const { return launch->name; }
  int32_t currentThread() const { return current; }

  /// Ends the program with a message that names loop and block; goes back to
  /// the program's own stack first, where exit handlers have room.
  [[noreturn]] void fail(std::string message);
  /// "thread (x,y,z)" of the thread with this number.
  std::string threadName(int32_t number) const;

private:
  enum class State : uint8_t { Ready, AtBarrier, AtShuffle, Finished };
  struct Exchange {
    int64_t value;
    int32_t offset, width, mode, bits;
    op2emu_shuffled result;
  };
  struct Warp {
    uint32_t live, waiting;
  };
  static constexpr int32_t kScheduler = -1;

  void checkSizes() const;
  void setUpThreads();
  void setUpShared();
  void runBlocks();
  void findBlock(int64_t number, int64_t (&at)[3]) const;
  void startBlock(int64_t number);
  void runThreadsInTurn();
  void runAllInTurn();
  void runFibres();
  void checkGuards();
  bool isShared(char const *address) const;
  std::string placeOf(char const *address) const; ///< for messages
  void checkRace(char const *address, int64_t bytes, int32_t kind);
  void checkStores();
  [[noreturn]] void reportRace(RaceCheck::Race const &race);
  [[noreturn]] void reportStuck();

  static void fibreMain();
  static void turnMain();
  void finishThread();
  void suspend();
  int32_t pickNext();
  Fibre &fibreOf(int32_t number) {
    return number == kScheduler ? scheduler : *fibres[number];
  }
  uint32_t participants(Warp const &warp, int32_t width) const;
  void completeShuffle(int32_t warpNumber);

  EmulatorLaunch const *launch = nullptr;
  MemoryModel *model = nullptr; ///< if one is asked for
  RaceCheck races;              ///< if none is
  int32_t numThreads = 0;
  int32_t current = kScheduler;
  bool usesFibres = false;
  std::string failure;
  uint64_t numLaunches = 0;
  OrderRandom random;

  std::vector<op2emu_thread> threads;
  std::vector<std::unique_ptr<Fibre>> fibres;
  Fibre scheduler;
  Fibre turnRunner; ///< of all threads that do not wait
  op2emu_block block{};
  std::vector<char> shared; ///< static, guard, dynamic, guard

  std::vector<State> states;
  std::vector<Exchange> exchanges;
  std::vector<Warp> warps;
  std::vector<int32_t> order;    ///< all threads
  std::vector<int32_t> ready;    ///< from `cursor` on: may run
  std::vector<int32_t> released; ///< may run after those
  std::size_t cursor = 0;
  int32_t atBarrier = 0, finished = 0;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EMULATOR_EMULATOR_H
