//===- RegionsTest.cpp - Time of regions ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/Regions.h"
#include "gtest/gtest.h"

using namespace op2::rt;

/// Much more than the test takes.
static constexpr double kWork = 1000;

TEST(RegionsTest, TimeGoesWhereTheWorkWasCalledFor) {
  Region &all = startRegions("all");
  enterRegion("step");
  Region *step = currentRegion();
  enterRegion("first");
  Region *first = currentRegion();
  leaveRegion();
  EXPECT_EQ(currentRegion(), step);
  enterRegion("second");
  Region *second = currentRegion();
  // The work of the first one is done here, and so is that of the step itself.
  moveTime(kWork, first);
  moveTime(2 * kWork, step);
  moveTime(kWork, second);
  moveTime(kWork, nullptr);
  leaveRegion();
  leaveRegion();
  leaveRegion();
  EXPECT_EQ(currentRegion(), nullptr);
  EXPECT_NEAR(first->total, kWork, 100);
  EXPECT_NEAR(first->shortest(), kWork, 100);
  EXPECT_NEAR(second->total, -3 * kWork, 100);
  // What lies in the step stays in it.
  EXPECT_NEAR(step->total, 0, 100);
  EXPECT_NEAR(all.total, 0, 100);
}

TEST(RegionsTest, ShortestAndLongestVisit) {
  startRegions("all");
  for (double work : {1, 3, 2}) {
    enterRegion("a");
    Region *a = currentRegion();
    leaveRegion();
    enterRegion("b");
    moveTime(work * kWork, a);
    leaveRegion();
  }
  Region *a = currentRegion()->children.front().get();
  leaveRegion();
  EXPECT_EQ(a->visits, 3);
  EXPECT_NEAR(a->total, 6 * kWork, 100);
  EXPECT_NEAR(a->shortest(), kWork, 100);
  EXPECT_NEAR(a->longest(), 3 * kWork, 100);
  // Nothing is counted outside of the tree.
  moveTime(kWork, a);
  EXPECT_NEAR(a->total, 6 * kWork, 100);
}
