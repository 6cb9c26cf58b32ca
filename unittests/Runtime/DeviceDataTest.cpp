//===- DeviceDataTest.cpp - Newer copies of dats --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device/Device.h"
#include "FakeDeviceTest.h"

#include <cstdio>
#include <functional>

using namespace op2::test;

namespace {

using DeviceDataTest = FakeDeviceTest;

TEST_F(DeviceDataTest, UploadedOnce) {
  add(1);
  int after = uploads();
  EXPECT_EQ(after, 2); // x and the global
  add(1);
  EXPECT_EQ(uploads(), after);
  EXPECT_EQ(downloads(), 0);
  EXPECT_EQ(x->dirty_hd, 2);
}

// Atomic operations on a byte read and write the word that it is in.
TEST_F(DeviceDataTest, WholeWords) {
  op_set odd = op_decl_set(11, "odd");
  std::vector<char> zeros(11);
  op_dat bytes = op_decl_dat(odd, 1, "char", zeros.data(), "bytes");
  Loop loop("bytes");
  loop.dat(bytes, OP_RW).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(odd);
  EXPECT_EQ(fakeCudaBytes(op2rt_device_dat(running, 0)), 12);
  op2rt_loop_end(running);
}

TEST_F(DeviceDataTest, FetchDownloadsOnce) {
  std::vector<double> values(10);
  add(5);
  op_fetch_data(x, values.data());
  EXPECT_EQ(values[9], 14);
  EXPECT_EQ(x->dirty_hd, 0);
  op_fetch_data(x, values.data());
  EXPECT_EQ(downloads(), 1);
}

TEST_F(DeviceDataTest, EveryReaderSeesTheDevicesValues) {
  double values[10];
  std::string file = ::testing::TempDir() + "/op2-device-data-test";
  std::vector<std::function<double()>> readers = {
      [&] {
        op_fetch_data_idx(x, values, 0, 3);
        return values[0];
      },
      [&] {
        op2rt_fetch(x, OP2RT_F64, values, 10);
        return values[0];
      },
      [&] { return *reinterpret_cast<double *>(op_get_data_ptr(x)); },
      [&] { return *static_cast<double *>(op2rt_dat_data(x)); },
      [&] {
        op_download_dat(x);
        return *reinterpret_cast<double *>(x->data);
      },
      [&] { return first(); },
      [&] {
        op_print_dat_to_binfile(x, file.c_str());
        return *reinterpret_cast<double *>(x->data);
      },
      [&] {
        op_print_dat_to_txtfile(x, file.c_str());
        return *reinterpret_cast<double *>(x->data);
      },
      [&] {
        ::testing::internal::CaptureStdout();
        op_dump_dat(x);
        ::testing::internal::GetCapturedStdout();
        return *reinterpret_cast<double *>(x->data);
      }};
  double expected = 0;
  for (std::size_t n = 0; n < readers.size(); ++n) {
    add(1);
    EXPECT_EQ(readers[n](), ++expected) << "reader " << n;
  }
  std::remove(file.c_str());
}

TEST_F(DeviceDataTest, LoopOnTheCpuBetween) {
  Loop change("change");
  change.dat(x, OP_WRITE);
  add(1);
  op2rt_loop *loop = change.begin(set);
  static_cast<double *>(op2rt_dat_data(x))[0] *= 10;
  op2rt_loop_end(loop);
  EXPECT_EQ(x->dirty_hd, 1);
  add(1);
  EXPECT_EQ(first(), 11);
  // Reading leaves both copies good.
  int before = uploads();
  add(1);
  EXPECT_EQ(uploads(), before);
}

TEST_F(DeviceDataTest, EmulatedLoopsAreOnTheHost) {
  Loop change("change");
  change.dat(x, OP_RW).target(OP2RT_TARGET_EMULATOR);
  add(1);
  op2rt_loop *loop = change.begin(set);
  EXPECT_EQ(op2rt_device_dat(loop, 0), x->data);
  *static_cast<double *>(op2rt_device_dat(loop, 0)) *= 10;
  op2rt_loop_end(loop);
  add(1);
  EXPECT_EQ(first(), 11);
}

TEST_F(DeviceDataTest, UploadDatTakesTheHostsValues) {
  add(1);
  reinterpret_cast<double *>(x->data)[0] = 100;
  op_upload_dat(x);
  add(1);
  EXPECT_EQ(first(), 101);
}

TEST_F(DeviceDataTest, UploadAllKeepsWhatIsNewerOnTheDevice) {
  op_upload_dat(x); // not on the device yet: nothing to do
  add(1);
  op_upload_all();
  EXPECT_EQ(first(), 1);
  reinterpret_cast<double *>(x->data)[0] = 100;
  op_upload_all();
  add(1);
  EXPECT_EQ(first(), 101);
}

TEST_F(DeviceDataTest, ExchangedStorage) {
  std::vector<double> other(10, 50.0);
  add(1);
  EXPECT_EQ(first(), 1);
  char *own = x->data;
  x->data = reinterpret_cast<char *>(other.data());
  add(1);
  EXPECT_EQ(first(), 51);
  add(1);
  x->data = own;
  EXPECT_EXIT(first(), diesWith1(),
              "op2 error: dat x: its data pointer was changed "
              "while the newer values were on the device");
  op_upload_dat(x);
  EXPECT_EQ(first(), 1);
}

// A copy that is of this storage is not of what another dat wrote there.
TEST_F(DeviceDataTest, ExchangedBack) {
  op_dat a = x;
  std::vector<double> values(10, 100.0);
  op_dat b = op_decl_dat(set, 1, "double", values.data(), "b");
  auto addTo = [&](op_dat dat) {
    x = dat;
    add(1);
    op_download_dat(dat);
  };
  addTo(a);
  addTo(b);
  std::swap(a->data, b->data);
  addTo(a);
  std::swap(a->data, b->data);
  addTo(b);
  EXPECT_EQ(first(), 103);
  // Nor is what the host has if the newer values are in the other's copy.
  add(1);
  std::swap(a->data, b->data);
  EXPECT_EXIT(op_fetch_data(a, values.data()), diesWith1(),
              "op2 error: dat b: its data pointer was changed");
  // Both are the program's.
  *reinterpret_cast<double *>(a->data) = 7;
  op_upload_dat(a);
  op_upload_dat(b);
  x = a;
  add(1);
  EXPECT_EQ(first(), 8);
}

TEST_F(DeviceDataTest, StorageOfTheProgram) {
  finish();
  char program[] = "program", option[] = "OP_NO_REALLOC";
  char *arguments[] = {program, option, nullptr};
  op_init(2, arguments, 0);
  isRunning = true;
  std::vector<double> mine(10, 3.0);
  set = op_decl_set(10, "cells");
  x = op_decl_dat(set, 1, "double", mine.data(), "x");
  add(1);
  op_download_dat(x);
  EXPECT_EQ(mine[9], 4);
}

TEST_F(DeviceDataTest, MapsAreTransposedOnce) {
  std::vector<int> table = randomTable(10, 2, 10, 3);
  op_map map = op_decl_map(set, set, 2, table.data(), "pairs");
  Loop loop("gather");
  loop.dat(x, 0, map, OP_READ).target(OP2RT_TARGET_CUDA);
  op2rt_loop *running = loop.begin(set);
  int32_t const *copy = op2rt_device_map(running, 0);
  int after = uploads();
  EXPECT_EQ(op2rt_device_map(running, 0), copy);
  EXPECT_EQ(uploads(), after);
  op2rt_loop_end(running);
  op_download_dat(x);
  op2::rt::usedDevice(1)->download(table.data(), copy + 32, 10 * 4);
  EXPECT_EQ(table[9], map->map[9 * 2 + 1]);
  EXPECT_EQ(map->map_d, copy);
}

TEST_F(DeviceDataTest, GlobalsOfLoopsInFlight) {
  // Nothing waits between the loops: each must keep its own value.
  for (double amount : {1.0, 2.0, 4.0})
    add(amount);
  EXPECT_EQ(fakeCudaCalls("cuStreamSynchronize"), 0);
  EXPECT_EQ(uploads(), 4);
  EXPECT_EQ(first(), 7);
}

TEST_F(DeviceDataTest, ManyUploadsInFlight) {
  std::vector<double> amounts(4096);
  double sum = 0;
  Loop loop("many");
  loop.dat(x, OP_RW).global(amounts.data(), 4096, OP2RT_F64, OP_READ);
  loop.target(OP2RT_TARGET_CUDA);
  for (int round = 0; round < 100; ++round) {
    amounts[0] = round;
    sum += round;
    op2rt_loop *running = loop.begin(set);
    void *values = op2rt_device_dat(running, 0);
    void const *global = op2rt_device_global(running, 1);
    int64_t n = 10;
    void *params[] = {&values, &global, &n};
    op2rt_device_launch(running, &addKernel, 1, 32, 0, params);
    op2rt_loop_end(running);
  }
  EXPECT_EQ(first(), sum);
  EXPECT_LT(fakeCudaCalls("cuStreamSynchronize"), 10);
}

TEST_F(DeviceDataTest, TemporaryDats) {
  op_dat mine = x;
  add(1);
  int64_t before = op2::rt::usedDevice(1)->allocatedBytes();
  x = op_decl_dat_temp(set, 1, "double", static_cast<double *>(nullptr), "t");
  add(1);
  EXPECT_EQ(first(), 1);
  EXPECT_EQ(op2::rt::usedDevice(1)->allocatedBytes(), before + 80);
  op_free_dat_temp(x);
  EXPECT_EQ(op2::rt::usedDevice(1)->allocatedBytes(), before);
  x = mine;
  EXPECT_EQ(first(), 1);
}

TEST_F(DeviceDataTest, WrittenButNeverAskedFor) {
  Loop loop("nothing");
  loop.dat(x, OP_WRITE).target(OP2RT_TARGET_CUDA);
  op2rt_loop_end(loop.begin(set));
  EXPECT_EQ(x->dirty_hd, 0);
  add(1);
  op2rt_dat_data(x);
  Loop change("change");
  change.dat(x, OP_RW);
  op2rt_loop_end(change.begin(set));
  op2rt_loop_end(loop.begin(set));
  EXPECT_EQ(x->dirty_hd, 1);
}

} // namespace
