//===- DeviceGlobalsTest.cpp - When results of reductions travel *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceTest.h"

using namespace op2::test;

namespace {

class DeviceGlobalsTest : public FakeDeviceTest {
protected:
  /// *sum += 0 + 1 + ... + 9, on the device.
  void addUp(double *sum, bool isDeferred) {
    Loop &loop = isDeferred ? deferredLoop : sumLoop;
    loop.value(0).data = x;
    loop.value(1).data = sum;
    op2rt_loop *running = loop.begin(set);
    launchSum(running, 1);
    op2rt_loop_end(running);
  }
  static int waits() {
    return fakeCudaCalls("cuEventSynchronize") +
           fakeCudaCalls("cuStreamSynchronize");
  }
  static void read(double const &value) {
    op2rt_global_read(&value, sizeof value);
  }
  static void written(double const &value) {
    op2rt_global_written(&value, sizeof value);
  }

  Loop sumLoop = makeLoop("sum", 0);
  Loop deferredLoop = makeLoop("deferred", OP2RT_ARG_DEFERRED);

private:
  static Loop makeLoop(char const *name, int flags) {
    static double none = 0;
    Loop loop(name);
    loop.add({OP2RT_ARG_DAT, OP_READ, OP2RT_DIRECT, 1, 1, OP2RT_F64, 0, 0},
             {nullptr, nullptr, 1});
    loop.global(&none, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
    loop.arg(1).flags = flags;
    return loop;
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

TEST_F(DeviceGlobalsTest, DeferredWaitsWhenItIsRead) {
  double sum = 0;
  for (int round = 0; round < 100; ++round)
    addUp(&sum, true);
  EXPECT_EQ(waits(), 0);
  // One for x and one for the initial value: the others are there.
  EXPECT_EQ(uploads(), 2);
  EXPECT_EQ(sum, 0);
  read(sum);
  EXPECT_EQ(waits(), 1);
  EXPECT_EQ(sum, 4500);
  read(sum);
  EXPECT_EQ(waits(), 1);
}

TEST_F(DeviceGlobalsTest, WritingDropsWhatIsOnItsWay) {
  double sum = 0;
  for (int round = 0; round < 10; ++round) {
    written(sum);
    sum = round;
    addUp(&sum, true);
    addUp(&sum, true);
  }
  EXPECT_EQ(waits(), 0);
  read(sum);
  EXPECT_EQ(sum, 9 + 90);
}

TEST_F(DeviceGlobalsTest, WritingAPartKeepsTheRest) {
  double sums[2] = {1, 2};
  Loop loop("two");
  loop.dat(x, OP_READ).global(sums, 2, OP2RT_F64, OP_INC);
  loop.arg(1).flags = OP2RT_ARG_DEFERRED;
  op2rt_loop *running = loop.target(OP2RT_TARGET_CUDA).begin(set);
  launchSum(running, 1); // to the first of the two
  op2rt_loop_end(running);
  written(sums[1]);
  sums[1] = 7;
  read(sums[0]);
  EXPECT_EQ(sums[0], 46);
  EXPECT_EQ(sums[1], 7);
}

TEST_F(DeviceGlobalsTest, LoopsOnTheHostGetTheResult) {
  double sum = 0, seen = 0;
  addUp(&sum, true);
  Loop loop("host");
  loop.global(&sum, 1, OP2RT_F64, OP_READ);
  loop.arg(0).flags = OP2RT_ARG_DEFERRED;
  op2rt_loop *running = loop.begin(set);
  seen = sum;
  op2rt_loop_end(running);
  EXPECT_EQ(seen, 45);
}

TEST_F(DeviceGlobalsTest, LoopsOnTheDeviceReadItThere) {
  double sum = 0;
  addUp(&sum, true);
  addLoop.value(0).data = x;
  addLoop.value(1).data = &sum;
  addLoop.arg(1).flags = OP2RT_ARG_DEFERRED;
  op2rt_loop *running = addLoop.begin(set);
  void *values = op2rt_device_dat(running, 0);
  void const *global = op2rt_device_global(running, 1);
  int64_t n = op2rt_loop_size(running);
  void *params[] = {&values, &global, &n};
  op2rt_device_launch(running, &addKernel, 1, 128, 0, params);
  op2rt_loop_end(running);
  EXPECT_EQ(waits(), 0);
  EXPECT_EQ(first(), 45);
}

// Another variable may lie where a deferred one was.
TEST_F(DeviceGlobalsTest, AnotherGlobalAtTheSameAddress) {
  double sum = 0;
  addUp(&sum, true);
  sum = 1000;
  addUp(&sum, false);
  EXPECT_EQ(sum, 1045);
  read(sum);
  EXPECT_EQ(sum, 1045);
}

TEST_F(DeviceGlobalsTest, ResultsOutliveTheDevice) {
  double sum = 0, dead = 3;
  addUp(&sum, true);
  addUp(&dead, true);
  dead = -1;
  finish();
  read(sum);
  EXPECT_EQ(sum, 45);
  // Nobody has asked for the other.
  EXPECT_EQ(dead, -1);
  written(dead);
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

TEST_F(DeviceGlobalsTest, FailingDownloads) {
  double sum = 0;
  for (std::pair<char const *, char const *> const &failure :
       {std::pair{"cuEventCreate=2@3", "loop sum: creating an event failed"},
        std::pair{"cuMemcpyDtoHAsync_v2=700", "loop sum: copying 8 bytes from"},
        std::pair{"cuEventSynchronize=700",
                  "loop sum: waiting for the result of a reduction failed"}}) {
    Environment fail("OP2_FAKE_CUDA_FAIL", failure.first);
    EXPECT_EXIT(addUp(&sum, false), diesWith1(), failure.second);
  }
}

} // namespace
