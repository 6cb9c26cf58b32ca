//===- DeviceData.cpp - Dats, maps and globals on devices -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies are made at first use and again when the other side has newer values,
// or when a loop wants another layout.
//
//===----------------------------------------------------------------------===//

#include "DeviceData.h"
#include "Core/Error.h"
#include "Core/Memory.h"
#include "Core/Pending.h"
#include "Core/Threads.h"
#include "Core/Types.h"
#include "DeviceCuda.h"
#include "DeviceGlobals.h"
#include "DeviceLayout.h"
#include "DeviceTables.h"
#include "Execute/LoopHooks.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Dats
//===----------------------------------------------------------------------===//

// Programs exchange the data pointers of dats. On the host that is enough;
// here it must not go unnoticed, nor that they are exchanged back later.
static void settleCopies(bool isUpload) {
  for (Dat *dat : registry().dats) {
    bool isCopy = dat->data_d && &storageOf(*dat) == dat;
    if (!isCopy || rowData(dat) == dat->copiedStorage)
      continue;
    if (dat->dirty_hd == kDeviceNewer && isUpload)
      continue;
    if (dat->dirty_hd == kDeviceNewer)
      fatal(Problem::DataPointer,
            "dat %s: its data pointer was changed while the newer values "
            "were on the device; call op_download_dat before, and "
            "op_upload_dat after the change",
            dat->name);
    dat->dirty_hd = kHostNewer;
    dat->copiedStorage = rowData(dat);
  }
}

static Device &deviceOfCopy(Dat const &dat) {
  return *usedDevice(dat.copyDevice);
}

static void uploadDat(Dat &dat) {
  Device &device = deviceOfCopy(dat);
  if (dat.copyIsSoA) {
    std::vector<char> values(bytesAsSoA(dat));
    toSoA(dat, rowData(&dat), values.data());
    device.upload(dat.data_d, values.data(),
                  static_cast<int64_t>(values.size()));
  } else {
    device.upload(dat.data_d, rowData(&dat), rowBytes(&dat));
  }
  dat.copiedStorage = rowData(&dat);
  dat.dirty_hd = kClean;
}

/// The newer values.
static void download(Dat &dat) {
  Device &device = deviceOfCopy(dat);
  if (dat.copyIsSoA) {
    std::vector<char> values(bytesAsSoA(dat));
    device.download(values.data(), dat.data_d,
                    static_cast<int64_t>(values.size()));
    fromSoA(dat, values.data(), rowData(&dat));
  } else {
    device.download(rowData(&dat), dat.data_d, rowBytes(&dat));
  }
  dat.dirty_hd = kClean;
}

extern "C" void op2rt_variable_read(void const *data, int64_t bytes) try {
  if (!isPending(kCopies))
    return;
  for (op_dat_core *dat : registry().dats)
    if (overlap(static_cast<char const *>(data), bytes, dat->data,
                static_cast<Dat *>(dat)->bytes)) {
      flush();
      settleStorage();
      makeHostCurrent(static_cast<Dat &>(*dat));
    }
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

static void releaseCopy(Dat &dat) {
  if (Device *device = usedDevice(dat.copyDevice))
    device->release(dat.data_d);
}

/// Copies of overlapping arrays would not overlap.
static void requireOwnArray(Dat const &dat) {
  if (!dat.user_managed)
    return;
  for (Dat const *other : registry().dats)
    if (&storageOf(*other) != &dat &&
        overlap(rowData(&dat), rowBytes(&dat), rowData(other), rowBytes(other)))
      fatal(Problem::Overlay,
            "dat %s on a device: its array overlaps that of dat %s "
            "(OP_NO_REALLOC); expected dats with values of their own, or "
            "op_decl_dat_overlay",
            dat.name, other->name);
}

/// An empty copy; the host's values are the newer ones.
static void allocateCopyOn(Dat &dat, Device &device, bool asSoA) {
  requireOwnArray(dat);
  setPending(kCopies);
  auto bytes = asSoA ? static_cast<int64_t>(bytesAsSoA(dat)) : rowBytes(&dat);
  dat.data_d =
      static_cast<char *>(device.allocate(bytes, "dat " + dat.ownName));
  dat.copyDevice = device.number;
  dat.copyIsSoA = asSoA;
  dat.dirty_hd = kHostNewer;
  dat.copiedStorage = rowData(&dat);
}

static void noteConversion(Dat &dat) {
  ++dat.conversions;
  dat.convertedFor = currentLoopName();
}

/// A copy that is on another device, or has the other layout, goes: its values
/// come back by way of the host.
static void dropOtherCopy(Dat &dat, Device &device, bool asSoA) {
  if (dat.copyDevice == device.number && dat.copyIsSoA == asSoA)
    return;
  makeHostCurrent(dat);
  if (dat.copyDevice == device.number && dat.dirty_hd == kClean)
    noteConversion(dat);
  freeDeviceCopy(dat);
}

static char *deviceValues(Dat &dat, Device &device, bool asSoA) {
  if (dat.data_d)
    dropOtherCopy(dat, device, asSoA);
  if (!dat.data_d)
    allocateCopyOn(dat, device, asSoA);
  if (dat.dirty_hd == kHostNewer)
    uploadDat(dat);
  return dat.data_d;
}

/// Before a loop on a device, and after it.
static void beginOnDevice(LoopCall &call) {
  for (UsedDat &used : call.dats)
    used.memory = WorkMemory::Nothing;
}

// Applications look at data_d of overlays, too.
static char *deviceAddress(Dat &dat, Device &device, bool asSoA) {
  dat.data_d = deviceValues(storageOf(dat), device, asSoA);
  return dat.data_d;
}

// Whoever writes a loop by hand goes by the dat's type string.
char *op2::rt::makeDeviceCurrent(Dat &dat) {
  bool asSoA = OP_auto_soa || dat.ownType.find(":soa") != std::string::npos;
  return deviceAddress(dat, cudaDevice(), asSoA && dat.dim > 1);
}

void op2::rt::deviceChanged(Dat &dat) {
  Dat &storage = storageOf(dat);
  if (storage.data_d && storage.dirty_hd != kHostNewer)
    storage.dirty_hd = kDeviceNewer;
}

// A dat that the loop did not ask for, because no element needed it, stays as
// it was.
static void endOnDevice(LoopCall &call) {
  for (UsedDat &used : call.dats) {
    if (!used.written || used.memory == WorkMemory::Nothing)
      continue;
    if (used.memory == WorkMemory::HostMemory)
      hostChanged(*used.dat);
    else
      deviceChanged(*used.dat);
  }
}

static void noteMemory(op2rt_loop &loop, int32_t arg, Dat &dat,
                       WorkMemory memory) {
  for (UsedDat &used : loop.call->dats) {
    if (&storageOf(*used.dat) != &storageOf(dat))
      continue;
    if (used.memory != WorkMemory::Nothing && used.memory != memory)
      argError(*loop.desc, arg, Problem::Layout,
               "dat %s is used as a struct of arrays and as an array of "
               "structs in one execution of the loop; declare one layout for "
               "it",
               dat.name);
    used.memory = memory;
  }
}

static void *datOnDevice(op2rt_loop *loop, int32_t arg, bool asSoA) {
  if (!loop->args[arg].active)
    return nullptr;
  if (loop->desc->args[arg].kind != OP2RT_ARG_DAT)
    argError(*loop->desc, arg, Problem::Call, "is no dat");
  auto &dat = static_cast<Dat &>(*static_cast<op_dat>(loop->args[arg].data));
  // With one component both layouts are one.
  asSoA = asSoA && dat.dim > 1;
  Device &device = deviceOf(*loop);
  if (device.sharesHostMemory() && !asSoA) {
    noteMemory(*loop, arg, dat, WorkMemory::HostMemory);
    Dat &storage = storageOf(dat);
    if (storage.copyIsSoA && storage.dirty_hd == kDeviceNewer)
      noteConversion(storage);
    makeHostCurrent(dat);
    return rowData(&dat);
  }
  noteMemory(*loop, arg, dat,
             asSoA ? WorkMemory::CopySoA : WorkMemory::CopyAoS);
  return deviceAddress(dat, device, asSoA);
}

extern "C" void *op2rt_device_dat(op2rt_loop *loop, int32_t arg) try {
  return datOnDevice(loop, arg, /*asSoA=*/false);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

extern "C" void *op2rt_device_dat_soa(op2rt_loop *loop, int32_t arg) try {
  return datOnDevice(loop, arg, /*asSoA=*/true);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

extern "C" int64_t op2rt_device_dat_stride(op2rt_loop *loop, int32_t arg) {
  return loop->args[arg].active
             ? storageOf(static_cast<op_dat>(loop->args[arg].data))->set->stride
             : 0;
}

extern "C" void op_upload_dat(op_dat handle) {
  Call const call(__func__);
  flush();
  followExchanges(/*isUpload=*/true);
  Dat *found = findDat(handle);
  Dat &dat = storageOf(found ? *found : requireDat(handle, "op_upload_dat"));
  dat.hasValues = true;
  programChanged(dat);
  if (dat.data_d)
    uploadDat(dat);
}

extern "C" void op_upload_all(void) {
  Call const call(__func__);
  flush();
  followExchanges(/*isUpload=*/true);
  for (Dat *dat : registry().dats) {
    programChanged(*dat);
    if (dat->data_d && !dat->base && dat->dirty_hd != kDeviceNewer)
      uploadDat(*dat);
  }
}

extern "C" void op_download_dat(op_dat handle) {
  Call const call(__func__);
  makeHostCurrent(requireDat(handle, "op_download_dat"));
}

// Other names of these.
extern "C" void op_put_dat(op_dat dat) { op_upload_dat(dat); }
extern "C" void op_get_dat(op_dat dat) { op_download_dat(dat); }
extern "C" void op_cuda_get_data(op_dat dat) { op_download_dat(dat); }

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static Map *mapOf(op2rt_loop const &loop, int32_t arg) {
  return loop.args[arg].active ? static_cast<Map *>(loop.args[arg].map)
                               : nullptr;
}

/// Rows behind the last element lead to target 0, so that whole lines may be
/// read.
static std::vector<int32_t> transposed(Map const &map) {
  int64_t size = rowsOf(map.from), stride = map.from->stride, dim = map.dim;
  int const *rows = tableOf(&map);
  std::vector<int32_t> table(static_cast<std::size_t>(stride * dim));
#pragma omp parallel for schedule(static) if (size * dim > (1 << 16))
  for (int64_t n = 0; n < size; ++n)
    for (int64_t slot = 0; slot < dim; ++slot)
      table[slot * stride + n] = rows[n * dim + slot];
  return table;
}

static int32_t *tableOnDevice(Map &map, Device &device) {
  int32_t *&copy = map.copies[device.number];
  if (!copy) {
    std::vector<int32_t> table = transposed(map);
    auto bytes = static_cast<int64_t>(table.size() * sizeof(int32_t));
    copy = static_cast<int32_t *>(device.allocate(bytes, "map " + map.ownName));
    device.upload(copy, table.data(), bytes);
    if (!device.sharesHostMemory())
      map.map_d = copy;
  }
  return copy;
}

static void releaseTables(Map &map) {
  for (int number : {0, 1})
    if (Device *device = map.copies[number] ? usedDevice(number) : nullptr)
      device->release(map.copies[number]);
  std::fill(std::begin(map.copies), std::end(map.copies), nullptr);
}

int32_t *op2::rt::tableOnDevice(Map &map) {
  return ::tableOnDevice(map, cudaDevice());
}

extern "C" int32_t const *op2rt_device_map(op2rt_loop *loop, int32_t arg) try {
  Map *map = mapOf(*loop, arg);
  return map ? ::tableOnDevice(*map, deviceOf(*loop)) : nullptr;
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

extern "C" int64_t op2rt_device_map_stride(op2rt_loop *loop, int32_t arg) {
  Map *map = mapOf(*loop, arg);
  return map ? map->from->stride : 0;
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

// A call site keeps the copies of its globals and what they hold: parameters
// that do not change cost nothing.
extern "C" void const *op2rt_device_global(op2rt_loop *loop, int32_t arg) try {
  op2rt_arg_desc const &desc = loop->desc->args[arg];
  if (!loop->args[arg].active)
    return nullptr;
  if (!isGlobal(desc))
    argError(*loop->desc, arg, Problem::Call, "is no global");
  Device &device = deviceOf(*loop);
  // What the host reduces begins as the identity here.
  bool isMerge = desc.access == OP2RT_REDUCE;
  void const *global =
      isMerge ? loop->args[arg].identity : loop->args[arg].data;
  if (void const *known =
          isMerge ? nullptr
                  : reducedOnDevice(device, global,
                                    int64_t(desc.dim) * typeSize(desc.type)))
    return known;
  auto &globals = loop->state->globals;
  globals.resize(static_cast<std::size_t>(loop->desc->nargs));
  DeviceGlobal &copy = globals[arg];
  auto const *value = static_cast<char const *>(global);
  auto bytes = static_cast<std::size_t>(desc.dim) * typeSize(desc.type);
  if (!copy.data) {
    copy.data = device.allocate(static_cast<int64_t>(bytes),
                                "globals of loop " + loop->state->name);
    copy.value.clear();
  }
  if (copy.value.size() != bytes ||
      std::memcmp(copy.value.data(), value, bytes) != 0) {
    copy.value.assign(value, value + bytes);
    device.upload(copy.data, value, static_cast<int64_t>(bytes));
  }
  return copy.data;
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

void op2::rt::forgetDeviceData() {
  setPending(kCopies, false);
  forgetTableCopies();
  for (Dat *dat : registry().dats)
    freeDeviceCopy(*dat);
  for (op_map core : registry().maps) {
    Map &map = static_cast<Map &>(*core);
    std::fill(std::begin(map.copies), std::end(map.copies), nullptr);
    map.map_d = nullptr;
  }
  for (LoopState *state : allLoopStates())
    state->globals.clear();
}

[[gnu::constructor]] static void enterHooks() {
  hooks.settleCopies = settleCopies;
  hooks.download = download;
  hooks.releaseCopy = releaseCopy;
  hooks.releaseTables = releaseTables;
  loopHooks.beginOnDevice = beginOnDevice;
  loopHooks.endOnDevice = endOnDevice;
}
