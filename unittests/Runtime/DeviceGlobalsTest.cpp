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
  void addUp(double *sum) {
    Loop loop("sum");
    loop.dat(x, OP_READ).global(sum, 1, OP2RT_F64, OP_INC);
    op2rt_loop *running = loop.target(OP2RT_TARGET_CUDA).begin(set);
    launchSum(running, 1);
    op2rt_loop_end(running);
  }
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
  // What uploads go through, and the result.
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

TEST_F(DeviceGlobalsTest, ReductionOverANegativeNumberOfBlocks) {
  double sum = 0;
  Loop loop("sum");
  loop.global(&sum, 1, OP2RT_F64, OP_INC).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  EXPECT_EXIT(op2rt_device_reduction_begin(running, 0, -1), diesWith1(),
              "argument 0: a reduction over -1 blocks");
  op2rt_loop_end(running);
}

TEST_F(DeviceGlobalsTest, FailingDownloads) {
  double sum = 0;
  for (std::pair<char const *, char const *> const &failure :
       {std::pair{"cuMemAllocHost_v2=2@2",
                  "loop sum: allocating 256 bytes of pinned memory failed"},
        std::pair{"cuEventCreate=2@3", "loop sum: creating an event failed"},
        std::pair{"cuMemcpyDtoHAsync_v2=700", "loop sum: copying 8 bytes from"},
        std::pair{"cuEventSynchronize=700",
                  "loop sum: waiting for the result of a reduction failed"}}) {
    Environment fail("OP2_FAKE_CUDA_FAIL", failure.first);
    EXPECT_EXIT(addUp(&sum), diesWith1(), failure.second);
  }
}

} // namespace
