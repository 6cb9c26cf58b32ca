//===- RaceCheck.h - Accesses that nothing orders ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of emulated kernels that tell what they access (--op2-count-accesses). Two
// accesses to one byte in one launch are a race if they are of different
// threads, one of them stores, they are not both atomic, and the threads are of
// different blocks or no barrier lies between. Two stores of one value are none
// (OP_WRITE through a map), of two blocks also if each leaves one value (what
// an element writes that several blocks run). Which thread comes first on the
// emulator does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EMULATOR_RACECHECK_H
#define OP2_LIB_RUNTIME_EMULATOR_RACECHECK_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace op2::rt {

class RaceCheck {
public:
  /// An access to a byte. `kind` is as in op2emu.h.
  struct Access {
    int64_t block = -1; ///< none if negative
    int32_t epoch = 0;  ///< barriers that the block has passed
    int16_t thread = 0;
    int8_t kind = 0;

    bool exists() const { return block >= 0; }
    bool isSameThread(Access const &other) const {
      return block == other.block && thread == other.thread;
    }
  };
  struct Race {
    Access earlier, later;
    char const *at;
    char value; ///< that the earlier one left there
  };

  void beginLaunch() { ++launch; }
  void beginBlock(int64_t number);
  /// All threads of the block are at a barrier.
  void atBarrier() { ++epoch; }
  /// The current thread of the block is about to access memory. A race that
  /// this makes, if any.
  std::optional<Race> note(int32_t thread, char const *address, bool isShared,
                           int64_t bytes, int32_t kind);
  /// A race of the latest store, which has been done: it stored another value
  /// than an earlier one of its block. Asked before anything else is done.
  std::optional<Race> findDifferentStore();
  /// At the end of a block: one of its stores, which leave another value than
  /// an earlier block's.
  std::optional<Race> findDifferentBlock();

private:
  /// The latest accesses to a byte that later ones can race with: of the last
  /// two threads, and of the last one of another block. More are of no use: of
  /// two threads one is not that which comes, and accesses before a barrier are
  /// in order with what the block does behind it.
  class History {
  public:
    Access const *findUnordered(Access const &access) const;
    void add(Access const &access);

  private:
    Access last, before, elsewhere;
  };
  /// By kind: what a thread does atomically does not order what it did before.
  using Byte = std::array<History, 3>;
  static constexpr uintptr_t kPageBytes = 256;
  struct Page {
    int64_t launch = 0, block = 0;
    std::array<Byte, kPageBytes> bytes;
  };
  using Pages = std::unordered_map<uintptr_t, std::unique_ptr<Page>>;

  Byte &find(Pages &pages, bool isShared, uintptr_t address);

  Pages global, shared;
  int64_t launch = 0, block = 0;
  int32_t epoch = 0;
  std::vector<Race> stores; ///< of the latest one, by bytes
  /// Of the block, its first one to a byte.
  std::unordered_map<char const *, Race> contested;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EMULATOR_RACECHECK_H
