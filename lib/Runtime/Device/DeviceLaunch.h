//===- DeviceLaunch.h - Images, kernels and launches ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H

namespace op2::rt {

class CudaDevice;

/// Before the device is closed: images are loaded again at their next use.
void unloadImages(CudaDevice &device);

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICELAUNCH_H
