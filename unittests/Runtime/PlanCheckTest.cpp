//===- PlanCheckTest.cpp - The checker finds planted faults -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include <algorithm>

using namespace op2::rt;
using namespace op2::test;

namespace {

class PlanCheckTest : public ::testing::Test {
protected:
  void SetUp() override {
    table = gridEdges(30, 30);
    ColumnSet set{900, {{table.data(), 2, 0}, {table.data(), 2, 1}}};
    input.size = static_cast<int64_t>(table.size()) / 2;
    input.blockSize = 64;
    input.what = OP2RT_PLAN_ELEMENT_COLORS;
    input.conflicts = {set};
    plan = buildPlan(input);
    ASSERT_TRUE(checkPlan(input, plan).empty());
    ASSERT_GE(plan.ncolors, 2);
  }

  void expectFault(char const *part) {
    auto faults = checkPlan(input, plan);
    ASSERT_FALSE(faults.empty()) << "expected: " << part;
    EXPECT_TRUE(std::any_of(faults.begin(), faults.end(),
                            [&](std::string const &fault) {
                              return fault.find(part) != fault.npos;
                            }))
        << "expected: " << part << "\ngot: " << faults[0];
  }

  std::vector<int> table;
  PlanInput input;
  Plan plan;
};

TEST_F(PlanCheckTest, ElementInTwoBlocks) {
  --plan.offset[3];
  expectFault("block 3: begins at element 191, expected 192");
}

TEST_F(PlanCheckTest, ElementInNoBlock) {
  --plan.nelems[3];
  expectFault("block 4: begins at");
}

TEST_F(PlanCheckTest, LastElementsMissing) {
  --plan.nelems.back();
  expectFault("blocks hold 1739 elements, expected 1740");
}

TEST_F(PlanCheckTest, EmptyBlock) {
  plan.nelems[0] = 0;
  expectFault("block 0: has 0 elements, expected 1..64");
}

TEST_F(PlanCheckTest, BlockTwice) {
  plan.blkmap[1] = plan.blkmap[0];
  expectFault("stands at two positions");
}

TEST_F(PlanCheckTest, BlockOutOfRange) {
  plan.blkmap[1] = static_cast<int32_t>(plan.nblocks);
  expectFault("blkmap[1]");
}

TEST_F(PlanCheckTest, BlocksOfOneColorMeet) {
  // Neighbouring blocks always have different colours here.
  std::swap(*std::find(plan.blkmap.begin(), plan.blkmap.end(), 0),
            *std::find(plan.blkmap.begin(), plan.blkmap.end(), 1));
  expectFault("meet in target");
}

TEST_F(PlanCheckTest, ElementsSaidToLieApartMeet) {
  input.apart = {{900, {{table.data(), 2, 0}}}};
  expectFault("elements 0 and 1 meet in target 0, though nothing conflicts");
}

TEST_F(PlanCheckTest, ColorsMerged) {
  plan.ncolblk = {static_cast<int32_t>(plan.nblocks)};
  plan.colorBegin = {0, plan.nblocks};
  plan.ncolors = 1;
  expectFault("of colour 0 meet in target");
}

TEST_F(PlanCheckTest, ColorSizesDoNotAddUp) {
  ++plan.ncolblk[0];
  expectFault("colour 1: begins at position");
}

TEST_F(PlanCheckTest, LastColorTooLarge) {
  ++plan.ncolblk.back();
  expectFault("colours hold 29 blocks, expected 28");
}

TEST_F(PlanCheckTest, EmptyColor) {
  plan.ncolblk[0] = 0;
  expectFault("colour 0: has 0 blocks");
}

TEST_F(PlanCheckTest, ElementsOfOneColorMeet) {
  plan.thrcol[1] = plan.thrcol[0]; // both edges leave node 0
  expectFault("elements 0 and 1 of colour 0 in block 0 meet in target 0");
}

TEST_F(PlanCheckTest, ElementColorOutOfRange) {
  plan.thrcol[5] = plan.nthrcol[0];
  expectFault("element 5 of block 0: colour");
}

TEST_F(PlanCheckTest, ElementColorsMissing) {
  plan.thrcol.clear();
  expectFault("element colours: an array has the wrong length");
}

TEST_F(PlanCheckTest, FaultsEndTheProgram) {
  --plan.nelems.back();
  EXPECT_EXIT(requireSoundPlan("res", input, plan), diesWith1(),
              "loop res: the plan is wrong, please report this:\n"
              "  blocks hold 1739 elements, expected 1740");
}

TEST_F(PlanCheckTest, MapOutOfRange) {
  table[10] = 900;
  expectFault("map: element 5, slot 0 is 900, expected 0..899");
}

TEST_F(PlanCheckTest, ConflictsIgnored) {
  plan = buildPlan([&] {
    PlanInput other = input;
    other.what |= OP2RT_PLAN_UNCOLORED;
    return other;
  }());
  expectFault("meet in target");
}

TEST_F(PlanCheckTest, PlanOfAnotherSize) {
  ++input.size;
  input.conflicts.clear();
  expectFault("made for 1740 elements");
}

TEST_F(PlanCheckTest, TrivialPlanDespiteConflicts) {
  PlanInput direct;
  direct.size = input.size;
  direct.blockSize = input.blockSize;
  plan = buildPlan(direct);
  expectFault("no colours, though arguments conflict");
}

//===----------------------------------------------------------------------===//
// Colours of the whole set
//===----------------------------------------------------------------------===//

class GlobalPlanCheckTest : public PlanCheckTest {
protected:
  void SetUp() override {
    PlanCheckTest::SetUp();
    input.what = OP2RT_PLAN_GLOBAL_COLORS;
    plan = buildPlan(input);
    ASSERT_TRUE(checkPlan(input, plan).empty());
  }
};

TEST_F(GlobalPlanCheckTest, ElementTwice) {
  plan.permutation[5] = plan.permutation[4];
  expectFault("expected each of 0..1739 once");
}

TEST_F(GlobalPlanCheckTest, ElementOutOfRange) {
  plan.permutation[5] = -1;
  expectFault("permutation[5] is -1");
}

TEST_F(GlobalPlanCheckTest, PermutationTooShort) {
  plan.permutation.pop_back();
  expectFault("permutation: has 1739 entries, expected 1740");
}

TEST_F(GlobalPlanCheckTest, ElementsOfOneColorMeet) {
  // Elements 0 and 1 are the edges of node 0, so their colours differ.
  auto zero = std::find(plan.permutation.begin(), plan.permutation.end(), 0);
  auto one = std::find(plan.permutation.begin(), plan.permutation.end(), 1);
  std::iter_swap(zero + 1, one);
  expectFault("elements 0 and 1 of colour 0 meet in target 0");
}

TEST_F(GlobalPlanCheckTest, BlockBeyondItsColor) {
  // The last block of the first colour takes an element of the second one.
  auto last = static_cast<std::size_t>(plan.colorBegin[1]) - 1;
  ASSERT_LT(plan.nelems[last], input.blockSize);
  ++plan.nelems[last];
  ++plan.offset[last + 1];
  --plan.nelems[last + 1];
  expectFault("of colour 0 meet in target");
}

TEST_F(GlobalPlanCheckTest, ShouldNotBeTrivial) {
  input.conflicts.clear();
  plan.trivial = true;
  expectFault("no colours");
}

} // namespace
