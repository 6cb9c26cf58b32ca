//===- LimitsTest.cpp - Bottlenecks of loops ------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "API/Limits.h"
#include "Helpers.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace op2::rt;
using namespace op2::test;

namespace {

// 10 GB/s, 2 us.
constexpr MachineRate kMachine{10e9, 2e-6};

TEST(LimitsTest, TheFirstThatApplies) {
  // 100 executions of 1 ms with 9 MB each.
  LoopFigures loop{100, 0.1, 0.01, 0.9e9, 0.3};
  EXPECT_EQ(findLimit(loop, kMachine), "the memory");
  loop.bytes = 2e9;
  EXPECT_EQ(findLimit(loop, kMachine), "nothing, its data stay in the caches");
  loop.bytes = 0.5e9;
  EXPECT_EQ(findLimit(loop, kMachine),
            "the order of the mesh (OP2_RENUMBER=rcm)");
  loop.distance = 0.001;
  EXPECT_EQ(findLimit(loop, kMachine), "computation");
  loop.busySeconds = 100 * 15e-6;
  loop.planSeconds = 0;
  EXPECT_EQ(findLimit(loop, kMachine), "few elements: the start of threads");
  loop.planSeconds = 0.2;
  EXPECT_EQ(findLimit(loop, kMachine), "plans, for few executions");
}

TEST(LimitsTest, OfSeveralMeshesTheLargestCounts) {
  LoopState loop;
  EXPECT_EQ(distanceOf(loop), 0);
  for (double bytes : {10.0, 1e6, 100.0}) {
    loop.calls.push_back(std::make_shared<LoopCall>());
    loop.calls.back()->bytes = bytes;
    loop.calls.back()->distance = 1 / bytes;
  }
  EXPECT_EQ(distanceOf(loop), 1e-6);
}

TEST(LimitsTest, TheMachineIsMeasured) {
  MachineRate machine = measureMachine();
  EXPECT_GT(machine.bytesPerSecond, 1e7);
  EXPECT_GT(machine.startSeconds, 0);
  EXPECT_LT(machine.startSeconds, 1);
}

class LimitsTableTest : public ProgramTest {
protected:
  void TearDown() override {
    unsetenv("OP2_TIMING");
    ProgramTest::TearDown();
  }
  static std::string table() {
    std::string name = ::testing::TempDir() + "op2-limits";
    op_timing_output_2_file(name.c_str());
    std::ostringstream text;
    text << std::ifstream(name).rdbuf();
    return text.str();
  }
};

TEST_F(LimitsTableTest, EachLoopOnOpenMPHasOne) {
  op_set cells = op_decl_set(100, "cells");
  Loop loop("direct"), other("other");
  op_dat q = op_decl_dat(cells, 1, "double", (double *)nullptr, "q");
  loop.dat(q, OP_WRITE);
  other.dat(q, OP_READ).target(OP2RT_TARGET_SEQ);
  loop.plan(cells);
  op2rt_loop_end(other.begin(cells));
  EXPECT_EQ(table().find("Machine:"), std::string::npos);
  setenv("OP2_TIMING", "limits", 1);
  std::string text = table();
  EXPECT_NE(text.find("Machine: "), std::string::npos) << text;
  EXPECT_NE(text.find("%  direct (test): "), std::string::npos) << text;
  EXPECT_EQ(text.find("%  other"), std::string::npos) << text;
}

TEST_F(LimitsTableTest, OtherWordsAreErrors) {
  setenv("OP2_TIMING", "all", 1);
  EXPECT_EXIT(op_timing_output(), diesWith1(),
              "op2 error: OP2_TIMING=all: expected limits");
}

} // namespace
