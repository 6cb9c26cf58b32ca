//===- InterfaceTest.cpp - Fields that applications access ----------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists and global variables, overlays, loops written by hand, loops kept off
// the device.
//
//===----------------------------------------------------------------------===//

#include "Core/Error.h"
#include "FakeDeviceTest.h"

#include <climits>
#include <fstream>
#include <omp.h>

using namespace op2::test;

namespace {

class InterfaceTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    std::iota(std::begin(values), std::end(values), 0);
    set = op_decl_set(6, "cells");
    part = op_decl_set(4, "part");
    x = op_decl_dat(set, 2, "double", values, "x");
  }
  static double *valuesOf(op_dat dat) {
    return reinterpret_cast<double *>(dat->data);
  }

  double values[12];
  op_set set, part;
  op_dat x;
};

TEST_F(InterfaceTest, DatList) {
  op_dat temporary =
      op_decl_dat_temp(part, 1, "int", static_cast<int *>(nullptr), "t");
  op_decl_dat(part, 1, "bool", static_cast<bool *>(nullptr), "b");
  auto names = [] {
    std::string all;
    op_dat_entry *item;
    TAILQ_FOREACH(item, &OP_dat_list, entries)
    all += item->dat->name;
    return all;
  };
  EXPECT_EQ(names(), "xtb");
  EXPECT_EQ(TAILQ_FIRST(&OP_dat_list)->orig_ptr, values);
  EXPECT_EQ(search_dat(part, 1, "int", 4, "t"), temporary);
  EXPECT_EQ(op_free_dat_temp_char(temporary), 1);
  EXPECT_EQ(names(), "xb");
  EXPECT_EQ(search_dat(part, 1, "int", 4, "t"), nullptr);
}

TEST_F(InterfaceTest, ListsAreEmptyAfterExit) {
  op_exit();
  EXPECT_TRUE(TAILQ_EMPTY(&OP_dat_list));
  EXPECT_EQ(OP_kern_max, 0);
  op_init(0, nullptr, 0);
}

TEST_F(InterfaceTest, Kernels) {
  Loop loop("touch");
  loop.dat(x, OP_RW);
  for (int n = 0; n < 3; ++n)
    op2rt_loop_end(loop.begin(set));
  ASSERT_EQ(OP_kern_max, 1);
  EXPECT_STREQ(OP_kernels[0].name, "touch");
  EXPECT_EQ(OP_kernels[0].count, 3);
  EXPECT_GT(OP_kernels[0].time, 0);
  EXPECT_EQ(OP_kernels[0].transfer, 3 * 2 * 6 * 16);
}

TEST_F(InterfaceTest, MapsFrom64Bits) {
  long long table[] = {5, 0, 3, 2};
  op_map map = op_decl_map_long(part, set, 1, table, "map");
  EXPECT_EQ(map->map[2], 3);
  table[1] = 1LL << 40;
  EXPECT_EXIT(op_decl_map_long(part, set, 1, table, "far"), diesWith1(),
              "op_decl_map_long far: element 1, slot 0 is 1099511627776, which "
              "32 bits cannot hold");
  table[1] = 6;
  EXPECT_EXIT(op_decl_map_long(part, set, 1, table, "near"), diesWith1(),
              "op_decl_map_long near: element 1, slot 0 is 6; expected 0..5");
}

TEST_F(InterfaceTest, LargestSet) {
  EXPECT_EXIT(op_decl_set(INT_MAX, "all"), diesWith1(),
              "op_decl_set all: size is 2147483647; expected 0..2147483616");
}

//===----------------------------------------------------------------------===//
// Overlays
//===----------------------------------------------------------------------===//

TEST_F(InterfaceTest, OverlayOnTheSameStorage) {
  op_dat overlay = op_decl_dat_overlay(part, x);
  EXPECT_EQ(overlay->data, x->data);
  EXPECT_EQ(overlay->set, part);
  EXPECT_EQ(overlay->dim, 2);
  valuesOf(overlay)[7] = -1;
  double copy[8];
  op_fetch_data(overlay, copy);
  EXPECT_EQ(copy[7], -1);
  EXPECT_EQ(valuesOf(x)[7], -1);
  EXPECT_EQ(op_decl_dat_overlay_ptr(part, x->data)->data, x->data);
  EXPECT_EQ(
      op_decl_dat_overlay_ptr(part, reinterpret_cast<char *>(values))->data,
      x->data);
}

// The program may have freed the array of a dat that it declared before.
TEST_F(InterfaceTest, OverlayOnTheLatestDatOfAnArray) {
  op_dat later = op_decl_dat(x->set, 2, "double", values, "later");
  ASSERT_NE(later->data, x->data);
  EXPECT_EQ(
      op_decl_dat_overlay_ptr(part, reinterpret_cast<char *>(values))->data,
      later->data);
}

TEST_F(InterfaceTest, OverlayErrors) {
  op_dat overlay = op_decl_dat_overlay(part, x);
  EXPECT_EXIT(op_decl_dat_overlay(op_decl_set(7, "seven"), x), diesWith1(),
              "op_decl_dat_overlay x: set seven has 7 elements, but the dat's "
              "set cells only 6");
  EXPECT_EXIT(op_free_dat_temp(x), diesWith1(),
              "op_free_dat_temp x: an overlay on set part still uses its "
              "storage");
  EXPECT_EXIT(op_decl_dat_overlay_ptr(part, nullptr), diesWith1(),
              "no dat was declared with the values at");
  op_free_dat_temp(overlay);
  EXPECT_EQ(op_free_dat_temp(x), 1);
}

TEST_F(InterfaceTest, OverlayAndDatAreOneInALoop) {
  int identity[] = {0, 1, 2, 3};
  op_map toPart = op_decl_map(part, part, 1, identity, "toPart"),
         toAll = op_decl_map(part, set, 1, identity, "toAll");
  op_dat overlay = op_decl_dat_overlay(part, x);
  Loop loop("both");
  loop.dat(overlay, 0, toPart, OP_INC).dat(x, 0, toAll, OP_INC);
  op2rt_loop *running = loop.begin(part);
  EXPECT_EQ(op2rt_loop_is_alias_free(running), 0);
  // Each element conflicts with itself only: one colour is enough, but both
  // columns must have been looked at.
  int crossing[] = {1, 0, 3, 2};
  EXPECT_EQ(op2rt_view(op2rt_plan_get(running, 1, 0))->num_colors, 1);
  op2rt_loop_end(running);
  op_map crossed = op_decl_map(part, set, 1, crossing, "crossed");
  Loop second("crossed");
  second.dat(overlay, 0, toPart, OP_INC).dat(x, 0, crossed, OP_INC);
  running = second.begin(part);
  EXPECT_EQ(op2rt_view(op2rt_plan_get(running, 1, 0))->num_colors, 2);
  op2rt_loop_end(running);
}

// The program exchanges data pointers: an overlay is on what has its storage.
TEST_F(InterfaceTest, OverlayOfExchangedStorage) {
  op_dat y = op_decl_dat(set, 2, "double", (double *)nullptr, "y");
  op_dat overlay = op_decl_dat_overlay(part, x);
  int identity[] = {0, 1, 2, 3}, crossing[] = {1, 0, 3, 2};
  op_map toPart = op_decl_map(part, part, 1, identity, "toPart"),
         crossed = op_decl_map(part, set, 1, crossing, "crossed");
  Loop loop("both");
  loop.dat(overlay, 0, toPart, OP_INC).dat(y, 0, crossed, OP_INC);
  auto countColors = [&] {
    op2rt_loop *running = loop.begin(part);
    int colors = op2rt_view(op2rt_plan_get(running, 1, 0))->num_colors;
    op2rt_loop_end(running);
    return colors;
  };
  EXPECT_EQ(countColors(), 1);
  std::swap(x->data, y->data);
  EXPECT_EQ(countColors(), 2);
  EXPECT_EXIT(op_free_dat_temp(y), diesWith1(),
              "op_free_dat_temp y: an overlay on set part still uses its "
              "storage");
  EXPECT_EQ(op_free_dat_temp(x), 1);
  y->data = reinterpret_cast<char *>(values);
  EXPECT_EXIT(countColors(), diesWith1(),
              "overlay x on set part: no dat has its storage any more; "
              "expected the data pointer of dat y as it was, or exchanged "
              "with another dat on set cells of 16 bytes an element");
  y->data = overlay->data;
}

using InterfaceDeviceTest = FakeDeviceTest;

TEST_F(InterfaceDeviceTest, OverlaySharesTheDevicesCopy) {
  op_set part = op_decl_set(4, "part");
  op_dat overlay = op_decl_dat_overlay(part, x);
  add(1);
  std::vector<double> values(4);
  op_fetch_data(overlay, values.data());
  EXPECT_EQ(values[3], 4);
  // The host changes the overlay: the loop on the dat sees it.
  *reinterpret_cast<double *>(op_get_data_ptr(overlay)) = 50;
  add(1);
  EXPECT_EQ(first(), 51);
  EXPECT_EQ(uploads(), 3); // x, the global, x again
}

//===----------------------------------------------------------------------===//
// Loops written by hand
//===----------------------------------------------------------------------===//

TEST_F(InterfaceDeviceTest, HandWrittenLoopOnTheHost) {
  add(1);
  op_arg args[] = {op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW)};
  ASSERT_EQ(op_mpi_halo_exchanges(set, 1, args), 10);
  EXPECT_EQ(reinterpret_cast<double *>(args[0].data)[2], 3);
  reinterpret_cast<double *>(args[0].data)[0] = 7;
  op_mpi_wait_all(1, args);
  op_mpi_set_dirtybit(1, args);
  add(1);
  EXPECT_EQ(first(), 8);
}

TEST_F(InterfaceDeviceTest, OtherNamesOfUploadAndDownload) {
  auto *values = reinterpret_cast<double *>(x->data);
  add(1);
  op_get_dat(x);
  EXPECT_EQ(values[2], 3);
  add(1);
  op_cuda_get_data(x);
  EXPECT_EQ(values[2], 4);
  values[0] = 7;
  op_put_dat(x);
  add(1);
  EXPECT_EQ(first(), 8);
}

TEST_F(InterfaceDeviceTest, HandWrittenLoopsOfWrongLength) {
  EXPECT_EXIT(op_mpi_halo_exchanges(set, -3, nullptr), diesWith1(),
              "op_mpi_halo_exchanges: -3 arguments at .*; expected 0 or more, "
              "and not at NULL");
  EXPECT_EXIT(op_mpi_set_dirtybit(2, nullptr), diesWith1(),
              "op_mpi_set_dirtybit: 2 arguments at .*; expected 0 or more, "
              "and not at NULL");
  EXPECT_EQ(op_mpi_halo_exchanges(set, 0, nullptr), 10);
  EXPECT_EQ(getSetSizeFromOpArg(nullptr), 0);
}

TEST_F(InterfaceDeviceTest, HandWrittenLoopOnTheDevice) {
  int table[10] = {1};
  op_map map = op_decl_map(set, set, 1, table, "map");
  op_arg args[] = {op_arg_dat(x, 0, map, 1, "double", OP_WRITE),
                   op_opt_arg_dat(0, nullptr, -1, OP_ID, 1, "double", OP_READ)};
  ASSERT_EQ(op_mpi_halo_exchanges_grouped(set, 2, args, 2), 10);
  ASSERT_NE(args[0].data_d, nullptr);
  EXPECT_EQ(args[0].data_d, x->data_d);
  // The fake device's memory is the host's; uploads wait in its stream.
  deviceSync();
  EXPECT_EQ(args[0].map_data_d[0], 1);
  reinterpret_cast<double *>(args[0].data_d)[0] = 9;
  op_mpi_wait_all_grouped(2, args, 2);
  op_mpi_set_dirtybit_cuda(2, args);
  EXPECT_EQ(first(), 9);
}

TEST_F(InterfaceTest, HandWrittenLoopErrors) {
  op_arg args[] = {op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ)};
  EXPECT_EXIT(op_mpi_halo_exchanges_grouped(set, 1, args, 3), diesWith1(),
              "op_mpi_halo_exchanges_grouped: device is 3; expected 1 .host. "
              "or 2 .device.");
  args[0].dat = nullptr;
  EXPECT_EXIT(op_mpi_halo_exchanges(set, 1, args), diesWith1(),
              "op_mpi_halo_exchanges, argument 0: .* is not a living dat");
}

//===----------------------------------------------------------------------===//
// Loops kept off the device
//===----------------------------------------------------------------------===//

constexpr uint32_t kHostAndDevice =
    1u << OP2RT_TARGET_EMULATOR | 1u << OP2RT_TARGET_SEQ;

TEST(FallbackTest, DisabledByTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Environment target("OP2_TARGET", "emulator"), notStrict("OP2_STRICT", "0");
  op_init(0, nullptr, 0);
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "a"), OP2RT_TARGET_EMULATOR);
  op_disable_device_execution(true);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "a"), OP2RT_TARGET_SEQ);
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "a"), OP2RT_TARGET_SEQ);
  std::string said = ::testing::internal::GetCapturedStderr();
  std::string expected =
      "op2 warning: loop a runs on the host: the program keeps it off "
      "(OP_WHITELIST or op_disable_device_execution)";
  EXPECT_EQ(said.find(expected), 0U) << said;
  EXPECT_EQ(said.find(expected, 1), std::string::npos) << said;
  EXPECT_EXIT(op2rt_select_target(1u << OP2RT_TARGET_EMULATOR, "a"),
              diesWith1(),
              "loop a: may not run on the device: .*compiled for "
              "nothing else");
  op_disable_device_execution(false);
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "a"), OP2RT_TARGET_EMULATOR);
  op_exit();
}

TEST(FallbackTest, Whitelist) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::string file = ::testing::TempDir() + "/op2-whitelist";
  std::ofstream(file) << "res_.*\n\nupdate\n";
  Environment list("OP_WHITELIST", file), target("OP2_TARGET", "emulator"),
      mode("OP_FALLBACK_MODE", "silent");
  op_init(0, nullptr, 0);
  EXPECT_TRUE(op_check_whitelist("res_calc"));
  EXPECT_FALSE(op_check_whitelist("bres_calc"));
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "update"),
            OP2RT_TARGET_EMULATOR);
  EXPECT_EQ(op2rt_select_target(kHostAndDevice, "updates"), OP2RT_TARGET_SEQ);
  op_exit();
  {
    Environment error("OP_FALLBACK_MODE", "error");
    op_init(0, nullptr, 0);
    EXPECT_EXIT(op2rt_select_target(kHostAndDevice, "updates"), diesWith1(),
                "OP_FALLBACK_MODE=error");
    op_exit();
  }
  {
    Environment unknown("OP_FALLBACK_MODE", "perhaps");
    EXPECT_EXIT(
        op_init(0, nullptr, 0), diesWith1(),
        "OP_FALLBACK_MODE=perhaps: expected one of silent, warn, error");
  }
  {
    Environment unset("OP_FALLBACK_MODE", ""), strict("OP2_STRICT", "1");
    op_init(0, nullptr, 0);
    EXPECT_EXIT(op2rt_select_target(kHostAndDevice, "updates"), diesWith1(),
                "may not run on the device: .*; OP2_STRICT=1 makes that");
    op_exit();
  }
  {
    std::ofstream(file) << "ok\n(\n";
    EXPECT_EXIT(op_init(0, nullptr, 0), diesWith1(),
                "line 2: \"\\(\" is not a regular expression");
  }
  std::remove(file.c_str());
  EXPECT_EXIT(op_init(0, nullptr, 0), diesWith1(), "cannot read the file");
}

TEST(SettingsTest, AcceptedOptions) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  char name[] = "app", a[] = "OP_TEST_FREQ=7", b[] = "-gpudirect",
       c[] = "OP_PARTIAL_EXCHANGE", d[] = "OP_HYBRID_BALANCE=2.5",
       e[] = "OP_CUDA_REDUCTIONS_MIB=9", bad[] = "OP_HYBRID_BALANCE=x";
  char *argv[] = {name, a, b, c, d, e, nullptr};
  op_mpi_init(6, argv, 0, 0, 0);
  EXPECT_EQ(OP_mpi_test_frequency, 7);
  EXPECT_EQ(OP_gpu_direct, 1);
  EXPECT_EQ(OP_partial_exchange, 1);
  EXPECT_EQ(OP_hybrid_balance, 2.5);
  EXPECT_EQ(OP_cuda_reductions_mib, 9);
  op_exit();
  char *wrong[] = {name, bad, nullptr};
  EXPECT_EXIT(op_init(2, wrong, 0), diesWith1(),
              "OP_HYBRID_BALANCE=x: expected a number above 0");
}

void failInThreads() {
#pragma omp parallel num_threads(4)
  op2::rt::fatal(op2::Problem::Bug, "thread %d of 4", omp_get_thread_num());
}

TEST_F(InterfaceTest, OneOfSeveralThreadsEndsTheProgram) {
  EXPECT_EXIT(
      failInThreads(), diesWith1(),
      "^op2 error: thread [0-3] of 4 \\[op2-bug\\]\n  Please report [^\n]*\n$");
}

} // namespace
