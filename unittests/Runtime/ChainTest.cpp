//===- ChainTest.cpp - Chains of loops, run in tiles ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small flow solver: the results of its loops in tiles are, bit for bit,
// those of the loops one after the other.
//
//===----------------------------------------------------------------------===//

#include "ChainProgram.h"
#include "Execute/Loop.h"
#include "Tune/TuneFile.h"

#include <algorithm>
#include <cmath>
#include <dlfcn.h>
#include <numeric>
#include <unistd.h>

using namespace op2::rt;
using namespace op2::test;

/// What sysconf says of the second-level cache; 0: what there is.
static long theSecondLevelCache = 0;

/// Also what the library calls: sizes of caches are what chains go by.
extern "C" long sysconf(int name) noexcept {
  static auto const real =
      reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_LEVEL2_CACHE_SIZE && theSecondLevelCache
             ? theSecondLevelCache
             : real(name);
}

namespace {

/// A second-level cache of so many bytes, which a small mesh exceeds.
class SecondLevelCache {
public:
  explicit SecondLevelCache(long bytes) { theSecondLevelCache = bytes; }
  SecondLevelCache(SecondLevelCache const &) = delete;
  ~SecondLevelCache() { theSecondLevelCache = 0; }
};
constexpr long kSmallCache = 1 << 16;
/// Iterations after which everything has been tried on a mesh as small: trials
/// begin when loops have taken 0.1 s.
constexpr int kManyIterations = 1200;

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

double *rowOf(void *dat, int n) {
  auto *core = static_cast<op_dat>(dat);
  return reinterpret_cast<double *>(core->data) + int64_t(n) * core->dim;
}

int targetOf(void *map, int n, int slot) {
  auto *core = static_cast<op_map>(map);
  return core->map[int64_t(n) * core->dim + slot];
}

op_set setOf(void *value) { return static_cast<op_set>(value); }

// values: cells, q, qold
void runSave(void *const *values);
Site saveSite("save",
              {datArg(OP_READ, 2, OP2RT_DIRECT, 0),
               datArg(OP_WRITE, 2, OP2RT_DIRECT, 1)},
              {kSet, kDat, kDat}, runSave);
void runSave(void *const *values) {
  op2rt_arg args[] = {direct(values[1]), direct(values[2])};
  runLoop(saveSite.desc, setOf(values[0]), args, OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &, int n) {
            for (int d = 0; d < 2; ++d)
              rowOf(values[2], n)[d] = rowOf(values[1], n)[d];
          });
}

// values: cells, q, adt, factor
void runArea(void *const *values);
Site areaSite("area",
              {datArg(OP_READ, 2, OP2RT_DIRECT, 0),
               datArg(OP_WRITE, 1, OP2RT_DIRECT, 1), globalArg(OP_READ)},
              {kSet, kDat, kDat, kGlobal}, runArea);
void runArea(void *const *values) {
  op2rt_arg args[] = {
      direct(values[1]), direct(values[2]), {values[3], nullptr, 1}};
  double factor = *static_cast<double *>(values[3]);
  runLoop(areaSite.desc, setOf(values[0]), args, OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &, int n) {
            double const *q = rowOf(values[1], n);
            *rowOf(values[2], n) =
                factor * std::sqrt(q[0] * q[0] + 1 + q[1] * q[1]);
          });
}

// values: edges, edge -> 2 cells, q, adt, res
void runFlux(void *const *values);
Site fluxSite("flux",
              {datArg(OP_READ, 2, 0, 0), datArg(OP_READ, 2, 1, 0),
               datArg(OP_READ, 1, 0, 1), datArg(OP_READ, 1, 1, 1),
               datArg(OP_INC, 2, 0, 2), datArg(OP_INC, 2, 1, 2)},
              {kSet, kMap, kDat, kDat, kDat}, runFlux);
void runFlux(void *const *values) {
  void *map = values[1];
  op2rt_arg args[] = {through(map, values[2]), through(map, values[2]),
                      through(map, values[3]), through(map, values[3]),
                      through(map, values[4]), through(map, values[4])};
  auto res = static_cast<op_dat>(values[4]);
  runLoop(fluxSite.desc, setOf(values[0]), args, OP2RT_PLAN_OWNER,
          [&](KernelPlace const &place, int n) {
            int a = targetOf(map, n, 0), b = targetOf(map, n, 1);
            double const *qa = rowOf(values[2], a), *qb = rowOf(values[2], b);
            double f = (qa[0] - qb[1]) * *rowOf(values[3], a) +
                       qa[1] / (3 + qb[0] * qb[0]) * *rowOf(values[3], b);
            for (int d = 0; d < 2; ++d) {
              if (place.owns(res, a))
                rowOf(res, a)[d] += f * (d + 1) / 7;
              if (place.owns(res, b))
                rowOf(res, b)[d] -= f / (d + 3);
            }
          });
}

// values: bedges, bedge -> cell, q, res
void runBorder(void *const *values);
Site borderSite("border", {datArg(OP_READ, 2, 0, 0), datArg(OP_INC, 2, 0, 1)},
                {kSet, kMap, kDat, kDat}, runBorder);
void runBorder(void *const *values) {
  void *map = values[1];
  op2rt_arg args[] = {through(map, values[2]), through(map, values[3])};
  auto res = static_cast<op_dat>(values[3]);
  runLoop(borderSite.desc, setOf(values[0]), args, OP2RT_PLAN_OWNER,
          [&](KernelPlace const &place, int n) {
            int cell = targetOf(map, n, 0);
            if (place.owns(res, cell))
              rowOf(res, cell)[0] += rowOf(values[2], cell)[1] / 9;
          });
}

// values: cells, qold, q, res, adt, rms, biggest
void runUpdate(void *const *values);
Site updateSite("update",
                {datArg(OP_READ, 2, OP2RT_DIRECT, 0),
                 datArg(OP_WRITE, 2, OP2RT_DIRECT, 1),
                 datArg(OP_RW, 2, OP2RT_DIRECT, 2),
                 datArg(OP_READ, 1, OP2RT_DIRECT, 3), globalArg(OP_INC),
                 globalArg(OP_MAX)},
                {kSet, kDat, kDat, kDat, kDat, kGlobal, kGlobal}, runUpdate);
void runUpdate(void *const *values) {
  op2rt_arg args[] = {direct(values[1]),       direct(values[2]),
                      direct(values[3]),       direct(values[4]),
                      {values[5], nullptr, 1}, {values[6], nullptr, 1}};
  runLoop(updateSite.desc, setOf(values[0]), args, OP2RT_PLAN_BLOCKS,
          [&](KernelPlace const &place, int n) {
            double *q = rowOf(values[2], n), *res = rowOf(values[3], n);
            for (int d = 0; d < 2; ++d) {
              double change = res[d] / (2 + *rowOf(values[4], n));
              q[d] = rowOf(values[1], n)[d] - change / 16;
              res[d] = 0;
              *place.partial<double>(4) += change * change;
              *place.partial<double>(5) =
                  std::max(*place.partial<double>(5), q[d]);
            }
          });
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

enum class Order { Good, Shuffled, ShuffledEdges };

/// For the names of tests.
void PrintTo(Order order, std::ostream *out) {
  *out << (order == Order::Good       ? "good"
           : order == Order::Shuffled ? "shuffled"
                                      : "shuffled edges");
}

struct Mesh {
  int cells;
  std::vector<int> edges, border;
};

/// Boundary elements go round the mesh, as those of mesh generators do.
std::vector<int> goRound(int width, int height) {
  std::vector<int> cells;
  for (int x = 0; x < width; ++x)
    cells.push_back(x);
  for (int y = 0; y < height; ++y)
    cells.push_back(y * width + width - 1);
  for (int x = width; x-- > 0;)
    cells.push_back((height - 1) * width + x);
  for (int y = height; y-- > 0;)
    cells.push_back(y * width);
  return cells;
}

Mesh makeMesh(Order order, int width, int height) {
  Mesh mesh{width * height, gridEdges(width, height), goRound(width, height)};
  std::mt19937 random(1);
  if (order == Order::Shuffled) {
    std::vector<int> numbers(static_cast<std::size_t>(mesh.cells));
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), random);
    for (int &cell : mesh.edges)
      cell = numbers[cell];
    for (int &cell : mesh.border)
      cell = numbers[cell];
  } else if (order == Order::ShuffledEdges) {
    for (std::size_t n = mesh.edges.size() / 2; n-- > 1;) {
      std::size_t other = random() % n;
      std::swap(mesh.edges[2 * n], mesh.edges[2 * other]);
      std::swap(mesh.edges[2 * n + 1], mesh.edges[2 * other + 1]);
    }
  }
  return mesh;
}

/// What a run leaves.
struct Results {
  std::vector<double> q, res, adt, history;

  bool operator==(Results const &other) const {
    return q == other.q && res == other.res && adt == other.adt &&
           history == other.history;
  }
};

/// The solver's objects.
class Solver {
public:
  explicit Solver(Mesh const &mesh) {
    auto n = static_cast<std::size_t>(mesh.cells);
    start.resize(2 * n);
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = std::sin(double(i));
    zeros.resize(2 * n);
    cells = op_decl_set(mesh.cells, "cells");
    edges = op_decl_set(static_cast<int>(mesh.edges.size() / 2), "edges");
    bedges = op_decl_set(static_cast<int>(mesh.border.size()), "bedges");
    ecell = op_decl_map(edges, cells, 2, mesh.edges.data(), "ecell");
    bcell = op_decl_map(bedges, cells, 1, mesh.border.data(), "bcell");
    q = op_decl_dat(cells, 2, "double", start.data(), "q");
    qold = op_decl_dat(cells, 2, "double", zeros.data(), "qold");
    res = op_decl_dat(cells, 2, "double", zeros.data(), "res");
    adt = op_decl_dat(cells, 1, "double", zeros.data(), "adt");
  }

  /// Two stages; the program looks at the second one's results only.
  void iterate() {
    saveSite({cells, q, qold});
    for (int stage = 0; stage < 2; ++stage) {
      double factor = 1 + 0.25 * stage;
      areaSite({cells, q, adt, &factor});
      factor = -1e9; // the loop works with what it was
      fluxSite({edges, ecell, q, adt, res});
      borderSite({bedges, bcell, q, res});
      op2rt_drop(&rms, sizeof rms);
      rms = 0;
      op2rt_drop(&biggest, sizeof biggest);
      biggest = -10;
      updateSite({cells, qold, q, res, adt, &rms, &biggest});
    }
  }
  void look() {
    op2rt_flush(nullptr);
    results.history.push_back(rms);
    results.history.push_back(biggest);
  }

  Results const &finish() {
    look();
    results.q.resize(start.size());
    results.res.resize(start.size());
    results.adt.resize(start.size() / 2);
    op_fetch_data(q, results.q.data());
    op_fetch_data(res, results.res.data());
    op_fetch_data(adt, results.adt.data());
    return results;
  }

  op_set cells, edges, bedges;
  op_map ecell, bcell;
  op_dat q, qold, res, adt;
  double rms = 0, biggest = 0;

private:
  std::vector<double> start, zeros;
  Results results;
};

int64_t countChained() {
  int64_t count = 0;
  for (LoopState const *state : allLoopStates())
    count += state->countChained;
  return count;
}

struct Outcome {
  Results results;
  int64_t chained;
};

Outcome runSolver(Mesh const &mesh, int threads, bool looks,
                  ChainProgram::Variables variables) {
  variables.emplace_back("OP2_TUNE", "off");
  variables.emplace_back("OP2_CHECK_PLAN", "1");
  ChainProgram program(variables, threads);
  Solver solver(mesh);
  for (int iteration = 0; iteration < 6; ++iteration) {
    solver.iterate();
    if (looks)
      solver.look();
  }
  Results results = solver.finish();
  return {results, countChained()};
}

//===----------------------------------------------------------------------===//
// In tiles
//===----------------------------------------------------------------------===//

class ChainSolverTest
    : public ::testing::TestWithParam<std::tuple<Order, int, int>> {};

TEST_P(ChainSolverTest, ResultsAreThoseOfLoopAfterLoop) {
  auto [order, threads, tile] = GetParam();
  Mesh mesh = makeMesh(order, 30, 150);
  for (bool looks : {true, false})
    for (char const *owner : {"auto", "always"}) {
      Outcome alone = runSolver(mesh, threads, looks,
                                {{"OP2_OWNER", owner}, {"OP2_CHAIN", "never"}});
      Outcome chain = runSolver(mesh, threads, looks,
                                {{"OP2_OWNER", owner},
                                 {"OP2_CHAIN", "always"},
                                 {"OP2_TILE_SIZE", std::to_string(tile)}});
      EXPECT_EQ(alone.chained, 0);
      EXPECT_GT(chain.chained, 0);
      EXPECT_TRUE(alone.results == chain.results)
          << "looks " << looks << ", OP2_OWNER=" << owner;
      EXPECT_NE(alone.results.history[0], 0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Chains, ChainSolverTest,
    ::testing::Combine(::testing::Values(Order::Good, Order::Shuffled,
                                         Order::ShuffledEdges),
                       ::testing::Values(1, 2, 3, 5, 8),
                       ::testing::Values(1, 37, 512, 2000)));

TEST(ChainTest, ResultsDoNotDependOnThreadsOrTiles) {
  Mesh mesh = makeMesh(Order::Good, 40, 100);
  ChainProgram::Variables never{{"OP2_OWNER", "always"},
                                {"OP2_CHAIN", "never"}};
  Results alone = runSolver(mesh, 1, true, never).results;
  for (int threads : {1, 4})
    for (char const *tile : {"100", "1000", "3999", "100000"})
      EXPECT_TRUE(alone == runSolver(mesh, threads, true,
                                     {{"OP2_OWNER", "always"},
                                      {"OP2_CHAIN", "always"},
                                      {"OP2_TILE_SIZE", tile}})
                               .results);
}

TEST(ChainTest, AllLoopsOfAnIterationRunInTiles) {
  Mesh mesh = makeMesh(Order::Good, 40, 200);
  Outcome run = runSolver(mesh, 2, true,
                          {{"OP2_OWNER", "always"},
                           {"OP2_CHAIN", "always"},
                           {"OP2_TILE_SIZE", "1000"}});
  // Nine loops at six sites; all but the first iteration, whose second stage
  // knows four of them already.
  EXPECT_EQ(run.chained, 5 * 9 + 4);
}

TEST(ChainTest, RoundsAreNotTornApart) {
  // Nobody looks: 24 loops could wait, which is two rounds of nine.
  ChainProgram program(
      {{"OP2_OWNER", "always"}, {"OP2_CHAIN", "always"}, {"OP2_TUNE", "off"}});
  Solver solver(makeMesh(Order::Good, 10, 30));
  solver.iterate();
  op2rt_flush(nullptr);
  solver.iterate();
  solver.iterate();
  EXPECT_EQ(op2rt_pending, 18);
  solver.iterate();
  EXPECT_EQ(op2rt_pending, 9);
  op2rt_flush(nullptr); // while the solver's variables live
}

TEST(ChainTest, EmptySetsTakePart) {
  Mesh mesh = makeMesh(Order::Good, 40, 100);
  mesh.border.clear();
  ChainProgram::Variables never{{"OP2_OWNER", "always"},
                                {"OP2_CHAIN", "never"}};
  Outcome alone = runSolver(mesh, 2, true, never);
  Outcome chain = runSolver(mesh, 2, true,
                            {{"OP2_OWNER", "always"},
                             {"OP2_CHAIN", "always"},
                             {"OP2_TILE_SIZE", "500"}});
  EXPECT_TRUE(alone.results == chain.results);
  EXPECT_EQ(chain.chained, 5 * 9 + 4);
}

TEST(ChainTest, FewColoredElementsKeepTheOrderOfTheirColors) {
  Mesh mesh = makeMesh(Order::Good, 160, 800);
  for (int threads : {1, 3}) {
    Results alone =
        runSolver(mesh, threads, true, {{"OP2_CHAIN", "never"}}).results;
    auto strategyOf = [](Site const &site) {
      return static_cast<LoopState *>(site.desc.state)->strategy;
    };
    EXPECT_STREQ(strategyOf(borderSite), "block colours");
    EXPECT_STREQ(strategyOf(fluxSite), "test");
    Outcome chain =
        runSolver(mesh, threads, true,
                  {{"OP2_CHAIN", "always"}, {"OP2_TILE_SIZE", "900"}});
    EXPECT_TRUE(alone == chain.results);
    EXPECT_EQ(chain.chained, 5 * 9 + 4);
  }
}

TEST(ChainTest, AutoMeasuresBothWays) {
  SecondLevelCache cache(kSmallCache);
  Mesh mesh = makeMesh(Order::Good, 25, 200);
  auto run = [&](char const *chaining) {
    ChainProgram program({{"OP2_OWNER", "always"}, {"OP2_CHAIN", chaining}}, 1,
                         /*diags=*/2);
    Solver solver(mesh);
    for (int iteration = 0; iteration < kManyIterations; ++iteration) {
      solver.iterate();
      solver.look();
    }
    return solver.finish();
  };
  ::testing::internal::CaptureStdout();
  Results alone = run("never");
  ::testing::internal::GetCapturedStdout();
  ::testing::internal::CaptureStdout();
  Results tuned = run("auto");
  std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(alone == tuned);
  EXPECT_NE(text.find("op2: tuned chain save, area"), std::string::npos)
      << text;
}

/// What came of a solver with a tuning file, and what it printed.
std::pair<Outcome, std::string>
runWithFile(Mesh const &mesh, std::string const &file, int iterations,
            ChainProgram::Variables variables = {}) {
  variables.emplace_back("OP2_OWNER", "always");
  variables.emplace_back("OP2_TUNE", file.c_str());
  ::testing::internal::CaptureStdout();
  Outcome outcome;
  {
    ChainProgram program(variables, 1, /*diags=*/2);
    Solver solver(mesh);
    for (int n = 0; n < iterations; ++n) {
      solver.iterate();
      solver.look();
    }
    outcome = {solver.finish(), countChained()};
  }
  return {outcome, ::testing::internal::GetCapturedStdout()};
}

constexpr char kWholeIteration[] = "op2: chain save, area, flux, border, "
                                   "update, area, flux, border, update: ";

/// The records of a file after a run that has tried everything, and the number
/// of that of the chain.
std::pair<std::vector<TuneRecord>, std::size_t>
tuneChain(Mesh const &mesh, std::string const &file) {
  std::remove(file.c_str());
  std::string text = runWithFile(mesh, file, kManyIterations).second;
  std::vector<TuneRecord> records = readTuneFile(file);
  auto chain =
      std::find_if(records.begin(), records.end(), [](TuneRecord const &known) {
        return known.key.kind == Tuned::Chain;
      });
  if (chain == records.end())
    ADD_FAILURE() << text;
  return {records, static_cast<std::size_t>(chain - records.begin())};
}

TEST(ChainTest, ChoicesAreKeptInAFile) {
  SecondLevelCache cache(kSmallCache);
  Mesh mesh = makeMesh(Order::Good, 25, 200);
  std::string file = ::testing::TempDir() + "op2-tune-chains";
  auto [records, number] = tuneChain(mesh, file);
  ASSERT_LT(number, records.size());
  TuneRecord &chain = records[number];
  ASSERT_EQ(chain.key.loops.size(), 9u);
  EXPECT_EQ(chain.key.first().name, "save");
  EXPECT_EQ(chain.key.loops[2].name, "flux");
  EXPECT_EQ(chain.key.loops[2].setSize, int64_t(mesh.edges.size() / 2));
  Results before;
  for (bool inTiles : {false, true}) {
    chain.inTiles = inTiles;
    ASSERT_EQ(writeTuneFile(file, records), "");
    auto [outcome, text] = runWithFile(mesh, file, 4);
    // The first iteration learns what the loops are.
    EXPECT_EQ(outcome.chained, inTiles ? 3 * 9 : 0);
    EXPECT_EQ(text.find(kWholeIteration) != std::string::npos, inTiles) << text;
    EXPECT_EQ(text.find("tuned chain"), std::string::npos) << text;
    EXPECT_TRUE(!inTiles || outcome.results == before);
    before = outcome.results;
  }
  // That was said of other tiles.
  EXPECT_EQ(
      runWithFile(mesh, file, 4, {{"OP2_TILE_SIZE", "1000"}}).first.chained, 0);
}

TEST(ChainTest, AFileCannotAskForBadTiles) {
  SecondLevelCache cache(kSmallCache);
  Mesh mesh = makeMesh(Order::Shuffled, 25, 200);
  std::string file = ::testing::TempDir() + "op2-tune-bad-tiles";
  auto [records, number] = tuneChain(mesh, file);
  ASSERT_LT(number, records.size());
  EXPECT_FALSE(records[number].inTiles);
  records[number].inTiles = true;
  ASSERT_EQ(writeTuneFile(file, records), "");
  auto [outcome, text] = runWithFile(mesh, file, 4);
  EXPECT_EQ(outcome.chained, 0);
  EXPECT_NE(text.find(kWholeIteration + std::string("loop after loop, ")),
            std::string::npos)
      << text;
}

TEST(ChainTest, DiagnosticsTellWhatWasFound) {
  ::testing::internal::CaptureStdout();
  {
    ChainProgram program({{"OP2_OWNER", "always"},
                          {"OP2_CHAIN", "always"},
                          {"OP2_TUNE", "off"},
                          {"OP2_TILE_SIZE", "1000"}},
                         2, /*diags=*/2);
    Solver solver(makeMesh(Order::Good, 40, 200));
    for (int n = 0; n < 3; ++n) {
      solver.iterate();
      solver.look();
    }
    op_timing_output();
  }
  std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("op2: chain save, area, flux, border, update, area, "
                      "flux, border, update: 8 tiles, "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" elements twice or more, "), std::string::npos);
  EXPECT_NE(text.find("save (test); 2 in chains"), std::string::npos) << text;
}

TEST(ChainTest, CountsAndBytesAreThoseOfTheLoops) {
  ChainProgram program({{"OP2_OWNER", "always"},
                        {"OP2_CHAIN", "always"},
                        {"OP2_TUNE", "off"},
                        {"OP2_TILE_SIZE", "1000"}});
  Solver solver(makeMesh(Order::Good, 40, 200));
  for (int n = 0; n < 3; ++n) {
    solver.iterate();
    solver.look();
  }
  auto const &flux = *static_cast<LoopState *>(fluxSite.desc.state);
  EXPECT_EQ(flux.count, 6);
  EXPECT_EQ(flux.countChained, 5);
  EXPECT_EQ(flux.bytes, 6 * flux.calls.front()->bytes);
}

} // namespace
