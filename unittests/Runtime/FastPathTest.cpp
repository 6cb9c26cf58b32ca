//===- FastPathTest.cpp - Fast path of loops ------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose handles are known looks at next to nothing when it begins again.
// Whatever changes between two executions must still be seen.
//
//===----------------------------------------------------------------------===//

#include "Core/FastPath.h"
#include "Execute/Loop.h"
#include "FakeDeviceTest.h"
#include "Helpers.h"
#include "OP2/API/op_profile.h"

using namespace op2::test;
using namespace op2::rt;

namespace {

class FastPathTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    declare();
  }
  void declare() {
    cells = op_decl_set(1000, "cells");
    few = op_decl_set(10, "few");
    std::vector<int> last(1000, 9);
    map = op_decl_map(cells, few, 1, last.data(), "cell_few");
    other = op_decl_map(cells, few, 1, last.data(), "other");
    x = dat("x");
    y = dat("y");
  }
  op_dat dat(char const *name) {
    return op_decl_dat(few, 2, "double", static_cast<double *>(nullptr), name);
  }
  void restart() {
    op_exit();
    op_init(0, nullptr, 0);
    declare();
  }

  static op2rt_plan const *run(Loop &loop, op_set set) {
    return loop.plan(set, 0, OP2RT_PLAN_BLOCKS);
  }
  /// Until neither settings nor trials are left.
  static void settle(Loop &loop, op_set set) {
    letThreadsSettle(set);
    for (int n = 0; n < 50; ++n)
      run(loop, set);
    ASSERT_TRUE(isUsual(loop, set));
  }
  /// Does the loop begin without a look at anything?
  static bool isUsual(Loop &loop, op_set set) {
    op2rt_loop *running = loop.begin(set);
    LoopCall const *latest = running->state->latest;
    bool isKnown = running->call == latest && latest->isSettled;
    bool isQuiet = fastPath.pending == kInLoop;
    op2rt_loop_end(running);
    return isKnown && isQuiet && fastPath.pending == 0;
  }
  Loop &reading(Loop &loop) {
    return loop.dat(x, 0, map, OP_READ).global(&sum, 1, OP2RT_F64, OP_READ);
  }

  op_set cells, few;
  op_map map, other;
  op_dat x, y;
  double sum = 0;
};

TEST_F(FastPathTest, EveryExecutionCounts) {
  Loop loop("res");
  settle(reading(loop), cells);
  op2rt_loop *running = loop.begin(cells);
  LoopState const &state = *running->state;
  int64_t count = state.count;
  double bytes = state.bytes, seconds = state.seconds;
  op2rt_loop_end(running);
  EXPECT_EQ(state.count, count + 1);
  EXPECT_EQ(state.bytes, bytes + running->call->bytes);
  EXPECT_GT(state.seconds, seconds);
  EXPECT_EQ(OP_kernels[state.kernel].count, count + 1);
  EXPECT_EQ(OP_kernels[state.kernel].time, state.seconds);
}

TEST_F(FastPathTest, OtherHandlesAreOtherCalls) {
  Loop loop("res");
  settle(reading(loop), cells);
  loop.value(0).data = y;
  EXPECT_FALSE(isUsual(loop, cells));
  EXPECT_TRUE(isUsual(loop, cells));
  loop.value(0).map = other;
  EXPECT_FALSE(isUsual(loop, cells));
  EXPECT_TRUE(isUsual(loop, cells));
  EXPECT_EXIT(loop.begin(few), diesWith1(),
              "map other goes from set cells, but the loop runs over set few");
}

TEST_F(FastPathTest, FlagsAreOtherCalls) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_READ).optional(true);
  settle(loop, cells);
  loop.value(0) = {nullptr, nullptr, 0};
  EXPECT_FALSE(isUsual(loop, cells));
  EXPECT_TRUE(isUsual(loop, cells));
}

TEST_F(FastPathTest, GlobalsMayBeAnywhereButNowhere) {
  Loop loop("res");
  settle(reading(loop), cells);
  double another = 0;
  loop.value(1).data = &another;
  EXPECT_TRUE(isUsual(loop, cells));
  loop.value(1).data = nullptr;
  EXPECT_EXIT(loop.begin(cells), diesWith1(), "argument 1: ");
}

TEST_F(FastPathTest, FreedHandles) {
  op_dat temp = op_decl_dat_temp_char(few, 2, "double", 8, "temp");
  op_dat unused = op_decl_dat_temp_char(few, 2, "double", 8, "unused");
  Loop loop("res");
  loop.dat(temp, 0, map, OP_READ);
  settle(loop, cells);
  // All handles are looked at once more, and found alive.
  op_free_dat_temp(unused);
  LoopCall const *call = loop.begin(cells)->call;
  EXPECT_EQ(call->checkedAt, fastPath.freed);
  op2rt_loop_end(currentLoop());
  EXPECT_TRUE(isUsual(loop, cells));
  op_free_dat_temp(temp);
  EXPECT_EXIT(loop.begin(cells), diesWith1(),
              "argument 0: .* is not a living dat");
}

TEST_F(FastPathTest, HandlesOfAnEarlierProgram) {
  Loop loop("res");
  settle(reading(loop), cells);
  op_set old = cells;
  restart();
  EXPECT_EXIT(loop.begin(old), diesWith1(), "is not a living set");
}

TEST_F(FastPathTest, LoopInsideLoop) {
  Loop outer("outer"), inner("inner");
  settle(reading(outer), cells);
  settle(reading(inner), cells);
  op2rt_loop *running = outer.begin(cells);
  EXPECT_EXIT(inner.begin(cells), diesWith1(),
              "loop inner: started inside loop outer");
  op2rt_loop_end(running);
}

TEST_F(FastPathTest, BlockSizes) {
  Loop loop("res");
  loop.dat(x, 0, map, OP_INC);
  settle(loop, cells);
  EXPECT_EQ(run(loop, cells)->blockSize, 256);
  EXPECT_EQ(loop.plan(cells, 100)->blockSize, 100);
  EXPECT_EQ(run(loop, cells)->blockSize, 256);
  OP_part_size = 64;
  EXPECT_EQ(run(loop, cells)->blockSize, 64);
  OP_part_size = 0;
  EXPECT_EQ(run(loop, cells)->blockSize, 256);
  EXPECT_EQ(loop.plan(cells, 0, OP2RT_PLAN_GLOBAL_COLORS)->what,
            uint32_t(OP2RT_PLAN_GLOBAL_COLORS));
  op2rt_loop *running = loop.begin(cells);
  EXPECT_EXIT(op2rt_plan_get(running, -1, 0), diesWith1(), "block size is -1");
  op2rt_loop_end(running);
}

TEST_F(FastPathTest, Profiler) {
  Environment level("OP_PROFILE_LEVEL", "2");
  Loop loop("res");
  settle(reading(loop), cells);
  op_profile_start("program");
  run(loop, cells);
  run(loop, cells);
  op_profile_end();
  run(loop, cells);
  EXPECT_TRUE(isUsual(loop, cells));
  testing::internal::CaptureStdout();
  op_profile_output();
  EXPECT_NE(testing::internal::GetCapturedStdout().find(" 2 "),
            std::string::npos);
}

TEST_F(FastPathTest, Diagnostics) {
  Loop loop("res");
  settle(reading(loop), cells);
  testing::internal::CaptureStdout();
  run(loop, cells);
  OP_diags = 3;
  run(loop, cells);
  OP_diags = 0;
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "op2: loop res over cells\n");
}

TEST_F(FastPathTest, CheckModeOfTheNextProgram) {
  Loop loop("res");
  settle(reading(loop), cells);
  Environment check("OP2_CHECK", "1");
  restart();
  loop.value(0) = {x, map, 1};
  run(loop, cells);
  EXPECT_EQ(fastPath.pending, uint32_t(kChecking));
  unsetenv("OP2_CHECK");
  restart();
  loop.value(0) = {x, map, 1};
  settle(loop, cells);
}

TEST_F(FastPathTest, ValuesOnADevice) {
  Loop host("host"), device("device");
  host.dat(x, OP_RW);
  settle(host, few);
  device.dat(x, OP_RW).target(OP2RT_TARGET_EMULATOR);
  op2rt_loop *running = device.begin(few);
  auto *values = static_cast<double *>(op2rt_device_dat_soa(running, 0));
  ASSERT_NE(static_cast<void *>(values), x->data);
  values[3] = 42; // of element 3, component 0
  op2rt_loop_end(running);
  // The host gets it, and what it writes goes back.
  running = host.begin(few);
  auto *onHost = reinterpret_cast<double *>(op2rt_dat_data(x));
  EXPECT_EQ(onHost[2 * 3], 42);
  onHost[2 * 3] = 7;
  op2rt_loop_end(running);
  running = device.begin(few);
  EXPECT_EQ(static_cast<double *>(op2rt_device_dat_soa(running, 0))[3], 7);
  op2rt_loop_end(running);
  EXPECT_FALSE(isUsual(host, few));
  restart();
  EXPECT_FALSE(isPending(kCopies));
}

TEST_F(FastPathTest, TargetsOfTheNextProgram) {
  constexpr uint32_t both = 1u << OP2RT_TARGET_SEQ | 1u << OP2RT_TARGET_OPENMP;
  EXPECT_EQ(op2rt_select_target(both, "res"), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(op2rt_select_target(both, "res"), OP2RT_TARGET_OPENMP);
  EXPECT_EQ(op2rt_select_target(1u << OP2RT_TARGET_SEQ, "res"),
            OP2RT_TARGET_SEQ);
  EXPECT_EQ(op2rt_select_target(both, "res"), OP2RT_TARGET_OPENMP);
  Environment target("OP2_TARGET", "seq");
  restart();
  EXPECT_EQ(op2rt_select_target(both, "res"), OP2RT_TARGET_SEQ);
  EXPECT_EXIT(op2rt_select_target(0, "res"), diesWith1(),
              "OP2_TARGET=seq, but the loop was compiled for no target");
}

} // namespace
