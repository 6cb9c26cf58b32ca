//===- ChainStepsTest.cpp - When elements run, and their plans --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/ChainPlans.h"
#include "ChainProgram.h"
#include "Options.h"
#include "Plan/Ownership.h"

#include <algorithm>
#include <numeric>

using namespace op2::rt;
using namespace op2::test;

namespace {

//===----------------------------------------------------------------------===//
// The inspector
//===----------------------------------------------------------------------===//

MapColumn column(std::vector<int> const &table, int width = 1, int slot = 0) {
  return {table.data(), width, slot};
}

ChainLoop loopOf(int64_t size, std::vector<ChainAccess> accesses) {
  ChainLoop loop;
  loop.size = size;
  loop.accesses = std::move(accesses);
  return loop;
}

/// The step of each element; fails if one is missing.
std::vector<int32_t> stepsOf(ChainSteps const &steps, std::size_t loop,
                             int64_t size) {
  std::vector<int32_t> of(static_cast<std::size_t>(size), -1);
  for (int32_t step = 0; step < steps.numSteps; ++step)
    for (ElementRange const &range : steps.loops[loop].of(step))
      for (int64_t n = range.begin; n < range.end; ++n) {
        EXPECT_EQ(of[n], -1);
        of[n] = step;
      }
  EXPECT_EQ(std::count(of.begin(), of.end(), -1), 0);
  return of;
}

TEST(ChainStepsTest, ReadersFollowWriters) {
  // Each element of the second loop reads what one ten places on has written.
  std::vector<int> next(100);
  for (int n = 0; n < 100; ++n)
    next[n] = std::min(n + 10, 99);
  ChainInput input;
  input.rows = {100};
  input.numSteps = 5;
  input.loops = {loopOf(100, {{0, true, {}}}),
                 loopOf(100, {{0, false, column(next)}})};
  ChainSteps steps = findSteps(input);
  auto writers = stepsOf(steps, 0, 100), readers = stepsOf(steps, 1, 100);
  for (int n = 0; n < 100; ++n) {
    EXPECT_EQ(writers[n], n / 20);
    EXPECT_EQ(readers[n], writers[next[n]]);
  }
}

TEST(ChainStepsTest, WritersFollowReadersButReadersDoNot) {
  std::vector<int> next(100);
  for (int n = 0; n < 100; ++n)
    next[n] = std::max(n - 10, 0);
  ChainInput input;
  input.rows = {100};
  input.numSteps = 5;
  // Three loops that go on as they like, and one that waits for the first.
  input.loops = {loopOf(100, {{0, false, column(next)}}),
                 loopOf(100, {{0, false, {}}}), loopOf(100, {}),
                 loopOf(100, {{0, true, {}}})};
  ChainSteps steps = findSteps(input);
  auto first = stepsOf(steps, 0, 100), last = stepsOf(steps, 3, 100);
  for (int n = 0; n + 10 < 100; ++n)
    EXPECT_EQ(last[n], first[n + 10]);
  EXPECT_EQ(stepsOf(steps, 1, 100), first);
  EXPECT_EQ(stepsOf(steps, 2, 100), first);
}

TEST(ChainStepsTest, GranulesStayTogether) {
  ChainInput input;
  input.rows = {1000};
  input.numSteps = 10;
  input.loops = {loopOf(1000, {{0, true, {}}}), loopOf(1000, {{0, true, {}}})};
  input.loops[1].granule = 256;
  ChainSteps steps = findSteps(input);
  auto second = stepsOf(steps, 1, 1000);
  EXPECT_EQ(second[0], 2);
  EXPECT_EQ(second[255], 2);
  EXPECT_EQ(second[256], 5);
  EXPECT_EQ(second[999], 9);
}

TEST(ChainStepsTest, SmallSetsNeedNotKeepTheirOrder) {
  ChainInput input;
  input.rows = {3200};
  input.numSteps = 10;
  std::vector<int> places(60);
  for (int n = 0; n < 60; ++n)
    places[n] = n % 2 == 0 ? 3199 - n : n;
  input.loops = {loopOf(3200, {{0, true, {}}}),
                 loopOf(60, {{0, true, column(places)}}),
                 loopOf(3200, {{0, true, {}}})};
  ChainSteps steps = findSteps(input);
  auto small = stepsOf(steps, 1, 60);
  EXPECT_EQ(small[0], 9);
  EXPECT_EQ(small[1], 0);
  EXPECT_EQ(stepsOf(steps, 2, 3200)[0], 0);
  // Those that reduce must.
  input.loops[1].mustBeRange = true;
  steps = findSteps(input);
  EXPECT_EQ(stepsOf(steps, 1, 60)[1], 9);
  EXPECT_EQ(stepsOf(steps, 2, 3200)[1], 9);
}

TEST(ChainStepsTest, TooManyPiecesAreOneRangeInstead) {
  ChainInput input;
  input.rows = {32000};
  input.numSteps = 10;
  std::vector<int> places(1000);
  for (int n = 0; n < 1000; ++n)
    places[n] = n % 2 == 0 ? 31999 - n : n;
  input.loops = {loopOf(32000, {{0, true, {}}}),
                 loopOf(1000, {{0, true, column(places)}}),
                 loopOf(32000, {{0, true, {}}})};
  ChainSteps steps = findSteps(input);
  EXPECT_EQ(steps.loops[1].ranges.size(), 1u);
  EXPECT_EQ(stepsOf(steps, 1, 1000)[1], 9);
  EXPECT_EQ(stepsOf(steps, 2, 32000)[1], 9);
}

TEST(ChainStepsTest, ElementsOfOneRowKeepTheirOrder) {
  // The first element waits for row 3000, so the second one waits for it.
  std::vector<int> rows{0, 3000, 0, 1, 2, 3};
  ChainInput input;
  input.rows = {3200};
  input.numSteps = 8;
  input.loops = {loopOf(3200, {{0, true, {}}}),
                 loopOf(3, {{0, true, column(rows, 2, 0)},
                            {0, true, column(rows, 2, 1)}})};
  EXPECT_EQ(stepsOf(findSteps(input), 1, 3), (std::vector<int32_t>{7, 7, 0}));
}

TEST(ChainStepsTest, ImbalanceIsSeen) {
  ChainInput input;
  input.rows = {1000};
  input.numSteps = 10;
  std::vector<int> backwards(1000);
  for (int n = 0; n < 1000; ++n)
    backwards[n] = 999 - n;
  input.loops = {loopOf(1000, {{0, true, {}}}), loopOf(1000, {{0, true, {}}})};
  EXPECT_NEAR(imbalance(input, findSteps(input)), 1, 1e-9);
  EXPECT_EQ(reasonAgainst(input, findSteps(input)), "");
  input.loops[1].accesses[0].column = column(backwards);
  EXPECT_NEAR(imbalance(input, findSteps(input)), 5.5, 1e-9);
  EXPECT_EQ(reasonAgainst(input, findSteps(input)),
            "too much must wait for the last steps");
  input.numSteps = 2;
  EXPECT_EQ(reasonAgainst(input, findSteps(input)), "only 2 steps");
}

//===----------------------------------------------------------------------===//
// Parts of a step
//===----------------------------------------------------------------------===//

TEST(ChainStepsTest, PartsShareWhatTheStepReaches) {
  auto table = gridEdges(20, 2000);
  PlanInput input;
  input.size = static_cast<int64_t>(table.size() / 2);
  input.what = OP2RT_PLAN_OWNER;
  input.conflicts = {{40000, {column(table, 2, 0), column(table, 2, 1)}}};
  Plan plan;
  plan.size = input.size;
  divideByOwner(input, {{10000, 14000}, {15000, 15100}}, 4, plan);
  ASSERT_EQ(plan.nblocks, 4);
  ASSERT_EQ(plan.cuts.size(), 1u);
  EXPECT_EQ(plan.cuts[0].begins.front(), 0);
  EXPECT_EQ(plan.cuts[0].begins.back(), 40000);
  for (int64_t part = 0; part < 4; ++part) {
    int64_t elements = 0;
    for (int64_t p = plan.pieceBegin[part]; p < plan.pieceBegin[part + 1]; ++p)
      elements += plan.pieces[p].end - plan.pieces[p].begin;
    EXPECT_GT(elements, 900);
    EXPECT_LT(elements, 1200);
    EXPECT_EQ(ownedBegin(plan, 40000, part) % 16, 0);
  }
  EXPECT_EQ(ownedBegin(plan, 777, 4), 777); // a set without cuts
  EXPECT_GT(memoryOf(plan), 0);
}

TEST(ChainStepsTest, OneElementHasOneOwner) {
  std::vector<int> table{39999};
  PlanInput input;
  input.size = 1;
  input.what = OP2RT_PLAN_OWNER;
  input.conflicts = {{40000, {column(table)}}};
  Plan plan;
  divideByOwner(input, {{0, 1}}, 3, plan);
  ASSERT_EQ(plan.pieces.size(), 1u);
  EXPECT_FALSE(plan.pieces[0].isGuarded);
}

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

/// A loop that writes all rows, and one that adds to two of them.
class ChainCheckTest : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    setenv("OP2_OWNER", "always", 1);
    setenv("OP2_CHAIN_STEP", "500", 1);
    forgetEnvironment();
    auto table = gridEdges(20, 200);
    std::vector<double> zeros(4000);
    cells = op_decl_set(4000, "cells");
    edges = op_decl_set(static_cast<int>(table.size() / 2), "edges");
    op_map map = op_decl_map(edges, cells, 2, table.data(), "map");
    dat = op_decl_dat(cells, 1, "double", zeros.data(), "dat");
    calls = {makeCall(write, cells, {direct(dat)}, OP2RT_PLAN_BLOCKS),
             makeCall(add, edges, {through(map, dat), through(map, dat)},
                      OP2RT_PLAN_OWNER)};
    plans = makePlans(calls, findSteps(describeChain(calls, 3)), 3);
  }
  void TearDown() override {
    unsetenv("OP2_OWNER");
    unsetenv("OP2_CHAIN_STEP");
    ProgramTest::TearDown();
  }

  static std::shared_ptr<SiteCall const> makeCall(op2rt_loop_desc &desc,
                                                  op_set set,
                                                  std::vector<op2rt_arg> args,
                                                  uint32_t what) {
    auto call = std::make_shared<SiteCall>();
    call->args = std::move(args);
    op2rt_loop *loop = op2rt_loop_begin(&desc, set, call->args.data());
    call->plan = op2rt_plan_get(loop, 0, what);
    call->call = loop->state->calls.front();
    op2rt_loop_end(loop);
    call->desc = &desc;
    call->set = static_cast<Set *>(set);
    return call;
  }

  void expectFault(std::string const &text) {
    std::vector<std::string> faults = checkPlans(calls, plans);
    EXPECT_TRUE(std::any_of(faults.begin(), faults.end(),
                            [&](std::string const &fault) {
                              return fault.find(text) != std::string::npos;
                            }))
        << text << "; found " << faults.size() << ": "
        << (faults.empty() ? "" : faults[0]);
  }
  StepPlan &partOf(int32_t loop) {
    return *std::find_if(plans.begin(), plans.end(), [&](StepPlan const &part) {
      return part.loop == loop;
    });
  }

  static op2rt_arg_desc const writeArgs[], addArgs[];
  static op2rt_loop_desc write, add;
  op_set cells = nullptr, edges = nullptr;
  op_dat dat = nullptr;
  ChainCalls calls;
  ChainPlans plans;
};

op2rt_arg_desc const ChainCheckTest::writeArgs[] = {
    datArg(OP_WRITE, 1, OP2RT_DIRECT, 0)};
op2rt_arg_desc const ChainCheckTest::addArgs[] = {datArg(OP_INC, 1, 0, 0),
                                                  datArg(OP_INC, 1, 1, 0)};
op2rt_loop_desc ChainCheckTest::write = {OP2RT_ABI_VERSION,
                                         OP2RT_TARGET_OPENMP,
                                         "write",
                                         "",
                                         "test",
                                         1,
                                         writeArgs,
                                         nullptr};
op2rt_loop_desc ChainCheckTest::add = {OP2RT_ABI_VERSION,
                                       OP2RT_TARGET_OPENMP,
                                       "add",
                                       "",
                                       "test",
                                       2,
                                       addArgs,
                                       nullptr};

TEST_F(ChainCheckTest, GoodPlansPass) {
  EXPECT_EQ(plans.size(), 16u);
  EXPECT_TRUE(checkPlans(calls, plans).empty());
  requireSoundPlans(calls, plans);
  EXPECT_GT(repeatedElements(calls, plans), 0);
  EXPECT_LT(repeatedElements(calls, plans), 8 * 2 * 120);
}

TEST_F(ChainCheckTest, AMissingStep) {
  plans.pop_back();
  expectFault("is done 0 times; expected once");
  EXPECT_EXIT(requireSoundPlans(calls, plans), diesWith1(),
              "op2 error: chain of loops write, add: the steps are wrong, "
              "please report this:");
}

TEST_F(ChainCheckTest, StepsInTheWrongOrder) {
  std::swap(plans[2], plans[3]); // the second step of both
  expectFault("comes too late for a row that add has touched");
}

TEST_F(ChainCheckTest, ElementsInTheWrongOrder) {
  std::vector<PlanPiece> &pieces = partOf(1).plan->pieces;
  ASSERT_GE(pieces.size(), 2u);
  std::swap(pieces[0], pieces[1]);
  expectFault("loop add, element");
}

TEST_F(ChainCheckTest, AGuardThatIsNotThere) {
  for (StepPlan &part : plans)
    for (PlanPiece &piece : part.plan->pieces)
      piece.isGuarded = false;
  expectFault("adds to what its part does not own");
}

TEST_F(ChainCheckTest, AnElementThatIsNone) {
  partOf(0).plan->nelems.back() += 4000;
  expectFault("is not one of the loop's set");
}

TEST_F(ChainCheckTest, OverlaysAreOwnedAsWhatTheyLieOn) {
  op_set half = op_decl_set(2000, "half");
  op_dat overlay = op_decl_dat_overlay(half, dat);
  op2rt_plan const *plan = calls[1]->plan;
  for (int64_t part = 0; part <= plan->nblocks; ++part)
    EXPECT_EQ(op2rt_plan_owned_begin(plan, overlay, part),
              op2rt_plan_owned_begin(plan, dat, part));
}

} // namespace
