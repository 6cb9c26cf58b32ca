//===- DeviceErrorTest.cpp - Devices that fail or are missing ---*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDeviceTest.h"

using namespace op2::test;

namespace {

constexpr uint32_t kSeq = 1u << OP2RT_TARGET_SEQ,
                   kOpenMP = 1u << OP2RT_TARGET_OPENMP,
                   kCuda = 1u << OP2RT_TARGET_CUDA,
                   kEmulator = 1u << OP2RT_TARGET_EMULATOR;

class DeviceErrorTest : public FakeDeviceTest {
protected:
  int32_t select(uint32_t mask) { return op2rt_select_target(mask, "res"); }
};

//===----------------------------------------------------------------------===//
// Which target
//===----------------------------------------------------------------------===//

TEST_F(DeviceErrorTest, CudaIsTheDefaultIfADeviceAnswers) {
  EXPECT_EQ(select(kSeq | kOpenMP | kCuda), OP2RT_TARGET_CUDA);
  EXPECT_EQ(select(kSeq | kOpenMP), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(select(kSeq | kEmulator), OP2RT_TARGET_SEQ);
  EXPECT_EQ(select(kEmulator), OP2RT_TARGET_EMULATOR);
}

TEST_F(DeviceErrorTest, ChoiceIsPrintedOnce) {
  Environment notStrict("OP2_STRICT", "0");
  restart(2);
  ::testing::internal::CaptureStdout();
  select(kOpenMP | kCuda);
  select(kOpenMP | kCuda);
  select(kOpenMP);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "op2: loops run on cuda: Fake GPU (sm_90) answers\n"
            "op2: loops run on openmp: compiled for openmp\n");
  // Between CUDA and another: to all but quiet programs.
  restart(1);
  ::testing::internal::CaptureStdout();
  select(kOpenMP | kCuda);
  select(kOpenMP);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "op2: loops run on cuda: Fake GPU (sm_90) answers\n");
  restart(0);
  ::testing::internal::CaptureStdout();
  select(kOpenMP | kCuda);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  finish();
  Environment none("OP2_FAKE_CUDA_DEVICES", "0");
  start(1);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(select(kOpenMP | kCuda), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "op2: loops run on openmp: there is no CUDA device (the driver is "
            "loaded and offers none)\n");
}

TEST_F(DeviceErrorTest, NoDriver) {
  Environment notStrict("OP2_STRICT", "0");
  Environment nowhere("OP2_CUDA_DRIVER", "/nowhere/libcuda.so");
  restart(0);
  EXPECT_EQ(select(kSeq | kCuda), OP2RT_TARGET_SEQ);
  EXPECT_EXIT(select(kCuda), diesWith1(),
              "loop res: was compiled for cuda, and the CUDA driver was not "
              "found .OP2_CUDA_DRIVER: /nowhere/libcuda.so: cannot open");
  EXPECT_EXIT(add(1), diesWith1(),
              "loop add: cannot run on cuda: the CUDA driver was not found");
}

TEST_F(DeviceErrorTest, NoDriverButAskedFor) {
  Environment nowhere("OP2_CUDA_DRIVER", "/nowhere/libcuda.so");
  Environment target("OP2_TARGET", "cuda");
  restart(0);
  EXPECT_EXIT(select(kSeq | kCuda), diesWith1(),
              "loop res: OP2_TARGET=cuda, but the CUDA driver was not found");
  EXPECT_EXIT(select(kSeq), diesWith1(),
              "OP2_TARGET=cuda, but the loop was compiled for seq");
}

TEST_F(DeviceErrorTest, NotADriver) {
  Environment wrong("OP2_CUDA_DRIVER", "libm.so.6");
  restart(0);
  EXPECT_EXIT(select(kCuda), diesWith1(),
              "the CUDA driver libm.so.6 has no function cuGetErrorName");
}

TEST_F(DeviceErrorTest, NoDevice) {
  Environment none("OP2_FAKE_CUDA_DEVICES", "0");
  Environment target("OP2_TARGET", "cuda");
  restart(0);
  EXPECT_EXIT(select(kCuda), diesWith1(),
              "loop res: OP2_TARGET=cuda, but there is no CUDA device");
}

TEST_F(DeviceErrorTest, DeviceThatDoesNotStart) {
  Environment notStrict("OP2_STRICT", "0");
  for (auto const &[fail, message] :
       std::vector<std::pair<std::string, std::string>>{
           {"cuInit=100", "there is no CUDA device"},
           {"cuInit=999", "the CUDA driver does not start: a fake error "
                          ".CUDA_ERROR_FAKE, 999."},
           {"cuDevicePrimaryCtxRetain=46",
            "the CUDA device cannot be used: a fake error"},
           {"cuDeviceGetAttribute=1", "the CUDA device does not answer"},
           {"cuStreamCreate=2", "Fake GPU .sm_90. cannot be used"},
           {"cuMemAllocHost_v2=2", "Fake GPU .sm_90. cannot be used"}}) {
    Environment failure("OP2_FAKE_CUDA_FAIL", fail);
    restart(0);
    EXPECT_EQ(select(kSeq | kCuda), OP2RT_TARGET_SEQ);
    EXPECT_EQ(fakeCudaLeaks(), 0) << fail;
    EXPECT_EXIT(select(kCuda), diesWith1(), message) << fail;
  }
}

//===----------------------------------------------------------------------===//
// Failures on the way
//===----------------------------------------------------------------------===//

TEST_F(DeviceErrorTest, OutOfMemory) {
  Environment memory("OP2_FAKE_CUDA_MEMORY", "1000");
  restart(0);
  add(1);
  op_set many = op_decl_set(1000, "many");
  op_dat y =
      op_decl_dat(many, 2, "double", static_cast<double *>(nullptr), "y");
  Loop loop("big");
  loop.dat(y, OP_RW).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(many);
  EXPECT_EXIT(
      op2rt_device_dat(running, 0), diesWith1(),
      "op2 error: loop big: out of device memory: dat y needs 16000 "
      "bytes on Fake GPU .sm_90. .1000 bytes, 896 bytes of them free.; 88 "
      "bytes are in use:\n"
      "  dat x: 80 bytes\n"
      "  globals of loop add: 8 bytes .op2-device-memory.\n");
  op2rt_loop_end(running);
}

TEST_F(DeviceErrorTest, OutOfMuchMemory) {
  Environment memory("OP2_FAKE_CUDA_MEMORY", "40000000");
  restart(0);
  op_set many = op_decl_set(6000000, "many");
  op_dat y =
      op_decl_dat(many, 1, "double", static_cast<double *>(nullptr), "y");
  Loop loop("big");
  loop.dat(y, OP_RW).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(many);
  EXPECT_EXIT(op2rt_device_dat(running, 0), diesWith1(),
              "out of device memory: dat y needs 48000000 bytes .45.8 MiB. on "
              "Fake GPU .sm_90. .40000000 bytes .38.1 MiB., 40000000 bytes "
              ".38.1 MiB. of them free.; 0 bytes are in use");
  op2rt_loop_end(running);
}

TEST_F(DeviceErrorTest, CallsThatFail) {
  for (auto const &[fail, message] :
       std::vector<std::pair<std::string, std::string>>{
           {"cuMemAlloc_v2=1", "allocating 80 bytes failed on Fake GPU "
                               ".sm_90.: a fake error .CUDA_ERROR_FAKE, 1."},
           {"cuMemcpyHtoDAsync_v2=1", "copying 80 bytes to the device failed"},
           {"cuModuleLoadDataEx=209", "loading an image of 57 bytes"},
           {"cuModuleGetFunction=500", "finding kernel add in its image"},
           {"cuEventCreate=2", "creating an event failed"},
           {"cuLaunchKernel=701",
            "launching kernel add on 1 blocks of 128 threads with 0 bytes of "
            "dynamic shared memory failed"},
           {"cuMemcpyDtoHAsync_v2=1",
            "copying 80 bytes from the device failed"}}) {
    Environment failure("OP2_FAKE_CUDA_FAIL", fail);
    restart(0);
    EXPECT_EXIT((add(1), first()), diesWith1(),
                "op2 error: loop (add|first): " + message)
        << fail;
  }
  Environment failure("OP2_FAKE_CUDA_FAIL", "cuFuncSetAttribute=1");
  restart(0);
  EXPECT_EXIT(add(1, 128, 60000), diesWith1(),
              "asking for 60000 bytes of dynamic shared memory for kernel add "
              "failed");
}

TEST_F(DeviceErrorTest, KernelThatCrashes) {
  Environment crash("OP2_FAKE_CUDA_CRASH", "1");
  double value[10];
  EXPECT_EXIT((add(1), op_fetch_data(x, value)), diesWith1(),
              "op2 error: waiting for kernels before a download's end failed "
              "on Fake GPU .sm_90.: an illegal address "
              ".CUDA_ERROR_ILLEGAL_ADDRESS, 700.; an earlier kernel may be the "
              "cause");
  EXPECT_EXIT((add(1), op_exit()), diesWith1(),
              "waiting for kernels before the program's end failed");
  EXPECT_EXIT((add(1), op_timing_output()), diesWith1(),
              "waiting for the kernels of loop add failed");
  EXPECT_EXIT((restart(4), add(1)), diesWith1(),
              "op2 error: loop add: running kernel add failed on Fake GPU");
}

TEST_F(DeviceErrorTest, ImagesThatAreWrong) {
  text = "kernel other";
  image.data = text.data();
  image.size = text.size();
  EXPECT_EXIT(add(1), diesWith1(), "finding kernel add in its image failed");
  text = "nonsense";
  image.data = text.data();
  image.size = text.size();
  EXPECT_EXIT(add(1), diesWith1(),
              "loading an image of 8 bytes .compiled for this device's "
              "architecture, sm_90\\?.; its messages: line 1: no such thing "
              "failed on Fake GPU");
  image.abi_version = 99;
  EXPECT_EXIT(add(1), diesWith1(),
              "a device image was compiled for version 99 of the runtime's "
              "interface, this is version " +
                  std::to_string(OP2RT_ABI_VERSION));
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

TEST_F(DeviceErrorTest, MemoryIsReported) {
  std::string lines = "op2: 88 bytes of device memory in use on Fake GPU "
                      "(sm_90):\n"
                      "op2:   dat x: 80 bytes\n"
                      "op2:   globals of loop add: 8 bytes\n";
  restart(2);
  add(1);
  ::testing::internal::CaptureStdout();
  op_diagnostic_output();
  std::string report = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(report.find(lines), report.npos) << report;
  ::testing::internal::CaptureStdout();
  finish();
  report = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(report.find(lines), report.npos) << report;
}

} // namespace
