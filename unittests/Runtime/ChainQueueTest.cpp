//===- ChainQueueTest.cpp - Loops that wait, and their globals --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainProgram.h"
#include "Execute/Loop.h"
#include "OP2/API/op_profile.h"

#include <functional>
#include <memory>
#include <new>
#include <numeric>

using namespace op2::rt;
using namespace op2::test;

namespace {

double *valuesOf(void *dat) {
  return reinterpret_cast<double *>(static_cast<op_dat>(dat)->data);
}

bool isMemoryShort = false;

// dat = value. values: set, dat, value
void runFill(void *const *values);
Site fillSite("fill",
              {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0), globalArg(OP_READ)},
              {kSet, kDat, kGlobal}, runFill);
void runFill(void *const *values) {
  if (isMemoryShort)
    throw std::bad_alloc();
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  double value = *static_cast<double *>(values[2]);
  runLoop(fillSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &, int n) { valuesOf(values[1])[n] = value; });
}

// total += dat. values: set, dat, total
void runSum(void *const *values);
Site sumSite("sum", {datArg(OP_READ, 1, OP2RT_DIRECT, 0), globalArg(OP_INC)},
             {kSet, kDat, kGlobal}, runSum);
void runSum(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  runLoop(sumSite.desc, static_cast<op_set>(values[0]), args, OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &place, int n) {
            *place.partial<double>(1) += valuesOf(values[1])[n];
          });
}

class ChainQueueTest : public ::testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  /// Starts the program, and lets both loops run once.
  void start(ChainProgram::Variables variables = {}) {
    variables.insert(variables.begin(), {"OP2_TUNE", "off"});
    program = std::make_unique<ChainProgram>(variables);
    declare();
    learn();
  }
  void declare() {
    set = op_decl_set(kSize, "set");
    std::vector<double> zeros(kSize);
    a = op_decl_dat(set, 1, "double", zeros.data(), "a");
    b = op_decl_dat(set, 1, "double", zeros.data(), "b");
  }
  void learn() {
    double value = 0;
    fillSite({set, a, &value});
    fillSite({set, b, &value});
    sumSite({set, a, &value});
    sumSite({set, b, &value});
    EXPECT_EQ(op2rt_pending, 0);
  }

  static constexpr int kSize = 1000;
  std::unique_ptr<ChainProgram> program;
  op_set set = nullptr;
  op_dat a = nullptr, b = nullptr;
};

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

TEST_F(ChainQueueTest, ValuesAreThoseOfTheCall) {
  start();
  double value = 3;
  EXPECT_TRUE(fillSite({set, a, &value}));
  value = 4;
  EXPECT_TRUE(fillSite({set, b, &value}));
  value = 5;
  EXPECT_EQ(op2rt_pending, 2);
  EXPECT_EQ(valuesOf(a)[7], 0);
  op2rt_flush(nullptr);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(valuesOf(a)[7], 3);
  EXPECT_EQ(valuesOf(b)[7], 4);
}

TEST_F(ChainQueueTest, ResultsAreStoredWhenTheChainHasRun) {
  start();
  double value = 2, total = 5;
  fillSite({set, a, &value});
  EXPECT_TRUE(sumSite({set, a, &total}));
  EXPECT_EQ(total, 5);
  op2rt_flush(nullptr);
  EXPECT_EQ(total, 5 + 2 * kSize);
}

TEST_F(ChainQueueTest, DroppedResultsAreNotStored) {
  start();
  double value = 2, totals[3] = {5, 6, 7};
  fillSite({set, a, &value});
  EXPECT_TRUE(sumSite({set, a, &totals[1]}));
  op2rt_drop(&totals[1], sizeof(double));
  totals[1] = 100;
  // Nothing waits for the variable any more: its value is the program's.
  EXPECT_TRUE(sumSite({set, a, &totals[1]}));
  EXPECT_EQ(op2rt_pending, 3);
  op2rt_flush(nullptr);
  EXPECT_EQ(totals[1], 100 + 2 * kSize);
  // Among others.
  EXPECT_TRUE(sumSite({set, a, &totals[1]}));
  op2rt_drop(totals, sizeof totals);
  op2rt_flush(nullptr);
  EXPECT_EQ(totals[1], 100 + 2 * kSize);
}

TEST_F(ChainQueueTest, PartOfAResultCannotBeDropped) {
  start();
  double value = 2, total = 5;
  fillSite({set, a, &value});
  EXPECT_TRUE(sumSite({set, a, &total}));
  op2rt_drop(&total, 4);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(total, 5 + 2 * kSize);
}

TEST_F(ChainQueueTest, WhatALoopReadsMayBeDropped) {
  start();
  double value = 2;
  EXPECT_TRUE(fillSite({set, a, &value}));
  op2rt_drop(&value, 4);
  EXPECT_EQ(op2rt_pending, 1);
}

TEST_F(ChainQueueTest, AGlobalThatAWaitingLoopChangesComesFirst) {
  start();
  double value = 2, total = 0;
  fillSite({set, a, &value});
  EXPECT_TRUE(sumSite({set, a, &total}));
  EXPECT_TRUE(fillSite({set, b, &total}));
  EXPECT_EQ(op2rt_pending, 1);
  EXPECT_EQ(total, 2 * kSize);
  op2rt_flush(nullptr);
  EXPECT_EQ(valuesOf(b)[0], 2 * kSize);
}

TEST_F(ChainQueueTest, AGlobalInADatThatAWaitingLoopChangesComesFirst) {
  start();
  double value = 2;
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(fillSite({set, b, &valuesOf(a)[5]}));
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_flush(nullptr);
  EXPECT_EQ(valuesOf(b)[0], 2);
}

TEST_F(ChainQueueTest, AResultInADatComesBeforeLoopsOnTheDat) {
  start();
  double value = 2;
  fillSite({set, a, &value});
  op2rt_flush(nullptr);
  EXPECT_TRUE(sumSite({set, a, &valuesOf(b)[3]}));
  double total = 0;
  EXPECT_TRUE(sumSite({set, b, &total}));
  EXPECT_EQ(op2rt_pending, 1);
  op2rt_flush(nullptr);
  EXPECT_EQ(total, 2 * kSize);
}

TEST_F(ChainQueueTest, AGlobalInADatOfItsOwnLoopDoesNotWait) {
  start();
  EXPECT_FALSE(fillSite({set, a, &valuesOf(a)[5]}));
}

// dat = table[0]. values: set, dat, table of 64 KiB and one value
void runTable(void *const *values);
Site tableSite("table",
               {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0),
                globalArg(OP_READ, 8 * 1024 + 1)},
               {kSet, kDat, kGlobal}, runTable);
void runTable(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  double value = *static_cast<double *>(values[2]);
  runLoop(tableSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &, int n) { valuesOf(values[1])[n] = value; });
}

TEST_F(ChainQueueTest, LargeGlobalsAreNotCopied) {
  start();
  std::vector<double> table(8 * 1024 + 1, 7);
  for (int call = 0; call < 3; ++call)
    EXPECT_FALSE(tableSite({set, a, table.data()}));
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(valuesOf(a)[7], 7);
}

// result += first + second, if they are there.
// values: set, first, second, result, two flags
void runAdd(void *const *values);
Site addSite("add",
             {globalArg(OP_READ, 1, OP2RT_ARG_OPTIONAL),
              globalArg(OP_READ, 1, OP2RT_ARG_OPTIONAL), globalArg(OP_INC)},
             {kSet, kGlobal, kGlobal, kGlobal, kFlag, kFlag}, runAdd);
void runAdd(void *const *values) {
  op2rt_arg args[] = {{values[1], nullptr, values[4] != nullptr},
                      {values[2], nullptr, values[5] != nullptr},
                      {values[3], nullptr, 1}};
  runLoop(addSite.desc, static_cast<op_set>(values[0]), args, OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &place, int) {
            for (int m = 0; m < 2; ++m)
              if (args[m].active)
                *place.partial<double>(2) +=
                    *static_cast<double *>(args[m].data);
          });
}

TEST_F(ChainQueueTest, OneGlobalTwiceDoesNotWait) {
  start();
  void *on = reinterpret_cast<void *>(1);
  double first = 1, second = 2, result = 0;
  EXPECT_FALSE(addSite({set, &first, &second, &result, on, on}));
  EXPECT_TRUE(addSite({set, &first, &second, &result, on, on}));
  op2rt_flush(nullptr);
  EXPECT_EQ(result, 6 * kSize);
  EXPECT_TRUE(addSite({set, &first, &first, &result, on, on}));
  EXPECT_FALSE(addSite({set, &first, &result, &result, on, on}));
}

TEST_F(ChainQueueTest, WhatIsSwitchedOffIsNotLookedAt) {
  start();
  void *on = reinterpret_cast<void *>(1);
  double first = 1, result = 0;
  EXPECT_FALSE(addSite({set, &first, nullptr, &result, on, nullptr}));
  EXPECT_TRUE(addSite({set, &first, nullptr, &result, on, nullptr}));
  op2rt_flush(nullptr);
  EXPECT_EQ(result, 2 * kSize);
  // Other flags are other handles.
  EXPECT_FALSE(addSite({set, &first, &first, &result, on, on}));
}

//===----------------------------------------------------------------------===//
// Kernels that follow pointers of the program
//===----------------------------------------------------------------------===//

double const *followed = nullptr;
int64_t at = 0;
void const *const *const followedPointers[] = {
    reinterpret_cast<void const *const *>(&followed)};

// dat = followed[at]. values: set, dat
void runFollow(void *const *values);
Site followSite("follow", {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0)}, {kSet, kDat},
                runFollow);
void runFollow(void *const *values) {
  op2rt_arg args[] = {direct(values[1])};
  runLoop(followSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &, int n) {
            valuesOf(values[1])[n] = followed[at];
          });
}

class FollowedPointerTest : public ChainQueueTest {
protected:
  void SetUp() override {
    ChainQueueTest::SetUp();
    followSite.desc.pointers = followedPointers;
    followSite.desc.npointers = 1;
    start();
    followed = &value;
    EXPECT_FALSE(followSite({set, b})); // the first time
  }
  double value = 6;
};

TEST_F(FollowedPointerTest, ToMemoryOfTheProgramWait) {
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(followSite({set, b}));
  EXPECT_EQ(op2rt_pending, 2);
  op2rt_flush(nullptr);
  EXPECT_EQ(valuesOf(b)[3], 6);
}

TEST_F(FollowedPointerTest, ToNothingWait) {
  followed = nullptr;
  EXPECT_TRUE(followSite({set, b}));
  followed = &value;
}

TEST_F(FollowedPointerTest, ToADatDoNot) {
  // Also to its end, where another object may begin.
  for (int64_t place : {0, 5, kSize}) {
    EXPECT_TRUE(fillSite({set, a, &value}));
    followed = valuesOf(a) + place;
    at = place == kSize ? -1 : 0;
    EXPECT_FALSE(followSite({set, b}));
    EXPECT_EQ(op2rt_pending, 0);
    EXPECT_EQ(valuesOf(b)[3], value++);
  }
  at = 0;
}

TEST_F(FollowedPointerTest, DoNotWhereADatIsInMemoryOfTheProgram) {
  std::vector<double> own(kSize + 1);
  OP_realloc = 0;
  op_decl_dat(set, 1, "double", own.data() + 1, "own");
  OP_realloc = 1;
  EXPECT_FALSE(followSite({set, b}));
}

TEST_F(FollowedPointerTest, ComeAfterResults) {
  double results[2] = {3, 5};
  followed = results;
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(sumSite({set, a, &results[1]}));
  EXPECT_TRUE(followSite({set, b}));
  EXPECT_EQ(op2rt_pending, 1);
  EXPECT_EQ(results[1], 5 + 6 * kSize);
  // A later one is stored when all have run.
  EXPECT_TRUE(sumSite({set, a, &results[0]}));
  EXPECT_EQ(op2rt_pending, 2);
  op2rt_flush(nullptr);
  EXPECT_EQ(valuesOf(b)[3], 3);
  EXPECT_EQ(results[0], 3 + 6 * kSize);
  // One that the program overwrites comes to nothing.
  EXPECT_TRUE(sumSite({set, a, &results[0]}));
  op2rt_drop(&results[0], sizeof(double));
  results[0] = 7;
  EXPECT_TRUE(followSite({set, b}));
  EXPECT_EQ(op2rt_pending, 2);
  op2rt_flush(nullptr);
  EXPECT_EQ(valuesOf(b)[3], 7);
}

//===----------------------------------------------------------------------===//
// What does not wait
//===----------------------------------------------------------------------===//

TEST_F(ChainQueueTest, OnlyWhereTheProgramAllowsIt) {
  start();
  double value = 1;
  op2rt_may_enqueue = 0;
  EXPECT_FALSE(fillSite({set, a, &value}));
  op2rt_may_enqueue = 1;
  EXPECT_TRUE(fillSite({set, a, &value}));
}

TEST_F(ChainQueueTest, NothingWaitsIfNobodyWantsIt) {
  for (auto const &[name, word] :
       {std::pair("OP2_CHAIN", "never"), std::pair("OP2_CHECK", "1")}) {
    start({{name, word}});
    double value = 1;
    EXPECT_FALSE(fillSite({set, a, &value})) << name;
    program.reset();
  }
}

TEST_F(ChainQueueTest, NothingWaitsUnderTheProfiler) {
  start({{"OP_PROFILE_LEVEL", "2"}});
  double value = 1;
  EXPECT_TRUE(fillSite({set, a, &value}));
  op_profile_start("program");
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_FALSE(fillSite({set, a, &value}));
  op_profile_end();
}

TEST_F(ChainQueueTest, LoopsOnTrialDoNotWait) {
  auto callsUntilWaiting = [&](char const *chaining) {
    program = std::make_unique<ChainProgram>(
        ChainProgram::Variables{{"OP2_CHAIN", chaining}, {"OP2_TUNE", "auto"}});
    declare();
    double value = 1;
    int calls = 1;
    while (!fillSite({set, a, &value}))
      ++calls;
    op2rt_flush(nullptr);
    program.reset();
    return calls;
  };
  EXPECT_EQ(callsUntilWaiting("always"), 2);
  EXPECT_GT(callsUntilWaiting("auto"), 2);
}

TEST_F(ChainQueueTest, NothingWaitsInVainForever) {
  auto countWaiting = [&](char const *chaining) {
    start({{"OP2_CHAIN", chaining}});
    double value = 1;
    int waited = 0;
    for (int n = 0; n < 100; ++n) {
      waited += fillSite({set, a, &value}) + fillSite({set, b, &value});
      op2rt_flush(nullptr);
    }
    program.reset();
    return waited;
  };
  EXPECT_EQ(countWaiting("always"), 200);
  EXPECT_EQ(countWaiting("auto"), 2 * (16 + 1)); // small data
}

/// Runs as the test says.
struct {
  int target = OP2RT_TARGET_OPENMP;
  int plans = 1;
  uint32_t what = OP2RT_PLAN_BLOCKS;
  int loops = 1;
  bool otherLoop = false;
} behaviour;

// values: set, map, dat, value
void runSpread(void *const *values);
Site spreadSite("spread", {datArg(OP_INC, 1, 0, 0), globalArg(OP_READ)},
                {kSet, kMap, kDat, kGlobal}, runSpread);
Site otherSite("other", {datArg(OP_INC, 1, 0, 0), globalArg(OP_READ)}, {},
               runSpread);
void runSpread(void *const *values) {
  op2rt_arg args[] = {through(values[1], values[2]), {values[3], nullptr, 1}};
  op2rt_loop_desc &desc =
      behaviour.otherLoop ? otherSite.desc : spreadSite.desc;
  // Threads that run its tiles share it.
  if (desc.target != behaviour.target)
    desc.target = behaviour.target;
  for (int n = 0; n < behaviour.loops; ++n) {
    op2rt_loop *loop =
        op2rt_loop_begin(&desc, static_cast<op_set>(values[0]), args);
    for (int p = 0; p < behaviour.plans; ++p)
      op2rt_plan_get(loop, 0, p == 0 ? behaviour.what : OP2RT_PLAN_UNCOLORED);
    op2rt_loop_end(loop);
  }
}

class ChainSpreadTest : public ChainQueueTest {
protected:
  void SetUp() override {
    ChainQueueTest::SetUp();
    behaviour = {};
    behaviour.what = OP2RT_PLAN_OWNER;
  }
  void TearDown() override {
    behaviour = {};
    spreadSite.desc.target = OP2RT_TARGET_OPENMP;
  }
  void declareMap() {
    std::vector<int> table(kSize);
    std::iota(table.begin(), table.end(), 0);
    table[1] = 0; // if all led apart, nothing would conflict
    map = op_decl_map(set, set, 1, table.data(), "map");
  }
  bool waitsAtSecondCall() {
    declareMap();
    EXPECT_FALSE(spreadSite({set, map, a, &value}));
    bool waits = spreadSite({set, map, a, &value});
    op2rt_flush(nullptr);
    return waits;
  }

  op_map map = nullptr;
  double value = 1;
};

TEST_F(ChainSpreadTest, OwnedIncrementsWait) {
  start({{"OP2_OWNER", "always"}});
  EXPECT_TRUE(waitsAtSecondCall());
}

TEST_F(ChainSpreadTest, ColoredOnesDoNot) {
  start({{"OP2_OWNER", "never"}});
  EXPECT_FALSE(waitsAtSecondCall());
}

TEST_F(ChainSpreadTest, OtherTargetsDoNot) {
  start({{"OP2_OWNER", "always"}});
  behaviour.target = OP2RT_TARGET_SEQ;
  EXPECT_FALSE(waitsAtSecondCall());
}

TEST_F(ChainSpreadTest, TwoPlansDoNot) {
  start({{"OP2_OWNER", "always"}});
  behaviour.plans = 2;
  EXPECT_FALSE(waitsAtSecondCall());
}

TEST_F(ChainSpreadTest, WithoutAPlanNothingWaits) {
  start({{"OP2_OWNER", "always"}});
  behaviour.plans = 0;
  EXPECT_FALSE(waitsAtSecondCall());
}

void runNothing(void *const *) {}

TEST_F(ChainQueueTest, WrittenGlobalsAndScratchMemoryDoNot) {
  start();
  for (op_access access : {OP_WRITE, OP_WORK}) {
    static Site write("write", {}, {kSet, kGlobal}, runNothing);
    static Site work("work", {}, {kSet, kGlobal}, runNothing);
    double value = 0;
    Site &site = access == OP_WRITE ? write : work;
    EXPECT_FALSE(site({set, &value}));
    EXPECT_FALSE(site({set, &value}));
  }
}

// values: set, dat, greatest, where it is
void runLocate(void *const *values);
Site locateSite("locate",
                {datArg(OP_READ, 1, OP2RT_DIRECT, 0), globalArg(OP_MAX),
                 describeArg(OP2RT_ARG_INFO, OP_MAX, 1, 1)},
                {kSet, kDat, kGlobal, kGlobal}, runLocate);
void runLocate(void *const *values) {
  op2rt_arg args[] = {
      direct(values[1]), {values[2], nullptr, 1}, {values[3], nullptr, 1}};
  runLoop(locateSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &place, int n) {
            double value = valuesOf(values[1])[n];
            if (value <= *place.partial<double>(1))
              return;
            *place.partial<double>(1) = value;
            *place.partial<double>(2) = n;
          });
}

TEST_F(ChainQueueTest, InfosComeAlong) {
  start();
  for (int n = 0; n < set->size; ++n)
    valuesOf(a)[n] = n == 5 ? 1000 : n;
  double greatest = 0, where = 0;
  locateSite({set, a, &greatest, &where});
  EXPECT_EQ(where, 5);
  greatest = where = 0;
  EXPECT_TRUE(locateSite({set, a, &greatest, &where}));
  EXPECT_EQ(where, 0);
  op_fetch_data(a, std::vector<double>(std::size_t(set->size)).data());
  EXPECT_EQ(greatest, 1000);
  EXPECT_EQ(where, 5);
}

//===----------------------------------------------------------------------===//
// Two loops as one
//===----------------------------------------------------------------------===//

// fill and sum in one. values: set, dat, value, total
void runFused(void *const *values);
Site fusedSite("fill+sum",
               {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0), globalArg(OP_READ),
                globalArg(OP_INC)},
               {kSet, kDat, kGlobal, kGlobal}, runFused);
void runFused(void *const *values) {
  op2rt_arg args[] = {
      direct(values[1]), {values[2], nullptr, 1}, {values[3], nullptr, 1}};
  double value = *static_cast<double *>(values[2]);
  runLoop(fusedSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &place, int n) {
            valuesOf(values[1])[n] = value;
            *place.partial<double>(2) += value;
          });
}

// fill and fill in one, with one value. values: set, dat, value, other dat
void runTwice(void *const *values);
Site twiceSite("fill+fill",
               {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0), globalArg(OP_READ),
                datArg(OP_WRITE, 1, OP2RT_DIRECT, 1)},
               {kSet, kDat, kGlobal, kDat}, runTwice);
void runTwice(void *const *values) {
  op2rt_arg args[] = {
      direct(values[1]), {values[2], nullptr, 1}, direct(values[3])};
  double value = *static_cast<double *>(values[2]);
  runLoop(twiceSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &, int n) {
            valuesOf(values[1])[n] = value;
            valuesOf(values[3])[n] = value;
          });
}

/// There is code for fill and sum, and for fill and fill, as one.
class FusedPairTest : public ChainQueueTest {
protected:
  void TearDown() override {
    fillSite.desc.fusions = nullptr;
    sumSite.desc.fusions = nullptr;
  }
  /// How often a loop has run by itself.
  static int64_t runsOf(Site const &site) {
    auto const *state = static_cast<LoopState *>(site.desc.state);
    return state ? state->count : 0;
  }
  /// Has the pair run as one?
  bool runPair(op_dat filled, op_dat summed) {
    double value = 2, total = 5;
    int64_t before = runsOf(fusedSite);
    EXPECT_TRUE(fillSite({set, filled, &value}));
    EXPECT_TRUE(sumSite({set, summed, &total}));
    op2rt_flush(nullptr);
    EXPECT_EQ(total, 5 + std::accumulate(valuesOf(summed),
                                         valuesOf(summed) + kSize, 0.));
    EXPECT_EQ(valuesOf(filled)[kSize - 1], 2);
    return runsOf(fusedSite) > before;
  }

  // fill: set, dat, value; sum: set, dat, total
  Fusion fusion{fillSite, sumSite, fusedSite, {0, 1, 2, 0, 1, 3}};
};

TEST_F(FusedPairTest, NeighboursRunAsOne) {
  start();
  int64_t fills = runsOf(fillSite), sums = runsOf(sumSite);
  EXPECT_TRUE(runPair(a, a));
  EXPECT_TRUE(runPair(a, a));
  EXPECT_EQ(runsOf(fillSite), fills);
  EXPECT_EQ(runsOf(sumSite), sums);
}

TEST_F(FusedPairTest, WithoutTilesToo) {
  for (auto const &[name, word] :
       {std::pair("OP2_CHAIN", "never"), std::pair("OP2_CHAIN", "auto")}) {
    start({{name, word}});
    for (int n = 0; n < 50; ++n)
      EXPECT_TRUE(runPair(a, a));
    program.reset();
  }
}

TEST_F(FusedPairTest, OtherHandlesRunApart) {
  start();
  EXPECT_FALSE(runPair(a, b));
  EXPECT_TRUE(runPair(b, b));
}

TEST_F(FusedPairTest, WhatComesBetweenKeepsThemApart) {
  start();
  double value = 2, total = 0;
  int64_t before = runsOf(fusedSite);
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(fillSite({set, b, &value}));
  EXPECT_TRUE(sumSite({set, a, &total}));
  op2rt_flush(nullptr);
  EXPECT_TRUE(fillSite({set, a, &value}));
  op2rt_flush(nullptr);
  EXPECT_TRUE(sumSite({set, a, &total}));
  op2rt_flush(nullptr);
  EXPECT_EQ(runsOf(fusedSite), before);
  EXPECT_EQ(total, 2 * 2 * kSize);
}

TEST_F(FusedPairTest, SharedStorageKeepsThemApart) {
  Fusion fills{fillSite, fillSite, twiceSite, {0, 1, 2, 0, 3, 2}};
  start();
  double value = 2;
  auto run = [&] {
    int64_t before = runsOf(twiceSite);
    fillSite({set, a, &value});
    fillSite({set, b, &value});
    op2rt_flush(nullptr);
    return runsOf(twiceSite) > before;
  };
  EXPECT_TRUE(run());
  char *own = b->data;
  b->data = a->data + 8;
  EXPECT_FALSE(run());
  b->data = own;
  EXPECT_TRUE(run());
}

// The program changes the variable between the calls.
TEST_F(FusedPairTest, OneGlobalWithTwoValuesKeepsThemApart) {
  Fusion fills{fillSite, fillSite, twiceSite, {0, 1, 2, 0, 3, 2}};
  start();
  int64_t before = runsOf(twiceSite);
  double value = 2, same = 7;
  EXPECT_TRUE(fillSite({set, a, &value}));
  value = 3;
  EXPECT_TRUE(fillSite({set, b, &value}));
  op2rt_flush(nullptr);
  EXPECT_EQ(runsOf(twiceSite), before);
  EXPECT_EQ(valuesOf(a)[0], 2);
  EXPECT_EQ(valuesOf(b)[0], 3);
  value = 7;
  fillSite({set, a, &value});
  fillSite({set, b, &same});
  op2rt_flush(nullptr);
  EXPECT_EQ(runsOf(twiceSite), before + 1);
  EXPECT_EQ(valuesOf(b)[0], 7);
}

TEST_F(FusedPairTest, ThePairThatSavesMostComesFirst) {
  Fusion fills{fillSite,
               fillSite,
               twiceSite,
               {0, 1, 2, 0, 3, 2},
               /*savedBytes=*/800};
  start();
  int64_t twice = runsOf(twiceSite), fused = runsOf(fusedSite);
  double value = 2, total = 0;
  for (op_dat dat : {a, b})
    EXPECT_TRUE(fillSite({set, dat, &value}));
  EXPECT_TRUE(sumSite({set, b, &total}));
  op2rt_flush(nullptr);
  EXPECT_EQ(runsOf(twiceSite), twice + 1);
  EXPECT_EQ(runsOf(fusedSite), fused);
  EXPECT_EQ(total, 2 * kSize);
}

/// A loop whose global it writes, as one with what comes before it.
void runLast(void *const *values);
Site lastSite("last",
              {datArg(OP_READ, 1, OP2RT_DIRECT, 0), globalArg(OP_WRITE)},
              {kSet, kDat, kGlobal}, runLast);
void runLast(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), {values[2], nullptr, 1}};
  runLoop(lastSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &place, int n) {
            *place.partial<double>(1) = valuesOf(values[1])[n];
          });
}
void runFillLast(void *const *values);
Site fillLastSite("fill+last",
                  {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0), globalArg(OP_READ),
                   globalArg(OP_WRITE)},
                  {kSet, kDat, kGlobal, kGlobal}, runFillLast);
void runFillLast(void *const *values) {
  op2rt_arg args[] = {
      direct(values[1]), {values[2], nullptr, 1}, {values[3], nullptr, 1}};
  double value = *static_cast<double *>(values[2]);
  runLoop(fillLastSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [&](KernelPlace const &place, int n) {
            valuesOf(values[1])[n] = value;
            *place.partial<double>(2) = value;
          });
}

TEST_F(FusedPairTest, GlobalsThatAreWritten) {
  Fusion pair{fillSite, lastSite, fillLastSite, {0, 1, 2, 0, 1, 3}};
  start();
  double value = 4, last = 0;
  lastSite({set, a, &last});
  // Alone it is not pending: it runs in no tiles.
  EXPECT_FALSE(lastSite({set, a, &last}));
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(lastSite({set, a, &last}));
  op2rt_flush(nullptr);
  EXPECT_EQ(last, 4);
  EXPECT_EQ(runsOf(fillLastSite), 1);
}

TEST_F(FusedPairTest, ALongQueueDoesNotTearThemApart) {
  start({{"OP2_CHAIN", "always"}});
  constexpr int kPairs = 100;
  int64_t before = runsOf(fusedSite);
  double value = 2;
  std::vector<double> totals(kPairs);
  int32_t most = 0;
  for (double &total : totals) {
    fillSite({set, a, &value});
    sumSite({set, a, &total});
    most = std::max(most, op2rt_pending);
  }
  op2rt_flush(nullptr);
  EXPECT_EQ(runsOf(fusedSite), before + kPairs);
  EXPECT_EQ(most, 2 * 24);
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

TEST_F(ChainQueueTest, ObjectsThatAreDeclaredAnewAreOthers) {
  start();
  op_set before = set;
  program.reset();
  program = std::make_unique<ChainProgram>(ChainProgram::Variables{});
  declare();
  double value = 1;
  EXPECT_FALSE(fillSite({set, a, &value}));
  EXPECT_NE(set, before);
}

TEST_F(ChainQueueTest, AFreedDatHasNothingWaiting) {
  start();
  op_dat temp = op_decl_dat_temp(set, 1, "double", (double *)nullptr, "temp");
  double value = 1, total = 0;
  EXPECT_FALSE(fillSite({set, temp, &value}));
  EXPECT_FALSE(sumSite({set, temp, &total}));
  EXPECT_TRUE(sumSite({set, temp, &total}));
  op_free_dat_temp(temp);
  EXPECT_EQ(op2rt_pending, 0);
  EXPECT_EQ(total, 2 * kSize);
}

TEST_F(ChainSpreadTest, RenumberingForgetsWhatIsKnown) {
  start({{"OP2_OWNER", "always"}, {"OP2_RENUMBER", "none"}});
  double value = 1;
  EXPECT_TRUE(fillSite({set, a, &value}));
  forgetHandles(nullptr);
  EXPECT_FALSE(fillSite({set, a, &value}));
}

TEST_F(ChainQueueTest, ManyCombinationsAreForgotten) {
  start();
  std::vector<op_dat> dats;
  for (int n = 0; n < 100; ++n)
    dats.push_back(op_decl_dat(set, 1, "double", (double *)nullptr, "d"));
  double value = 1;
  for (op_dat dat : dats)
    EXPECT_FALSE(fillSite({set, dat, &value}));
  EXPECT_TRUE(fillSite({set, dats[99], &value}));
  EXPECT_FALSE(fillSite({set, dats[0], &value}));
}

TEST_F(ChainQueueTest, DataPointersMayBeExchanged) {
  start({{"OP2_CHAIN", "always"}, {"OP2_TILE_SIZE", "100"}});
  double value = 3, total = 0;
  auto run = [&] {
    fillSite({set, a, &value});
    sumSite({set, b, &total});
    op2rt_flush(nullptr);
  };
  auto const &fill = *static_cast<LoopState *>(fillSite.desc.state);
  run();
  EXPECT_EQ(fill.countChained, 1);
  EXPECT_EQ(total, 0);
  // Both see the same values now, and what one writes the other reads.
  char *own = b->data;
  b->data = a->data;
  run();
  EXPECT_EQ(fill.countChained, 1);
  EXPECT_EQ(total, 3 * kSize);
  b->data = own;
}

//===----------------------------------------------------------------------===//
// Whoever looks
//===----------------------------------------------------------------------===//

TEST_F(ChainQueueTest, CallsOfTheLibraryRunWhatWaits) {
  start();
  std::vector<double> values(kSize);
  double elapsed = 0;
  std::function<void()> const calls[] = {
      [&] { op_fetch_data(a, values.data()); },
      [&] { op2rt_dat_data(a); },
      [&] { op_get_size(set); },
      [&] { op_decl_set(3, "another"); },
      [&] { op2rt_decl_set(3, "another"); },
      [&] { op_timing_output_2_file("/dev/null"); },
      [&] { op_upload_all(); },
      [&] { op_decl_const(1, "double", &elapsed); },
  };
  double value = 1;
  for (auto const &call : calls) {
    ASSERT_TRUE(fillSite({set, a, &value}));
    call();
    EXPECT_EQ(op2rt_pending, 0) << &call - calls;
    EXPECT_EQ(valuesOf(a)[0], value);
    ++value;
  }
}

TEST_F(ChainQueueTest, LoopsThatDoNotWaitComeAfterThoseThatDo) {
  start();
  double value = 8, total = 0;
  EXPECT_TRUE(fillSite({set, a, &value}));
  op2rt_may_enqueue = 0;
  EXPECT_FALSE(sumSite({set, a, &total}));
  EXPECT_EQ(total, 8 * kSize);
}

TEST_F(ChainQueueTest, TheEndOfTheProgramRunsWhatWaits) {
  start();
  double value = 8, total = 0;
  EXPECT_TRUE(fillSite({set, a, &value}));
  EXPECT_TRUE(sumSite({set, a, &total}));
  program.reset();
  EXPECT_EQ(total, 8 * kSize);
}

// Loops that have been called are not lost without a word.
TEST_F(ChainQueueTest, WithoutMemoryTheProgramEnds) {
  start();
  double value = 3;
  EXPECT_TRUE(fillSite({set, a, &value}));
  isMemoryShort = true;
  EXPECT_EXIT(op2rt_flush(nullptr), diesWith1(),
              "op2 error: out of memory in pending loops");
  isMemoryShort = false;
}

TEST_F(ChainQueueTest, TheQueueDoesNotGrow) {
  start({{"OP2_CHAIN", "always"}});
  std::vector<double> totals(60);
  int32_t most = 0;
  for (double &total : totals) {
    EXPECT_TRUE(sumSite({set, a, &total}));
    most = std::max(most, op2rt_pending);
  }
  EXPECT_EQ(most, 24);
  op2rt_flush(nullptr); // while the totals live
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Two loops in several tiles, of which the second one does something else than
/// before.
class ChainErrorTest : public ChainSpreadTest {
protected:
  void runWith(bool otherLoop, int loops) {
    start({{"OP2_OWNER", "always"},
           {"OP2_CHAIN", "always"},
           {"OP2_TILE_SIZE", "100"}});
    declareMap();
    spreadSite({set, map, a, &value});
    fillSite({set, a, &value});
    spreadSite({set, map, a, &value});
    behaviour.otherLoop = otherLoop;
    behaviour.loops = loops;
    op2rt_flush(nullptr);
  }
};

TEST_F(ChainErrorTest, AnotherLoop) {
  EXPECT_EXIT(runWith(true, 1), diesWith1(),
              "op2 error: loop spread: has waited, but then its function ran "
              "loop other; expected this loop, once, as before");
}
TEST_F(ChainErrorTest, TheLoopTwice) {
  EXPECT_EXIT(runWith(false, 2), diesWith1(), "its function ran it twice");
}
TEST_F(ChainErrorTest, NoLoop) {
  EXPECT_EXIT(runWith(false, 0), diesWith1(), "its function ran nothing");
}

TEST_F(ChainQueueTest, WordsThatAreNone) {
  EXPECT_EXIT(start({{"OP2_CHAIN", "perhaps"}}), diesWith1(),
              "op2 error: OP2_CHAIN=perhaps: expected one of auto, always, "
              "never");
  auto run = [&](char const *tile) {
    start({{"OP2_CHAIN", "always"}, {"OP2_TILE_SIZE", tile}});
    double value = 1;
    fillSite({set, a, &value});
    fillSite({set, b, &value});
    op2rt_flush(nullptr);
  };
  for (char const *tile : {"0", "many", "-3"})
    EXPECT_EXIT(run(tile), diesWith1(),
                "op2 error: OP2_TILE_SIZE=.*: expected a whole number in "
                "1..2147483647");
}

} // namespace
