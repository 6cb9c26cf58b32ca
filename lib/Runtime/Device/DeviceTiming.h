//===- DeviceTiming.h - Time that loops spend on a device -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICETIMING_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICETIMING_H

namespace op2::rt {

class CudaDevice;
struct LoopState;

/// Before a launch of the loop in progress: from the first one on, the loop's
/// time runs, if this execution is one of those that are timed.
void startDeviceTime(CudaDevice &device, LoopState &loop);
/// Waits for all loops so far and books their time as LoopState::seconds;
/// those that are not timed take as long as those around them.
void settleDeviceTimes();
/// Before the device is closed.
void forgetDeviceTimes();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICETIMING_H
