//===- DeviceRows.cpp - Some rows of a dat on a device ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks send each other, and what they give back after the elements at
// their borders: rows anywhere in a dat are packed side by side, on the device.
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "DeviceCuda.h"
#include "DeviceData.h"
#include "DeviceLaunch.h"
#include "RowKernels.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

using namespace op2::rt;

static constexpr char kText[] =
#include "RowKernels.ptx.inc"
    ;

namespace {
/// Memory that goes back to its device.
struct Saved {
  int device = 0;
  void *data = nullptr;
  int64_t bytes = 0;

  ~Saved() { release(); }
  /// At the end of a run devices take everything back.
  void release() {
    if (Device *known = usedDevice(device); known && data)
      known->release(data);
    data = nullptr;
    bytes = 0;
  }
  /// At least so much on this device, with any contents.
  void require(int on, int64_t least, char const *what) {
    if (device == on && bytes >= least)
      return;
    release();
    device = on;
    data = usedDevice(on)->allocate(least, what);
    bytes = least;
  }
};

/// Numbers of rows on a device, and what they are.
struct RowNumbers {
  std::vector<int32_t> rows;
  void *data = nullptr;
};

/// A dat's rows in units.
struct Shape {
  int bytes; ///< of a unit: 1, 2, 4, 8
  RowCount units, inner, step;
};

struct AllRows {
  /// By device and the address of the numbers; who has others there by now gets
  /// them anew.
  std::map<std::pair<int, int32_t const *>, RowNumbers> numbers;
  // On their way.
  Saved packed[kNumDevices];
  std::vector<char> values;
};
} // namespace

static AllRows &all() {
  static auto *theRows = new AllRows;
  return *theRows;
}

static Device &deviceOf(Dat const &dat) { return *usedDevice(dat.copyDevice); }

static int32_t const *numbersOn(Device &device,
                                std::vector<int32_t> const &rows) {
  RowNumbers &known = all().numbers[{device.number, rows.data()}];
  if (known.data && known.rows == rows)
    return static_cast<int32_t const *>(known.data);
  auto bytes = static_cast<int64_t>(rows.size() * sizeof(int32_t));
  device.release(known.data);
  known.data = device.allocate(bytes, "numbers of rows");
  known.rows = rows;
  device.upload(known.data, rows.data(), bytes);
  return static_cast<int32_t const *>(known.data);
}

static Shape shapeOf(Dat const &dat) {
  int component = dat.copyIsSoA ? dat.size / dat.dim : dat.size;
  Shape shape{8, 0, 0, 0};
  while (component % shape.bytes != 0)
    shape.bytes /= 2;
  shape.units = dat.size / shape.bytes;
  shape.inner = component / shape.bytes;
  shape.step = RowCount(dat.set->stride) * shape.inner;
  return shape;
}

template <bool IsPack, class Unit>
static void moveOnHost(void *packed, void *data, int32_t const *rows,
                       RowCount count, Shape const &shape) {
  for (RowCount n = 0; n < count; ++n)
    moveUnit<IsPack>(n, static_cast<Unit *>(packed), static_cast<Unit *>(data),
                     rows, shape.units, shape.inner, shape.step);
}

template <bool IsPack>
static void moveOnHost(void *packed, void *data, int32_t const *rows,
                       RowCount count, Shape const &shape) {
  switch (shape.bytes) {
  case 1:
    return moveOnHost<IsPack, uint8_t>(packed, data, rows, count, shape);
  case 2:
    return moveOnHost<IsPack, uint16_t>(packed, data, rows, count, shape);
  case 4:
    return moveOnHost<IsPack, uint32_t>(packed, data, rows, count, shape);
  default:
    return moveOnHost<IsPack, uint64_t>(packed, data, rows, count, shape);
  }
}

template <bool IsPack>
static void moveByKernel(void *packed, void *data, int32_t const *rows,
                         RowCount count, Shape shape) {
  static op2rt_device_image image = {OP2RT_ABI_VERSION, 0, kText, sizeof kText,
                                     nullptr};
  static constexpr int32_t kBytes[] = {8, 8, 8, 8, 8, 8, 8};
  auto describe = [](char const *pack, char const *unpack) {
    return op2rt_device_kernel{&image, IsPack ? pack : unpack, kBytes,
                               int64_t(std::size(kBytes)), nullptr};
  };
  static op2rt_device_kernel kernels[] = {
      describe("op2_pack_rows_1", "op2_unpack_rows_1"),
      describe("op2_pack_rows_2", "op2_unpack_rows_2"),
      describe("op2_pack_rows_4", "op2_unpack_rows_4"),
      describe("op2_pack_rows_8", "op2_unpack_rows_8")};
  constexpr int32_t kThreads = 256;
  void *args[] = {&packed,      &data,        &rows,      &count,
                  &shape.units, &shape.inner, &shape.step};
  launch(cudaDevice(), kernels[__builtin_ctz(unsigned(shape.bytes))],
         (count + kThreads - 1) / kThreads, kThreads, args);
}

/// Between the dat's copy and memory of its device.
template <bool IsPack>
static void move(Dat const &dat, std::vector<int32_t> const &rows,
                 void *packed) {
  Device &device = deviceOf(dat);
  Shape const shape = shapeOf(dat);
  RowCount count = RowCount(rows.size()) * shape.units;
  if (device.sharesHostMemory())
    moveOnHost<IsPack>(packed, dat.data_d, rows.data(), count, shape);
  else
    moveByKernel<IsPack>(packed, dat.data_d, numbersOn(device, rows), count,
                         shape);
}

static int64_t packedBytes(Dat const &dat, std::vector<int32_t> const &rows) {
  return int64_t(rows.size()) * dat.size;
}

/// visit(rows, place): those of copies on the device, and where they lie when
/// they are packed; the result: how long that is.
template <class Visit>
static int64_t forEach(std::vector<RowsOfDat> const &rows, int device,
                       Visit visit) {
  int64_t place = 0;
  for (RowsOfDat const &some : rows)
    if (some.storage->copyDevice == device && !some.rows->empty()) {
      visit(some, place);
      // Units of each begin at a multiple of their size.
      place += (packedBytes(*some.storage, *some.rows) + 7) / 8 * 8;
    }
  return place;
}

/// All rows of copies on a device, between these and where they are packed.
template <bool IsPack>
static void moveAll(std::vector<RowsOfDat> const &rows, Saved const &packed) {
  forEach(rows, packed.device, [&](RowsOfDat const &some, int64_t place) {
    move<IsPack>(*some.storage, *some.rows,
                 static_cast<char *>(packed.data) + place);
  });
}

/// transfer(packed, values, bytes) for each device that has some: memory there
/// and on the host for the rows, packed.
template <class Transfer>
static void forEachDevice(std::vector<RowsOfDat> const &rows,
                          Transfer transfer) {
  for (int device = 0; device < kNumDevices; ++device) {
    int64_t bytes = forEach(rows, device, [](RowsOfDat const &, int64_t) {});
    if (bytes == 0)
      continue;
    Saved &packed = all().packed[device];
    packed.require(device, bytes, "the buffer for rows of other ranks");
    std::vector<char> &values = all().values;
    values.resize(std::max(values.size(), std::size_t(bytes)));
    transfer(packed, values.data(), bytes);
  }
}

static void downloadRows(std::vector<RowsOfDat> const &rows) {
  forEachDevice(rows, [&](Saved &packed, char *values, int64_t bytes) {
    moveAll<true>(rows, packed);
    usedDevice(packed.device)->download(values, packed.data, bytes);
    forEach(rows, packed.device, [&](RowsOfDat const &some, int64_t place) {
      std::memcpy(some.values, values + place,
                  std::size_t(packedBytes(*some.storage, *some.rows)));
    });
  });
}

static void uploadRows(std::vector<RowsOfDat> const &rows) {
  forEachDevice(rows, [&](Saved &packed, char *values, int64_t bytes) {
    forEach(rows, packed.device, [&](RowsOfDat const &some, int64_t place) {
      std::memcpy(values + place, some.values,
                  std::size_t(packedBytes(*some.storage, *some.rows)));
    });
    usedDevice(packed.device)->upload(packed.data, values, bytes);
    moveAll<false>(rows, packed);
  });
}

static void saveRows(Dat const &dat, std::vector<int32_t> const &rows,
                     std::shared_ptr<void> &saved) {
  int64_t bytes = packedBytes(dat, rows);
  if (!saved)
    saved = std::make_shared<Saved>();
  auto &memory = *static_cast<Saved *>(saved.get());
  memory.require(dat.copyDevice, bytes,
                 "the buffer for rows at borders of ranks");
  if (bytes > 0)
    move<true>(dat, rows, memory.data);
}

static void downloadSaved(void const *saved, char *values, std::size_t bytes) {
  auto const &memory = *static_cast<Saved const *>(saved);
  if (bytes > 0)
    usedDevice(memory.device)
        ->download(values, memory.data, static_cast<int64_t>(bytes));
}

static void restoreRows(Dat const &dat, std::vector<int32_t> const &rows,
                        void const *saved) {
  auto const &memory = *static_cast<Saved const *>(saved);
  if (rows.empty())
    return;
  if (memory.device == dat.copyDevice)
    return move<false>(dat, rows, memory.data);
  std::vector<char> values(static_cast<std::size_t>(packedBytes(dat, rows)));
  downloadSaved(saved, values.data(), values.size());
  uploadRows({{&dat, &rows, values.data()}});
}

void op2::rt::forgetDeviceRows() {
  all().numbers.clear();
  for (Saved &packed : all().packed)
    packed.release();
}

[[gnu::constructor]] static void enterHooks() {
  hooks.downloadRows = downloadRows;
  hooks.uploadRows = uploadRows;
  hooks.saveRows = saveRows;
  hooks.restoreRows = restoreRows;
  hooks.downloadSaved = downloadSaved;
}
