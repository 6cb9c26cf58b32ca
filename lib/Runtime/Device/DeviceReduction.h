//===- DeviceReduction.h - Reductions on devices ----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICEREDUCTION_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICEREDUCTION_H

namespace op2::rt {

/// Before the devices are closed: their storage is no longer kept.
void forgetDeviceReductions();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICEREDUCTION_H
