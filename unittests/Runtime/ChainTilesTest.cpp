//===- ChainTilesTest.cpp - When elements run, and their plans --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainProgram.h"
#include "Core/Options.h"
#include "Plan/Ownership.h"
#include "Queue/ChainPlans.h"

#include <algorithm>
#include <numeric>
#include <omp.h>
#include <random>

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

/// The tile in which a thread runs each element; -1: it does not.
std::vector<int32_t> tilesIn(ThreadTiles const &thread, std::size_t loop,
                             int64_t size) {
  std::vector<int32_t> of(static_cast<std::size_t>(size), -1);
  auto numTiles = static_cast<int32_t>(thread.loops[loop].begin.size()) - 1;
  for (int32_t tile = 0; tile < numTiles; ++tile)
    for (ElementRange const &range : thread.loops[loop].of(tile))
      for (int64_t n = range.begin; n < range.end; ++n) {
        EXPECT_EQ(of[n], -1);
        of[n] = tile;
      }
  return of;
}

/// The tile of each element for one thread; fails if one is missing.
std::vector<int32_t> tilesOf(ChainTiles const &tiles, std::size_t loop,
                             int64_t size) {
  EXPECT_EQ(tiles.threads.size(), 1u);
  EXPECT_TRUE(tiles.threads[0].waits.empty());
  std::vector<int32_t> of = tilesIn(tiles.threads[0], loop, size);
  EXPECT_EQ(std::count(of.begin(), of.end(), -1), 0);
  return of;
}

/// The thread of each element; fails unless it is one.
std::vector<int32_t> threadsOf(ChainTiles const &tiles, std::size_t loop,
                               int64_t size) {
  std::vector<int32_t> of(static_cast<std::size_t>(size), -1);
  for (std::size_t t = 0; t < tiles.threads.size(); ++t) {
    std::vector<int32_t> in = tilesIn(tiles.threads[t], loop, size);
    for (int64_t n = 0; n < size; ++n)
      if (in[n] >= 0) {
        EXPECT_EQ(of[n], -1);
        of[n] = static_cast<int32_t>(t);
      }
  }
  EXPECT_EQ(std::count(of.begin(), of.end(), -1), 0);
  return of;
}

TEST(ChainTilesTest, ReadersFollowWriters) {
  // Each element of the second loop reads what one ten places on has written.
  std::vector<int> next(100);
  for (int n = 0; n < 100; ++n)
    next[n] = std::min(n + 10, 99);
  ChainInput input;
  input.rows = {100};
  input.numTiles = 5;
  input.loops = {loopOf(100, {{0, true, {}}}),
                 loopOf(100, {{0, false, column(next)}})};
  ChainTiles tiles = findTiles(input);
  auto writers = tilesOf(tiles, 0, 100), readers = tilesOf(tiles, 1, 100);
  for (int n = 0; n < 100; ++n) {
    EXPECT_EQ(writers[n], n / 20);
    EXPECT_EQ(readers[n], writers[next[n]]);
  }
}

TEST(ChainTilesTest, WritersFollowReadersButReadersDoNot) {
  std::vector<int> next(100);
  for (int n = 0; n < 100; ++n)
    next[n] = std::max(n - 10, 0);
  ChainInput input;
  input.rows = {100};
  input.numTiles = 5;
  // Three loops that go on as they like, and one that waits for the first.
  input.loops = {loopOf(100, {{0, false, column(next)}}),
                 loopOf(100, {{0, false, {}}}), loopOf(100, {}),
                 loopOf(100, {{0, true, {}}})};
  ChainTiles tiles = findTiles(input);
  auto first = tilesOf(tiles, 0, 100), last = tilesOf(tiles, 3, 100);
  for (int n = 0; n + 10 < 100; ++n)
    EXPECT_EQ(last[n], first[n + 10]);
  EXPECT_EQ(tilesOf(tiles, 1, 100), first);
  EXPECT_EQ(tilesOf(tiles, 2, 100), first);
}

TEST(ChainTilesTest, GranulesStayTogether) {
  ChainInput input;
  input.rows = {1000};
  input.numTiles = 10;
  input.loops = {loopOf(1000, {{0, true, {}}}), loopOf(1000, {{0, true, {}}})};
  input.loops[1].granule = 256;
  ChainTiles tiles = findTiles(input);
  auto second = tilesOf(tiles, 1, 1000);
  EXPECT_EQ(second[0], 2);
  EXPECT_EQ(second[255], 2);
  EXPECT_EQ(second[256], 5);
  EXPECT_EQ(second[999], 9);
}

TEST(ChainTilesTest, TooManyTilesAreAnObstacle) {
  ChainInput input;
  input.rows = {10};
  input.numThreads = 2;
  input.numTiles = 1 << 30;
  input.loops = {loopOf(10, {{0, true, {}}})};
  EXPECT_EQ(findTiles(input).obstacle, "too many tiles");
}

/// Loops over cells and over edges whose ends are near each other, but for one
/// in a thousand; more rows than are summarized together.
struct LargeMesh {
  static constexpr int kCells = 40000, kEdges = 70000;

  LargeMesh() {
    std::mt19937 random(7);
    for (int n = 0; n < kEdges; ++n)
      for (int end = 0; end < 2; ++end) {
        int near = n * 4 / 7 + int(random() % 700) - 350;
        int cell = random() % 1000 ? near : int(random() % kCells);
        ends.push_back(std::clamp(cell, 0, kCells - 1));
      }
    ChainAccess from = {0, false, column(ends, 2, 0)},
                to = {0, false, column(ends, 2, 1)};
    ChainLoop edges = loopOf(
        kEdges, {from, to, {1, true, from.column}, {1, true, to.column}});
    edges.isOwned = true;
    input.rows = {kCells, kCells};
    input.numTiles = 30;
    input.loops = {loopOf(kCells, {{0, true, {}}}), edges,
                   loopOf(kCells, {{1, false, {}}, {0, true, {}}}), edges,
                   loopOf(kCells, {{1, true, {}}})};
    for (ChainLoop &loop : input.loops)
      loop.granule = 64;
  }
  std::vector<int> ends;
  ChainInput input;
};

/// For one thread, row by row.
std::vector<std::vector<int32_t>> tilesRowByRow(ChainInput const &input) {
  struct Row {
    int32_t touched = 0, changed = 0;
  };
  std::vector<std::vector<Row>> dats;
  for (int64_t rows : input.rows)
    dats.emplace_back(static_cast<std::size_t>(rows));
  std::vector<std::vector<int32_t>> found;
  for (ChainLoop const &loop : input.loops) {
    bool isFirst = found.empty();
    std::vector<int32_t> &of = found.emplace_back();
    int32_t tile = 0;
    for (int64_t g = 0; g < numGranules(loop); ++g) {
      auto [begin, end] = granuleOf(loop, g);
      if (isFirst)
        tile = static_cast<int32_t>(begin * input.numTiles / loop.size);
      auto forEachRow = [&, begin = begin, end = end](auto visit) {
        for (ChainAccess const &access : loop.accesses)
          for (int64_t n = begin; n < end; ++n)
            visit(access, dats[access.dat][access.column[n]]);
      };
      forEachRow([&](ChainAccess const &access, Row const &row) {
        tile = std::max(tile, access.isChange ? row.touched : row.changed);
      });
      forEachRow([&](ChainAccess const &access, Row &row) {
        row.touched = std::max(row.touched, tile);
        if (access.isChange)
          row.changed = tile;
      });
      of.insert(of.end(), static_cast<std::size_t>(end - begin), tile);
    }
  }
  return found;
}

TEST(ChainTilesTest, BlocksOfRowsTellWhatRowsTell) {
  LargeMesh mesh;
  ChainTiles tiles = findTiles(mesh.input);
  auto expected = tilesRowByRow(mesh.input);
  for (std::size_t n = 0; n < mesh.input.loops.size(); ++n)
    EXPECT_EQ(tilesOf(tiles, n, mesh.input.loops[n].size), expected[n]) << n;
}

TEST(ChainTilesTest, WhoeverFindsThem) {
  LargeMesh mesh;
  mesh.input.numThreads = 3;
  int before = omp_get_max_threads();
  omp_set_num_threads(1);
  ChainTiles alone = findTiles(mesh.input);
  omp_set_num_threads(5);
  ChainTiles together = findTiles(mesh.input);
  omp_set_num_threads(before);
  EXPECT_EQ(alone.obstacle, "");
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::size_t n = 0; n < mesh.input.loops.size(); ++n)
      EXPECT_EQ(tilesIn(alone.threads[t], n, mesh.input.loops[n].size),
                tilesIn(together.threads[t], n, mesh.input.loops[n].size));
    auto isSame = [](ChainWait const &a, ChainWait const &b) {
      return a.tile == b.tile && a.other == b.other && a.done == b.done;
    };
    auto const &waits = alone.threads[t].waits;
    auto const &others = together.threads[t].waits;
    EXPECT_TRUE(std::equal(waits.begin(), waits.end(), others.begin(),
                           others.end(), isSame));
  }
}

/// Between two loops over all rows one over a few of them, from both ends in
/// turn, as boundary edges that go round a mesh. In their order, all would wait
/// for the first.
struct RoundTheMesh {
  RoundTheMesh(int size, int count) {
    for (int n = 0; n < count; ++n)
      places.push_back(n % 2 == 0 ? size - 1 - n : n);
    input.rows = {size};
    input.numTiles = 10;
    input.loops = {loopOf(size, {{0, true, {}}}),
                   loopOf(count, {{0, true, column(places)}}),
                   loopOf(size, {{0, true, {}}})};
  }
  std::vector<int> places;
  ChainInput input;
};

TEST(ChainTilesTest, SmallSetsNeedNotKeepTheirOrder) {
  RoundTheMesh mesh(3200, 60);
  ChainInput &input = mesh.input;
  ChainTiles tiles = findTiles(input);
  auto small = tilesOf(tiles, 1, 60);
  EXPECT_EQ(small[0], 9);
  EXPECT_EQ(small[1], 0);
  EXPECT_EQ(tilesOf(tiles, 2, 3200)[0], 0);
  // Those that reduce must.
  input.loops[1].mustBeRange = true;
  tiles = findTiles(input);
  EXPECT_EQ(tilesOf(tiles, 1, 60)[1], 9);
  EXPECT_EQ(tilesOf(tiles, 2, 3200)[1], 9);
}

TEST(ChainTilesTest, TooManyPiecesAreOneRangeInstead) {
  RoundTheMesh mesh(32000, 1000);
  ChainInput &input = mesh.input;
  ChainTiles tiles = findTiles(input);
  EXPECT_EQ(tiles.threads[0].loops[1].ranges.size(), 1u);
  EXPECT_EQ(tilesOf(tiles, 1, 1000)[1], 9);
  EXPECT_EQ(tilesOf(tiles, 2, 32000)[1], 9);
}

TEST(ChainTilesTest, PiecesAreFewIfTheyAreFewForTheChain) {
  RoundTheMesh mesh(320000, 300);
  ChainInput &input = mesh.input;
  ChainTiles tiles = findTiles(input);
  EXPECT_EQ(tilesOf(tiles, 1, 300)[1], 0);
  EXPECT_EQ(tilesOf(tiles, 2, 320000)[0], 0);
}

TEST(ChainTilesTest, ElementsOfOneRowKeepTheirOrder) {
  // The first element waits for row 3000, so the second one waits for it.
  std::vector<int> rows{0, 3000, 0, 1, 2, 3};
  ChainInput input;
  input.rows = {3200};
  input.numTiles = 8;
  input.loops = {loopOf(3200, {{0, true, {}}}),
                 loopOf(3, {{0, true, column(rows, 2, 0)},
                            {0, true, column(rows, 2, 1)}})};
  EXPECT_EQ(tilesOf(findTiles(input), 1, 3), (std::vector<int32_t>{7, 7, 0}));
}

TEST(ChainTilesTest, ImbalanceIsSeen) {
  ChainInput input;
  input.rows = {1000};
  input.numTiles = 10;
  std::vector<int> backwards(1000);
  for (int n = 0; n < 1000; ++n)
    backwards[n] = 999 - n;
  input.loops = {loopOf(1000, {{0, true, {}}}), loopOf(1000, {{0, true, {}}})};
  EXPECT_NEAR(imbalance(input, findTiles(input)), 1, 1e-9);
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3), "");
  input.loops[1].accesses[0].column = column(backwards);
  EXPECT_NEAR(imbalance(input, findTiles(input)), 5.5, 1e-9);
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3),
            "too much must wait for the last tiles");
  input.numTiles = 2;
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3), "only 2 tiles");
  // A tenth of all, as at the end of a long chain.
  input.numTiles = 40;
  std::vector<int> late(1000);
  for (int n = 0; n < 1000; ++n)
    late[n] = n < 800 ? n : 999;
  input.loops[1].accesses[0].column = column(late);
  EXPECT_GT(imbalance(input, findTiles(input)), 3);
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3), "");
}

//===----------------------------------------------------------------------===//
// Several threads
//===----------------------------------------------------------------------===//

TEST(ChainTilesTest, ThreadsDivideTheFirstLoopEvenly) {
  ChainInput input;
  input.rows = {100};
  input.numTiles = 5;
  input.numThreads = 2;
  input.loops = {loopOf(100, {{0, true, {}}}), loopOf(100, {{0, true, {}}})};
  ChainTiles tiles = findTiles(input);
  EXPECT_EQ(tiles.obstacle, "");
  for (std::size_t loop = 0; loop < 2; ++loop) {
    auto threads = threadsOf(tiles, loop, 100);
    for (int n = 0; n < 100; ++n) {
      EXPECT_EQ(threads[n], n / 50);
      EXPECT_EQ(tilesIn(tiles.threads[n / 50], loop, 100)[n], n % 50 / 10);
    }
  }
  EXPECT_TRUE(tiles.threads[0].waits.empty());
  EXPECT_TRUE(tiles.threads[1].waits.empty());
}

TEST(ChainTilesTest, NobodyWaitsForAnEarlierThread) {
  // The second loop reads five places on and five places back.
  std::vector<int> next(200);
  for (int n = 0; n < 100; ++n) {
    next[2 * n] = std::max(n - 5, 0);
    next[2 * n + 1] = std::min(n + 5, 99);
  }
  ChainInput input;
  input.rows = {100, 100};
  input.numTiles = 5;
  input.numThreads = 2;
  input.loops = {loopOf(100, {{0, true, {}}}),
                 loopOf(100, {{0, false, column(next, 2, 0)},
                              {0, false, column(next, 2, 1)},
                              {1, true, {}}}),
                 loopOf(100, {{0, true, {}}})};
  ChainTiles tiles = findTiles(input);
  EXPECT_EQ(tiles.obstacle, "");
  auto readers = threadsOf(tiles, 1, 100), writers = threadsOf(tiles, 2, 100);
  for (int n = 0; n < 100; ++n) {
    // The first reader of the second thread sees rows from 50 on, and the
    // first writer comes where no reader of the first thread looks.
    EXPECT_EQ(readers[n], n >= 55);
    EXPECT_EQ(writers[n], n >= 60);
  }
  EXPECT_TRUE(tiles.threads[1].waits.empty());
  // Readers from 45 on need rows 50 to 59 of the second thread's first tile;
  // the writer of row 59 comes after the reader 64, which is in its second.
  ASSERT_EQ(tiles.threads[0].waits.size(), 1u);
  ChainWait const &wait = tiles.threads[0].waits[0];
  EXPECT_EQ(wait.tile, 4);
  EXPECT_EQ(wait.other, 1);
  EXPECT_EQ(wait.done, 2);
}

TEST(ChainTilesTest, ElementsAtTheCutRunOnBothThreads) {
  // Edges between neighbours of 640 cells in a row.
  std::vector<int> ends;
  for (int n = 0; n + 1 < 640; ++n)
    ends.insert(ends.end(), {n, n + 1});
  ChainInput input;
  input.rows = {640, 640};
  input.numTiles = 4;
  input.numThreads = 4;
  ChainLoop edges = loopOf(639, {{0, false, column(ends, 2, 0)},
                                 {0, false, column(ends, 2, 1)},
                                 {1, true, column(ends, 2, 0)},
                                 {1, true, column(ends, 2, 1)}});
  edges.isOwned = true;
  input.loops = {loopOf(640, {{0, true, {}}}), edges, edges};
  ChainTiles tiles = findTiles(input);
  EXPECT_EQ(tiles.obstacle, "");
  EXPECT_TRUE(tiles.cuts[0].empty());
  for (std::size_t loop : {1, 2}) {
    ASSERT_EQ(tiles.cuts[loop].size(), 1u);
    std::vector<int64_t> const &begins = tiles.cuts[loop][0].begins;
    ASSERT_EQ(begins.size(), 5u);
    EXPECT_EQ(begins[0], 0);
    EXPECT_EQ(begins[4], 640);
    for (int t = 1; t < 4; ++t) {
      // The edge at the cut reads and changes the cell before it, which is to
      // be no other thread's; cuts are multiples of 16.
      EXPECT_EQ(begins[t], 160 * t + 16 * int(loop));
      auto edge = static_cast<std::size_t>(begins[t] - 1);
      EXPECT_EQ(tilesIn(tiles.threads[t - 1], loop, 639)[edge], 3);
      EXPECT_EQ(tilesIn(tiles.threads[t], loop, 639)[edge], 0);
    }
  }
}

TEST(ChainTilesTest, ThreadsThatWouldWaitAreSeen) {
  ChainInput input;
  input.rows = {1000};
  input.numTiles = 10;
  input.numThreads = 2;
  std::vector<int> backwards(1000);
  for (int n = 0; n < 1000; ++n)
    backwards[n] = 999 - n;
  input.loops = {loopOf(1000, {{0, true, {}}}), loopOf(1000, {{0, true, {}}})};
  EXPECT_NEAR(slowdown(input, findTiles(input)), 1, 1e-9);
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3), "");
  // All of the second loop falls to the first thread.
  input.loops[1].accesses[0].column = column(backwards);
  EXPECT_NEAR(slowdown(input, findTiles(input)), 1.55, 1e-2);
  // The same, but each tile has its share.
  std::vector<int> begin(1000);
  for (int n = 0; n < 1000; ++n)
    begin[n] = n / 4;
  input.numThreads = 4;
  input.numTiles = 3;
  input.loops[1].accesses[0] = {0, false, column(begin)};
  EXPECT_NEAR(slowdown(input, findTiles(input)), 2.5, 1e-2);
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3),
            "threads would have to wait for each other");
}

TEST(ChainTilesTest, AConflictWithinARangeIsAnObstacle) {
  // Every element changes one row, first those of the first thread.
  std::vector<int> one(1000, 0);
  ChainInput input;
  input.rows = {1000};
  input.numTiles = 4;
  input.numThreads = 2;
  input.loops = {loopOf(1000, {{0, true, column(one)}})};
  EXPECT_EQ(findTiles(input).obstacle,
            "an element needs another of an earlier thread");
  EXPECT_EQ(reasonAgainst(input, findTiles(input), 3),
            "an element needs another of an earlier thread");
}

TEST(ChainTilesTest, APartTakesWhatReachesItsOwnRows) {
  auto table = gridEdges(20, 2000);
  PlanInput input;
  input.size = static_cast<int64_t>(table.size() / 2);
  input.what = OP2RT_PLAN_OWNER;
  input.conflicts = {{40000, {column(table, 2, 0), column(table, 2, 1)}}};
  std::vector<OwnedCuts> cuts = {{40000, {0, 8000, 20000, 40000}}};
  Plan plan;
  plan.size = input.size;
  takeOwnPart(input, {{10000, 24000}}, cuts, 1, plan);
  ASSERT_EQ(plan.nblocks, 1);
  EXPECT_EQ(ownedBegin(plan, 40000, 0), 8000);
  EXPECT_EQ(ownedBegin(plan, 40000, 1), 20000);
  EXPECT_EQ(ownedBegin(plan, 777, 1), 777); // a set without cuts
  EXPECT_GT(memoryOf(plan), 0);
  for (PlanPiece const &piece : plan.pieces)
    for (int64_t n = piece.begin; n < piece.end; ++n) {
      auto isOwn = [&](int row) { return row >= 8000 && row < 20000; };
      EXPECT_TRUE(isOwn(table[2 * n]) || isOwn(table[2 * n + 1]));
      if (!piece.is_guarded) {
        EXPECT_TRUE(isOwn(table[2 * n]) && isOwn(table[2 * n + 1]));
      }
    }
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
    setenv("OP2_TILE_SIZE", "500", 1);
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
    plans = makePlans(calls, findTiles(describeChain(calls, 3)));
  }
  void TearDown() override {
    unsetenv("OP2_OWNER");
    unsetenv("OP2_TILE_SIZE");
    ProgramTest::TearDown();
  }

  static std::shared_ptr<LoopCall> makeCall(op2rt_loop_desc &desc, op_set set,
                                            std::vector<op2rt_arg> const &args,
                                            uint32_t what) {
    op2rt_loop *loop = op2rt_loop_begin(&desc, set, args.data());
    op2rt_plan_get(loop, 0, what);
    std::shared_ptr<LoopCall> call = loop->state->calls.front();
    op2rt_loop_end(loop);
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
  /// The first part of the second thread in the loop.
  TilePlan &partOf(int32_t loop) {
    std::vector<TilePlan> &parts = plans.threads[1].parts;
    return *std::find_if(parts.begin(), parts.end(), [&](TilePlan const &part) {
      return part.loop == loop;
    });
  }

  static std::vector<op2rt_arg_desc> const writeArgs, addArgs;
  static op2rt_loop_desc write, add;
  op_set cells = nullptr, edges = nullptr;
  op_dat dat = nullptr;
  ChainCalls calls;
  ChainPlans plans;
};

std::vector<op2rt_arg_desc> const ChainCheckTest::writeArgs{
    datArg(OP_WRITE, 1, OP2RT_DIRECT, 0)};
std::vector<op2rt_arg_desc> const ChainCheckTest::addArgs{
    datArg(OP_INC, 1, 0, 0), datArg(OP_INC, 1, 1, 0)};
op2rt_loop_desc ChainCheckTest::write = describeLoop("write", writeArgs);
op2rt_loop_desc ChainCheckTest::add = describeLoop("add", addArgs);

TEST_F(ChainCheckTest, GoodPlansPass) {
  EXPECT_EQ(plans.numTiles, 8);
  EXPECT_EQ(plans.threads.size(), 3u);
  EXPECT_TRUE(checkPlans(calls, plans).empty());
  requireSoundPlans(calls, plans);
  // Twenty cells at each of two cuts.
  EXPECT_GT(repeatedElements(calls, plans), 0);
  EXPECT_LT(repeatedElements(calls, plans), 2 * 60);
}

TEST_F(ChainCheckTest, AMissingTile) {
  plans.threads[2].parts.pop_back();
  expectFault("is done 0 times; expected once");
  EXPECT_EXIT(requireSoundPlans(calls, plans), diesWith1(),
              "op2 error: chain of loops write, add: the tiles are wrong, "
              "please report this:");
}

TEST_F(ChainCheckTest, TilesInTheWrongOrder) {
  std::vector<TilePlan> &parts = plans.threads[1].parts;
  std::swap(parts[2], parts[3]); // the second tile of both
  std::swap(parts[2].tile, parts[3].tile);
  expectFault("may come too early for a row that write touches before it");
}

TEST_F(ChainCheckTest, AWaitThatIsNotThere) {
  ASSERT_FALSE(plans.threads[0].waits.empty());
  plans.threads[0].waits.clear();
  expectFault("may come too early for a row that write touches before it");
}

TEST_F(ChainCheckTest, AWaitForTooLittle) {
  for (ChainWait &wait : plans.threads[0].waits)
    wait.done = 0;
  expectFault("may come too early for a row that write touches before it");
}

TEST_F(ChainCheckTest, ElementsInTheWrongOrder) {
  Plan &plan = *partOf(1).plan;
  PlanPiece &last = plan.pieces.back();
  int64_t middle = (last.begin + last.end) / 2;
  PlanPiece first = {last.begin, middle, last.is_guarded};
  last.begin = middle;
  plan.pieces.push_back(first);
  expectFault("may come too early for a row that add touches before it");
}

TEST_F(ChainCheckTest, AGuardThatIsNotThere) {
  for (ThreadPlans &thread : plans.threads)
    for (TilePlan &part : thread.parts)
      for (PlanPiece &piece : part.plan->pieces)
        piece.is_guarded = false;
  expectFault("changes what its thread does not own");
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
