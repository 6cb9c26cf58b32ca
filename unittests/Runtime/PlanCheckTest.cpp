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
    input.what = OP2RT_PLAN_ELEMENT_COLORS | OP2RT_PLAN_STAGE;
    input.conflicts = {set};
    input.stages = {set};
    input.stagedDats = {{0, 8}};
    input.stagedArgs = {{0, 0, 0, {0, 1}}};
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

TEST_F(PlanCheckTest, LocalMapWrong) {
  plan.stages[0].local16[1][7] ^= 1;
  expectFault("element 7: local number");
}

TEST_F(PlanCheckTest, LocalMapOutOfRange) {
  plan.stages[0].local16[0][7] = 60000;
  expectFault("element 7: local number 60000, expected 0..");
}

TEST_F(PlanCheckTest, IndMapOutOfRange) {
  plan.stages[0].indMap.back() = 900;
  expectFault("is 900, expected 0..899");
}

TEST_F(PlanCheckTest, IndMapNotAscending) {
  std::swap(plan.stages[0].indMap[2], plan.stages[0].indMap[3]);
  expectFault("block 0: ind_map[3] is not ascending");
}

TEST_F(PlanCheckTest, IndMapTooLong) {
  std::vector<int32_t> &entries = plan.stages[0].indMap;
  std::string size = std::to_string(entries.size());
  entries.push_back(899);
  expectFault(("staging: " + size + " entries in blocks, ").c_str());
  expectFault(" in ind_map");
}

TEST_F(PlanCheckTest, StagedSetMissing) {
  plan.stages.clear();
  expectFault("staging: 0 data sets, expected 1");
}

TEST_F(PlanCheckTest, LocalMapMissing) {
  plan.stages[0].local16.pop_back();
  expectFault("staging: the number of local maps is wrong");
}

TEST_F(PlanCheckTest, FaultsEndTheProgram) {
  --plan.nelems.back();
  EXPECT_EXIT(requireSoundPlan("res", input, plan), diesWith1(),
              "loop res: the plan is wrong, please report this:\n"
              "  blocks hold 1739 elements, expected 1740");
}

TEST_F(PlanCheckTest, IndMapWithUnusedEntry) {
  StagedSet &staged = plan.stages[0];
  staged.indMap.push_back(899);
  staged.indMap[staged.indMap.size() - 2] = 898;
  ++staged.indSizes.back();
  expectFault("is used by no element");
}

TEST_F(PlanCheckTest, IndOffsWrong) {
  ++plan.stages[0].indOffs[2];
  expectFault("block 2: stages entries from");
}

TEST_F(PlanCheckTest, SharedBytesWrong) {
  plan.nshared -= 16;
  expectFault("nshared is");
}

TEST_F(PlanCheckTest, MapOutOfRange) {
  table[10] = 900;
  expectFault("map: element 5, slot 0 is 900, expected 0..899");
}

TEST_F(PlanCheckTest, ConflictsIgnored) {
  plan = buildPlan([&] {
    PlanInput other = input;
    other.conflicts.clear();
    return other;
  }());
  expectFault("meet in target");
}

TEST_F(PlanCheckTest, PlanOfAnotherSize) {
  ++input.size;
  input.conflicts.clear();
  input.stages.clear();
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
    input.stages.clear();
    input.stagedDats.clear();
    input.stagedArgs.clear();
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
