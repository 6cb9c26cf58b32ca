//===- RaceCheckTest.cpp - Accesses that nothing orders ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Runtime/op2emu.h"

#include <gtest/gtest.h>

namespace {
int64_t local() { return op2emu_self()->lane; }
int64_t blockNumber() { return op2emu_group()->block[0]; }

int64_t load(int64_t const *at) {
  op2emu_access(at, 8, OP2EMU_LOAD, 0);
  return *at;
}
void store(int64_t *at, int64_t value) {
  op2emu_access(at, 8, OP2EMU_STORE, 1);
  *at = value;
}
void update(int64_t *at) {
  op2emu_access(at, 8, OP2EMU_ATOMIC, 2);
  ++*at;
}
int64_t *sharedArray() {
  return static_cast<int64_t *>(op2emu_group()->dynamic_shared);
}

int64_t values[64];

/// Blocks of eight threads, 64 bytes of shared memory each.
void run(void (*kernel)(void **), int64_t blocks = 1) {
  void *args[] = {nullptr};
  op2emu_launch("test", kernel, args, blocks, 1, 1, 8, 1, 1, 0, 64, 0);
}

auto dies() { return ::testing::ExitedWithCode(1); }

class RaceCheckDeathTest : public ::testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// In either order of the threads.
char const kLoadAndStore[] =
    "loop 'test' \\(emulator\\): block \\(0,0,0\\): a race, with no barrier "
    "between: (thread \\(1,0,0\\) loads and thread \\(2,0,0\\) stores "
    "to|thread "
    "\\(2,0,0\\) stores to and thread \\(1,0,0\\) loads) byte 16 of dynamic "
    "shared memory";

TEST(RaceCheckTest, BarriersOrderAccesses) {
  run([](void **) {
    store(sharedArray() + local(), local());
    op2emu_barrier();
    values[local()] = load(sharedArray() + (local() + 1) % 8);
    op2emu_barrier();
    store(sharedArray() + (local() + 3) % 8, 0);
  });
  EXPECT_EQ(values[2], 3);
}

TEST(RaceCheckTest, LaunchesAreInOrder) {
  for (int time = 0; time < 2; ++time)
    run(
        [](void **) {
          if (local() == blockNumber())
            store(values, blockNumber() * 0);
        },
        4);
  run([](void **) { load(values); }, 4);
}

TEST(RaceCheckTest, SharedMemoryIsEachBlocksOwn) {
  run(
      [](void **) {
        if (local() == blockNumber())
          store(sharedArray(), blockNumber());
      },
      8);
}

TEST(RaceCheckTest, AtomicUpdatesMeet) {
  values[0] = 0;
  run([](void **) { update(values); }, 5);
  EXPECT_EQ(values[0], 40);
}

TEST(RaceCheckTest, StoresOfOneValueMeet) {
  run([](void **) { store(values, 7); }, 3);
  EXPECT_EQ(values[0], 7);
}

// Whatever they have stored before: nobody looks.
TEST(RaceCheckTest, BlocksMayLeaveOneValue) {
  run(
      [](void **) {
        store(values + local(), blockNumber());
        store(values + local(), 7);
      },
      3);
  EXPECT_EQ(values[3], 7);
}

TEST(RaceCheckTest, AThreadIsInOrderWithItself) {
  run([](void **) {
    store(values + local(), local());
    update(values + local());
    store(values + local(), load(values + local()) + 1);
  });
  EXPECT_EQ(values[5], 7);
}

TEST_F(RaceCheckDeathTest, ALoadAndAStoreInOneBlock) {
  EXPECT_EXIT(run([](void **) {
                if (local() == 1)
                  load(sharedArray() + 2);
                if (local() == 2)
                  store(sharedArray() + 2, 1);
              }),
              dies(), kLoadAndStore);
}

// As accesses of some bytes, too.
TEST_F(RaceCheckDeathTest, PartsOfWhatIsStored) {
  EXPECT_EXIT(run([](void **) {
                char *bytes = reinterpret_cast<char *>(values);
                op2emu_access(bytes + local(), 2, OP2EMU_STORE, 0);
                bytes[local()] = char(local());
                bytes[local() + 1] = char(local());
              }),
              dies(), "a race");
}

// Threads in between do not hide those before them.
TEST_F(RaceCheckDeathTest, TheFirstOfManyBlocks) {
  EXPECT_EXIT(run(
                  [](void **) {
                    if (blockNumber() != 2)
                      load(values);
                    op2emu_barrier();
                    if (blockNumber() == 2 && local() == 0) {
                      load(values);
                      store(values, 1);
                    }
                  },
                  3),
              dies(), "of block \\([012],0,0\\)");
}

TEST_F(RaceCheckDeathTest, StoresOfSeveralValues) {
  EXPECT_EXIT(run([](void **) { store(values, local()); }), dies(),
              "stores to and thread \\(.,0,0\\) stores to a byte of global");
}

// Found when the threads have stopped.
TEST_F(RaceCheckDeathTest, TheLastStoreOfAll) {
  EXPECT_EXIT(run([](void **) { store(values, blockNumber()); }, 2), dies(),
              "a race");
}

// What the same thread does atomically behind it does not hide a store: in
// either order of the threads, and of the blocks.
TEST_F(RaceCheckDeathTest, AStoreBeforeAnUpdate) {
  EXPECT_EXIT(run([](void **) {
                if (local() == 0)
                  store(values, 0);
                update(values);
              }),
              dies(), "a race");
  EXPECT_EXIT(run(
                  [](void **) {
                    if (blockNumber() == 0 && local() == 0)
                      store(values, 0);
                    op2emu_barrier();
                    update(values);
                  },
                  2),
              dies(), "a race");
}

TEST_F(RaceCheckDeathTest, AnUpdateAndALoad) {
  EXPECT_EXIT(run([](void **) {
                if (local() == 0)
                  update(values);
                else
                  load(values);
              }),
              dies(), "(updates and .* loads)|(loads and .* updates)");
}
} // namespace
