//===- PlanKeyTest.cpp - Loops that share plans ---------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core/MapShape.h"
#include "Execute/LoopPlan.h"
#include "Helpers.h"

#include <algorithm>
#include <numeric>
#include <omp.h>

using namespace op2::rt;
using namespace op2::test;

namespace {

class PlanKeyTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    auto table = randomTable(300, 2, 200, 1);
    auto other = randomTable(300, 2, 200, 2);
    edges = op_decl_set(300, "edges");
    others = op_decl_set(300, "others");
    nodes = op_decl_set(200, "nodes");
    map = op_decl_map(edges, nodes, 2, table.data(), "map");
    map2 = op_decl_map(edges, nodes, 2, other.data(), "map2");
    mapOthers = op_decl_map(others, nodes, 2, table.data(), "mapOthers");
    a = dat(nodes, 1, "a");
    b = dat(nodes, 1, "b");
    wide = dat(nodes, 4, "wide");
    weight = dat(edges, 1, "weight");
  }
  static op_dat dat(op_set set, int dim, char const *name) {
    return op_decl_dat(set, dim, "double", static_cast<double *>(nullptr),
                       name);
  }
  op2rt_plan const *plan(int slotA, op_map mapA, int slotB, op_map mapB,
                         op_dat second, op_access access = OP_INC,
                         uint32_t what = OP2RT_PLAN_BLOCKS,
                         int64_t blockSize = 32) {
    Loop loop("loop");
    loop.dat(a, slotA, mapA, access).dat(second, slotB, mapB, access);
    return loop.plan(edges, blockSize, what);
  }

  op_set edges, others, nodes;
  op_map map, map2, mapOthers;
  op_dat a, b, wide, weight;
};

TEST_F(PlanKeyTest, SameArgumentsSamePlan) {
  EXPECT_EQ(plan(0, map, 1, map, a), plan(0, map, 1, map, a));
}

TEST_F(PlanKeyTest, SecondCallOfOneLoopFindsItsPlan) {
  Loop loop("loop");
  loop.dat(a, 0, map, OP_INC);
  EXPECT_EQ(loop.plan(edges, 32), loop.plan(edges, 32));
  EXPECT_NE(loop.plan(edges, 32), loop.plan(edges, 64));
}

TEST_F(PlanKeyTest, MapMatters) {
  EXPECT_NE(plan(0, map, 1, map, a), plan(0, map, 1, map2, a));
}

TEST_F(PlanKeyTest, SlotMatters) {
  EXPECT_NE(plan(0, map, 0, map, a), plan(0, map, 1, map, a));
}

TEST_F(PlanKeyTest, DatIdentityClassMatters) {
  // a at both ends conflicts between the ends, a and b do not.
  op2rt_plan const *same = plan(0, map, 1, map, a);
  op2rt_plan const *different = plan(0, map, 1, map, b);
  EXPECT_NE(same, different);
  // But which dats they are does not matter.
  Loop loop("loop");
  loop.dat(b, 0, map, OP_INC).dat(a, 1, map, OP_INC);
  EXPECT_EQ(loop.plan(edges, 32), different);
}

TEST_F(PlanKeyTest, BlockSizeMatters) {
  EXPECT_NE(plan(0, map, 1, map, a, OP_INC, OP2RT_PLAN_BLOCKS, 32),
            plan(0, map, 1, map, a, OP_INC, OP2RT_PLAN_BLOCKS, 33));
}

TEST_F(PlanKeyTest, WhatMatters) {
  auto *blocks = plan(0, map, 1, map, a);
  auto *colors = plan(0, map, 1, map, a, OP_INC, OP2RT_PLAN_ELEMENT_COLORS);
  auto *uncolored = plan(0, map, 1, map, a, OP_INC, OP2RT_PLAN_UNCOLORED);
  EXPECT_NE(blocks, colors);
  EXPECT_NE(colors, uncolored);
  EXPECT_NE(blocks, uncolored);
}

TEST_F(PlanKeyTest, SetMatters) {
  Loop one("one"), two("two");
  one.dat(a, 0, map, OP_INC);
  two.dat(a, 0, mapOthers, OP_INC);
  EXPECT_NE(one.plan(edges), two.plan(others));
}

TEST_F(PlanKeyTest, ActivityMatters) {
  Loop loop("loop");
  loop.dat(a, 0, map, OP_INC).dat(a, 1, map, OP_INC).optional(true);
  op2rt_plan const *on = loop.plan(edges, 32);
  loop.value(1).active = 0;
  op2rt_plan const *off = loop.plan(edges, 32);
  EXPECT_NE(on, off);
  // An argument that is off is as good as none.
  Loop single("single");
  single.dat(a, 0, map, OP_INC);
  EXPECT_EQ(off, single.plan(edges, 32));
}

TEST_F(PlanKeyTest, ReadersDoNotMatter) {
  Loop with("with"), without("without");
  with.dat(a, 0, map, OP_INC).dat(wide, 0, map2, OP_READ).dat(weight, OP_RW);
  without.dat(a, 0, map, OP_INC);
  EXPECT_EQ(with.plan(edges), without.plan(edges));
  EXPECT_EQ(with.plan(edges, 0, OP2RT_PLAN_ELEMENT_COLORS),
            without.plan(edges, 0, OP2RT_PLAN_ELEMENT_COLORS));
}

TEST_F(PlanKeyTest, DimDoesNotMatter) {
  Loop narrow("narrow"), broad("broad");
  narrow.dat(a, 0, map, OP_INC);
  broad.dat(wide, 0, map, OP_INC);
  EXPECT_EQ(narrow.plan(edges), broad.plan(edges));
}

TEST_F(PlanKeyTest, VectorArgumentEqualsItsSlots) {
  Loop vector("vector");
  vector.dat(a, 0, map, OP_INC, 2);
  EXPECT_EQ(vector.plan(edges, 32), plan(0, map, 1, map, a));
}

TEST_F(PlanKeyTest, WriteIsNotColored) {
  EXPECT_TRUE(plan(0, map, 1, map, a, OP_WRITE)->trivial);
  EXPECT_TRUE(plan(0, map, 1, map, a, OP_READ)->trivial);
  EXPECT_FALSE(plan(0, map, 1, map, a, OP_RW)->trivial);
  EXPECT_FALSE(plan(0, map, 1, map, a, OP_MIN)->trivial);
}

TEST_F(PlanKeyTest, DirectAndIndirectIncrementOfOneDatConflict) {
  // Element n changes itself and a neighbour.
  auto table = randomTable(200, 1, 200, 9);
  op_map next = op_decl_map(nodes, nodes, 1, table.data(), "next");
  Loop loop("loop");
  loop.dat(a, OP_INC).dat(a, 0, next, OP_INC);
  op2rt_loop *running = loop.begin(nodes);
  PlanInput input = planInput(*running, 8, OP2RT_PLAN_ELEMENT_COLORS);
  op2rt_loop_end(running);
  ASSERT_EQ(input.conflicts.size(), 1u);
  EXPECT_EQ(input.conflicts[0].columns.size(), 2u);
  EXPECT_TRUE(checkPlan(input, buildPlan(input)).empty());
}

TEST_F(PlanKeyTest, QueriesCoverEveryElementOnce) {
  op2rt_plan const *p = plan(0, map, 1, map, a);
  std::vector<int> visits(300);
  int64_t position = 0;
  for (int64_t c = 0; c < op2rt_view(p)->num_colors; ++c) {
    EXPECT_EQ(op2rt_view(p)->color_begin[c], position);
    for (; position < op2rt_view(p)->color_begin[c + 1]; ++position)
      for (int64_t n = op2rt_view(p)->pieces[position].begin;
           n < op2rt_view(p)->pieces[position].end; ++n)
        ++visits[n];
  }
  EXPECT_EQ(position, op2rt_view(p)->num_blocks);
  EXPECT_EQ(visits, std::vector<int>(300, 1));
}

TEST_F(PlanKeyTest, EmptySet) {
  op_set none = op_decl_set(0, "none");
  op_map from = op_decl_map(none, nodes, 2, nullptr, "from");
  Loop loop("loop"), direct("direct");
  loop.dat(a, 0, from, OP_INC);
  EXPECT_EQ(op2rt_view(loop.plan(none))->num_colors, 0);
  EXPECT_EQ(op2rt_view(loop.plan(none))->num_blocks, 0);
  EXPECT_EQ(op2rt_view(direct.plan(none))->num_colors, 0);
}

TEST_F(PlanKeyTest, PartSizeSetsTheDefault) {
  Loop loop("loop");
  loop.dat(a, 0, map, OP_INC);
  EXPECT_EQ(op2rt_view(loop.plan(edges))->num_blocks, 2); // of 256
  OP_part_size = 100;
  EXPECT_EQ(op2rt_view(loop.plan(edges))->num_blocks, 3);
  OP_part_size = 0;
  EXPECT_EXIT(loop.plan(edges, -1), diesWith1(), "block size is -1");
}

TEST_F(PlanKeyTest, ReportsAndChecksOnDemand) {
  OP_diags = 4;
  ::testing::internal::CaptureStdout();
  plan(0, map, 1, map, a, OP_INC, OP2RT_PLAN_ELEMENT_COLORS, 30);
  std::string text = ::testing::internal::GetCapturedStdout();
  OP_diags = 0;
  EXPECT_NE(text.find("op2: plan for loop loop over edges (300 elements): 10 "
                      "blocks of 30, "),
            text.npos)
      << text;
  EXPECT_NE(text.find(" bytes\n"), text.npos) << text;
}

TEST_F(PlanKeyTest, KindsOfColoring) {
  auto of = [&](uint32_t what, op_dat second) {
    return plan(0, map, 1, map, second, OP_INC, what);
  };
  op2rt_plan const *global = of(OP2RT_PLAN_GLOBAL_COLORS, a);
  EXPECT_NE(global, of(OP2RT_PLAN_BLOCKS, a));
  EXPECT_EQ(global, of(OP2RT_PLAN_GLOBAL_COLORS, a));
  EXPECT_EQ(global->permutation.size(), 300u);
  EXPECT_TRUE(of(OP2RT_PLAN_BLOCKS, a)->permutation.empty());
  // Nothing but the set and the block size matters.
  op2rt_plan const *uncolored = of(OP2RT_PLAN_UNCOLORED, a);
  EXPECT_EQ(op2rt_view(uncolored)->num_colors, 1);
  EXPECT_EQ(uncolored,
            plan(1, map2, 0, map2, wide, OP_RW, OP2RT_PLAN_UNCOLORED));
}

TEST_F(PlanKeyTest, KindsThatDoNotExist) {
  for (uint32_t what :
       {uint32_t(OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_ELEMENT_COLORS),
        uint32_t(OP2RT_PLAN_GLOBAL_COLORS | OP2RT_PLAN_UNCOLORED),
        uint32_t(OP2RT_PLAN_OWNER | OP2RT_PLAN_ELEMENT_COLORS),
        uint32_t(OP2RT_PLAN_OWNED_ROWS | OP2RT_PLAN_UNCOLORED), uint32_t(64)})
    EXPECT_EXIT(plan(0, map, 1, map, a, OP_INC, what), diesWith1(),
                "op2 error: loop loop: there is no plan of kind");
}

TEST_F(PlanKeyTest, ThreadsShareTheBlocksOfAColor) {
  op2rt_plan const *shared = plan(0, map, 1, map, a);
  ASSERT_GT(op2rt_view(shared)->num_colors, 1);
  for (int threads : {1, 2, 3, 5, 16}) {
    std::vector<int> runs(
        static_cast<std::size_t>(op2rt_view(shared)->num_blocks));
    std::vector<op2rt_range> ranges(static_cast<std::size_t>(threads));
    for (int64_t color = 0; color < op2rt_view(shared)->num_colors; ++color) {
#pragma omp parallel num_threads(threads)
      ranges[omp_get_thread_num()] = op2rt_plan_thread_range(shared, color);
      int64_t least = shared->nblocks, most = 0;
      for (op2rt_range const &range : ranges) {
        least = std::min(least, range.end - range.begin);
        most = std::max(most, range.end - range.begin);
        for (int64_t at = range.begin; at < range.end; ++at)
          ++runs[at];
      }
      EXPECT_LE(most - least, 1);
      EXPECT_EQ(ranges.front().begin, op2rt_view(shared)->color_begin[color]);
      EXPECT_EQ(ranges.back().end, op2rt_view(shared)->color_begin[color + 1]);
    }
    EXPECT_EQ(runs, std::vector<int>(runs.size(), 1)) << threads;
  }
  // Outside of a parallel region.
  EXPECT_EQ(op2rt_plan_thread_range(shared, 0).end,
            op2rt_view(shared)->color_begin[1]);
}

TEST_F(PlanKeyTest, PlanTimeIsBooked) {
  double before = OP_plan_time;
  plan(0, map, 1, map, a);
  double built = OP_plan_time;
  EXPECT_GT(built, before);
}

} // namespace

TEST(DefaultBlockSize, DependsOnTheSetOnly) {
  EXPECT_EQ(op2::rt::defaultBlockSize(0), 256);
  EXPECT_EQ(op2::rt::defaultBlockSize(2800), 256);
  EXPECT_EQ(op2::rt::defaultBlockSize(128 * 256), 256);
  EXPECT_EQ(op2::rt::defaultBlockSize(128 * 257), 512);
  EXPECT_EQ(op2::rt::defaultBlockSize(720000), 5632);
  EXPECT_EQ(op2::rt::defaultBlockSize(int64_t(1) << 40), 8192);
}

TEST(ScatteredBlockSize, LeavesManyBlocksOfAColor) {
  EXPECT_EQ(op2::rt::scatteredBlockSize(0), 32);
  EXPECT_EQ(op2::rt::scatteredBlockSize(20000), 32);
  EXPECT_EQ(op2::rt::scatteredBlockSize(1438600), 96);
  EXPECT_EQ(op2::rt::scatteredBlockSize(128 * 1024 * 1024), 1024);
  EXPECT_EQ(op2::rt::scatteredBlockSize(int64_t(1) << 40), 8192);
}

namespace {

/// Edges of a chain of nodes, in order or not.
class ScatteredPlanTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    edges = op_decl_set(kSize, "edges");
    nodes = op_decl_set(kSize + 1, "nodes");
    a = op_decl_dat(nodes, 1, "double", static_cast<double *>(nullptr), "a");
    std::vector<int> first(kSize);
    std::iota(first.begin(), first.end(), 0);
    ordered = declare(first);
    std::shuffle(first.begin(), first.end(), std::mt19937(1));
    shuffled = declare(first);
  }
  void TearDown() override {
    unsetenv("OP2_OWNER");
    OP_part_size = 0;
    ProgramTest::TearDown();
  }
  op_map declare(std::vector<int> const &first) {
    std::vector<int> table;
    for (int node : first) {
      table.push_back(node);
      table.push_back(node + 1);
    }
    return op_decl_map(edges, nodes, 2, table.data(), "map");
  }
  op2rt_plan const *plan(op_map map, op_access access = OP_INC,
                         uint32_t what = OP2RT_PLAN_BLOCKS,
                         int64_t blockSize = 0) {
    Loop loop("loop");
    loop.dat(a, 0, map, access).dat(a, 1, map, access);
    return loop.plan(edges, blockSize, what);
  }

  static constexpr int kSize = 20000;
  op_set edges, nodes;
  op_dat a;
  op_map ordered, shuffled;
};

TEST_F(ScatteredPlanTest, ManyBlocksOfEachColor) {
  EXPECT_EQ(plan(ordered)->blockSize, 256);
  op2rt_plan const *small = plan(shuffled);
  EXPECT_EQ(small->blockSize, 32);
  EXPECT_GE(small->nblocks, 16 * small->ncolors);
  op2rt_plan const *large =
      plan(shuffled, OP_INC, OP2RT_PLAN_BLOCKS, /*blockSize=*/256);
  EXPECT_GT(large->ncolors * 2, large->nblocks);
}

// Blocks of any size conflict there.
TEST_F(ScatteredPlanTest, LargeBlocksWhereAllLeadToAFew) {
  std::vector<int> table;
  for (int e = 0; e < kSize; ++e) {
    table.push_back(e * 7919 % 16);
    table.push_back(e + 1);
  }
  op_map hubs = op_decl_map(edges, nodes, 2, table.data(), "hubs");
  EXPECT_EQ(plan(hubs)->blockSize, 256);
  EXPECT_EQ(plan(hubs)->ncolors, plan(hubs)->nblocks);
}

// Few elements lead to one row, so that no sample shows it; but small blocks
// would have a colour for each two or three.
TEST_F(ScatteredPlanTest, LargeBlocksWhereSmallOnesMeet) {
  std::vector<int> table;
  for (int e = 0; e < kSize; ++e) {
    table.push_back(int(int64_t(e) * 7919 % kSize));
    table.push_back(e % 60 == 0 ? kSize : table.back() + 1);
  }
  op_map rare = op_decl_map(edges, nodes, 2, table.data(), "rare");
  EXPECT_FALSE(op2::rt::hasHubs(*rare));
  EXPECT_EQ(plan(rare)->blockSize, 256);
}

TEST_F(ScatteredPlanTest, OnlyConflictsCount) {
  EXPECT_EQ(plan(shuffled, OP_READ)->blockSize, 256);
}

TEST_F(ScatteredPlanTest, WhoAsksForASizeGetsIt) {
  OP_part_size = 128;
  EXPECT_EQ(plan(shuffled)->blockSize, 128);
}

TEST_F(ScatteredPlanTest, NobodyOwnsUnlessAskedTo) {
  EXPECT_TRUE(plan(ordered, OP_INC, OP2RT_PLAN_OWNER)->isOwned());
  EXPECT_FALSE(plan(shuffled, OP_INC, OP2RT_PLAN_OWNER)->isOwned());
  setenv("OP2_OWNER", "always", 1);
  op2::rt::forgetEnvironment();
  EXPECT_TRUE(plan(shuffled, OP_INC, OP2RT_PLAN_OWNER)->isOwned());
}

} // namespace
