//===- DeviceLaunchTest.cpp - Images, launches, reductions, time *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device/DeviceCuda.h"
#include "Execute/Loop.h"
#include "FakeDeviceTest.h"

#include <cstring>
#include <thread>

using namespace op2::test;

namespace {

using DeviceLaunchTest = FakeDeviceTest;

//===----------------------------------------------------------------------===//
// Images and launches
//===----------------------------------------------------------------------===//

TEST_F(DeviceLaunchTest, ImageIsLoadedOnceAProgram) {
  for (int program = 1; program <= 2; ++program) {
    add(1);
    add(1);
    EXPECT_EQ(first(), 2);
    EXPECT_EQ(fakeCudaCalls("cuModuleLoadDataEx"), program);
    EXPECT_EQ(fakeCudaCalls("cuModuleGetFunction"), program);
    finish();
    EXPECT_EQ(fakeCudaLeaks(), 0);
    start(0);
  }
}

TEST_F(DeviceLaunchTest, NoBlocksNothingHappens) {
  op2rt_loop *loop = startAdd();
  op2rt_device_launch(loop, &addKernel, 0, 128, 0, nullptr);
  op2rt_loop_end(loop);
  EXPECT_EQ(fakeCudaCalls("cuLaunchKernel"), 0);
  EXPECT_EQ(fakeCudaCalls("cuEventRecord"), 0);
}

TEST_F(DeviceLaunchTest, ManyBlocks) {
  addKernel.num_params = 0;
  static int64_t seen = 0;
  fakeCudaKernel("add", 0, [](FakeLaunch const &l) { seen = l.blocks; });
  op2rt_loop *loop = startAdd();
  op2rt_device_dat(loop, 0);
  op2rt_device_launch(loop, &addKernel, 1 << 20, 128, 0, nullptr);
  op2rt_loop_end(loop);
  op_download_dat(x);
  EXPECT_EQ(seen, 1 << 20);
}

TEST_F(DeviceLaunchTest, SizesThatNoDeviceTakes) {
  addKernel.num_params = 0;
  op2rt_loop *loop = startAdd();
  auto launch = [&](int64_t blocks, int threads, int64_t shared) {
    op2rt_device_launch(loop, &addKernel, blocks, threads, shared, nullptr);
  };
  EXPECT_EXIT(launch(int64_t(1) << 31, 1, 0), diesWith1(),
              "op2 error: loop add: kernel add: 2147483648 blocks; expected "
              "0..2147483647");
  EXPECT_EXIT(launch(-1, 1, 0), diesWith1(), "kernel add: -1 blocks");
  EXPECT_EXIT(launch(1, 0, 0), diesWith1(), "0 threads per block");
  EXPECT_EXIT(launch(1, 1024, 0), diesWith1(),
              "kernel add: 1024 threads per block; expected 1..512 .Fake GPU "
              ".sm_90. takes up to 1024, the kernel's registers");
  EXPECT_EXIT(launch(1, 1, 300000), diesWith1(),
              "kernel add: 300000 bytes of dynamic shared memory; Fake GPU "
              ".sm_90. has 232448 for a block, 0 of them taken");
  op2rt_loop_end(loop);
}

TEST_F(DeviceLaunchTest, SharedMemoryBeyondTheUsual) {
  add(1, 128, 48 << 10);
  EXPECT_EQ(fakeCudaCalls("cuFuncSetAttribute"), 0);
  add(1, 128, 100000);
  EXPECT_EQ(fakeCudaAllowedShared(), 100000);
  add(1, 128, 60000);
  EXPECT_EQ(fakeCudaCalls("cuFuncSetAttribute"), 1);
  add(1, 128, 227 << 10);
  EXPECT_EQ(fakeCudaAllowedShared(), 227 << 10);
  EXPECT_EQ(first(), 4);
  op2rt_loop *loop = startAdd();
  op2rt_loop_end(loop);
}

TEST_F(DeviceLaunchTest, OwnSharedMemoryCounts) {
  sumKernel.num_params = 0;
  op2rt_loop *loop = startAdd();
  fakeCudaKernel("sums", 0, [](FakeLaunch const &) {});
  op2rt_device_launch(loop, &sumKernel, 1, 32, 47 << 10, nullptr);
  EXPECT_EQ(fakeCudaCalls("cuFuncSetAttribute"), 0);
  op2rt_device_launch(loop, &sumKernel, 1, 32, 48 << 10, nullptr);
  EXPECT_EQ(fakeCudaCalls("cuFuncSetAttribute"), 1);
  EXPECT_EXIT(op2rt_device_launch(loop, &sumKernel, 1, 32, 227 << 10, nullptr),
              diesWith1(), "1024 of them taken by the kernel's own variables");
  op2rt_loop_end(loop);
}

TEST_F(DeviceLaunchTest, OnlyCudaLoopsLaunch) {
  addKernel.num_params = 0;
  Loop loop("emulated");
  loop.dat(x, OP_READ).target(OP2RT_TARGET_EMULATOR);
  op2rt_loop *running = loop.begin(set);
  EXPECT_EXIT(op2rt_device_launch(running, &addKernel, 1, 1, 0, nullptr),
              diesWith1(),
              "loop emulated: kernel add cannot be launched on emulator");
  op2rt_loop_end(running);
}

TEST_F(DeviceLaunchTest, CodeForAnotherVendor) {
  std::string isa = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n";
  op2rt_device_image amd = {OP2RT_ABI_VERSION, 0, isa.data(), isa.size(),
                            nullptr};
  op2rt_device_kernel kernel = {&amd, "add", nullptr, 0, nullptr};
  op2rt_loop *loop = startAdd();
  EXPECT_EXIT(op2rt_device_launch(loop, &kernel, 1, 1, 0, nullptr), diesWith1(),
              "a device image is code for a chip of AMD's, which cannot be "
              "launched yet; expected one for NVIDIA's");
  op2rt_loop_end(loop);
}

TEST_F(DeviceLaunchTest, AnotherThread) {
  add(1);
  std::thread([&] { add(1); }).join();
  EXPECT_EQ(fakeCudaCalls("cuCtxSetCurrent"), 3); // once to open the device
  EXPECT_EQ(first(), 2);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TEST_F(DeviceLaunchTest, ConstantsAreSentWhenTheyChange) {
  double gam[2] = {1.4, 2};
  add(1);
  int before = uploads();
  op2rt_device_constant(&image, "gam", gam, 16);
  op2rt_device_constant(&image, "gam", gam, 16);
  EXPECT_EQ(uploads(), before + 1);
  gam[1] = 3;
  op2rt_device_constant(&image, "gam", gam, 16);
  EXPECT_EQ(uploads(), before + 2);
  restart(0);
  op2rt_device_constant(&image, "gam", gam, 16);
  EXPECT_EQ(uploads(), before + 3);
}

TEST_F(DeviceLaunchTest, ConstantsThatDoNotFit) {
  double gam[3] = {};
  EXPECT_EXIT(op2rt_device_constant(&image, "gam", gam, 24), diesWith1(),
              "constant gam: 24 bytes are given, its variable in the device "
              "image has 16");
  EXPECT_EXIT(op2rt_device_constant(&image, "gm1", gam, 8), diesWith1(),
              "finding variable gm1 in its image failed on Fake GPU");
}

//===----------------------------------------------------------------------===//
// What pointers of the program lead to
//===----------------------------------------------------------------------===//

class DeviceTableTest : public FakeDeviceTest {
protected:
  /// Tells the device of the pointer; what it has then.
  double const *sendTable(double const *const &pointer) {
    op2rt_device_table(&image, "gam", &pointer);
    op2::rt::cudaDevice().wait("a look at the variable");
    double const *copy = nullptr;
    std::memcpy(&copy, fakeCudaVariable(), sizeof copy);
    return copy;
  }
};

TEST_F(DeviceTableTest, TablesAreSentWhenTheyChange) {
  double table[4] = {1, 2, 3, 4};
  double const *pointer = table;
  add(1);
  op_decl_const(4, "double", table);
  int before = uploads();
  double const *copy = sendTable(pointer);
  EXPECT_NE(copy, pointer);
  EXPECT_EQ(copy[3], 4);
  EXPECT_EQ(uploads(), before + 2); // and where it is
  EXPECT_EQ(sendTable(pointer), copy);
  op_decl_const(4, "double", table); // nothing new
  EXPECT_EQ(sendTable(pointer), copy);
  EXPECT_EQ(uploads(), before + 2);
  table[2] = 7;
  EXPECT_EQ(sendTable(pointer)[2], 7);
  EXPECT_EQ(uploads(), before + 3);
  pointer = table + 2;
  EXPECT_EQ(sendTable(pointer), copy + 2);
  EXPECT_EQ(uploads(), before + 4);
  pointer = nullptr;
  EXPECT_EQ(sendTable(pointer), nullptr);
}

TEST_F(DeviceTableTest, TablesThatAreDeclaredAnew) {
  double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double const *pointer = table;
  add(1);
  op_decl_const(4, "double", table);
  EXPECT_EQ(sendTable(pointer)[3], 4);
  op_decl_const(8, "double", table);
  EXPECT_EQ(sendTable(pointer)[7], 8);
  // Aligned as it is here.
  EXPECT_EQ(reinterpret_cast<uintptr_t>(sendTable(pointer)) % 64,
            reinterpret_cast<uintptr_t>(table) % 64);
  // Of what was one, only a part is known now.
  op_decl_const(2, "double", table + 6);
  EXPECT_EXIT(sendTable(pointer), diesWith1(),
              "its kernel reads what the pointer 'gam' leads to, of which "
              "op_decl_const has not been told");
  pointer = table + 7;
  EXPECT_EQ(*sendTable(pointer), 8);
  restart(0);
  op_decl_const(8, "double", table);
  EXPECT_EQ(*sendTable(pointer), 8);
}

TEST_F(DeviceTableTest, TablesThatAreNotKnown) {
  Environment notStrict("OP2_STRICT", "0");
  restart(0);
  double table[4] = {}, other = 0;
  double const *pointer = table;
  op2rt_table known = {&pointer, "weights"};
  uint32_t both = 1U << OP2RT_TARGET_CUDA | 1U << OP2RT_TARGET_OPENMP;
  auto select = [&](uint32_t mask) {
    return op2rt_select_target_with_tables(mask, "mass", &known, 1);
  };
  op_decl_const(4, "double", table);
  EXPECT_EQ(select(both), OP2RT_TARGET_CUDA);
  pointer = nullptr;
  EXPECT_EQ(select(both), OP2RT_TARGET_CUDA);
  pointer = table + 4; // its end is none of it
  EXPECT_EQ(select(both), OP2RT_TARGET_OPENMP);
  pointer = &other;
  EXPECT_EQ(select(both), OP2RT_TARGET_OPENMP);
  EXPECT_EXIT(select(1U << OP2RT_TARGET_CUDA), diesWith1(),
              "loop mass: may not run on the device: its kernel reads what the "
              "pointer 'weights' leads to, .*compiled for nothing else");
  // The values of dats may be newer elsewhere.
  add(1);
  pointer = static_cast<double *>(static_cast<void *>(x->data));
  op_decl_const(10, "double",
                static_cast<double *>(static_cast<void *>(x->data)));
  int before = fakeCudaCalls("cuMemcpyDtoHAsync_v2");
  EXPECT_EQ(select(both), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(fakeCudaCalls("cuMemcpyDtoHAsync_v2"), before + 1);
  EXPECT_EQ(pointer[2], 3);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST_F(DeviceLaunchTest, ReductionWaits) {
  double sum = 100;
  Loop loop("sum");
  loop.dat(x, OP_READ).global(&sum, 1, OP2RT_F64, OP_INC);
  loop.target(OP2RT_TARGET_CUDA);
  add(1);
  for (int round = 1; round <= 2; ++round) {
    op2rt_loop *running = loop.begin(set);
    launchSum(running, 1);
    op2rt_loop_end(running);
    EXPECT_EQ(sum, 100 + round * 55);
  }
  EXPECT_EQ(x->dirty_hd, 2); // from the first loop
  EXPECT_EQ(downloads(), 0);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

TEST_F(DeviceLaunchTest, TimeIsReadWhenAskedFor) {
  fakeCudaKernel("add", 0, [](FakeLaunch const &) { fakeCudaSpend(5); });
  add(1);
  add(1);
  EXPECT_EQ(fakeCudaCalls("cuEventRecord"), 4);
  EXPECT_EQ(fakeCudaCalls("cuEventSynchronize"), 0);
  ::testing::internal::CaptureStdout();
  op_timing_output();
  std::string table = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(table.find("cuda     add (test)"), table.npos) << table;
  for (op2::rt::LoopState *state : op2::rt::allLoopStates())
    if (state->name == "add" && state->count > 0) {
      EXPECT_EQ(state->count, 2);
      EXPECT_GE(state->seconds, 0.010);
      EXPECT_EQ(state->bytes, 2 * 160);
    }
  // The events are used again.
  add(1);
  EXPECT_EQ(fakeCudaCalls("cuEventCreate"), 4);
}

static double secondsOf(std::string const &name) {
  op_timing_output();
  double seconds = 0;
  for (op2::rt::LoopState *state : op2::rt::allLoopStates())
    if (state->name == name)
      seconds += state->seconds;
  return seconds;
}

// The launches of all colours, between one pair of events.
TEST_F(DeviceLaunchTest, TimeSpansAllLaunchesOfALoop) {
  addKernel.num_params = 0;
  fakeCudaKernel("add", 0, [](FakeLaunch const &) { fakeCudaSpend(5); });
  op2rt_loop *running = startAdd();
  for (int color = 0; color < 3; ++color)
    op2rt_device_launch(running, &addKernel, 1, 128, 0, nullptr);
  op2rt_loop_end(running);
  EXPECT_EQ(fakeCudaCalls("cuEventRecord"), 2);
  EXPECT_GE(secondsOf("add"), 0.015);
}

// The program alternates between a short and a long execution: what is timed is
// not in step with it.
TEST_F(DeviceLaunchTest, SomeExecutionsAreTimed) {
  static int executions;
  executions = 0;
  fakeCudaKernel("add", 0, [](FakeLaunch const &) {
    fakeCudaSpend(++executions % 2 == 0 ? 0.1 : 0);
  });
  for (int n = 0; n < 1000; ++n)
    add(1);
  EXPECT_LT(fakeCudaCalls("cuEventRecord"), 2 * 130);
  op_download_dat(x);
  EXPECT_EQ(executions, 1000);
  double seconds = secondsOf("add");
  EXPECT_GT(seconds, 0.025);
  EXPECT_LT(seconds, 0.1);
  // Nothing is booked twice.
  EXPECT_EQ(secondsOf("add"), seconds);
}

// What the host does with the results while the device waits is not the
// kernels' time.
TEST_F(DeviceLaunchTest, TimeEndsBeforeTheHostReadsAReduction) {
  double sum = 0;
  Loop loop("sum");
  loop.dat(x, OP_READ).global(&sum, 1, OP2RT_F64, OP_INC);
  loop.target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  launchSum(running, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  op2rt_loop_end(running);
  EXPECT_EQ(sum, 45);
  // The third says when the result has arrived.
  EXPECT_EQ(fakeCudaCalls("cuEventRecord"), 3);
  EXPECT_LT(secondsOf("sum"), 0.1);
}

TEST_F(DeviceLaunchTest, ManyLoopsNeedFewEvents) {
  for (int n = 0; n < 2000; ++n) {
    add(1);
    if (n % 100 == 0)
      op_download_dat(x);
  }
  EXPECT_LT(fakeCudaCalls("cuEventCreate"), 1500);
  EXPECT_EQ(first(), 2000);
}

} // namespace
