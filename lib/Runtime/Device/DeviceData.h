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

#ifndef OP2_LIB_RUNTIME_DEVICEDATA_H
#define OP2_LIB_RUNTIME_DEVICEDATA_H

#include "Registry.h"

namespace op2::rt {

struct LoopCall;

enum { kClean = 0, kHostNewer = 1, kDeviceNewer = 2 };

/// Copies the values from the device if they are newer there. To be called
/// before anything on the host looks at them.
void makeHostCurrent(Dat &dat);
/// The host's values were changed.
inline void hostChanged(Dat &dat) {
  Dat &storage = storageOf(dat);
  if (storage.data_d)
    storage.dirty_hd = kHostNewer;
}
/// Makes the values current in the memory of the CUDA device and returns their
/// address; an error if there is no such device.
char *makeDeviceCurrent(Dat &dat);
/// The values on the device were changed.
void deviceChanged(Dat &dat);
/// The map's table on the CUDA device, slot after slot.
int32_t *tableOnDevice(Map &map);
/// Gives back the dat's memory on the device.
void freeDeviceCopy(Dat &dat);
/// The same for a map's.
void freeDeviceCopies(Map &map);

/// Before and after a loop on the host and one on a device.
void beginOnHost(LoopCall &call);
void endOnHost(LoopCall &call);
void beginOnDevice(LoopCall &call);
void endOnDevice(LoopCall &call);

/// Before the devices are closed: pointers to copies become NULL.
void forgetDeviceData();

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICEDATA_H
