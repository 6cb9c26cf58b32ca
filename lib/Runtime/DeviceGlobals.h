//===- DeviceGlobals.h - Reduced globals on devices -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction combines with the global's value on the device, and the result
// travels to pinned memory of the host without anybody waiting. It reaches the
// global itself when the loop ends; or, for a deferred global
// (OP2RT_ARG_DEFERRED), when the program says that it is about to look.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICEGLOBALS_H
#define OP2_LIB_RUNTIME_DEVICEGLOBALS_H

#include "Device.h"

namespace op2::rt {

/// The place of a global's values on a device.
struct GlobalSlot {
  Device *device = nullptr;
  void *values = nullptr; ///< on the device
  void *pinned = nullptr; ///< on the host, what was last read from there
  void *read = nullptr;   ///< when that has happened: Device::waitFor
  int64_t capacity = 0;   ///< bytes of both

  char *global = nullptr;
  int64_t bytes = 0;
  bool isDeferred = false;
};

/// A slot with the values that the global has before a reduction of the loop in
/// progress: the host's, unless an earlier result is still there. Until the
/// loop ends.
GlobalSlot *takeGlobalSlot(Device &device, void *global, int64_t bytes,
                           bool isDeferred);

/// The address on `device` of the values of a global that the loop in progress
/// reduces, or whose latest values are not the host's; NULL for all others.
void const *reducedOnDevice(Device const &device, void const *global,
                            int64_t bytes);

/// At the beginning of a loop: what its arguments say of the globals of earlier
/// ones. At its end: starts the way of its results to the host, and brings
/// those that are not deferred to their globals, with one wait for all.
void beginGlobals(op2rt_loop const &loop);
void endGlobals();

/// Before the devices are closed: results that nobody has looked at are kept
/// on the host.
void forgetDeviceGlobals();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICEGLOBALS_H
