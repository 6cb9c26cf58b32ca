//===- DeviceData.h - Dats, maps and globals on devices ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has the newer values of a dat: op_dat_core::dirty_hd says it, 0 nobody,
// 1 the host, 2 the device. A dat that has never been on a device has no
// data_d, and its values are the host's.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICEDATA_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICEDATA_H

#include "Core/Copies.h"

namespace op2::rt {

/// Makes the values current in the memory of the CUDA device and returns their
/// address; an error if there is no such device.
char *makeDeviceCurrent(Dat &dat);
/// The values on the device were changed.
void deviceChanged(Dat &dat);
/// The map's table on the CUDA device, slot after slot.
int32_t *tableOnDevice(Map &map);

/// Before the devices are closed: what DeviceRows.cpp keeps there.
void forgetDeviceRows();
/// Before the devices are closed: pointers to copies become NULL.
void forgetDeviceData();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICEDATA_H
