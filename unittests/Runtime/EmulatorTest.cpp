//===- EmulatorTest.cpp - GPU threads as fibres -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Kernels in C++, run by op2emu_launch as compiled ones are.

#include "Emulator/EmulatorFibre.h"
#include "OP2/Runtime/op2emu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Shape {
  int64_t grid[3] = {1, 1, 1};
  int32_t block[3] = {1, 1, 1};
  int64_t staticBytes = 0, dynamicBytes = 0;
  int32_t flags = 0;
};

Shape line(int64_t blocks, int32_t threads, int64_t dynamicBytes = 0) {
  return {{blocks, 1, 1}, {threads, 1, 1}, 0, dynamicBytes, 0};
}

template <class... T>
void launch(Shape const &s, void (*kernel)(void **), T *...data) {
  void *args[] = {static_cast<void *>(data)..., nullptr};
  op2emu_launch("test", kernel, args, s.grid[0], s.grid[1], s.grid[2],
                s.block[0], s.block[1], s.block[2], s.staticBytes,
                s.dynamicBytes, s.flags);
}

/// Number of the thread within its block, and within the grid.
int64_t local() { return op2emu_self()->warp * 32 + op2emu_self()->lane; }
int64_t global() {
  return op2emu_group()->block[0] * op2emu_group()->block_dim[0] + local();
}

auto dies() { return ::testing::ExitedWithCode(1); }

class EmulatorTest : public ::testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override { unsetenv("OP2_EMULATOR_SEED"); }
  void seed(int value) {
    setenv("OP2_EMULATOR_SEED", std::to_string(value).c_str(), 1);
  }
};
using EmulatorDeathTest = EmulatorTest;

//===----------------------------------------------------------------------===//
// Threads and blocks
//===----------------------------------------------------------------------===//

void countPlaces(void **args) {
  op2emu_thread const *t = op2emu_self();
  op2emu_block const *b = op2emu_group();
  int64_t at = 0, inBlock = 0;
  for (int d = 2; d >= 0; --d) {
    at = at * b->grid_dim[d] + b->block[d];
    inBlock = inBlock * b->block_dim[d] + t->thread[d];
  }
  for (int d = 2; d >= 0; --d)
    at = at * b->block_dim[d] + t->thread[d];
  bool isRight = inBlock == t->warp * 32 + t->lane && b->num_warps == 2;
  static_cast<int *>(args[0])[at] += isRight ? 1 : 100;
}

TEST_F(EmulatorTest, EveryThreadOfAGridInThreeDimensionsRunsOnce) {
  for (int32_t flags : {0, int32_t(OP2EMU_INDEPENDENT_THREADS)}) {
    Shape shape = {{3, 2, 4}, {5, 3, 4}, 0, 0, flags};
    std::vector<int> counts(3 * 2 * 4 * 60);
    launch(shape, countPlaces, counts.data());
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), 3 * 2 * 4 * 60);
  }
}

TEST_F(EmulatorTest, AnEmptyGridRunsNothing) {
  int count = 0;
  for (int d = 0; d < 3; ++d) {
    Shape shape = line(7, 32);
    shape.grid[d] = 0;
    launch(shape, [](void **args) { ++*static_cast<int *>(args[0]); }, &count);
  }
  EXPECT_EQ(count, 0);
}

TEST_F(EmulatorTest, TheStackForHandlersStaysTheProgramsOwn) {
  std::vector<char> bytes(1 << 16);
  stack_t own{}, before{}, after{};
  own.ss_sp = bytes.data();
  own.ss_size = bytes.size();
  ASSERT_EQ(sigaltstack(&own, &before), 0);
  int count = 0;
  launch(
      line(1, 1), [](void **args) { ++*static_cast<int *>(args[0]); }, &count);
  ASSERT_EQ(sigaltstack(&before, &after), 0);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(after.ss_sp, bytes.data());
}

TEST_F(EmulatorTest, ManyBlocks) {
  std::vector<int> counts(200'000);
  launch(
      line(200'000, 1),
      [](void **args) { ++static_cast<int *>(args[0])[global()]; },
      counts.data());
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), 200'000);
}

void noteOrder(void **args) {
  static_cast<std::vector<int64_t> *>(args[0])->push_back(global());
}

TEST_F(EmulatorTest, OrdersAreRandomAndFollowTheSeed) {
  std::set<std::vector<int64_t>> orders;
  for (int value = 1; value <= 5; ++value) {
    seed(value);
    std::vector<int64_t> order;
    launch(line(8, 40), noteOrder, &order);
    orders.insert(order);
    std::sort(order.begin(), order.end());
    std::vector<int64_t> all(320);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
  }
  EXPECT_EQ(orders.size(), 5u);
}

void noteTwoOrders(void **args) {
  static_cast<std::vector<int64_t> *>(args[0])->push_back(local());
  op2emu_barrier();
  static_cast<std::vector<int64_t> *>(args[1])->push_back(local());
}

TEST_F(EmulatorTest, ABarrierChangesTheOrder) {
  std::vector<int64_t> before, after;
  launch(line(1, 64), noteTwoOrders, &before, &after);
  EXPECT_EQ(before.size(), 64u);
  EXPECT_EQ(after.size(), 64u);
  EXPECT_NE(before, after);
}

//===----------------------------------------------------------------------===//
// Shared memory and barriers
//===----------------------------------------------------------------------===//

template <bool HasBarrier> void sumBlock(void **args) {
  auto *in = static_cast<double const *>(args[0]);
  auto *out = static_cast<double *>(args[1]);
  auto *shared = static_cast<double *>(op2emu_group()->dynamic_shared);
  int64_t t = local();
  shared[t] = in[global()];
  for (int64_t half = op2emu_group()->block_dim[0] / 2; half > 0; half /= 2) {
    if (HasBarrier)
      op2emu_barrier();
    if (t < half)
      shared[t] += shared[t + half];
  }
  if (t == 0)
    out[op2emu_group()->block[0]] = shared[0];
}

template <bool HasBarrier> bool sumsAreRight() {
  std::vector<double> in(5 * 256), out(5);
  std::iota(in.begin(), in.end(), 0.0);
  launch(line(5, 256, 256 * sizeof(double)), sumBlock<HasBarrier>, in.data(),
         out.data());
  for (int b = 0; b < 5; ++b)
    if (out[b] != 256.0 * (256 * b) + 255 * 128)
      return false;
  return true;
}

TEST_F(EmulatorTest, SumThroughSharedMemory) {
  for (int value = 1; value <= 10; ++value) {
    seed(value);
    EXPECT_TRUE(sumsAreRight<true>());
  }
}

TEST_F(EmulatorTest, AMissingBarrierGivesAWrongResult) {
  for (int value = 1; value <= 10; ++value) {
    seed(value);
    EXPECT_FALSE(sumsAreRight<false>());
  }
}

void lookAtShared(void **args) {
  auto isUnset = [](void *memory, int bytes) {
    auto *byte = static_cast<unsigned char *>(memory);
    return std::all_of(byte, byte + bytes, [](int b) { return b == 0xFF; });
  };
  op2emu_block const *group = op2emu_group();
  auto *bad = static_cast<int *>(args[0]);
  *bad += !isUnset(group->static_shared, 100);
  *bad += !isUnset(group->dynamic_shared, 300);
  *bad += group->dynamic_shared_bytes != 300;
  *bad += reinterpret_cast<uintptr_t>(group->static_shared) % 128 != 0;
  *bad += reinterpret_cast<uintptr_t>(group->dynamic_shared) % 128 != 0;
  std::memset(group->static_shared, 0, 100);
  std::memset(group->dynamic_shared, 0, 300);
}

TEST_F(EmulatorTest, SharedMemoryStartsUnsetInEveryBlock) {
  int bad = 0;
  Shape shape = line(9, 1, 300);
  shape.staticBytes = 100;
  launch(shape, lookAtShared, &bad);
  EXPECT_EQ(bad, 0);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

struct ShuffleCase {
  int32_t mode, offset, width;
  std::vector<op2emu_shuffled> results;
};

void shuffleOnce(void **args) {
  auto *test = static_cast<ShuffleCase *>(args[0]);
  test->results[local()] =
      op2emu_shuffle(local() * 10, test->offset, test->width, test->mode, 64);
}

void expectShuffle(int32_t mode, int32_t offset, int32_t width, int threads,
                   int (*source)(int lane, int offset)) {
  ShuffleCase test = {mode, offset, width, {}};
  test.results.resize(threads);
  launch(line(1, threads), shuffleOnce, &test);
  for (int t = 0; t < threads; ++t) {
    int lane = t % 32, from = source(lane, offset), first = t - lane;
    bool valid = lane < width && from >= 0 && from < width;
    EXPECT_EQ(test.results[t].valid, valid) << t;
    bool isThere = valid && first + from < threads;
    EXPECT_EQ(test.results[t].value, isThere ? (first + from) * 10 : -1) << t;
  }
}

TEST_F(EmulatorTest, Shuffles) {
  for (int width : {32, 16, 5, 1})
    for (int threads : {64, 40, 3})
      for (int offset : {0, 1, 7, 16}) {
        expectShuffle(OP2EMU_SHUFFLE_XOR, offset, width, threads,
                      [](int lane, int offset) { return lane ^ offset; });
        expectShuffle(OP2EMU_SHUFFLE_DOWN, offset, width, threads,
                      [](int lane, int offset) { return lane + offset; });
        expectShuffle(OP2EMU_SHUFFLE_UP, offset, width, threads,
                      [](int lane, int offset) { return lane - offset; });
        expectShuffle(OP2EMU_SHUFFLE_IDX, offset, width, threads,
                      [](int, int offset) { return offset; });
      }
}

/// Odd lanes leave; the others add up among themselves, without the block.
void shuffleAmongTheLiving(void **args) {
  if (local() % 2)
    return;
  int64_t sum = local();
  for (int32_t offset = 2; offset < 32; offset *= 2)
    sum += op2emu_shuffle(sum, offset, 32, OP2EMU_SHUFFLE_XOR, 32).value;
  static_cast<int64_t *>(args[0])[local() / 2] = sum;
}

TEST_F(EmulatorTest, AShuffleWaitsForLanesThatHaveNotFinished) {
  std::vector<int64_t> sums(32);
  launch(line(1, 64), shuffleAmongTheLiving, sums.data());
  EXPECT_EQ(std::count(sums.begin(), sums.begin() + 16, 240), 16);
  EXPECT_EQ(std::count(sums.begin() + 16, sums.end(), 240 + 16 * 32), 16);
}

void warpsApart(void **args) {
  // Only warp 0 shuffles, and more often than there are barriers.
  int64_t value = 1;
  if (op2emu_self()->warp == 0)
    for (int32_t offset = 1; offset < 32; offset *= 2)
      value += op2emu_shuffle(value, offset, 32, 0, 64).value;
  op2emu_barrier();
  *static_cast<int64_t *>(args[0]) += value;
}

TEST_F(EmulatorTest, WarpsShuffleOnTheirOwn) {
  int64_t sum = 0;
  launch(line(3, 96), warpsApart, &sum);
  EXPECT_EQ(sum, 3 * (32 * 32 + 64));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(EmulatorDeathTest, DivergentBarrier) {
  EXPECT_EXIT(launch(line(1, 40),
                     [](void **) {
                       if (local() >= 3)
                         op2emu_barrier();
                     }),
              dies(),
              "op2 error: loop 'test' \\(emulator\\): block \\(0,0,0\\): "
              "divergent barrier, of 40 threads at a barrier: 37, first thread "
              "\\(3,0,0\\); finished: 3, first thread \\(0,0,0\\)");
}

TEST_F(EmulatorDeathTest, Deadlock) {
  EXPECT_EXIT(launch(line(1, 64),
                     [](void **) {
                       if (local() == 9)
                         op2emu_barrier();
                       op2emu_shuffle(0, 1, 32, OP2EMU_SHUFFLE_XOR, 32);
                     }),
              dies(),
              "deadlock, of 64 threads at a barrier: 1, first thread "
              "\\(9,0,0\\); at a shuffle: 31, .*; finished: 32, ");
}

TEST_F(EmulatorDeathTest, DifferentShufflesInAWarp) {
  EXPECT_EXIT(
      launch(line(1, 32),
             [](void **) { op2emu_shuffle(0, 1, 32, local() == 4, 32); }),
      dies(), "different shuffles: thread \\(0,0,0\\) and thread \\(4,0,0\\)");
}

TEST_F(EmulatorDeathTest, WidthOfAShuffle) {
  EXPECT_EXIT(
      launch(line(1, 1), [](void **) { op2emu_shuffle(0, 1, 33, 0, 32); }),
      dies(), "shuffle of width 33");
}

TEST_F(EmulatorDeathTest, WriteBehindSharedMemory) {
  EXPECT_EXIT(launch(line(2, 4, 12),
                     [](void **) {
                       static_cast<int *>(
                           op2emu_group()->dynamic_shared)[local()] = 1;
                     }),
              dies(), "wrote behind the 12 bytes of dynamic shared memory");
  EXPECT_EXIT(launch(line(2, 1),
                     [](void **) {
                       *static_cast<char *>(op2emu_group()->static_shared) = 1;
                     }),
              dies(), "wrote behind the 0 bytes of static shared memory");
}

TEST_F(EmulatorDeathTest, FlagThatDoesNotHold) {
  Shape shape = line(1, 2);
  shape.flags = OP2EMU_INDEPENDENT_THREADS;
  EXPECT_EXIT(launch(shape, [](void **) { op2emu_barrier(); }), dies(),
              "barrier in a kernel launched as one without");
}

TEST_F(EmulatorDeathTest, Sizes) {
  auto nothing = [](void **) {};
  EXPECT_EXIT(launch(line(-1, 1), nothing), dies(),
              "a grid of \\(-1,1,1\\) blocks; a GPU takes at most");
  Shape tall = line(1, 1);
  tall.grid[1] = 65536;
  EXPECT_EXIT(launch(tall, nothing), dies(), "a grid of \\(1,65536,1\\)");
  EXPECT_EXIT(launch(line(1, 1025), nothing), dies(), "blocks of \\(1025,1,1");
  EXPECT_EXIT(launch(line(1, 0), nothing), dies(), "blocks of \\(0,1,1");
  EXPECT_EXIT(launch(line(1, 1, 300'000), nothing), dies(),
              "300000 of dynamic shared memory");
}

TEST_F(EmulatorDeathTest, Calls) {
  EXPECT_EXIT(op2emu_self(), dies(), "op2emu_self: called outside of a kernel");
  EXPECT_EXIT(
      launch(line(1, 2), [](void **) { launch(line(1, 1), sumBlock<true>); }),
      dies(), "launched while loop 'test' runs");
  setenv("OP2_EMULATOR_SEED", "x", 1);
  EXPECT_EXIT(launch(line(1, 2), [](void **) {}), dies(),
              "OP2_EMULATOR_SEED=x: expected a whole number");
}

#ifndef OP2_EMULATOR_ASAN
int useStack(volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return here[0] ? 0 : useStack(here) + here[0];
}

/// A kernel with a row of its own, whose lower end is used first.
template <int count> void useRow(void **args) {
  double row[count];
  __asm__ volatile("" : : "r"(row) : "memory"); // it cannot be left out
  row[0] = double(local());
  row[count - 1] = 1;
  __asm__ volatile("" : : "r"(row) : "memory");
  if (!args[0])
    op2emu_barrier();
  static_cast<double *>(args[1])[local()] = row[0] + row[count - 1];
}

TEST_F(EmulatorTest, LargeRows) {
  for (bool waits : {false, true}) {
    std::vector<double> sums(256);
    void *args[] = {waits ? nullptr : sums.data(), sums.data()};
    op2emu_launch("rows", useRow<100000>, args, 1, 1, 1, 256, 1, 1, 0, 0,
                  waits ? 0 : OP2EMU_INDEPENDENT_THREADS);
    EXPECT_EQ(sums[255], 256);
  }
}

TEST_F(EmulatorDeathTest, RowsThatAreTooLarge) {
  for (bool waits : {false, true}) {
    double sums[4];
    void *args[] = {waits ? nullptr : sums, sums};
    auto run = [&] {
      op2emu_launch("rows", useRow<100000000>, args, 1, 1, 1, 4, 1, 1, 0, 0,
                    waits ? 0 : OP2EMU_INDEPENDENT_THREADS);
    };
    char const *message = "op2 error: loop 'rows' .emulator.: block .0,0,0.: "
                          "thread .[0-3],0,0. overflows its stack of 8388608";
    EXPECT_EXIT(run(), dies(), message);
    // Also on another thread of the program.
    EXPECT_EXIT(std::thread(run).join(), dies(), message);
  }
}

TEST_F(EmulatorDeathTest, StackOverflow) {
  EXPECT_EXIT(launch(line(1, 40),
                     [](void **) {
                       char start = 0;
                       if (local() == 33)
                         useStack(&start);
                     }),
              dies(), "thread \\(33,0,0\\) overflows its stack of [0-9]+");
}
#endif

} // namespace
