//===- TuneTest.cpp - Trials, and choices kept in files ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainProgram.h"
#include "Core/MapShape.h"
#include "Execute/Loop.h"
#include "Execute/LoopTuning.h"
#include "Tune/Trial.h"
#include "Tune/TuneFile.h"
#include "Tune/Tuner.h"

#include <fstream>
#include <omp.h>
#include <sstream>

using namespace op2::rt;
using namespace op2::test;

namespace {

//===----------------------------------------------------------------------===//
// Trials, with times from here
//===----------------------------------------------------------------------===//

/// Runs a trial to its end; `seconds(way, n)` is the time of execution n of
/// all.
template <class Seconds> int runTrial(Trial &trial, Seconds seconds) {
  int n = 0;
  for (; !trial.isSettled() && n < 100; ++n)
    trial.book(seconds(trial.current(), n));
  EXPECT_TRUE(trial.isSettled());
  return n;
}

TEST(TrialTest, TakesTheFastest) {
  Trial trial(3);
  double const seconds[] = {3.0, 2.5, 2.0};
  int executions = runTrial(trial, [&](int way, int) { return seconds[way]; });
  EXPECT_EQ(trial.current(), 2);
  EXPECT_EQ(executions, 3 * Trial::kRounds * Trial::kInRow);
  EXPECT_EQ(trial.leastSeconds(1), 2.5);
}

TEST(TrialTest, WaysTakeTurns) {
  Trial trial(2);
  std::vector<int> order;
  while (!trial.isSettled()) {
    order.push_back(trial.current());
    trial.book(1.0);
  }
  EXPECT_EQ(order,
            (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(TrialTest, NoiseStaysWithTheDefault) {
  Trial trial(2);
  runTrial(trial, [](int way, int) { return way == 0 ? 1.0 : 0.92; });
  EXPECT_EQ(trial.current(), 0);
}

TEST(TrialTest, MoreRoundsMayTellSmallerGains) {
  Trial trial(2, /*rounds=*/3, /*gain=*/0.95);
  int executions =
      runTrial(trial, [](int way, int) { return way == 0 ? 1.0 : 0.92; });
  EXPECT_EQ(executions, 2 * 3 * Trial::kInRow);
  EXPECT_EQ(trial.current(), 1);
}

TEST(TrialTest, AClearLeadEndsIt) {
  for (double seconds : {0.8, 1.25}) {
    Trial trial(2, /*rounds=*/4, /*gain=*/0.95);
    int executions =
        runTrial(trial, [&](int way, int) { return way == 0 ? 1.0 : seconds; });
    EXPECT_EQ(executions, 2 * Trial::kRounds * Trial::kInRow);
    EXPECT_EQ(trial.current(), seconds < 1);
  }
}

TEST(TrialTest, FirstExecutionOfARowDoesNotCount) {
  Trial trial(2);
  runTrial(trial, [](int way, int n) {
    return n % Trial::kInRow == 0 ? 0.1 : 1.0 + way;
  });
  EXPECT_EQ(trial.leastSeconds(0), 1.0);
  EXPECT_EQ(trial.current(), 0);
}

TEST(TrialTest, DisturbedExecutionsDoNotCount) {
  Trial trial(2);
  runTrial(trial, [](int way, int n) {
    return (way == 0 ? 1.0 : 0.5) * (n % 3 == 1 ? 10 : 1);
  });
  EXPECT_EQ(trial.current(), 1);
}

TEST(TrialTest, HopelessWaysAreDropped) {
  Trial trial(2);
  int slow = 0;
  runTrial(trial, [&](int way, int) {
    slow += way;
    return way == 0 ? 1.0 : 2.5;
  });
  EXPECT_EQ(trial.current(), 0);
  EXPECT_EQ(slow, Trial::kInRow);
}

TEST(TrialTest, DroppedWaysAreNotTried) {
  Trial alone(2);
  alone.drop(1);
  EXPECT_TRUE(alone.isSettled());
  EXPECT_EQ(alone.current(), 0);
  Trial trial(3);
  trial.drop(0); // the default stays
  trial.drop(1);
  runTrial(trial, [](int way, int) {
    EXPECT_NE(way, 1);
    return 3.0 - way;
  });
  EXPECT_EQ(trial.current(), 2);
}

TEST(TrialTest, SettledStays) {
  Trial trial(2);
  trial.settle(1);
  trial.book(100.0);
  trial.drop(1);
  EXPECT_EQ(trial.current(), 1);
}

TEST(TrialTest, OneAtATime) {
  Trial first(2);
  {
    Trial second(2);
    EXPECT_TRUE(takeTurn(first));
    EXPECT_FALSE(takeTurn(second));
    EXPECT_TRUE(takeTurn(first));
    first.settle(0);
    EXPECT_TRUE(takeTurn(second));
    EXPECT_TRUE(hasTurn(second));
  }
  // Who is gone has no turn; who does not run any more loses it.
  Trial third(2), fourth(2);
  EXPECT_TRUE(takeTurn(third));
  int questions = 0;
  while (!takeTurn(fourth))
    ++questions;
  EXPECT_EQ(questions, 16);
  EXPECT_FALSE(hasTurn(third));
  // Not while it runs, however seldom.
  for (int n = 0; n < 100; ++n) {
    EXPECT_FALSE(takeTurn(third));
    if (n % 10 == 0)
      EXPECT_TRUE(takeTurn(fourth));
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string pathOf(char const *name) {
  return ::testing::TempDir() + "op2-tune-" + name;
}

void writeText(std::string const &path, std::string const &text) {
  std::ofstream(path) << text;
}

std::string readText(std::string const &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(TuneFileTest, KeepsWhatIsWritten) {
  std::string path = pathOf("round-trip");
  LoopKey one{"res\\calc\nnext", "dir with blank/a.cpp:7", 2800,
              "2>100~3,1>7~0"};
  LoopKey other{"a+b", "", 0, "-"};
  TuneRecord loop{{"a \"fast\" one", 8, Tuned::Loop, {one}}, {false, 512}};
  TuneRecord pair{{"another", 2, Tuned::Pair, {other}}, {}, false};
  TuneRecord chain{
      {"another", 2, Tuned::Chain, {one, other, one}}, {}, false, false};
  TuneRecord quick{{"another", 2, Tuned::Chain, {other, one}}, {}, false, true};
  ASSERT_EQ(writeTuneFile(path, {loop, pair, chain, quick}), "");
  std::vector<TuneRecord> found = readTuneFile(path);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].key, loop.key);
  EXPECT_EQ(found[0].choice, loop.choice);
  EXPECT_EQ(found[1].key, pair.key);
  EXPECT_FALSE(found[1].fused);
  EXPECT_EQ(found[2].key, chain.key);
  EXPECT_FALSE(found[2].inTiles);
  EXPECT_EQ(found[3].key, quick.key);
  EXPECT_TRUE(found[3].inTiles);
}

TEST(TuneFileTest, NoFileYetIsNoError) {
  EXPECT_TRUE(readTuneFile(pathOf("absent")).empty());
}

TEST(TuneFileTest, WhatCannotBeWrittenIsSaid) {
  EXPECT_EQ(writeTuneFile("/no/such/folder/file", {}),
            "cannot write /no/such/folder/file: No such file or directory");
}

TEST(TuneFileTest, WhatCannotBeReadIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(readTuneFile(::testing::TempDir()), diesWith1(),
              "op2 error: OP2_TUNE=.*: expected off, auto, on or the name of a "
              "regular file");
  EXPECT_EXIT(readTuneFile(std::string(5000, 'x')), diesWith1(),
              "op2 error: OP2_TUNE: cannot read x*: File name too long");
}

TEST(TuneFileTest, WordsThatLookLikeSettingsAreNoFiles) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (char const *word : {"0", "OFF", "true"}) {
    setenv("OP2_TUNE", word, 1);
    EXPECT_EXIT(requestedTuning(), diesWith1(),
                std::string("op2 error: OP2_TUNE=") + word +
                    ": expected off, auto, on, or the name of a file \\(as ./" +
                    word + "\\)");
  }
  unsetenv("OP2_TUNE");
}

struct Damage {
  char const *name, *text, *message;
};

class DamagedFile : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedFile, IsAnErrorWithTheLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::string path = pathOf(GetParam().name);
  writeText(path, GetParam().text);
  EXPECT_EXIT(readTuneFile(path), diesWith1(),
              "op2 error: OP2_TUNE: .*" + std::string(GetParam().name) + ", " +
                  GetParam().message);
}

#define HEAD "op2-tuning 1\nmachine \"m\" threads 2\n"
#define CHAIN "chain \"a\" \"b\" set 5 maps - then \"c\" \"d\" set 7 maps 2>5~1"
INSTANTIATE_TEST_SUITE_P(
    Kinds, DamagedFile,
    ::testing::Values(
        Damage{"foreign", "\177ELF", "line 1: expected \"op2-tuning 1\""},
        Damage{"version", "op2-tuning 2\n",
               "line 1: expected \"op2-tuning 1\", found \"op2-tuning 2\""},
        Damage{"homeless", "op2-tuning 1\nloop \"a\"",
               "line 2: expected machine"},
        Damage{"word", HEAD "lop \"a\"",
               "line 3: expected loop or pair or chain, found \"lop \"a\"\""},
        Damage{"unquoted", HEAD "loop a",
               "line 3: expected the loop's name in quotes, found \"a\""},
        Damage{"open", HEAD "loop \"a\" \"b",
               "line 3: expected the loop's place in the source in quotes"},
        Damage{"number", HEAD "loop \"a\" \"b\" set -5 maps -",
               "line 3: expected a whole number from 0 on, found \"-5"},
        Damage{"huge", HEAD "loop \"a\" \"b\" set 99999999999999999999 maps -",
               "line 3: expected a whole number from 0 on, found \"9999"},
        Damage{"threads",
               HEAD "loop \"a\" \"b\" set 5 maps - threads some block 0",
               "line 3: expected all or one, found \"some block 0\""},
        Damage{"block",
               HEAD "loop \"a\" \"b\" set 5 maps - threads all block 100",
               "line 3: expected a whole number from 0 on, a multiple of 256, "
               "found \"100\""},
        Damage{"short", HEAD "pair \"a\" \"b\" set 5 maps - run",
               "line 3: expected fused or apart, found \"\""},
        Damage{"long", HEAD "pair \"a\" \"b\" set 5 maps - run fused too",
               "line 3: expected the end of the line, found \"too\""},
        Damage{"single", HEAD "chain \"a\" \"b\" set 5 maps - run tiles",
               "line 3: expected then, found \"run tiles\""},
        Damage{"endless", HEAD CHAIN,
               "line 3: expected then or run, found \"\""},
        Damage{
            "hanging", HEAD CHAIN " then run tiles",
            "line 3: expected the loop's name in quotes, found \"run tiles\""},
        Damage{"way", HEAD CHAIN " run fused",
               "line 3: expected tiles or loops, found \"fused\""},
        Damage{"more", HEAD CHAIN " run loops then",
               "line 3: expected the end of the line, found \"then\""},
        Damage{"nobody", "op2-tuning 1\nmachine \"m\" threads 0\n",
               "line 2: expected a whole number from 1 on, found \"0\""},
        Damage{"empty", "", "line 1: expected \"op2-tuning 1\", found \"\""}),
    [](auto const &info) { return std::string(info.param.name); });

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

using MapShapeTest = ProgramTest;

TEST_F(MapShapeTest, DescribesEachMapOnce) {
  op_set edges = op_decl_set(3, "edges"), nodes = op_decl_set(100, "nodes");
  int pairs[] = {0, 1, 5, 9, 99, 98}, ones[] = {7, 8, 9};
  op_map two = op_decl_map(edges, nodes, 2, pairs, "two");
  op_map one = op_decl_map(edges, nodes, 1, ones, "one");
  op_set none = op_decl_set(0, "none");
  op_map empty = op_decl_map(none, nodes, 2, pairs, "empty");
  EXPECT_DOUBLE_EQ(sampleSpread(*two), 2);
  EXPECT_EQ(sampleSpread(*empty), 0);
  EXPECT_EQ(describeMaps({two, nullptr, one, two}), "2>100~2,1>100~0");
  EXPECT_EQ(describeMaps({nullptr}), "-");
}

TEST_F(MapShapeTest, Hubs) {
  constexpr int kSize = 20000;
  op_set from = op_decl_set(kSize, "from"), to = op_decl_set(kSize, "to");
  op_set few = op_decl_set(100, "few");
  auto areHubs = [&](op_set from, auto target) {
    std::vector<int> table;
    for (int n = 0; n < from->size; ++n) {
      table.push_back(n);
      table.push_back(target(n));
    }
    return hasHubs(*op_decl_map(from, to, 2, table.data(), "map"));
  };
  EXPECT_FALSE(areHubs(from, [](int n) { return n; }));
  EXPECT_FALSE(areHubs(from, [](int n) { return n * 7919 % kSize; }));
  EXPECT_FALSE(areHubs(few, [](int) { return 0; }));
  EXPECT_TRUE(areHubs(from, [](int) { return 0; }));
  EXPECT_TRUE(areHubs(from, [](int n) { return n % 3 ? n : n * 7919 % 16; }));
}

// Rows of one target each: only neighbours tell.
TEST_F(MapShapeTest, DistanceOfNeighbours) {
  constexpr int kSize = 160 * 128;
  op_set from = op_decl_set(kSize, "from"), to = op_decl_set(kSize, "to");
  op_set few = op_decl_set(kSize / 4, "few"), one = op_decl_set(1, "one");
  auto distance = [&](op_set from, op_set to, auto target) {
    std::vector<int> table;
    for (int n = 0; n < from->size; ++n)
      table.push_back(target(n));
    return sampleDistance(*op_decl_map(from, to, 1, table.data(), "map"));
  };
  auto jumps = [](int n) { return int(int64_t(n) * 7919 % kSize); };
  EXPECT_DOUBLE_EQ(distance(from, to, [](int n) { return n; }), 1.0 / kSize);
  EXPECT_LT(distance(from, to, [](int n) { return n ^ 127; }), 127.0 / kSize);
  EXPECT_GT(distance(from, to, jumps), 0.3);
  EXPECT_EQ(distance(from, few, [&](int n) { return jumps(n) / 4; }), 0);
  EXPECT_GT(distance(few, to, jumps), 0.3);
  EXPECT_EQ(distance(one, to, jumps), 0);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

class TuneTest : public ProgramTest {
protected:
  void SetUp() override {
    threads = omp_get_max_threads();
    omp_set_num_threads(2);
    ProgramTest::SetUp();
    if (!areThreadsInPlace())
      runEarly();
  }
  /// Nothing is tried before that.
  void runEarly() {
    op_set cells = op_decl_set(1000, "cells");
    Loop loop("early");
    loop.dat(dat(cells, "q"), OP_WRITE);
    EXPECT_EQ(waysOf(loop, cells), (std::vector<Execution>{{true, 4}}));
    letThreadsSettle(cells);
    restart("OP_TUNE=auto");
  }
  void TearDown() override {
    ProgramTest::TearDown();
    omp_set_num_threads(threads);
  }
  void restart(std::string const &option) {
    op_exit();
    char const *argv[] = {"program", option.c_str(), nullptr};
    op_init(2, const_cast<char **>(argv), 0);
  }

  struct Execution {
    bool inThreads;
    int64_t blocks;
    bool operator==(Execution const &other) const {
      return inThreads == other.inThreads && blocks == other.blocks;
    }
  };
  static Execution run(Loop &loop, op_set set,
                       uint32_t what = OP2RT_PLAN_OWNER) {
    op2rt_loop *running = loop.begin(set);
    op2rt_plan const *plan = op2rt_plan_get(running, 0, what);
    Execution execution{op2rt_plan_uses_threads(plan) != 0,
                        op2rt_view(plan)->num_blocks};
    op2rt_loop_end(running);
    return execution;
  }
  /// The different ways in which a loop runs, in the order of their use.
  static std::vector<Execution> waysOf(Loop &loop, op_set set) {
    std::vector<Execution> ways;
    for (int n = 0; n < 300; ++n) {
      Execution way = run(loop, set);
      if (std::find(ways.begin(), ways.end(), way) == ways.end())
        ways.push_back(way);
    }
    return ways;
  }
  static op_dat dat(op_set set, char const *name) {
    return op_decl_dat(set, 1, "double", static_cast<double *>(nullptr), name);
  }

  int threads;
};

TEST_F(TuneTest, OneBlockRunsOnOneThreadWithoutTrial) {
  restart("OP_TUNE=off");
  op_set cells = op_decl_set(100, "cells");
  Loop loop("small");
  loop.dat(dat(cells, "q"), OP_WRITE);
  EXPECT_FALSE(run(loop, cells).inThreads);
  op_set many = op_decl_set(1000, "many");
  Loop large("large");
  large.dat(dat(many, "q"), OP_WRITE);
  EXPECT_EQ(waysOf(large, many), (std::vector<Execution>{{true, 4}}));
}

TEST_F(TuneTest, OneThreadIsTried) {
  op_set cells = op_decl_set(1000, "cells");
  Loop loop("direct");
  loop.dat(dat(cells, "q"), OP_WRITE);
  EXPECT_EQ(waysOf(loop, cells),
            (std::vector<Execution>{{true, 4}, {false, 4}}));
}

TEST_F(TuneTest, BlocksAreCutElsewhereOnlyIfAsked) {
  restart("OP_TUNE=on");
  op_set cells = op_decl_set(100000, "cells");
  Loop loop("direct");
  loop.dat(dat(cells, "q"), OP_WRITE);
  // 1024 elements, the runtime's choice, and 256 and 4096.
  EXPECT_EQ(waysOf(loop, cells),
            (std::vector<Execution>{
                {true, 98}, {false, 98}, {true, 391}, {true, 25}}));
}

TEST_F(TuneTest, WhatDependsOnTheOrderKeepsItsBlocks) {
  restart("OP_TUNE=on");
  op_set cells = op_decl_set(100000, "cells");
  double many[65] = {}, least = 0, sum = 0;
  int count = 0;
  Loop ordered("ordered"), exact("exact"), counted("counted"),
      smallest("least");
  ordered.dat(dat(cells, "q"), OP_WRITE).global(many, 65, OP2RT_F64, OP_MIN);
  smallest.dat(dat(cells, "p"), OP_WRITE).global(&least, 1, OP2RT_F64, OP_MIN);
  exact.dat(dat(cells, "r"), OP_WRITE).global(&sum, 1, OP2RT_F64, OP_INC);
  counted.dat(dat(cells, "s"), OP_WRITE).global(&count, 1, OP2RT_I32, OP_INC);
  EXPECT_EQ(waysOf(ordered, cells),
            (std::vector<Execution>{{true, 98}, {false, 98}}));
  EXPECT_EQ(waysOf(exact, cells).size(), 4u);
  EXPECT_EQ(waysOf(counted, cells).size(), 4u);
  EXPECT_EQ(waysOf(smallest, cells).size(), 4u);
}

TEST_F(TuneTest, ConflictsKeepTheirBlocks) {
  restart("OP_TUNE=on");
  auto table = gridEdges(20, 2000);
  op_set edges = op_decl_set(static_cast<int>(table.size()) / 2, "edges");
  op_set nodes = op_decl_set(40000, "nodes");
  op_map map = op_decl_map(edges, nodes, 2, table.data(), "map");
  Loop loop("increments");
  loop.dat(dat(nodes, "x"), 0, map, OP_INC);
  EXPECT_EQ(waysOf(loop, edges),
            (std::vector<Execution>{{true, 2}, {false, 2}}));
  // Elements that write the same row through a map.
  Loop writes("writes");
  writes.dat(dat(nodes, "y"), 0, map, OP_WRITE);
  for (Execution const &way : waysOf(writes, edges))
    EXPECT_EQ(way.blocks, run(writes, edges).blocks);
}

TEST_F(TuneTest, BlockSizesThatAreAskedForStay) {
  op_exit();
  char const *argv[] = {"program", "OP_TUNE=on", "OP_PART_SIZE=300", nullptr};
  op_init(3, const_cast<char **>(argv), 0);
  op_set cells = op_decl_set(100000, "cells");
  Loop loop("direct");
  loop.dat(dat(cells, "q"), OP_WRITE);
  EXPECT_EQ(waysOf(loop, cells),
            (std::vector<Execution>{{true, 334}, {false, 334}}));
}

TEST_F(TuneTest, ChoicesAreKeptInAFile) {
  std::string path = pathOf("kept");
  std::remove(path.c_str());
  auto runProgram = [&] {
    restart("OP_TUNE=" + path);
    op_set cells = op_decl_set(1000, "cells");
    Loop loop("direct");
    loop.dat(dat(cells, "q"), OP_WRITE);
    return waysOf(loop, cells);
  };
  EXPECT_EQ(runProgram().size(), 2u);
  op_exit();
  std::string text = readText(path);
  EXPECT_NE(
      text.find("loop \"direct\" \"test.cpp:1\" set 1000 maps - threads "),
      std::string::npos)
      << text;
  // What the file says counts, whatever it is, without trial.
  for (bool inThreads : {true, false}) {
    std::vector<TuneRecord> records = readTuneFile(path);
    ASSERT_EQ(records.size(), 1u);
    records[0].choice.inThreads = inThreads;
    ASSERT_EQ(writeTuneFile(path, records), "");
    op_init(0, nullptr, 0);
    EXPECT_EQ(runProgram(), (std::vector<Execution>{{inThreads, 4}}));
    op_exit();
  }
  // Another set is another loop.
  op_init(0, nullptr, 0);
  restart("OP_TUNE=" + path);
  op_set cells = op_decl_set(1010, "cells");
  Loop loop("direct");
  loop.dat(dat(cells, "q"), OP_WRITE);
  EXPECT_EQ(waysOf(loop, cells).size(), 2u);
  restart("OP_TUNE=auto");
  EXPECT_EQ(readTuneFile(path).size(), 2u);
}

TEST_F(TuneTest, ChoicesOfOtherMachinesStay) {
  std::string path = pathOf("others");
  TuneRecord other{
      {"zzz", 64, Tuned::Loop, {{"direct", "test.cpp:1", 1000, "-"}}},
      {false, 0}};
  ASSERT_EQ(writeTuneFile(path, {other}), "");
  restart("OP_TUNE=" + path);
  op_set cells = op_decl_set(1000, "cells");
  Loop loop("direct");
  loop.dat(dat(cells, "q"), OP_WRITE);
  EXPECT_EQ(waysOf(loop, cells).size(), 2u);
  restart("OP_TUNE=off");
  std::vector<TuneRecord> records = readTuneFile(path);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].key, other.key);
}

TEST_F(TuneTest, ImpossibleChoicesAreTriedAnew) {
  std::string path = pathOf("impossible");
  std::remove(path.c_str());
  restart("OP_TUNE=" + path);
  op_set cells = op_decl_set(1000, "cells");
  double sum = 0;
  Loop loop("sum");
  loop.dat(dat(cells, "q"), OP_READ).global(&sum, 1, OP2RT_F64, OP_INC);
  waysOf(loop, cells);
  restart("OP_TUNE=off");
  std::vector<TuneRecord> records = readTuneFile(path);
  ASSERT_EQ(records.size(), 1u);
  records[0].choice = {true, 512}; // would round differently
  ASSERT_EQ(writeTuneFile(path, records), "");
  restart("OP_TUNE=" + path);
  cells = op_decl_set(1000, "cells");
  Loop again("sum");
  again.dat(dat(cells, "q"), OP_READ).global(&sum, 1, OP2RT_F64, OP_INC);
  for (Execution const &way : waysOf(again, cells))
    EXPECT_EQ(way.blocks, 4);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

// values: set, dat
template <char Name> void runWrite(void *const *values);
Site firstSite("first", {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0)}, {kSet, kDat},
               runWrite<'1'>);
Site secondSite("second", {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0)}, {kSet, kDat},
                runWrite<'2'>);
template <char Name> void runWrite(void *const *values) {
  op2rt_arg args[] = {direct(values[1])};
  runLoop(Name == '1' ? firstSite.desc : secondSite.desc,
          static_cast<op_set>(values[0]), args, OP2RT_PLAN_BLOCKS,
          [](KernelPlace const &, int) {});
}
// values: set, dat, other dat
void runBoth(void *const *values);
Site bothSite("first+second",
              {datArg(OP_WRITE, 1, OP2RT_DIRECT, 0),
               datArg(OP_WRITE, 1, OP2RT_DIRECT, 1)},
              {kSet, kDat, kDat}, runBoth);
void runBoth(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), direct(values[2])};
  runLoop(bothSite.desc, static_cast<op_set>(values[0]), args,
          OP2RT_PLAN_BLOCKS, [](KernelPlace const &, int) {});
}

class PairTest : public TuneTest {
protected:
  void SetUp() override {
    TuneTest::SetUp();
    op2rt_may_enqueue = 1;
  }
  void TearDown() override {
    op2rt_may_enqueue = 0;
    firstSite.desc.fusions = nullptr;
    TuneTest::TearDown();
  }
  void declare() {
    cells = op_decl_set(1000, "cells");
    q = dat(cells, "q");
    r = dat(cells, "r");
  }
  /// Was it fused?
  bool runPair() {
    auto runs = [] {
      auto const *state = static_cast<LoopState *>(bothSite.desc.state);
      return state ? state->count : 0;
    };
    int64_t before = runs();
    firstSite({cells, q});
    secondSite({cells, r});
    op2rt_flush(nullptr);
    return runs() > before;
  }
  int countApart() {
    int apart = 0;
    for (int n = 0; n < 300; ++n)
      apart += !runPair();
    return apart;
  }

  op_set cells;
  op_dat q, r;
  Fusion exact{firstSite, secondSite, bothSite, {0, 1, 0, 2}};
};

TEST_F(PairTest, FirstCallRunsApart) {
  declare();
  EXPECT_EQ(countApart(), 1);
  q = dat(cells, "other");
  EXPECT_EQ(countApart(), 1);
}

TEST_F(PairTest, HandlesOfTheDeadAreNew) {
  declare();
  countApart();
  restart("OP_TUNE=auto");
  declare();
  EXPECT_EQ(countApart(), 1);
}

TEST_F(PairTest, ApartIsTriedIfAsked) {
  restart("OP_TUNE=on");
  declare();
  EXPECT_GE(countApart(), 1 + Trial::kInRow);
}

TEST_F(PairTest, NoTrialIfBitsDiffer) {
  firstSite.desc.fusions = nullptr;
  Fusion rounded{firstSite,    secondSite,       bothSite,
                 {0, 1, 0, 2}, /*savedBytes=*/8, /*exact=*/0};
  restart("OP_TUNE=on");
  declare();
  EXPECT_EQ(countApart(), 1);
}

// Only one time is known of a turn.
TEST_F(PairTest, TwoTimesInOneGoTakeOneTurn) {
  restart("OP_TUNE=on");
  declare();
  int apart = 0;
  for (int n = 0; n < 300; ++n) {
    int64_t before =
        n < 1 ? 0 : static_cast<LoopState *>(firstSite.desc.state)->count;
    firstSite({cells, q});
    secondSite({cells, r});
    firstSite({cells, q});
    secondSite({cells, r});
    op2rt_flush(nullptr);
    int64_t alone =
        static_cast<LoopState *>(firstSite.desc.state)->count - before;
    EXPECT_NE(alone, n < 1 ? 0 : 1);
    apart += alone > 0;
  }
  EXPECT_GE(apart, 1 + Trial::kInRow);
}

TEST_F(PairTest, ChoicesAreKeptInAFile) {
  std::string path = pathOf("pairs");
  std::remove(path.c_str());
  restart("OP_TUNE=" + path);
  declare();
  countApart();
  restart("OP_TUNE=off");
  std::vector<TuneRecord> records = readTuneFile(path);
  auto pair = std::find_if(
      records.begin(), records.end(),
      [](TuneRecord const &record) { return record.key.kind == Tuned::Pair; });
  ASSERT_NE(pair, records.end());
  EXPECT_EQ(pair->key.first().name, "first+second");
  EXPECT_EQ(pair->key.first().setSize, 1000);
  for (bool fused : {true, false}) {
    pair->fused = fused;
    ASSERT_EQ(writeTuneFile(path, records), "");
    restart("OP_TUNE=" + path);
    declare();
    EXPECT_EQ(countApart(), fused ? 1 : 300);
  }
}

} // namespace
