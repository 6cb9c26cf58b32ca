//===- Copies.h - Dats and maps with copies on devices ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which copy of a dat is current. Who makes copies is the room Device.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_CORE_COPIES_H
#define OP2_LIB_RUNTIME_CORE_COPIES_H

#include "Hooks.h"
#include "Job.h"
#include "Registry.h"

namespace op2::rt {

/// The program may have exchanged the `data` of dats: overlays, rows on ranks
/// and copies on devices follow. To be called before anything looks at a dat.
inline void settleStorage() {
  if (fastPath.pending & (kRanks | kOverlays | kCopies))
    followExchanges();
}

/// op_dat_core::dirty_hd.
enum { kClean = 0, kHostNewer = 1, kDeviceNewer = 2 };

/// Whether the values there are the newest ones.
inline bool isCurrentOnHost(Dat const &dat) {
  Dat const &storage = storageOf(dat);
  return !storage.data_d || storage.dirty_hd != kDeviceNewer;
}
inline bool isCurrentOnDevice(Dat const &dat) {
  Dat const &storage = storageOf(dat);
  return storage.data_d && storage.dirty_hd != kHostNewer;
}

/// Copies the values from the device if they are newer there. To be called
/// before anything on the host looks at them.
inline void makeHostCurrent(Dat &dat) {
  if (!isCurrentOnHost(dat))
    hooks.download(storageOf(dat));
}

/// The program has changed the host's values, or may. On ranks others have
/// copies of them.
inline void programChanged(Dat &dat) {
  dat.dirtybit = hasRanks();
  dat.freshCopies = 0;
  ++dat.changes;
}

/// The host's values were changed.
inline void hostChanged(Dat &dat) {
  Dat &storage = storageOf(dat);
  if (storage.data_d)
    storage.dirty_hd = kHostNewer;
}

/// The library has given the host's values.
inline void hostWritten(Dat &dat) {
  dat.hasValues = true;
  programChanged(dat);
  hostChanged(dat);
}

/// Gives back the dat's memory on the device.
inline void freeDeviceCopy(Dat &dat) {
  if (dat.data_d && &storageOf(dat) == &dat)
    hooks.releaseCopy(dat);
  dat.data_d = nullptr;
  dat.dirty_hd = kClean;
}

/// The same for a map's.
inline void freeDeviceCopies(Map &map) {
  if (map.copies[0] || map.copies[1])
    hooks.releaseTables(map);
  map.map_d = nullptr;
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_CORE_COPIES_H
