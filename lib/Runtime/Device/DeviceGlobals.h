//===- DeviceGlobals.h - Reduced globals on devices -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel that ends a reduction combines it with the global's value in
// pinned memory of the host, which it reaches by itself. Behind one wait for a
// loop's results they go from there to the globals: at once, or where the
// program says that it will look (op2rt_may_enqueue).
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICEGLOBALS_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICEGLOBALS_H

#include "Device.h"

namespace op2::rt {

/// The address on `device` of a copy of `global`, which the loop in progress
/// reduces; it stays until the loop ends. Slow: not for every thread.
void *takeGlobal(Device &device, void *global, int64_t bytes);

/// Its address if the loop reduces it already, else NULL; an error if that is
/// true of a part of it.
void *findTaken(Device &device, void *global, int64_t bytes);

/// The address on `device` of the values of a global that the loop in progress
/// reduces; NULL for all others.
void const *reducedOnDevice(Device const &device, void const *global,
                            int64_t bytes);

/// Brings results to globals that share a byte with these.
void settleGlobals(void const *data, int64_t bytes);

/// Before the devices are closed: their storage is no longer kept.
void forgetDeviceGlobals();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICEGLOBALS_H
