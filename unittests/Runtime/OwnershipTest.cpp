//===- OwnershipTest.cpp - Plans by owned targets ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/Ownership.h"
#include "Helpers.h"

#include <algorithm>
#include <random>

using namespace op2::rt;
using namespace op2::test;

namespace {

PlanInput inputOf(std::vector<int> const &table, int dim, int64_t targets,
                  int32_t parts) {
  ColumnSet set{targets, {}};
  for (int slot = 0; slot < dim; ++slot)
    set.columns.push_back({table.data(), dim, slot});
  PlanInput input;
  input.size = static_cast<int64_t>(table.size()) / dim;
  input.blockSize = 256;
  input.what = OP2RT_PLAN_OWNER;
  input.parts = parts;
  input.conflicts = {set};
  return input;
}

int64_t runsOf(Plan const &plan) {
  int64_t runs = 0;
  for (PlanPiece const &piece : plan.pieces)
    runs += piece.end - piece.begin;
  return runs;
}

TEST(OwnershipTest, RangesCoverTheSet) {
  for (int64_t size : {0, 1, 15, 16, 17, 1000, 2147483647})
    for (int64_t parts : {1, 2, 3, 7, 64, 1000}) {
      EXPECT_EQ(ownedBegin(size, 0, parts), 0);
      EXPECT_EQ(ownedBegin(size, parts, parts), size);
      for (int64_t part = 0; part < parts; ++part) {
        EXPECT_LE(ownedBegin(size, part, parts),
                  ownedBegin(size, part + 1, parts));
        EXPECT_EQ(ownedBegin(size, part, parts) % 16, 0);
      }
    }
}

class Parts : public ::testing::TestWithParam<int> {};

TEST_P(Parts, GridIsDivided) {
  auto table = gridEdges(20, 2000);
  PlanInput input = inputOf(table, 2, 40000, GetParam());
  Plan plan = buildChecked(input);
  ASSERT_TRUE(plan.isOwned());
  EXPECT_EQ(plan.nblocks, GetParam());
  EXPECT_EQ(plan.ncolors, 1);
  // Each border between two parts is crossed by one row of edges, about.
  EXPECT_LE(runsOf(plan) - input.size, (GetParam() - 1) * 3 * 20);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Parts, ::testing::Values(1, 2, 3, 5, 8, 64));

TEST(OwnershipTest, OnePartRunsEachElementOnceUnguarded) {
  auto table = gridEdges(20, 2000);
  PlanInput input = inputOf(table, 2, 40000, 1);
  Plan plan = buildChecked(input);
  ASSERT_EQ(plan.pieces.size(), 1u);
  EXPECT_FALSE(plan.pieces[0].is_guarded);
  EXPECT_EQ(plan.pieces[0].end, input.size);
}

TEST(OwnershipTest, MoreThanOneSetAndColumn) {
  auto edges = gridEdges(20, 2000);
  std::vector<int> pairs; // edge -> an element of a set half as large
  for (std::size_t n = 0; n < edges.size(); n += 2)
    pairs.push_back(edges[n] / 2);
  PlanInput input = inputOf(edges, 2, 40000, 7);
  input.conflicts.push_back({20000, {{pairs.data(), 1, 0}}});
  EXPECT_TRUE(buildChecked(input).isOwned());
}

TEST(OwnershipTest, ShuffledMeshIsColoredForAnyNumberOfParts) {
  auto table = gridEdges(20, 2000);
  std::vector<int> numbers(40000);
  for (int n = 0; n < 40000; ++n)
    numbers[n] = n;
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(1));
  for (int &target : table)
    target = numbers[target];
  for (int parts : {1, 2, 64}) {
    Plan plan = buildChecked(inputOf(table, 2, 40000, parts));
    EXPECT_FALSE(plan.isOwned());
    EXPECT_GE(plan.ncolors, 2);
  }
}

TEST(OwnershipTest, ElementsInRandomOrderAreColored) {
  // Each part would consist of pieces of an element or two.
  auto table = gridEdges(20, 2000);
  std::vector<std::pair<int, int>> edges;
  for (std::size_t n = 0; n < table.size(); n += 2)
    edges.emplace_back(table[n], table[n + 1]);
  std::shuffle(edges.begin(), edges.end(), std::mt19937(1));
  table.clear();
  for (auto [a, b] : edges)
    table.insert(table.end(), {a, b});
  EXPECT_FALSE(buildChecked(inputOf(table, 2, 40000, 2)).isOwned());
}

TEST(OwnershipTest, IsDoneAlwaysOrNeverIfAskedFor) {
  auto random = randomTable(3000, 3, 700, 1);
  PlanInput input = inputOf(random, 3, 700, 5);
  input.owning = Owning::Always;
  EXPECT_TRUE(buildChecked(input).isOwned());
  auto grid = gridEdges(20, 2000);
  input = inputOf(grid, 2, 40000, 5);
  input.owning = Owning::Never;
  EXPECT_FALSE(buildChecked(input).isOwned());
}

TEST(OwnershipTest, TargetsOnOneSideAreColored) {
  std::vector<int> table; // all elements reach the first tenth of the targets
  for (int n = 0; n < 40000; ++n)
    table.push_back(n / 10);
  EXPECT_FALSE(buildChecked(inputOf(table, 1, 40000, 2)).isOwned());
}

TEST(OwnershipTest, EmptySetsAndMorePartsThanTargets) {
  std::vector<int> none;
  EXPECT_EQ(buildChecked(inputOf(none, 2, 10, 4)).nblocks, 0);
  auto table = gridEdges(3, 3);
  EXPECT_FALSE(buildChecked(inputOf(table, 2, 9, 64)).isOwned());
}

TEST(OwnershipTest, WithoutConflictsItIsAPlainPlan) {
  std::vector<int> table(1000);
  PlanInput input = inputOf(table, 1, 1, 4);
  input.conflicts.clear();
  Plan plan = buildChecked(input);
  EXPECT_TRUE(plan.trivial);
  EXPECT_FALSE(plan.isOwned());
}

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

class OwnershipCheckTest : public ::testing::Test {
protected:
  void SetUp() override {
    table = gridEdges(20, 2000);
    input = inputOf(table, 2, 40000, 4);
    plan = buildChecked(input);
    ASSERT_TRUE(plan.isOwned());
  }

  void expectFault(char const *part) {
    auto faults = checkPlan(input, plan);
    ASSERT_FALSE(faults.empty()) << "expected: " << part;
    EXPECT_NE(faults[0].find(part), std::string::npos) << faults[0];
  }

  PlanPiece &guarded() {
    return *std::find_if(
        plan.pieces.begin(), plan.pieces.end(),
        [](PlanPiece const &piece) { return piece.is_guarded; });
  }

  std::vector<int> table;
  PlanInput input;
  Plan plan;
};

TEST_F(OwnershipCheckTest, ElementLeftOut) {
  --plan.pieces[0].end;
  expectFault("0 parts add to a target, expected 1");
}

TEST_F(OwnershipCheckTest, ElementTwice) {
  plan.pieces[1].begin -= 1;
  expectFault("part 0: has a piece from");
}

// Of another set of the same size.
TEST_F(OwnershipCheckTest, OtherCuts) {
  int64_t size = input.conflicts[0].targetSize;
  std::vector<int64_t> begins(static_cast<size_t>(plan.nblocks) + 1, size);
  begins[0] = 0;
  plan.cuts.push_back({size, begins});
  expectFault("part 1: begins at target");
}

TEST_F(OwnershipCheckTest, GuardMissing) {
  guarded().is_guarded = false;
  expectFault("runs it as its own, but owns 1 of 2 targets");
}

TEST_F(OwnershipCheckTest, ElementOfAnotherPart) {
  plan.pieces[plan.pieceBegin[1] - 1].end += 20;
  expectFault("but owns 0 of 2 targets");
}

TEST_F(OwnershipCheckTest, PartMissing) {
  plan.pieceBegin.pop_back();
  expectFault("plan: 4 parts, expected 4, or an array has the wrong length");
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

class OwnershipInterfaceTest : public ProgramTest {};

TEST_F(OwnershipInterfaceTest, PiecesAndRangesOfALoop) {
  auto table = gridEdges(20, 2000);
  int size = static_cast<int>(table.size() / 2);
  op_set nodes = op_decl_set(40000, "nodes");
  op_set edges = op_decl_set(size, "edges");
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  std::vector<double> zeros(40000);
  op_dat dat = op_decl_dat(nodes, 1, "double", zeros.data(), "dat");
  Loop loop("flux");
  loop.dat(dat, 0, map, OP_INC).dat(dat, 1, map, OP_INC);
  op2rt_loop *running = loop.begin(edges);
  op2rt_plan const *plan = op2rt_plan_get(running, 0, OP2RT_PLAN_OWNER);
  int64_t parts = op2rt_view(plan)->num_blocks, covered = 0;
  for (int64_t part = 0; part < parts; ++part) {
    EXPECT_EQ(op2rt_plan_owned_begin(plan, dat, part), covered);
    covered = op2rt_plan_owned_begin(plan, dat, part + 1);
    int64_t last = 0, begin, end;
    for (int64_t i = 0; i < numPieces(plan, part); ++i) {
      begin = pieceOf(plan, part, i).begin;
      end = pieceOf(plan, part, i).end;
      EXPECT_LE(last, begin);
      EXPECT_LT(begin, end);
      last = end;
    }
  }
  EXPECT_EQ(covered, 40000);
  EXPECT_EQ(op2rt_plan_owned_begin(plan, nullptr, 0), 0);
  op2rt_loop_end(running);
}

TEST_F(OwnershipInterfaceTest, ColoredBlocksAreOnePieceEach) {
  int table[] = {0, 0, 0};
  op_set nodes = op_decl_set(1, "nodes");
  op_set edges = op_decl_set(3, "edges");
  op_map map = op_decl_map(edges, nodes, 1, table, "map");
  double zero = 0;
  op_dat dat = op_decl_dat(nodes, 1, "double", &zero, "dat");
  Loop loop("sum");
  loop.dat(dat, 0, map, OP_INC);
  op2rt_loop *running = loop.begin(edges);
  op2rt_plan const *plan = op2rt_plan_get(running, 2, OP2RT_PLAN_OWNER);
  ASSERT_EQ(op2rt_view(plan)->num_blocks, 2);
  EXPECT_EQ(numPieces(plan, 1), 1);
  EXPECT_EQ(pieceOf(plan, 1, 0).begin, 2);
  EXPECT_EQ(pieceOf(plan, 1, 0).end, 3);
  EXPECT_EQ(pieceOf(plan, 1, 0).is_guarded, 0);
  op2rt_loop_end(running);
}

TEST_F(OwnershipInterfaceTest, WhoAsksForABlockSizeGetsBlocks) {
  auto table = gridEdges(20, 2000);
  op_set nodes = op_decl_set(40000, "nodes");
  op_set edges = op_decl_set(static_cast<int>(table.size() / 2), "edges");
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  std::vector<double> zeros(40000);
  op_dat dat = op_decl_dat(nodes, 1, "double", zeros.data(), "dat");
  Loop loop("flux");
  loop.dat(dat, 0, map, OP_INC).dat(dat, 1, map, OP_INC);
  EXPECT_TRUE(loop.plan(edges, 0, OP2RT_PLAN_OWNER)->isOwned());
  EXPECT_FALSE(loop.plan(edges, 512, OP2RT_PLAN_OWNER)->isOwned());
}

TEST_F(OwnershipInterfaceTest, OwnershipStandsAlone) {
  op_set nodes = op_decl_set(3, "nodes");
  double zeros[3] = {};
  op_dat dat = op_decl_dat(nodes, 1, "double", zeros, "dat");
  EXPECT_EXIT(
      {
        Loop loop("sum");
        loop.dat(dat, OP_RW);
        op2rt_plan_get(loop.begin(nodes), 0,
                       OP2RT_PLAN_OWNER | OP2RT_PLAN_ELEMENT_COLORS);
      },
      diesWith1(),
      "op2 error: loop sum: there is no plan of kind 9; expected "
      "OP2RT_PLAN_GLOBAL_COLORS, OP2RT_PLAN_OWNER or OP2RT_PLAN_OWNED_ROWS "
      "alone");
}

} // namespace
