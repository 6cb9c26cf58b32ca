//===- Device.cpp - The devices of a program --------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device a loop uses, and the end of all of them.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "Core/Options.h"
#include "DeviceCuda.h"
#include "DeviceData.h"
#include "DeviceGlobals.h"
#include "DeviceLaunch.h"
#include "DeviceReduction.h"
#include "DeviceTiming.h"
#include "Execute/Loop.h"

using namespace op2::rt;

namespace {
struct Cuda {
  bool tried = false;
  std::string problem;
  std::unique_ptr<CudaDevice> device;
};
} // namespace

// Never destroyed: at the end of a process the driver may be gone already.
static Cuda &cuda() {
  static auto *theCuda = new Cuda;
  return *theCuda;
}

std::string const &op2::rt::cudaProblem() {
  Cuda &all = cuda();
  if (!all.tried) {
    all.device = CudaDevice::open(all.problem);
    all.tried = true;
  }
  return all.problem;
}

CudaDevice &op2::rt::cudaDevice() {
  if (!cuda().device && !cudaProblem().empty())
    fatal(Problem::Cuda, "%scannot run on cuda: %s", inLoop().c_str(),
          cudaProblem().c_str());
  return *cuda().device;
}

Device &op2::rt::deviceOf(op2rt_loop const &loop) {
  if (loop.desc->target == OP2RT_TARGET_CUDA)
    return cudaDevice();
  if (loop.desc->target == OP2RT_TARGET_EMULATOR)
    return hostDevice();
  fatal(Problem::Target, "loop %s: runs on %s, which has no device memory",
        loop.desc->name, targetName(loop.desc->target));
}

Device *op2::rt::usedDevice(int number) {
  return number == 0 ? &hostDevice() : cuda().device.get();
}

void op2::rt::reportDeviceMemory() {
  for (int number = 0; number < kNumDevices; ++number) {
    Device *device = usedDevice(number);
    if (device && device->allocatedBytes() > 0)
      op_printf("op2: %s of device memory in use on %s:%s\n",
                describeBytes(device->allocatedBytes()).c_str(),
                device->name().c_str(),
                device->inventory("\nop2:   ", 40).c_str());
  }
}

void op2::rt::closeDevices() {
  Cuda &all = cuda();
  // The last kernels may have failed, which has not been checked yet.
  if (all.device)
    all.device->wait("the program's end");
  forgetDeviceRows();
  forgetDeviceData();
  forgetDeviceGlobals();
  forgetDeviceReductions();
  forgetDeviceTimes();
  hostDevice().releaseAll();
  if (all.device) {
    unloadImages(*all.device);
    all.device->releaseAll();
  }
  all = Cuda();
  fastPath.targets = 0;
}
