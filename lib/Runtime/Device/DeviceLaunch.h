//===- DeviceLaunch.h - Images, kernels and launches ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H

#include "OP2/Runtime/op2rt_device.h"

namespace op2::rt {

class CudaDevice;

/// A kernel of the library. In the order of the calls; sizes that the device
/// cannot have are an error.
void launch(CudaDevice &device, op2rt_device_kernel &kernel, int64_t blocks,
            int32_t threads, void **args);

/// Before the device is closed: images are loaded again at their next use.
void unloadImages(CudaDevice &device);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H
