//===- DeviceRowsTest.cpp - Some rows of a dat on a device ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the image in the library are what the fake driver finds; what
// they do the host does, by the same function.
//
//===----------------------------------------------------------------------===//

#include "Core/Copies.h"
#include "Device/DeviceData.h"
#include "Device/RowKernels.h"
#include "FakeDeviceTest.h"

#include <cstring>

using namespace op2::rt;
using namespace op2::test;

namespace {

template <bool IsPack, class Unit> void moveAll(FakeLaunch const &launch) {
  auto count = int64_t(launch.params[3]);
  EXPECT_GE(launch.blocks * launch.threads, count);
  EXPECT_LT((launch.blocks - 1) * launch.threads, count);
  for (int64_t n = 0; n < count; ++n)
    moveUnit<IsPack>(n, static_cast<Unit *>(launch.params[0]),
                     static_cast<Unit *>(launch.params[1]),
                     static_cast<int const *>(launch.params[2]),
                     RowCount(launch.params[4]), RowCount(launch.params[5]),
                     RowCount(launch.params[6]));
}

class DeviceRowsTest : public FakeDeviceTest {
protected:
  void SetUp() override {
    FakeDeviceTest::SetUp();
    fakeCudaKernel("op2_pack_rows_1", 7, moveAll<true, uint8_t>);
    fakeCudaKernel("op2_pack_rows_2", 7, moveAll<true, uint16_t>);
    fakeCudaKernel("op2_pack_rows_4", 7, moveAll<true, uint32_t>);
    fakeCudaKernel("op2_pack_rows_8", 7, moveAll<true, uint64_t>);
    fakeCudaKernel("op2_unpack_rows_1", 7, moveAll<false, uint8_t>);
    fakeCudaKernel("op2_unpack_rows_2", 7, moveAll<false, uint16_t>);
    fakeCudaKernel("op2_unpack_rows_4", 7, moveAll<false, uint32_t>);
    fakeCudaKernel("op2_unpack_rows_8", 7, moveAll<false, uint64_t>);
  }

  /// Rows go from a dat to the host, others back, some are saved and restored.
  template <class T> void tryRows(int dim, char const *type) {
    constexpr int kSize = 700; // several blocks of threads
    std::vector<T> values(std::size_t(kSize * dim));
    for (std::size_t n = 0; n < values.size(); ++n)
      values[n] = static_cast<T>(n * 7 + 1);
    Dat &dat = static_cast<Dat &>(
        *op_decl_dat(op_decl_set(kSize, type), dim, type, values.data(), type));
    makeDeviceCurrent(dat);
    deviceChanged(dat);
    std::vector<int32_t> rows, others = {5, 699, 0};
    for (int32_t row = kSize - 1; row > 1; row -= 2)
      rows.push_back(row);
    std::vector<T> packed(rows.size() * std::size_t(dim));
    hooks.downloadRows(
        {{&dat, &rows, reinterpret_cast<char *>(packed.data())}});
    for (std::size_t n = 0; n < packed.size(); ++n)
      EXPECT_EQ(
          packed[n],
          values[std::size_t(rows[n / std::size_t(dim)]) * std::size_t(dim) +
                 n % std::size_t(dim)]);
    std::shared_ptr<void> saved;
    hooks.saveRows(dat, others, saved);
    std::vector<T> zeros(3 * std::size_t(dim));
    hooks.uploadRows({{&dat, &others, reinterpret_cast<char *>(zeros.data())}});
    std::vector<T> found = fetch<T>(dat);
    EXPECT_EQ(found[0], 0);
    EXPECT_EQ(found[5 * std::size_t(dim)], 0);
    EXPECT_EQ(found.back(), 0);
    EXPECT_EQ(found[6 * std::size_t(dim)], values[6 * std::size_t(dim)]);
    deviceChanged(dat);
    hooks.restoreRows(dat, others, saved.get());
    EXPECT_EQ(fetch<T>(dat), values);
    hooks.downloadSaved(saved.get(), reinterpret_cast<char *>(zeros.data()),
                        zeros.size() * sizeof(T));
    EXPECT_EQ(zeros[std::size_t(dim)],
              values[values.size() - std::size_t(dim)]);
    // Other numbers where the same were before.
    rows.front() = 0;
    deviceChanged(dat);
    hooks.downloadRows(
        {{&dat, &rows, reinterpret_cast<char *>(packed.data())}});
    EXPECT_EQ(packed[0], values[0]);
  }

  template <class T> static std::vector<T> fetch(Dat &dat) {
    std::vector<T> values(std::size_t(dat.set->size * dat.dim));
    op_fetch_data(&dat, values.data());
    return values;
  }
};

TEST_F(DeviceRowsTest, RowsOfEachSize) {
  tryRows<double>(3, "double");
  tryRows<float>(1, "float");
  tryRows<short>(3, "short");
  tryRows<unsigned char>(5, "uchar");
}

TEST_F(DeviceRowsTest, RowsOfStructsOfArrays) {
  tryRows<double>(3, "double:soa");
  tryRows<float>(4, "float:soa");
  tryRows<short>(3, "short:soa");
}

// One copy to the host for rows of several dats, of sizes that leave gaps.
TEST_F(DeviceRowsTest, SeveralDatsTogether) {
  op_set set = op_decl_set(9, "set");
  std::vector<unsigned char> a(9 * 3);
  std::vector<double> b(9);
  std::iota(a.begin(), a.end(), static_cast<unsigned char>(1));
  std::iota(b.begin(), b.end(), 100.0);
  auto &first =
      static_cast<Dat &>(*op_decl_dat(set, 3, "uchar", a.data(), "a"));
  auto &second =
      static_cast<Dat &>(*op_decl_dat(set, 1, "double", b.data(), "b"));
  for (Dat *dat : {&first, &second}) {
    makeDeviceCurrent(*dat);
    deviceChanged(*dat);
  }
  std::vector<int32_t> const some = {8, 2, 5}, none, one = {7};
  std::vector<char> ofA(9), ofB(8);
  int before = downloads();
  hooks.downloadRows({{&first, &some, ofA.data()},
                      {&second, &none, nullptr},
                      {&second, &one, ofB.data()}});
  EXPECT_EQ(downloads(), before + 1);
  EXPECT_EQ(ofA, (std::vector<char>{25, 26, 27, 7, 8, 9, 16, 17, 18}));
  double value = 0;
  std::memcpy(&value, ofB.data(), sizeof value);
  EXPECT_EQ(value, 107);
  value = -1;
  std::memcpy(ofB.data(), &value, sizeof value);
  hooks.uploadRows({{&second, &one, ofB.data()}});
  b[7] = -1;
  EXPECT_EQ(fetch<double>(second), b);
}

TEST_F(DeviceRowsTest, OutOfMemory) {
  // Enough for dat y, and less than half of that for packed rows.
  Environment memory("OP2_FAKE_CUDA_MEMORY", "10000");
  restart(0);
  Dat &dat =
      static_cast<Dat &>(*op_decl_dat(op_decl_set(800, "many"), 1, "double",
                                      static_cast<double *>(nullptr), "y"));
  makeDeviceCurrent(dat);
  deviceChanged(dat);
  std::vector<int32_t> rows(600);
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<char> values(600 * sizeof(double));
  EXPECT_EXIT(hooks.downloadRows({{&dat, &rows, values.data()}}), diesWith1(),
              "out of device memory: the buffer for rows of other ranks needs "
              "4800 bytes");
  std::shared_ptr<void> saved;
  EXPECT_EXIT(hooks.saveRows(dat, rows, saved), diesWith1(),
              "out of device memory: the buffer for rows at borders of ranks "
              "needs 4800 bytes");
}

} // namespace
