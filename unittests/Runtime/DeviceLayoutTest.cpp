//===- DeviceLayoutTest.cpp - Dats as structs of arrays ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Registry.h"
#include "Device/Device.h"
#include "FakeDeviceTest.h"

#include <algorithm>

using namespace op2::test;

namespace {

/// Waits until uploads have arrived in the memory of the fake driver, which is
/// the host's.
void arrive(void *copy) {
  char byte;
  if (op2::rt::Device *device = op2::rt::usedDevice(1))
    device->download(&byte, copy, 1);
}

/// A dat q of three components on 70 elements: component c of element e is
/// 10 * e + c.
class DeviceLayoutTest : public FakeDeviceTest,
                         public ::testing::WithParamInterface<int> {
protected:
  static constexpr int kSize = 70, kDim = 3, kStride = 96;

  void SetUp() override {
    FakeDeviceTest::SetUp();
    declare();
  }
  void declare() {
    for (int n = 0; n < kSize * kDim; ++n)
      values.push_back(10 * (n / kDim) + n % kDim);
    cells = op_decl_set(kSize, "cells");
    q = op_decl_dat(cells, kDim, "double:soa", values.data(), "q");
  }

  /// A loop with q on the device of this test, in a layout, that adds `amount`.
  void change(char const *name, bool asSoA, double amount) {
    Loop loop(name);
    loop.dat(q, OP_RW).target(GetParam());
    op2rt_loop *running = loop.begin(cells);
    auto *copy = static_cast<double *>(asSoA ? op2rt_device_dat_soa(running, 0)
                                             : op2rt_device_dat(running, 0));
    EXPECT_EQ(op2rt_device_dat_stride(running, 0), kStride);
    arrive(copy);
    for (int e = 0; e < kSize; ++e)
      for (int c = 0; c < kDim; ++c) {
        double &value = copy[asSoA ? c * kStride + e : e * kDim + c];
        EXPECT_EQ(value, values[e * kDim + c]) << e << ' ' << c;
        value += amount;
      }
    op2rt_loop_end(running);
    for (double &value : values)
      value += amount;
  }
  void expectValues() {
    std::vector<double> found(values.size());
    op_fetch_data(q, found.data());
    EXPECT_EQ(found, values);
  }
  static int64_t conversions(op_dat dat) {
    return static_cast<op2::rt::Dat *>(dat)->conversions;
  }

  std::vector<double> values;
  op_set cells = nullptr;
  op_dat q = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Targets, DeviceLayoutTest,
                         ::testing::Values(OP2RT_TARGET_CUDA,
                                           OP2RT_TARGET_EMULATOR));

TEST_P(DeviceLayoutTest, StructOfArrays) {
  change("first", true, 1);
  EXPECT_EQ(q->dirty_hd, 2);
  change("second", true, 1);
  expectValues();
  EXPECT_EQ(q->dirty_hd, 0);
  change("third", true, 1);
  expectValues();
  EXPECT_EQ(conversions(q), 0);
}

TEST_P(DeviceLayoutTest, LoopsThatDisagree) {
  change("soa", true, 1);
  change("aos", false, 1);
  EXPECT_EQ(conversions(q), 1);
  change("soa", true, 1);
  expectValues();
  change("aos", false, 1);
  change("aos", false, 1);
  expectValues();
}

TEST_P(DeviceLayoutTest, HostBetween) {
  change("soa", true, 1);
  Loop loop("host");
  loop.dat(q, OP_WRITE);
  op2rt_loop *running = loop.begin(cells);
  static_cast<double *>(op2rt_dat_data(q))[5] = values[5] = -1;
  op2rt_loop_end(running);
  EXPECT_EQ(q->dirty_hd, 1);
  change("soa", true, 1);
  expectValues();
  change("soa", true, 1);
  op_download_dat(q);
  reinterpret_cast<double *>(q->data)[7] = values[7] = -2;
  op_upload_dat(q);
  change("soa", true, 1);
  expectValues();
  // Nothing was converted for another loop's sake.
  EXPECT_EQ(conversions(q), 0);
}

TEST_P(DeviceLayoutTest, WrittenButNeverAskedFor) {
  change("soa", true, 1);
  Loop loop("host");
  loop.dat(q, OP_RW);
  op2rt_loop_end(loop.begin(cells));
  EXPECT_EQ(q->dirty_hd, 1);
  Loop nothing("nothing");
  nothing.dat(q, OP_WRITE).target(GetParam());
  op2rt_loop_end(nothing.begin(cells));
  EXPECT_EQ(q->dirty_hd, 1);
  expectValues();
}

TEST_P(DeviceLayoutTest, BothLayoutsAtOnce) {
  Loop loop("both");
  loop.dat(q, OP_READ).dat(q, OP_READ).target(GetParam());
  op2rt_loop *running = loop.begin(cells);
  op2rt_device_dat_soa(running, 0);
  EXPECT_EXIT(op2rt_device_dat(running, 1), diesWith1(),
              "loop both.*argument 1: dat q is used as a struct of arrays and "
              "as an array of structs in one execution");
  op2rt_loop_end(running);
}

TEST_P(DeviceLayoutTest, OneComponent) {
  Loop loop("scalar");
  loop.dat(x, OP_READ).target(GetParam());
  op2rt_loop *running = loop.begin(set);
  void *copy = op2rt_device_dat_soa(running, 0);
  EXPECT_EQ(op2rt_device_dat(running, 0), copy);
  if (GetParam() == OP2RT_TARGET_EMULATOR) {
    EXPECT_EQ(copy, x->data);
  }
  op2rt_loop_end(running);
}

TEST_P(DeviceLayoutTest, NotThere) {
  Loop loop("optional");
  loop.dat(q, OP_READ).optional(false).target(GetParam());
  op2rt_loop *running = loop.begin(cells);
  EXPECT_EQ(op2rt_device_dat_soa(running, 0), nullptr);
  EXPECT_EQ(op2rt_device_dat_stride(running, 0), 0);
  op2rt_loop_end(running);
}

TEST_P(DeviceLayoutTest, EmptySet) {
  op_set none = op_decl_set(0, "none");
  op_dat empty =
      op_decl_dat(none, 4, "double", static_cast<double *>(nullptr), "empty");
  Loop loop("empty");
  loop.dat(empty, OP_RW).target(GetParam());
  op2rt_loop *running = loop.begin(none);
  EXPECT_NE(op2rt_device_dat_soa(running, 0), nullptr);
  op2rt_loop_end(running);
  op_download_dat(empty);
}

TEST_P(DeviceLayoutTest, Reported) {
  restart(2);
  values.clear();
  declare();
  change("flux", true, 1);
  change("update", false, 1);
  ::testing::internal::CaptureStdout();
  finish();
  std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("op2: dat q was converted to another layout on the "
                      "device 1 times, 0.002 MB each, the last time for loop "
                      "update"),
            std::string::npos)
      << text;
}

TEST_F(FakeDeviceTest, CopiesMoveBetweenDevices) {
  op_dat y = op_decl_dat(set, 2, "int", static_cast<int *>(nullptr), "y");
  int expected = 0;
  for (int target : {OP2RT_TARGET_CUDA, OP2RT_TARGET_EMULATOR,
                     OP2RT_TARGET_EMULATOR, OP2RT_TARGET_CUDA}) {
    Loop loop("count");
    loop.dat(y, OP_RW).target(target);
    op2rt_loop *running = loop.begin(set);
    auto *copy = static_cast<int *>(op2rt_device_dat_soa(running, 0));
    if (target == OP2RT_TARGET_CUDA)
      arrive(copy);
    int &last = copy[32 + 9];
    EXPECT_EQ(last++, expected++);
    op2rt_loop_end(running);
  }
  int found[20];
  op_fetch_data(y, found);
  EXPECT_EQ(found[19], 4);
}

/// Every size of a component, and dats whose components have more bytes than
/// their type.
TEST_F(FakeDeviceTest, ComponentsOfAllSizes) {
  for (auto [bytes, type] : {std::pair(1, "bool"), std::pair(2, "short"),
                             std::pair(4, "int"), std::pair(8, "double")}) {
    std::vector<char> values(10 * 3 * bytes);
    std::iota(values.begin(), values.end(), 0);
    op_dat dat = op_decl_dat_char(set, 3, type, bytes, values.data(), type);
    Loop loop("move");
    loop.dat(dat, OP_RW).target(OP2RT_TARGET_EMULATOR);
    op2rt_loop *running = loop.begin(set);
    auto *copy = static_cast<char *>(op2rt_device_dat_soa(running, 0));
    for (int b = 0; b < bytes; ++b)
      EXPECT_EQ(copy[(2 * 32 + 9) * bytes + b],
                values[(9 * 3 + 2) * bytes + b]);
    op2rt_loop_end(running);
    std::vector<char> found(values.size());
    std::fill(dat->data, dat->data + found.size(), 0);
    op_download_dat(dat);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), dat->data));
  }
}

} // namespace
