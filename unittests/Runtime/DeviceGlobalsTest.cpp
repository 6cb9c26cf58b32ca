//===- DeviceGlobalsTest.cpp - When results of reductions travel *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainProgram.h"
#include "Execute/Loop.h"
#include "FakeDeviceTest.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace op2::test;

namespace {

class DeviceGlobalsTest : public FakeDeviceTest {
protected:
  /// *sum += 0 + 1 + ... + 9, on the device.
  void addUp(double *sum, char const *name = "sum",
             void const *site = nullptr) {
    Loop loop(name);
    loop.dat(x, OP_READ).global(sum, 1, OP2RT_F64, OP_INC).site(site);
    op2rt_loop *running = loop.target(OP2RT_TARGET_CUDA).begin(set);
    launchSum(running, 1);
    op2rt_loop_end(running);
  }
  /// The same; the value may come as late as op2rt_flush(site).
  void addUpLater(double *sum, void const *site, char const *name = "sum") {
    op2rt_may_enqueue = 1;
    addUp(sum, name, site);
    op2rt_may_enqueue = 0;
  }
  /// A loop on the CPU that uses x alone.
  void runOnHost() {
    Loop loop("host");
    op2rt_loop_end(loop.dat(x, OP_READ).begin(set));
  }
  int const key = 0, otherKey = 0;

  static int waits() {
    return fakeCudaCalls("cuEventSynchronize") +
           fakeCudaCalls("cuStreamSynchronize");
  }
};

TEST_F(DeviceGlobalsTest, OneWaitForALoop) {
  double a = 100, b = 200;
  Loop loop("two");
  loop.dat(x, OP_READ).global(&a, 1, OP2RT_F64, OP_INC);
  loop.global(&b, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  launchSum(running, 1);
  launchSum(running, 2);
  EXPECT_EQ(waits(), 0);
  op2rt_loop_end(running);
  EXPECT_EQ(waits(), 1);
  EXPECT_EQ(a, 145);
  EXPECT_EQ(b, 245);
}

TEST_F(DeviceGlobalsTest, StorageIsUsedAgain) {
  double sum = 0;
  addUp(&sum);
  int allocations = fakeCudaCalls("cuMemAlloc_v2");
  int pinned = fakeCudaCalls("cuMemAllocHost_v2");
  for (int round = 0; round < 10; ++round)
    addUp(&sum);
  EXPECT_EQ(sum, 11 * 45);
  EXPECT_EQ(fakeCudaCalls("cuMemAlloc_v2"), allocations);
  EXPECT_EQ(fakeCudaCalls("cuMemAllocHost_v2"), pinned);
  // What uploads go through, and the result, which is not copied.
  EXPECT_EQ(uploads() + downloads(), 2);
  EXPECT_EQ(pinned, 2);
}

TEST_F(DeviceGlobalsTest, NoReductionNoWait) {
  for (int round = 0; round < 10; ++round)
    add(1);
  EXPECT_EQ(waits(), 0);
}

// Another argument on the same global finds the values from before the loop.
TEST_F(DeviceGlobalsTest, OneGlobalTwice) {
  double sum = 5;
  Loop loop("twice");
  loop.dat(x, OP_READ).global(&sum, 1, OP2RT_F64, OP_INC);
  loop.global(&sum, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  launchSum(running, 1);
  launchSum(running, 2);
  EXPECT_EQ(op2rt_device_global(running, 1), op2rt_device_global(running, 2));
  op2rt_loop_end(running);
  EXPECT_EQ(sum, 5 + 45 + 45);
}

TEST_F(DeviceGlobalsTest, NothingTravelsForAnEmptySet) {
  double sum = 3;
  op_set none = op_decl_set(0, "none");
  Loop loop("sum");
  loop.global(&sum, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(none);
  op2rt_device_reduction *r = op2rt_device_reduction_begin(running, 0, 0);
  EXPECT_EQ(op2rt_device_reduction_data(r), nullptr);
  op2rt_device_reduction_end(r);
  op2rt_loop_end(running);
  EXPECT_EQ(uploads() + downloads() + waits(), 0);
  EXPECT_EQ(sum, 3);
}

// Their results come in one copy when the reduction ends, and the global does
// not travel.
TEST_F(DeviceGlobalsTest, FunctionsOfTheProgramRunOnTheHost) {
  double digits = 7, none = 0;
  Loop loop("digits");
  loop.dat(x, OP_READ).global(&digits, 1, OP2RT_F64, OP_REDUCE);
  loop.value(1).merge = [](void *into, void const *from) {
    auto *a = static_cast<double *>(into);
    *a = *a * 100 + *static_cast<double const *>(from);
  };
  loop.value(1).identity = &none;
  op2rt_loop *running = loop.target(OP2RT_TARGET_CUDA).begin(set);
  void *values = op2rt_device_dat(running, 0);
  int64_t n = 10, results = 2;
  auto *r = op2rt_device_reduction_begin(running, 1, results);
  void *data = op2rt_device_reduction_data(r);
  void *params[] = {&values, &data, &n};
  op2rt_device_launch(running, &sumKernel, results, 32, 0, params);
  int before = downloads();
  op2rt_device_reduction_end(r);
  EXPECT_EQ(downloads(), before + 1);
  EXPECT_EQ(digits, 700 + 1000 + 35);
  op2rt_loop_end(running);
  EXPECT_EQ(downloads(), before + 1);
  EXPECT_EQ(digits, 1735);
}

// Blocks add to words that are 0; partial results of others are never there.
TEST_F(DeviceGlobalsTest, ExactSumsHaveZeros) {
  double sum[3] = {}, least[3] = {};
  auto begin = [&](int32_t arg) {
    Loop loop("sum");
    loop.global(sum, 3, OP2RT_F64, OP_INC);
    loop.global(least, 3, OP2RT_F64, OP_MIN).target(OP2RT_TARGET_EMULATOR);
    op2rt_loop *running = loop.begin(set);
    op2rt_device_reduction *r =
        op2rt_device_reduction_begin(running, arg, 100000);
    void *data = op2rt_device_reduction_data(r);
    op2rt_device_reduction_end(r);
    op2rt_loop_end(running);
    return static_cast<int64_t *>(data);
  };
  int64_t *partials = begin(1);
  std::fill(partials, partials + 3 * 100000, 1);
  int64_t *words = begin(0);
  EXPECT_NE(words, partials);
  int64_t count = OP2RT_DEVICE_SUM_COPIES * 3 * OP2RT_EXACT_SUM_WORDS;
  EXPECT_EQ(std::count(words, words + count, 0), count);
  EXPECT_EQ(begin(1), partials);
  EXPECT_EQ(begin(0), words);
}

TEST_F(DeviceGlobalsTest, ReductionOverANegativeNumberOfBlocks) {
  double sum = 0;
  Loop loop("sum");
  loop.global(&sum, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  EXPECT_EXIT(op2rt_device_reduction_begin(running, 0, -1), diesWith1(),
              "argument 0: a reduction over -1 blocks");
  op2rt_loop_end(running);
}

TEST_F(DeviceGlobalsTest, FailingResults) {
  double sum = 0;
  for (std::pair<char const *, char const *> const &failure :
       {std::pair{"cuMemAllocHost_v2=2@2",
                  "loop sum: allocating 256 bytes of pinned memory failed"},
        std::pair{"cuEventCreate=2@3", "loop sum: creating an event failed"},
        std::pair{"cuEventRecord=2@3", "loop sum: recording an event failed"},
        std::pair{"cuEventSynchronize=700",
                  "loop sum: waiting for the result of a reduction failed"}}) {
    Environment fail("OP2_FAKE_CUDA_FAIL", failure.first);
    EXPECT_EXIT(addUp(&sum), diesWith1(), failure.second);
  }
}

TEST_F(DeviceGlobalsTest, WaitsWhereTheProgramLooks) {
  double sum = 100;
  addUpLater(&sum, &key);
  add(1);
  EXPECT_EQ(op2rt_pending, 1);
  EXPECT_EQ(waits(), 0);
  EXPECT_EQ(sum, 100);
  op2rt_flush(&key);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(waits(), 1);
  EXPECT_EQ(sum, 145);
  op2rt_flush(&key);
  EXPECT_EQ(waits(), 1);
}

// What was launched behind the reduction is not waited for.
TEST_F(DeviceGlobalsTest, LaterLoopsDoNotDelayTheValue) {
  static int added = 0;
  added = 0;
  fakeCudaKernel("add", 3, [](FakeLaunch const &) { ++added; });
  double sum = 0, other = 0;
  add(1);
  addUpLater(&sum, &key);
  add(1);
  addUpLater(&other, &otherKey);
  op2rt_flush(&key);
  EXPECT_EQ(added, 1);
  EXPECT_EQ(sum, 45);
  EXPECT_EQ(other, 0);
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_flush(nullptr);
  EXPECT_EQ(added, 2);
  EXPECT_EQ(other, 45);
}

// Who waits for one gets those before it, whatever their keys.
TEST_F(DeviceGlobalsTest, EarlierValuesComeAlong) {
  double first = 0, second = 0, third = 0;
  addUpLater(&first, &otherKey);
  addUpLater(&second, &key);
  addUpLater(&third, &key);
  op2rt_flush(&key);
  EXPECT_EQ(waits(), 3);
  EXPECT_EQ(first, 45);
  EXPECT_EQ(second, 45);
  EXPECT_EQ(third, 45);
}

// Only where the program allows it.
TEST_F(DeviceGlobalsTest, OnlyLoopsThatMayBeLateAre) {
  double sum = 0;
  op2rt_may_enqueue = 1;
  runOnHost();
  op2rt_may_enqueue = 0;
  addUp(&sum, "sum", &key);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(sum, 45);
  addUpLater(&sum, &key);
  double other = 0;
  addUp(&other);
  EXPECT_EQ(other, 45);
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_flush(&key);
  EXPECT_EQ(sum, 90);
}

TEST_F(DeviceGlobalsTest, ALoopWithTheSameGlobalWaits) {
  double sums[3] = {0, 0, 0};
  addUpLater(&sums[1], &key);
  // Not the same, but next to it.
  addUpLater(&sums[0], &key);
  addUpLater(&sums[2], &key);
  EXPECT_EQ(waits(), 0);
  // Increments start from the value.
  addUpLater(&sums[1], &key);
  EXPECT_EQ(waits(), 1);
  EXPECT_EQ(sums[1], 45);
  EXPECT_EQ(sums[0], 0);
  // Read, as part of a larger one.
  Loop reader("reader");
  reader.dat(x, OP_READ).global(sums, 3, OP2RT_F64, OP_READ);
  op2rt_loop *running = reader.target(OP2RT_TARGET_CUDA).begin(set);
  op2rt_loop_end(running);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(sums[0], 45);
  EXPECT_EQ(sums[1], 90);
  EXPECT_EQ(sums[2], 45);
}

// Kernels there may look at any variable.
TEST_F(DeviceGlobalsTest, LoopsOnTheHostWait) {
  double sum = 0;
  addUpLater(&sum, &key);
  runOnHost();
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(sum, 45);
}

TEST_F(DeviceGlobalsTest, ConstantsAndDatsWait) {
  static double gam[2] = {1, 2};
  gam[1] = 2;
  addUpLater(&gam[1], &key);
  op2rt_loop *running = startAdd();
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_device_constant(&image, "gam", gam, sizeof gam);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(gam[1], 47);
  op2rt_loop_end(running);

  Loop other("other");
  std::vector<double> zeros(10, 0);
  op_dat y = op_decl_dat(set, 1, "double", zeros.data(), "y");
  addUpLater(reinterpret_cast<double *>(y->data) + 3, &key);
  add(1);
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_loop_end(other.dat(y, OP_READ).target(OP2RT_TARGET_CUDA).begin(set));
  EXPECT_EQ(op2rt_pending, 0);
}

TEST_F(DeviceGlobalsTest, NotTooManyArePending) {
  std::vector<double> sums(200, 0);
  for (double &sum : sums)
    addUpLater(&sum, &key);
  EXPECT_EQ(op2rt_pending, 64);
  EXPECT_EQ(sums[135], 45);
  EXPECT_EQ(sums[136], 0);
  op2rt_flush(&key);
  EXPECT_EQ(sums, std::vector<double>(200, 45));
}

TEST_F(DeviceGlobalsTest, ValuesComeBeforeTheProgramEnds) {
  double sum = 0;
  addUpLater(&sum, &key);
  op_timing_output();
  EXPECT_EQ(op2rt_pending, 1);
  finish();
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(sum, 45);
}

// Time is the device's, whenever somebody waits.
TEST_F(DeviceGlobalsTest, WaitingIsNobodysTime) {
  fakeCudaKernel("sums", 3, [](FakeLaunch const &) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    fakeCudaSpend(30);
  });
  double sum = 0;
  addUpLater(&sum, &key, "slow");
  runOnHost();
  ::testing::internal::CaptureStdout();
  op_timing_output();
  std::string table = ::testing::internal::GetCapturedStdout();
  auto seconds = [&](char const *loop) {
    std::size_t line = table.rfind('\n', table.find(loop));
    return std::stod(table.substr(line + 11));
  };
  EXPECT_GE(seconds("slow"), 0.03);
  EXPECT_LT(seconds("host"), 0.02);
}

TEST_F(DeviceGlobalsTest, FailingWhereTheProgramLooks) {
  Environment fail("OP2_FAKE_CUDA_FAIL", "cuEventSynchronize=700");
  double sum = 0;
  EXPECT_EXIT(
      {
        addUpLater(&sum, &key);
        op2rt_flush(&key);
      },
      diesWith1(),
      "op2 error: waiting for the result of a reduction of loop sum failed on "
      "Fake GPU .*an earlier kernel may be the cause");
  EXPECT_EXIT(
      {
        addUpLater(&sum, &key);
        addUp(&sum, "next");
      },
      diesWith1(),
      "loop next: waiting for the result of a reduction of loop sum failed");
}

//===----------------------------------------------------------------------===//
// Pending loops on devices
//===----------------------------------------------------------------------===//

/// *total += 45, on the emulator.
void addOnEmulator(op2rt_loop_desc &desc, op_set set, op2rt_arg const *args) {
  op2rt_loop *loop = op2rt_loop_begin(&desc, set, args);
  op2rt_device_reduction *r = op2rt_device_reduction_begin(loop, 1, 1);
  auto *result = static_cast<double const *>(op2rt_device_global(loop, 1));
  *const_cast<double *>(result) += 45;
  op2rt_device_reduction_end(r);
  op2rt_loop_end(loop);
}

// values: set, dat, total
void runTotal(void *const *values);
Site totalSite("total",
               {datArg(OP_READ, 1, OP2RT_DIRECT, 0), globalArg(OP_INC)},
               {kSet, kDat, kGlobal}, runTotal);
void runTotal(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  addOnEmulator(totalSite.desc, static_cast<op_set>(values[0]), args);
}
// values: set, dat
void runTouch(void *const *values);
Site touchSite("touch", {datArg(OP_RW, 1, OP2RT_DIRECT, 0)}, {kSet, kDat},
               runTouch);
void runTouch(void *const *values) {
  op2rt_arg args[] = {direct(values[1])};
  op2rt_loop_end(
      op2rt_loop_begin(&touchSite.desc, static_cast<op_set>(values[0]), args));
}
// values: set, dat, total
void runBoth(void *const *values);
Site bothSite("total+touch",
              {datArg(OP_RW, 1, OP2RT_DIRECT, 0), globalArg(OP_INC)},
              {kSet, kDat, kGlobal}, runBoth);
void runBoth(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  addOnEmulator(bothSite.desc, static_cast<op_set>(values[0]), args);
}

class PendingOnDeviceTest : public DeviceGlobalsTest {
protected:
  void SetUp() override {
    DeviceGlobalsTest::SetUp();
    for (Site *site : {&totalSite, &touchSite, &bothSite})
      site->desc.target = OP2RT_TARGET_EMULATOR;
    totalSite.desc.site = bothSite.desc.site = &key;
    op2rt_may_enqueue = 1;
    double first = 0;
    totalSite({set, x, &first});
    touchSite({set, x});
    op2rt_flush(nullptr);
  }
  void TearDown() override {
    op2rt_may_enqueue = 0;
    totalSite.desc.fusions = nullptr;
    DeviceGlobalsTest::TearDown();
  }
  static int64_t runsOf(Site const &site) {
    auto const *state = static_cast<op2::rt::LoopState *>(site.desc.state);
    return state ? state->count : 0;
  }

  Fusion fusion{totalSite, touchSite, bothSite, {0, 1, 2, 0, 1}};
};

TEST_F(PendingOnDeviceTest, RunAsOneWithALateResult) {
  double total = 5;
  int64_t before = runsOf(bothSite);
  EXPECT_TRUE(totalSite({set, x, &total}));
  EXPECT_TRUE(touchSite({set, x}));
  EXPECT_EQ(op2rt_pending, 2);
  // It is not fused with what comes next, which begins behind it.
  EXPECT_FALSE(touchSite({set, x}));
  EXPECT_EQ(runsOf(bothSite), before + 1);
#ifndef OP2_TEST_SANITIZED // their local variables may lie elsewhere
  EXPECT_EQ(op2rt_pending, 1);
  EXPECT_EQ(total, 5);
#endif
  op2rt_flush(&key);
  EXPECT_EQ(total, 5 + 45);
}

TEST_F(PendingOnDeviceTest, OverwrittenResultsDoNotArriveEither) {
  double total = 5;
  EXPECT_TRUE(totalSite({set, x, &total}));
  op2rt_drop(&total, sizeof total);
  total = 7;
  op2rt_flush(&key);
  EXPECT_EQ(total, 7);
}

// What a pending loop reads it copies when it is called.
TEST_F(PendingOnDeviceTest, LateResultsArriveBeforeTheyAreCopied) {
  double total = 5, other = 0;
  EXPECT_TRUE(totalSite({set, x, &total}));
  EXPECT_TRUE(totalSite({set, x, &other}));
  EXPECT_TRUE(totalSite({set, x, &total}));
  op2rt_flush(nullptr);
  EXPECT_EQ(total, 5 + 2 * 45);
  EXPECT_EQ(other, 45);
}

TEST_F(DeviceGlobalsTest, OverwrittenResultsDoNotArrive) {
  double sums[2] = {0, 0};
  addUpLater(&sums[0], &key);
  addUpLater(&sums[1], &key);
  op2rt_drop(&sums[0], sizeof(double));
  sums[0] = 7;
  EXPECT_EQ(op2rt_pending, 2);
  // The program's value is the one that the next loop adds to.
  addUpLater(&sums[0], &key);
  op2rt_flush(&key);
  EXPECT_EQ(sums[0], 7 + 45);
  EXPECT_EQ(sums[1], 45);
}

TEST_F(DeviceGlobalsTest, ResultsOverwrittenInPartArriveFirst) {
  double sum = 0;
  addUpLater(&sum, &key);
  op2rt_drop(&sum, 4);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(sum, 45);
}

// Emulated kernels read variables of the program where they are: only what no
// kernel can name is late.
TEST_F(DeviceGlobalsTest, OnTheEmulator) {
  static double known = 0;
  double local = 0;
  for (double *sum : {&known, &local}) {
    *sum = 0;
    Loop loop("sum");
    loop.dat(x, OP_READ).global(sum, 1, OP2RT_F64, OP_INC);
    op2rt_may_enqueue = 1;
    op2rt_loop *running =
        loop.site(&key).target(OP2RT_TARGET_EMULATOR).begin(set);
    op2rt_device_reduction *r = op2rt_device_reduction_begin(running, 1, 1);
    auto *result = static_cast<double const *>(op2rt_device_global(running, 1));
    *const_cast<double *>(result) += 45;
    op2rt_device_reduction_end(r);
    op2rt_loop_end(running);
    op2rt_may_enqueue = 0;
  }
  EXPECT_EQ(known, 45);
#ifndef OP2_TEST_SANITIZED // their local variables may lie elsewhere
  EXPECT_EQ(local, 0);
#endif
  op2rt_flush(&key);
  EXPECT_EQ(local, 45);
}

} // namespace
