//===- PlanTest.cpp - Plans of all kinds of meshes --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include <omp.h>

using namespace op2::rt;
using namespace op2::test;

namespace {

constexpr uint32_t kColors = OP2RT_PLAN_ELEMENT_COLORS;

/// One table of `dim` columns; every column conflicts.
PlanInput inputOf(std::vector<int> const &table, int dim, int64_t targets,
                  int64_t blockSize, uint32_t what = kColors) {
  ColumnSet set{targets, {}};
  for (int slot = 0; slot < dim; ++slot)
    set.columns.push_back({table.data(), dim, slot});
  PlanInput input;
  input.size = static_cast<int64_t>(table.size()) / dim;
  input.blockSize = blockSize;
  input.what = what;
  input.conflicts = {set};
  return input;
}

struct Shape {
  int64_t size;
  int dim, targets, blockSize;
};

class RandomMesh : public ::testing::TestWithParam<Shape> {};

TEST_P(RandomMesh, PlanIsRight) {
  Shape shape = GetParam();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    auto table = randomTable(shape.size, shape.dim, shape.targets, seed);
    for (uint32_t what :
         {kColors, uint32_t(OP2RT_PLAN_GLOBAL_COLORS),
          uint32_t(OP2RT_PLAN_UNCOLORED), kColors | OP2RT_PLAN_UNCOLORED})
      buildChecked(
          inputOf(table, shape.dim, shape.targets, shape.blockSize, what));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RandomMesh,
    ::testing::Values(Shape{1, 1, 1, 1}, Shape{1, 2, 1, 1024},
                      Shape{7, 2, 5, 1}, Shape{1000, 2, 600, 1},
                      Shape{1000, 2, 600, 64}, Shape{5000, 4, 4000, 256},
                      Shape{4096, 3, 2000, 1024}, Shape{4097, 3, 2000, 1024},
                      Shape{3000, 2, 2000000, 128}, Shape{500, 2, 3, 32},
                      Shape{200, 8, 100000, 1000000}));

TEST(PlanTest, GridNeedsFewColors) {
  auto table = gridEdges(120, 100);
  Plan plan = buildChecked(inputOf(table, 2, 12000, 128));
  EXPECT_LE(plan.ncolors, 8);
  EXPECT_GE(plan.ncolors, 2);
  // Each node has four edges; greedy colouring needs at most seven colours.
  for (int32_t colors : plan.nthrcol)
    EXPECT_LE(colors, 7);
}

// Masks for the whole set of targets would have 8 GB.
TEST(PlanTest, FewElementsOfAHugeSet) {
  constexpr int kApart = 1000000;
  auto table = gridEdges(40, 50);
  std::vector<int> apart(table);
  for (int &target : apart)
    target *= kApart;
  for (uint32_t what :
       {uint32_t(OP2RT_PLAN_BLOCKS), uint32_t(OP2RT_PLAN_GLOBAL_COLORS)}) {
    Plan plan = buildPlan(inputOf(table, 2, 2000, 64, what));
    Plan same = buildPlan(inputOf(apart, 2, int64_t(2000) * kApart, 64, what));
    EXPECT_GT(plan.ncolors, 1);
    EXPECT_EQ(same.ncolors, plan.ncolors);
    EXPECT_EQ(same.blkmap, plan.blkmap);
    EXPECT_EQ(same.permutation, plan.permutation);
  }
}

TEST(PlanTest, EmptySetHasNoColors) {
  std::vector<int> table;
  Plan plan = buildChecked(inputOf(table, 2, 10, 64));
  EXPECT_EQ(plan.ncolors, 0);
  EXPECT_EQ(plan.nblocks, 0);
}

TEST(PlanTest, WithoutConflictsOneColorAndNoArrays) {
  PlanInput input;
  input.size = 2500;
  input.blockSize = 1000;
  Plan plan = buildChecked(input);
  EXPECT_TRUE(plan.trivial);
  EXPECT_EQ(plan.ncolors, 1);
  EXPECT_EQ(plan.nblocks, 3);
  EXPECT_EQ(plan.blockEnd(2), 2500);
  EXPECT_TRUE(plan.blkmap.empty());
}

TEST(PlanTest, MemoryOfTheArrays) {
  auto table = gridEdges(120, 100);
  Plan blocks =
      buildChecked(inputOf(table, 2, 12000, 128, uint32_t(OP2RT_PLAN_BLOCKS)));
  Plan colors = buildChecked(
      inputOf(table, 2, 12000, 128, uint32_t(OP2RT_PLAN_ELEMENT_COLORS)));
  EXPECT_EQ(memoryOf(blocks), blocks.nblocks * (8 + 4 + 4) +
                                  blocks.ncolors * 4 +
                                  (blocks.ncolors + 1) * 8);
  EXPECT_EQ(memoryOf(colors) - memoryOf(blocks),
            4 * colors.size + 4 * colors.nblocks);
  EXPECT_EQ(memoryOf(Plan()), 0);
}

// Every element reaches target 0, so no two blocks and no two elements of a
// block may have the same colour: several passes of 32 colours.
class Hub : public ::testing::TestWithParam<int> {};

TEST_P(Hub, EveryBlockHasItsOwnColor) {
  int blocks = GetParam();
  std::vector<int> table;
  for (int n = 0; n < blocks * 8; ++n)
    table.insert(table.end(), {0, 1 + n});
  Plan plan = buildChecked(inputOf(table, 2, 1 + blocks * 8, 8));
  EXPECT_EQ(plan.ncolors, blocks);
}

TEST_P(Hub, EveryElementHasItsOwnColor) {
  int elements = GetParam();
  std::vector<int> table(static_cast<std::size_t>(elements), 0);
  Plan plan = buildChecked(inputOf(table, 1, 1, 1024));
  ASSERT_EQ(plan.nblocks, 1);
  EXPECT_EQ(plan.nthrcol[0], elements);
  EXPECT_EQ(plan.ncolors, 1);
}

TEST_P(Hub, EveryElementHasItsOwnGlobalColor) {
  int elements = GetParam();
  std::vector<int> table(static_cast<std::size_t>(elements), 0);
  Plan plan =
      buildChecked(inputOf(table, 1, 1, 1024, OP2RT_PLAN_GLOBAL_COLORS));
  EXPECT_EQ(plan.ncolors, elements);
  EXPECT_EQ(plan.nblocks, elements);
}

TEST(PlanTest, GlobalColorsOfAGrid) {
  auto table = gridEdges(120, 100);
  Plan plan =
      buildChecked(inputOf(table, 2, 12000, 128, OP2RT_PLAN_GLOBAL_COLORS));
  EXPECT_LE(plan.ncolors, 7);
  EXPECT_GE(plan.ncolors, 4);
  // Only the last block of a colour is not full, and elements ascend.
  for (int32_t c = 0; c < plan.ncolors; ++c)
    for (int64_t p = plan.colorBegin[c]; p < plan.colorBegin[c + 1]; ++p) {
      if (p + 1 < plan.colorBegin[c + 1]) {
        EXPECT_EQ(plan.nelems[p], 128);
      }
      for (int64_t i = plan.blockBegin(p) + 1; i < plan.blockEnd(p); ++i)
        EXPECT_LT(plan.permutation[i - 1], plan.permutation[i]);
    }
}

TEST(PlanTest, GlobalColorsWithoutConflicts) {
  PlanInput input;
  input.size = 100;
  input.blockSize = 32;
  input.what = OP2RT_PLAN_GLOBAL_COLORS;
  Plan plan = buildChecked(input);
  EXPECT_EQ(plan.ncolors, 1);
  EXPECT_EQ(plan.nblocks, 4);
  EXPECT_EQ(plan.permutation[99], 99);
}

TEST(PlanTest, UncoloredBlocks) {
  auto table = gridEdges(120, 100);
  Plan plan = buildChecked(
      inputOf(table, 2, 12000, 128, kColors | OP2RT_PLAN_UNCOLORED));
  EXPECT_EQ(plan.ncolors, 1);
  EXPECT_EQ(plan.blkmap[50], 50);
  EXPECT_GT(plan.nthrcol[50], 1);
}

INSTANTIATE_TEST_SUITE_P(Colors, Hub,
                         ::testing::Values(1, 31, 32, 33, 64, 65, 100, 257));

// A hub for some, free elements between: the passes must not mix up.
TEST(PlanTest, HubAmongOrdinaryElements) {
  auto table = randomTable(6000, 2, 3000, 7);
  for (std::size_t n = 0; n < 6000; n += 3)
    table[2 * n] = 17;
  for (int64_t blockSize : {1, 8, 50, 512})
    buildChecked(inputOf(table, 2, 3000, blockSize));
}

TEST(PlanTest, DependsOnNoThreadNumber) {
  auto table = randomTable(20000, 3, 9000, 3);
  PlanInput input = inputOf(table, 3, 9000, 128);
  int before = omp_get_max_threads();
  omp_set_num_threads(1);
  Plan one = buildPlan(input);
  for (int threads : {2, 3, 8}) {
    omp_set_num_threads(threads);
    expectSamePlan(one, buildPlan(input));
  }
  omp_set_num_threads(before);
}

TEST(PlanTest, ElementColorsOnlyOnDemand) {
  auto table = gridEdges(20, 20);
  Plan plan = buildChecked(inputOf(table, 2, 400, 64, OP2RT_PLAN_BLOCKS));
  EXPECT_TRUE(plan.thrcol.empty());
  EXPECT_TRUE(plan.ownedSets.empty());
}

} // namespace
