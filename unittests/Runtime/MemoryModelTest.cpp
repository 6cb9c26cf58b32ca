//===- MemoryModelTest.cpp - Accesses with known answers --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/MemoryModel.h"
#include "OP2/Runtime/op2emu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

using namespace op2::rt;
using Space = MemoryModel::Space;

namespace {
/// A machine that is easy to count for: 1 MB of L2, 64 kB near each of two
/// multiprocessors.
constexpr MemoryMachine kSmall = {"small", 2,    64 * 1024, 1 << 20,
                                  1e9,     10e9, 1e9,       1e-6};

class MemoryModelTest : public ::testing::Test {
protected:
  MemoryModel model{kSmall};

  /// thread(number of the thread in the grid, of the thread in its block)
  void launch(char const *name, int64_t blocks, int32_t threads,
              std::function<void(int64_t, int32_t)> const &thread) {
    model.beginLaunch(name, blocks, threads, /*sharedBytes=*/0);
    for (int64_t block = 0; block < blocks; ++block) {
      model.beginBlock(block);
      for (int32_t t = 0; t < threads; ++t)
        thread(block * threads + t, t);
      model.endBlock();
    }
  }
  void load(int32_t t, int64_t address, int64_t bytes = 8, int32_t place = 0) {
    model.note(t, Space::Global, address, bytes, OP2EMU_LOAD, place);
  }
  void store(int32_t t, int64_t address, int64_t bytes = 8, int32_t place = 1) {
    model.note(t, Space::Global, address, bytes, OP2EMU_STORE, place);
  }
  void share(int32_t t, int64_t offset, int64_t bytes = 4, int32_t place = 2) {
    model.note(t, Space::Shared, offset, bytes, OP2EMU_LOAD, place);
  }
  MemoryCounts const &counts(std::size_t number = 0) {
    return model.loops()[number].second;
  }
};

constexpr int64_t kFirst = 1 << 30, kSecond = 1 << 29;

// 1024 doubles: 32 requests of 8 sectors, each once to and from memory.
TEST_F(MemoryModelTest, Copy) {
  launch("copy", 8, 128, [&](int64_t n, int32_t t) {
    load(t, kFirst + 8 * n);
    store(t, kSecond + 8 * n);
  });
  EXPECT_EQ(counts().requests, 64);
  EXPECT_EQ(counts().bytes, 2 * 8192);
  EXPECT_EQ(counts().sectors, 2 * 256);
  EXPECT_EQ(counts().l2Read, 256);
  EXPECT_EQ(counts().l2Written, 256);
  EXPECT_EQ(counts().memoryRead, 256);
  EXPECT_EQ(counts().memoryWritten, 0);
  EXPECT_EQ(model.countUnwritten(), 256);
}

// Rows of four doubles, of which one is used: a sector for each thread.
TEST_F(MemoryModelTest, StridedCopy) {
  launch("strided", 8, 128,
         [&](int64_t n, int32_t t) { load(t, kFirst + 32 * n); });
  EXPECT_EQ(counts().sectors, 1024);
  EXPECT_EQ(counts().memoryRead, 1024);
}

// Components of a row, one after the other, two at once: the first load brings
// all of them.
TEST_F(MemoryModelTest, RowsOfFour) {
  launch("rows", 8, 128, [&](int64_t n, int32_t t) {
    for (int32_t d = 0; d < 4; ++d)
      load(t, kFirst + 32 * n + 8 * d, 8, d);
  });
  EXPECT_EQ(counts().requests, 2 * 32);
  EXPECT_EQ(counts().sectors, 2 * 1024);
  EXPECT_EQ(counts().l2Read, 1024);
  EXPECT_EQ(counts().memoryRead, 1024);
}

// Stores all go to the L2: two for a row of four, unless something else happens
// to what they write in between.
TEST_F(MemoryModelTest, Neighbours) {
  launch("stores", 1, 32, [&](int64_t n, int32_t t) {
    for (int32_t d = 0; d < 4; ++d)
      store(t, kFirst + 32 * n + 8 * d, 8, d);
  });
  launch("between", 1, 32, [&](int64_t n, int32_t t) {
    store(t, kFirst + 32 * n, 8, 0);
    load(t, kFirst + 32 * n, 8, 1);
    store(t, kFirst + 32 * n + 8, 8, 2);
  });
  EXPECT_EQ(counts(0).l2Written, 2 * 32);
  EXPECT_EQ(counts(1).l2Written, 2 * 32);
  EXPECT_EQ(counts(1).requests, 3);
}

// One address for a whole warp is one sector.
TEST_F(MemoryModelTest, SameForAll) {
  launch("same", 1, 128, [&](int64_t, int32_t t) { load(t, kFirst); });
  EXPECT_EQ(counts().requests, 4);
  EXPECT_EQ(counts().sectors, 4);
  EXPECT_EQ(counts().l2Read, 1);
}

// A loop's turns are requests of their own, also where threads take different
// numbers of them.
TEST_F(MemoryModelTest, LoopsOfDifferentLengths) {
  launch("turns", 1, 32, [&](int64_t n, int32_t t) {
    for (int64_t turn = 0; turn <= n % 2; ++turn)
      load(t, kFirst + 8 * n + 4096 * turn);
  });
  EXPECT_EQ(counts().requests, 2);
  EXPECT_EQ(counts().sectors, 8 + 8);
}

// Every thread its own sector out of 64 MB: nothing is found anywhere.
TEST_F(MemoryModelTest, RandomGather) {
  launch("gather", 64, 128, [&](int64_t n, int32_t t) {
    load(t, kFirst + 32 * (n * 7919 % (1 << 21)) * 8);
  });
  EXPECT_EQ(counts().sectors, 64 * 128);
  EXPECT_EQ(counts().memoryRead, 64 * 128);
}

// Half of the L2 is found again by the next kernel; twice as much is not.
TEST_F(MemoryModelTest, WhatTheL2Keeps) {
  auto sweep = [&](char const *name, int64_t kilobytes) {
    launch(name, kilobytes, 128,
           [&](int64_t n, int32_t t) { load(t, kFirst + 8 * n); });
  };
  sweep("fill", 512);
  sweep("again", 512);
  EXPECT_EQ(counts(0).memoryRead, 512 * 32);
  EXPECT_LT(counts(1).memoryRead, 512 * 32 / 20);
  EXPECT_EQ(counts(1).l2Read, 512 * 32);
  sweep("large", 2048);
  sweep("large again", 2048);
  EXPECT_GT(counts(3).memoryRead, 2048 * 32 * 9 / 10);
}

// What is stored goes to memory when the L2 needs the room.
TEST_F(MemoryModelTest, Written) {
  launch("fill", 2048, 128,
         [&](int64_t n, int32_t t) { store(t, kFirst + 8 * n); });
  EXPECT_EQ(counts().memoryRead, 0);
  EXPECT_EQ(counts().memoryWritten + model.countUnwritten(), 2048 * 32);
  EXPECT_GT(counts().memoryWritten, 1024 * 32 * 9 / 10);
}

// A histogram: as many turns as threads of a warp meet in a bin.
TEST_F(MemoryModelTest, Histogram) {
  auto count = [&](char const *name, int64_t bins) {
    launch(name, 1, 32, [&](int64_t n, int32_t t) {
      model.note(t, Space::Global, kFirst + 8 * (n % bins), 8, OP2EMU_ATOMIC,
                 0);
    });
  };
  count("apart", 32);
  count("eight", 8);
  count("one", 1);
  EXPECT_EQ(counts(0).atomicTurns, 1);
  EXPECT_EQ(counts(1).atomicTurns, 4);
  EXPECT_EQ(counts(2).atomicTurns, 32);
  EXPECT_EQ(counts(2).l2Written, 1);
  EXPECT_EQ(counts(0).memoryRead, 8);
}

// A tile of 32 rows of 32 floats, read by columns: all in one bank, unless rows
// are one longer. Doubles take two turns where floats take one.
TEST_F(MemoryModelTest, Transpose) {
  launch("columns", 1, 32, [&](int64_t n, int32_t t) { share(t, 4 * 32 * n); });
  launch("padded", 1, 32, [&](int64_t n, int32_t t) { share(t, 4 * 33 * n); });
  launch("rows", 1, 32, [&](int64_t n, int32_t t) { share(t, 4 * n); });
  launch("same", 1, 32, [&](int64_t, int32_t t) { share(t, 4); });
  launch("doubles", 1, 32, [&](int64_t n, int32_t t) { share(t, 8 * n, 8); });
  EXPECT_EQ(counts(0).sharedTurns, 32);
  EXPECT_EQ(counts(1).sharedTurns, 1);
  EXPECT_EQ(counts(2).sharedTurns, 1);
  EXPECT_EQ(counts(3).sharedTurns, 1);
  EXPECT_EQ(counts(4).sharedTurns, 2);
  EXPECT_EQ(counts(4).requests, 0);
}

TEST_F(MemoryModelTest, Bounds) {
  MemoryCounts counts;
  counts.launches = 3;
  EXPECT_STREQ(boundOf(counts, kSmall).what, "launches");
  EXPECT_DOUBLE_EQ(boundOf(counts, kSmall).seconds, 3e-6);
  counts.l2Read = 5000;
  EXPECT_STREQ(boundOf(counts, kSmall).what, "L2");
  counts.memoryRead = 4000;
  counts.memoryWritten = 1000;
  EXPECT_STREQ(boundOf(counts, kSmall).what, "memory");
  EXPECT_DOUBLE_EQ(boundOf(counts, kSmall).seconds, 5000 * 32 / 1e9);
  counts.sharedTurns = 1000000;
  EXPECT_STREQ(boundOf(counts, kSmall).what, "shared memory");
  counts.sectors = 100000000;
  EXPECT_STREQ(boundOf(counts, kSmall).what, "L1");
}

TEST(MemoryMachineTest, Names) {
  EXPECT_STREQ(findMemoryMachine("h200")->name, "h200");
  EXPECT_EQ(findMemoryMachine("h2000"), nullptr);
}
} // namespace
