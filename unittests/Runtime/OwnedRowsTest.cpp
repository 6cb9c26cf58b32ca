//===- OwnedRowsTest.cpp - Blocks that own rows -----------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/OwnedRows.h"
#include "Helpers.h"
#include "LoopDescriptions.h"

#include <algorithm>
#include <omp.h>
#include <random>

using namespace op2::rt;
using namespace op2::test;

namespace {

SumSlots slotsOf(std::vector<int> const &table, int dim, int64_t targets) {
  SumSlots sum{targets, {}, {}};
  for (int slot = 0; slot < dim; ++slot) {
    sum.columns.push_back({table.data(), dim, slot});
    sum.numbers.push_back(slot);
  }
  return sum;
}

PlanInput inputOf(std::vector<int> const &table, int dim, int64_t targets,
                  int64_t blockSize) {
  PlanInput input;
  input.size = static_cast<int64_t>(table.size()) / dim;
  input.blockSize = blockSize;
  input.what = OP2RT_PLAN_OWNED_ROWS;
  input.sums = {slotsOf(table, dim, targets)};
  return input;
}

/// What a device does: increment m of element n is the number that `value`
/// gives; sums that are not exact.
template <class Value>
std::vector<float> sumByBlocks(PlanInput const &input, Plan const &plan,
                               std::size_t s, Value value) {
  std::vector<float> sums(static_cast<std::size_t>(input.sums[s].targetSize));
  OwnedSet const &owned = plan.ownedSets[s];
  for (int64_t b = 0; b < plan.nblocks; ++b)
    for (int64_t r = 0; r < owned.sizes[b]; ++r) {
      uint16_t const *begin = &owned.sumBegin[owned.offsets[b] + b + r];
      for (int64_t i = begin[0]; i < begin[1]; ++i) {
        int64_t entry = owned.sumEntries[owned.sumOffs[b] + i];
        int32_t n = plan.permutation[plan.offset[b] + entry % plan.blockSize];
        sums[owned.targets[owned.offsets[b] + r]] +=
            value(n, entry / plan.blockSize);
      }
    }
  return sums;
}

template <class Value>
std::vector<float> sumInOrder(PlanInput const &input, std::size_t s,
                              Value value) {
  SumSlots const &sum = input.sums[s];
  std::vector<float> sums(static_cast<std::size_t>(sum.targetSize));
  for (int64_t n = 0; n < input.size; ++n)
    for (std::size_t c = 0; c < sum.columns.size(); ++c)
      sums[sum.columns[c][n]] += value(int32_t(n), sum.numbers[c]);
  return sums;
}

float inexact(int32_t n, int64_t m) {
  return 1.0f / static_cast<float>(3 * n + 7 * m + 1);
}

void expectSums(PlanInput const &input, Plan const &plan) {
  for (std::size_t s = 0; s < input.sums.size(); ++s)
    EXPECT_EQ(sumByBlocks(input, plan, s, inexact),
              sumInOrder(input, s, inexact));
}

class BlockSizes : public ::testing::TestWithParam<int> {};

TEST_P(BlockSizes, SumsOfAGridHaveTheOrderOfTheElements) {
  auto table = gridEdges(20, 200);
  PlanInput input = inputOf(table, 2, 4000, GetParam());
  Plan plan = buildChecked(input);
  EXPECT_GE(int64_t(plan.permutation.size()), input.size);
  expectSums(input, plan);
}

TEST_P(BlockSizes, SeveralSetsAndMissingNumbers) {
  auto table = gridEdges(20, 200);
  std::vector<int> pairs; // edge -> an element of a set half as large
  for (std::size_t n = 0; n < table.size(); n += 2)
    pairs.push_back(table[n] / 2);
  PlanInput input = inputOf(table, 2, 4000, GetParam());
  input.sums.push_back({2000, {{pairs.data(), 1, 0}}, {3}});
  expectSums(input, buildChecked(input));
}

INSTANTIATE_TEST_SUITE_P(Numbers, BlockSizes,
                         ::testing::Values(1, 2, 7, 32, 128, 1000, 10000));

TEST(OwnedRowsTest, OneColorUnlessARowHasMoreElementsThanABlock) {
  auto grid = gridEdges(20, 200);
  EXPECT_EQ(buildChecked(inputOf(grid, 2, 4000, 32)).ncolors, 1);
  std::vector<int> star(1000, 5); // all elements reach one target
  PlanInput input = inputOf(star, 1, 9, 32);
  Plan plan = buildChecked(input);
  EXPECT_EQ(plan.ncolors, 32);
  EXPECT_EQ(plan.nblocks, 32);
  expectSums(input, plan);
}

TEST(OwnedRowsTest, RandomMapsAndElementsThatReachARowTwice) {
  auto table = randomTable(3000, 3, 70, 1);
  for (std::size_t n = 0; n < table.size(); n += 6)
    table[n + 1] = table[n];
  PlanInput input = inputOf(table, 3, 70, 64);
  expectSums(input, buildChecked(input));
}

TEST(OwnedRowsTest, EmptySetsAndArgumentsThatAreOff) {
  std::vector<int> none;
  PlanInput input = inputOf(none, 1, 10, 32);
  EXPECT_EQ(buildChecked(input).nblocks, 0);
  std::vector<int> some = {1, 2, 3};
  input = inputOf(some, 1, 10, 32);
  input.sums[0] = {}; // nothing is added to: nothing runs
  EXPECT_EQ(buildChecked(input).nblocks, 0);
  EXPECT_EQ(buildChecked(input).ncolors, 0);
}

TEST(OwnedRowsTest, HandlesOfOneDatTakeTurnsElementByElement) {
  auto table = gridEdges(10, 20);
  PlanInput input = inputOf(table, 2, 200, 32);
  input.isOneByOne = true;
  Plan plan = buildChecked(input);
  EXPECT_EQ(*std::max_element(plan.nelems.begin(), plan.nelems.end()), 1);
  expectSums(input, plan);
}

TEST(OwnedRowsTest, ElementsTakeTurnsInTheirOrder) {
  auto table = gridEdges(20, 30);
  PlanInput input = inputOf(table, 2, 600, 32);
  input.isInOrder = true;
  Plan plan = buildChecked(input);
  EXPECT_EQ(plan.nblocks, input.size);
  EXPECT_EQ(plan.ncolors, input.size);
  EXPECT_TRUE(std::is_sorted(plan.permutation.begin(), plan.permutation.end()));
  expectSums(input, plan);
  std::swap(plan.permutation[3], plan.permutation[4]);
  std::string faults;
  checkOwnedRows(input, plan,
                 [&](std::string const &fault) { faults += fault + "\n"; });
  EXPECT_NE(faults.find("colour 4: is not the next element alone"),
            std::string::npos)
      << faults;
}

TEST(OwnedRowsTest, DoNotDependOnThreads) {
  auto table = gridEdges(200, 400); // several segments
  PlanInput input = inputOf(table, 2, 80000, 128);
  Plan plan = buildChecked(input);
  int before = omp_get_max_threads();
  omp_set_num_threads(before == 1 ? 3 : 1);
  Plan other = buildChecked(input);
  omp_set_num_threads(before);
  EXPECT_EQ(plan.permutation, other.permutation);
  EXPECT_EQ(plan.ownedSets[0].sumEntries, other.ownedSets[0].sumEntries);
}

TEST(OwnedRowsTest, CountsWhatABlockMayAdd) {
  std::vector<int> table = {0, 1};
  PlanInput input = inputOf(table, 2, 2, 1000);
  EXPECT_EQ(mostIncrements(input), 2000);
  input.sums[0].numbers = {3, 65};
  EXPECT_GT(mostIncrements(input), kMostIncrements);
}

// What one handle of a dat changes directly, another one looks at or adds to.
class OwnedRowsOfLoopsTest : public ProgramTest {
protected:
  void expectColors(Loop &loop, int colors) {
    op2rt_loop *running = loop.begin(set);
    EXPECT_EQ(op2rt_plan_get(running, 32, OP2RT_PLAN_OWNED_ROWS)->ncolors,
              colors);
    op2rt_loop_end(running);
  }
  std::vector<double> zeros = std::vector<double>(3);
  std::vector<int> table = {0, 1, 1, 2, 2, 0};
  op_set set = nullptr;
  op_map map = nullptr;
  op_dat dat = nullptr, other = nullptr;
  void SetUp() override {
    ProgramTest::SetUp();
    set = op_decl_set(3, "set");
    map = op_decl_map(set, set, 2, table.data(), "map");
    dat = op_decl_dat(set, 1, "double", zeros.data(), "dat");
    other = op_decl_dat(set, 1, "double", zeros.data(), "other");
  }
};

TEST_F(OwnedRowsOfLoopsTest, SharedRowsOfAnElementTakeTurns) {
  Loop apart("apart"), added("added"), written("written"), read("read");
  apart.dat(dat, 0, map, OP_INC).dat(other, OP_INC);
  expectColors(apart, 1);
  added.dat(dat, 0, map, OP_INC).dat(dat, OP_INC);
  expectColors(added, 3);
  written.dat(dat, 0, map, OP_INC).dat(other, OP_WRITE).dat(other, OP_READ);
  expectColors(written, 3);
  read.dat(dat, 0, map, OP_INC).dat(other, OP_INC).dat(other, 1, map, OP_READ);
  expectColors(read, 3);
}

using OwnedRowsDeathTest = ProgramTest;

TEST_F(OwnedRowsDeathTest, RefusesWhatItCannotHave) {
  requireNumbered("flux", INT32_MAX);
  EXPECT_EXIT(requireNumbered("flux", 3000000000), diesWith1(),
              "loop flux: its blocks have 3000000000 elements together, as "
              "those that reach rows of several blocks are in each of them");
  op_set set = op_decl_set(3, "set");
  int table[] = {0, 1, 1, 2, 2, 0};
  op_map map = op_decl_map(set, set, 2, table, "map");
  double zeros[3] = {};
  op_dat dat = op_decl_dat(set, 1, "double", zeros, "dat");
  auto plan = [&](bool isDirect, int64_t blockSize) {
    Loop loop("flux");
    if (isDirect)
      loop.dat(dat, OP_INC);
    else
      loop.dat(dat, 0, map, OP_INC).dat(dat, 1, map, OP_INC).group(0);
    return op2rt_plan_get(loop.begin(set), blockSize, OP2RT_PLAN_OWNED_ROWS);
  };
  EXPECT_EXIT(plan(true, 32), diesWith1(),
              "loop flux: adds to nothing through a map, so that no block has "
              "rows of its own");
  EXPECT_EXIT(plan(false, 65536), diesWith1(),
              "loop flux: blocks of 65536 elements add .* times to a dat; "
              "expected at most 65535 times: use smaller blocks");
}

/// That the check says so of a plan in which something has been changed.
template <class Change>
void expectFault(std::string const &expected, Change change) {
  static auto table = gridEdges(20, 20);
  PlanInput input = inputOf(table, 2, 400, 64);
  Plan plan = buildPlan(input);
  change(plan, plan.ownedSets[0]);
  std::vector<std::string> faults = checkPlan(input, plan);
  std::string first = faults.empty() ? "nothing" : faults.front();
  EXPECT_NE(first.find(expected), std::string::npos) << first;
}

TEST(OwnedRowsTest, CheckFindsWhatIsWrong) {
  expectFault("nothing", [](Plan &, OwnedSet &) {});
  expectFault("an array has the wrong length",
              [](Plan &, OwnedSet &rows) { rows.sumOffs.pop_back(); });
  expectFault("gets what element",
              [](Plan &, OwnedSet &rows) { ++rows.sumBegin[1]; });
  expectFault("elements from",
              [](Plan &plan, OwnedSet &) { --plan.nelems[0]; });
  expectFault("is out of range or order",
              [](Plan &plan, OwnedSet &) { plan.permutation[1] = 0; });
  expectFault("has entries of no block",
              [](Plan &plan, OwnedSet &) { plan.permutation.push_back(0); });
  expectFault("twice, or not in the order of the elements",
              [](Plan &, OwnedSet &rows) {
                std::swap(rows.sumEntries[0], rows.sumEntries[1]);
              });
  expectFault("that stands for nothing",
              [](Plan &, OwnedSet &rows) { rows.sumEntries[0] = 6400; });
  expectFault("is out of range",
              [](Plan &, OwnedSet &rows) { rows.targets[0] = -1; });
  expectFault("of its colour", [](Plan &, OwnedSet &rows) {
    rows.targets[rows.offsets[1]] = 0;
  });
  expectFault("increments are added, expected", [](Plan &, OwnedSet &rows) {
    std::size_t last = *(rows.sumBegin.end() - 2); // row without what it gets
    rows.sumBegin.pop_back();
    rows.sumEntries.resize(std::size_t(rows.sumOffs.back()) + last);
    rows.targets.pop_back();
    --rows.sizes.back();
  });
}

} // namespace
