//===- RenumberTest.cpp - New numbers for the elements of sets --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Renumber/Renumber.h"
#include "FakeDeviceTest.h"
#include "Renumber/MeshOrder.h"
#include "Renumber/RowGraph.h"
#include "op_seq.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <omp.h>
#include <sstream>

using namespace op2::rt;
using namespace op2::test;

namespace {

std::vector<int> shuffledNumbers(int size, unsigned seed) {
  std::vector<int> numbers(static_cast<std::size_t>(size));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(seed));
  return numbers;
}

void expectPermutation(std::vector<int32_t> order) {
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, identityOrder(static_cast<int32_t>(order.size())));
}

int bandwidth(op_map map) {
  int most = 0;
  for (int e = 0; e < map->from->size; ++e) {
    auto [low, high] = std::minmax_element(map->map + e * map->dim,
                                           map->map + (e + 1) * map->dim);
    most = std::max(most, *high - *low);
  }
  return most;
}

void addBoth(double const *w, double *a, double *b) {
  *a += *w;
  *b -= 2 * *w;
}
void ownNumber(int const *self, int const *first, int *out) {
  out[0] = *self;
  out[1] = *first;
}

/// A grid of kWidth * kHeight nodes, numbered at random, with its edges, in
/// random order, and values that say which element they belong to.
class RenumberTest : public ProgramTest {
protected:
  static constexpr int kWidth = 30, kHeight = 20, kNodes = kWidth * kHeight;

  void TearDown() override {
    if (isRunning)
      ProgramTest::TearDown();
  }
  void declare(unsigned seed = 1) {
    std::vector<int> good = gridEdges(kWidth, kHeight);
    int size = static_cast<int>(good.size() / 2);
    std::vector<int> node = shuffledNumbers(kNodes, seed);
    std::vector<int> edge = shuffledNumbers(size, seed + 1);
    table.resize(good.size());
    for (int e = 0; e < 2 * size; ++e)
      table[edge[e / 2] * 2 + e % 2] = node[good[e]];
    nodes = op_decl_set(kNodes, "nodes");
    edges = op_decl_set(size, "edges");
    map = op_decl_map(edges, nodes, 2, table.data(), "edge_nodes");
    x = declareNumbers(nodes, "x");
    w = declareNumbers(edges, "w");
    y = op_decl_dat(nodes, 1, "double", (double *)nullptr, "y");
    places.resize(2 * kNodes);
    for (int n = 0; n < kNodes; ++n) {
      places[2 * node[n]] = n % kWidth;
      places[2 * node[n] + 1] = n / kWidth;
    }
    coords = op_decl_dat(nodes, 2, "double", places.data(), "coords");
  }
  /// Element e holds e.
  static op_dat declareNumbers(op_set set, char const *name) {
    std::vector<double> values(static_cast<std::size_t>(set->size));
    std::iota(values.begin(), values.end(), 0);
    return op_decl_dat(set, 1, "double", values.data(), name);
  }
  static std::vector<double> fetch(op_dat dat) {
    std::vector<double> values(
        static_cast<std::size_t>(dat->set->size * dat->dim));
    op_fetch_data(dat, values.data());
    return values;
  }
  static std::vector<double> numbers(int size) {
    std::vector<double> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
  /// y of the application's node n, from the application's table.
  std::vector<double> expectedSums() const {
    std::vector<double> sums(kNodes);
    for (int e = 0; e < edges->size; ++e) {
      sums[table[2 * e]] += e;
      sums[table[2 * e + 1]] -= 2 * e;
    }
    return sums;
  }
  void addUp() {
    op_par_loop(addBoth, "add_both", edges,
                op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(y, 0, map, 1, "double", OP_INC),
                op_arg_dat(y, 1, map, 1, "double", OP_INC));
  }
  static bool isMoved(op_set set) {
    return !static_cast<Set *>(set)->toUser.empty();
  }
  void restart(char const *option) {
    op_exit();
    char const *argv[] = {"program", option, nullptr};
    op_init(2, const_cast<char **>(argv), 0);
  }
  void partition(op_map base = nullptr, op_dat given = nullptr) {
    op_partition("PTSCOTCH", "KWAY", nullptr, base, given);
  }

  bool isRunning = true;
  std::vector<int> table;
  std::vector<double> places;
  op_set nodes, edges;
  op_map map;
  op_dat x, w, y, coords;
};

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

TEST_F(RenumberTest, CuthillMckeeGivesTheBandwidthOfTheGrid) {
  declare();
  EXPECT_GT(bandwidth(map), kNodes / 2);
  Order order = reverseCuthillMckee(
      RowGraph(static_cast<Set &>(*nodes), {static_cast<Map *>(map)}));
  expectPermutation(order);
  op_renumber(map);
  // Levels from a corner are diagonals: none is longer than the short side.
  EXPECT_LE(bandwidth(map), kHeight + 1);
  expectPermutation(static_cast<Set *>(nodes)->toUser);
  expectPermutation(static_cast<Set *>(edges)->toUser);
}

TEST_F(RenumberTest, NumbersDoNotDependOnThreads) {
  declare();
  int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  MeshOrder first({nullptr, nullptr, "test"});
  omp_set_num_threads(5);
  MeshOrder second({nullptr, nullptr, "test"});
  omp_set_num_threads(threads);
  EXPECT_EQ(first.orders(), second.orders());
}

TEST_F(RenumberTest, PartsThatAreNotConnected) {
  // A chain, three pairs, and elements that nothing leads to.
  std::vector<int> chain = shuffledNumbers(500, 3), pairs;
  for (int n = 0; n + 1 < 300; ++n)
    pairs.insert(pairs.end(), {chain[n], chain[n + 1]});
  for (int n : {300, 302, 304})
    pairs.insert(pairs.end(), {chain[n], chain[n + 1]});
  op_set to = op_decl_set(500, "to");
  op_set from = op_decl_set(static_cast<int>(pairs.size() / 2), "from");
  map = op_decl_map(from, to, 2, pairs.data(), "map");
  x = declareNumbers(to, "x");
  op_renumber(map);
  EXPECT_EQ(bandwidth(map), 1);
  expectPermutation(static_cast<Set *>(to)->toUser);
  EXPECT_EQ(fetch(x), numbers(500));
}

TEST_F(RenumberTest, MapFromASetToItself) {
  std::vector<int> chain = shuffledNumbers(200, 5), next(200);
  for (int n = 0; n < 200; ++n)
    next[chain[n]] = chain[(n + 1) % 200];
  op_set ring = op_decl_set(200, "ring");
  map = op_decl_map(ring, ring, 1, next.data(), "next");
  x = declareNumbers(ring, "x");
  op_renumber(map);
  for (int n = 0; n < 200; ++n)
    EXPECT_LE(std::abs(map->map[n] - n), 2) << n;
  EXPECT_EQ(fetch(x), numbers(200));
}

TEST_F(RenumberTest, HilbertKeepsNeighborsTogether) {
  restart("OP_RENUMBER=hilbert:coords");
  declare();
  partition();
  EXPECT_TRUE(isMoved(nodes));
  // Half the steps along the curve stay in a square of two by two.
  double sum = 0;
  auto *at = reinterpret_cast<double *>(coords->data);
  for (int n = 0; n + 1 < kNodes; ++n)
    sum += std::abs(at[2 * n + 2] - at[2 * n]) +
           std::abs(at[2 * n + 3] - at[2 * n + 1]);
  EXPECT_LT(sum / kNodes, 1.2);
  EXPECT_EQ(fetch(coords), places);
}

TEST_F(RenumberTest, HilbertTakesTheCoordinatesOfPartition) {
  restart("OP_RENUMBER=hilbert");
  declare();
  EXPECT_EXIT(partition(), diesWith1(),
              "op_partition: OP2_RENUMBER=hilbert "
              "needs coordinates");
  partition(nullptr, coords);
  EXPECT_TRUE(isMoved(nodes));
  EXPECT_EQ(fetch(x), numbers(kNodes));
}

TEST_F(RenumberTest, HilbertInOneAndThreeDimensions) {
  for (int dim : {1, 3}) {
    op_set set = op_decl_set(1000, "set");
    std::vector<float> values(static_cast<std::size_t>(1000 * dim));
    std::mt19937 random(7);
    for (float &value : values)
      value = float(random() % 100);
    op_dat dat = op_decl_dat(set, dim, "float", values.data(), "places");
    Order order = hilbertOrder(static_cast<Dat &>(*dat), "test");
    expectPermutation(order);
    for (int n = 0; dim == 1 && n + 1 < 1000; ++n) {
      EXPECT_LE(values[order[n]], values[order[n + 1]]);
    }
  }
}

//===----------------------------------------------------------------------===//
// What the application sees
//===----------------------------------------------------------------------===//

TEST_F(RenumberTest, ValuesComeBackInTheApplicationsOrder) {
  declare();
  op_renumber(map);
  EXPECT_TRUE(isMoved(nodes));
  EXPECT_TRUE(isMoved(edges));
  EXPECT_EQ(fetch(x), numbers(kNodes));
  EXPECT_EQ(fetch(coords), places);
  addUp();
  EXPECT_EQ(fetch(y), expectedSums());
  std::vector<double> part(10);
  op_fetch_data_idx(x, part.data(), 35, 44);
  EXPECT_EQ(part.front(), 35);
  EXPECT_EQ(part.back(), 44);
}

TEST_F(RenumberTest, AgainAndBetweenLoops) {
  declare();
  addUp();
  op_renumber(map);
  op_renumber(map);
  addUp();
  std::vector<double> sums = expectedSums();
  for (double &sum : sums)
    sum *= 2;
  EXPECT_EQ(fetch(y), sums);
  EXPECT_EQ(fetch(w), numbers(edges->size));
}

// Plans stay where nothing moves that they know.
TEST_F(RenumberTest, PlansOfOtherSetsStay) {
  declare();
  op_set alone = op_decl_set(30, "alone");
  std::vector<int> keys(30), sorted(kNodes);
  for (int n = 0; n < 30; ++n)
    keys[static_cast<std::size_t>(n)] = n * 7 % 30;
  std::iota(sorted.begin(), sorted.end(), 0);
  op_dat key = op_decl_dat(alone, 1, "int", keys.data(), "key");
  op_dat ofNodes = op_decl_dat(nodes, 1, "int", sorted.data(), "sorted");
  auto getPlan = [&] {
    Loop loop("look");
    loop.dat(y, 0, map, OP_INC);
    op2rt_loop *running = loop.begin(edges);
    op2rt_plan const *plan = op2rt_plan_get(running, 4, 0);
    op2rt_loop_end(running);
    return plan;
  };
  op2rt_plan const *plan = getPlan();
  op_renumber_by(alone, key);
  EXPECT_EQ(getPlan(), plan);
  op_renumber_by(nodes, ofNodes);
  EXPECT_EQ(getPlan(), plan);
  std::vector<int> fetched(30);
  op_fetch_data(key, fetched.data());
  EXPECT_EQ(fetched, keys);
}

TEST_F(RenumberTest, FilesHaveTheApplicationsOrder) {
  declare();
  op_renumber(map);
  std::string name = ::testing::TempDir() + "op2_renumber";
  op_print_dat_to_txtfile(x, name.c_str());
  std::ifstream text(name);
  int size = 0, dim = 0;
  text >> size >> dim;
  for (int n = 0; n < kNodes; ++n) {
    double value = -1;
    text >> value;
    ASSERT_EQ(value, n);
  }
  op_print_dat_to_binfile(x, name.c_str());
  std::ifstream binary(name, std::ios::binary);
  binary.seekg(2 * sizeof(int));
  std::vector<double> values(kNodes);
  binary.read(reinterpret_cast<char *>(values.data()), kNodes * sizeof(double));
  EXPECT_EQ(values, numbers(kNodes));
  std::remove(name.c_str());
}

TEST_F(RenumberTest, IndexIsTheApplicationsNumber) {
  declare();
  op_renumber(map);
  op_dat pair = op_decl_dat(edges, 2, "int", (int *)nullptr, "pair");
  op_par_loop(ownNumber, "own_number", edges, op_arg_idx(-1, OP_ID),
              op_arg_idx(0, map),
              op_arg_dat(pair, -1, OP_ID, 2, "int", OP_WRITE));
  std::vector<int> values(static_cast<std::size_t>(2 * edges->size));
  op_fetch_data(pair, values.data());
  for (int e = 0; e < edges->size; ++e) {
    EXPECT_EQ(values[2 * e], e);
    EXPECT_EQ(values[2 * e + 1], table[2 * e]);
  }
}

TEST_F(RenumberTest, CompiledLoopsWithAnIndexBringASetBack) {
  declare();
  op_renumber(map);
  addUp();
  Loop loop("numbers");
  loop.add(describeArg(OP2RT_ARG_INDEX, OP2RT_READ, OP2RT_DIRECT, 1, OP2RT_I32),
           {nullptr, nullptr, 1});
  loop.dat(w, OP_READ);
  ::testing::internal::CaptureStderr();
  for (int n = 0; n < 2; ++n) {
    op2rt_loop *running = loop.begin(edges);
    auto *values = static_cast<double *>(op2rt_dat_data(w));
    EXPECT_TRUE(
        std::equal(values, values + edges->size, numbers(edges->size).begin()));
    op2rt_loop_end(running);
  }
  EXPECT_EQ(withoutRemedies(::testing::internal::GetCapturedStderr()),
            "op2 warning: loop numbers (test.cpp:1), argument 0: op_arg_idx "
            "brings set edges, which was renumbered, back to the application's "
            "order; loops over it may be slow [op2-renumber]\n");
  EXPECT_FALSE(isMoved(edges));
  EXPECT_TRUE(isMoved(nodes));
  addUp();
  std::vector<double> sums = expectedSums();
  for (double &sum : sums)
    sum *= 2;
  EXPECT_EQ(fetch(y), sums);
  // For good.
  op_renumber(map);
  EXPECT_FALSE(isMoved(edges));
  // Of what a map leads to, too.
  Loop other("targets");
  other.add(describeArg(OP2RT_ARG_INDEX, OP2RT_READ, 1, 1, OP2RT_I32),
            {nullptr, map, 1});
  ::testing::internal::CaptureStderr();
  op2rt_loop_end(other.begin(edges));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("brings set nodes"),
            std::string::npos);
  EXPECT_TRUE(std::equal(table.begin(), table.end(), map->map));
  EXPECT_EQ(fetch(y), sums);
}

TEST_F(RenumberTest, LaterDeclarationsAreTranslated) {
  declare();
  op_renumber(map);
  op_dat late = declareNumbers(nodes, "late");
  EXPECT_EQ(fetch(late), numbers(kNodes));
  op_map twin = op_decl_map(edges, nodes, 2, table.data(), "twin");
  EXPECT_TRUE(std::equal(twin->map, twin->map + 2 * edges->size, map->map));
  // Filled by hand: translated when a loop first uses it.
  op_map empty = op_decl_map(edges, nodes, 2, nullptr, "empty");
  empty->map = static_cast<int *>(op_malloc(table.size() * sizeof(int)));
  std::copy(table.begin(), table.end(), empty->map);
  map = empty;
  addUp();
  EXPECT_TRUE(std::equal(twin->map, twin->map + 2 * edges->size, empty->map));
  EXPECT_EQ(fetch(y), expectedSums());
}

// Nor are they moved while they are the application's, with or without values.
TEST_F(RenumberTest, TablesThatNobodyHasLookedAt) {
  declare();
  op_map late = op_decl_map(edges, nodes, 2, nullptr, "late");
  op_map never = op_decl_map(edges, nodes, 2, nullptr, "never");
  op_renumber(map);
  late->map = static_cast<int *>(op_malloc(table.size() * sizeof(int)));
  std::copy(table.begin(), table.end(), late->map);
  never->map = static_cast<int *>(op_malloc(table.size() * sizeof(int)));
  std::fill_n(never->map, table.size(), -7);
  Loop loop("numbers");
  loop.add(describeArg(OP2RT_ARG_INDEX, OP2RT_READ, OP2RT_DIRECT, 1, OP2RT_I32),
           {nullptr, nullptr, 1});
  ::testing::internal::CaptureStderr();
  op2rt_loop_end(loop.begin(edges));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("brings set edges"),
            std::string::npos);
  EXPECT_EQ(std::count(never->map, never->map + table.size(), -7),
            std::ptrdiff_t(table.size()));
  map = late;
  addUp();
  EXPECT_EQ(fetch(y), expectedSums());
}

TEST_F(RenumberTest, TablesOfTheApplicationStayAsTheyAre) {
  declare();
  op_map own = op_decl_map(edges, nodes, 2, nullptr, "own");
  std::vector<int> mine = table;
  own->map = mine.data();
  own->user_managed = 1;
  op_renumber(map);
  EXPECT_EQ(mine, table);
  EXPECT_TRUE(std::equal(own->map, own->map + 2 * edges->size, map->map));
}

TEST_F(RenumberTest, ErrorsNameTheApplicationsElements) {
  declare();
  op_renumber(map);
  table[2 * 17 + 1] = kNodes;
  EXPECT_EXIT(op_decl_map(edges, nodes, 2, table.data(), "bad"), diesWith1(),
              "op_decl_map bad: element 17, slot 1 is 600; expected 0..599");
}

//===----------------------------------------------------------------------===//
// Which sets
//===----------------------------------------------------------------------===//

TEST_F(RenumberTest, SetsWithoutElementsAndSetsWithoutMaps) {
  declare();
  op_set none = op_decl_set(0, "none"), alone = op_decl_set(7, "alone");
  op_map fromNone = op_decl_map(none, nodes, 2, nullptr, "from_none");
  op_map toNone = op_decl_map(none, none, 1, nullptr, "to_none");
  op_dat z = declareNumbers(alone, "z");
  op_renumber(map);
  op_renumber(fromNone);
  op_renumber(toNone);
  EXPECT_FALSE(isMoved(alone));
  EXPECT_EQ(fetch(z), numbers(7));
  EXPECT_EQ(fetch(x), numbers(kNodes));
}

TEST_F(RenumberTest, NothingAtAll) {
  restart("OP_RENUMBER=rcm");
  partition();
  restart("OP_RENUMBER=rcm");
  op_decl_set(0, "none");
  partition();
}

TEST_F(RenumberTest, SeveralMeshesInOneProgram) {
  restart("OP_RENUMBER=rcm");
  declare(1);
  op_map first = map;
  op_dat firstX = x;
  declare(11);
  partition();
  EXPECT_LE(bandwidth(first), kHeight + 1);
  EXPECT_LE(bandwidth(map), kHeight + 1);
  EXPECT_EQ(fetch(firstX), numbers(kNodes));
  EXPECT_EQ(fetch(x), numbers(kNodes));
}

TEST_F(RenumberTest, SetsThatAreReachedFromTheBase) {
  // Cells of a row of a strip, and one lid a cell: lids follow cells.
  declare();
  std::vector<int> lid = shuffledNumbers(kNodes, 9);
  op_set lids = op_decl_set(kNodes, "lids");
  op_map toLid = op_decl_map(nodes, lids, 1, lid.data(), "to_lid");
  op_dat z = declareNumbers(lids, "z");
  op_renumber(map);
  for (int n = 0; n < kNodes; ++n)
    EXPECT_EQ(toLid->map[n], n);
  EXPECT_EQ(fetch(z), numbers(kNodes));
}

TEST_F(RenumberTest, SetsThatMustKeepTheirOrder) {
  declare();
  op_set front = op_decl_set(100, "front");
  op_dat overlay = op_decl_dat_overlay(front, x);
  op_renumber(map);
  EXPECT_FALSE(isMoved(nodes));
  EXPECT_FALSE(isMoved(front));
  EXPECT_TRUE(isMoved(edges));
  EXPECT_EQ(fetch(overlay), numbers(100));
  op_set some = op_decl_set(10, "some");
  EXPECT_EXIT(op_decl_dat_overlay(some, w), diesWith1(),
              "op_decl_dat_overlay w: sets edges and some were renumbered and "
              "cannot share storage; declare the overlay before");
}

TEST_F(RenumberTest, OverlaysOnTheirOwnSetMove) {
  declare();
  op_dat overlay = op_decl_dat_overlay(nodes, x);
  op_renumber(map);
  EXPECT_TRUE(isMoved(nodes));
  EXPECT_EQ(overlay->data, x->data);
  EXPECT_EQ(fetch(overlay), numbers(kNodes));
}

TEST_F(RenumberTest, StorageOfTheApplicationStaysAsItIs) {
  declare();
  OP_realloc = 0;
  std::vector<double> mine(kNodes, 1);
  op_decl_dat(nodes, 1, "double", mine.data(), "mine");
  op_renumber(map);
  EXPECT_FALSE(isMoved(nodes));
  std::vector<double> values(static_cast<std::size_t>(edges->size));
  EXPECT_EXIT(op_decl_dat(edges, 1, "double", values.data(), "late"),
              diesWith1(),
              "op_decl_dat late: set edges was renumbered, and "
              "OP_NO_REALLOC");
}

//===----------------------------------------------------------------------===//
// When
//===----------------------------------------------------------------------===//

TEST_F(RenumberTest, PartitionAloneMovesNothing) {
  declare();
  partition(map, coords);
  EXPECT_FALSE(isMoved(nodes));
}

TEST_F(RenumberTest, NotInsideALoop) {
  declare();
  EXPECT_EXIT(
      {
        Loop loop("sum");
        loop.dat(x, 0, map, OP_READ);
        loop.begin(edges);
        op_renumber(map);
      },
      diesWith1(), "op2 error: op_renumber: called inside loop sum");
}

TEST_F(RenumberTest, TheOptionActsAtTheFirstLoop) {
  Environment variable("OP2_RENUMBER", "rcm");
  op_exit();
  op_init(0, nullptr, 0);
  declare();
  EXPECT_FALSE(isMoved(nodes));
  addUp();
  EXPECT_TRUE(isMoved(nodes));
  EXPECT_EQ(fetch(y), expectedSums());
  // It has been done.
  int *before = map->map;
  op_renumber(map);
  EXPECT_EQ(map->map, before);
}

TEST_F(RenumberTest, TheOptionActsBeforeLoopsWrittenByHand) {
  restart("OP_RENUMBER=rcm");
  declare();
  op_arg args[] = {op_arg_dat(x, 0, map, 1, "double", OP_READ)};
  op_mpi_halo_exchanges(edges, 1, args);
  EXPECT_TRUE(isMoved(nodes));
  EXPECT_EQ(args[0].data, x->data);
  EXPECT_EQ(args[0].map_data, map->map);
}

TEST_F(RenumberTest, NoneMeansNone) {
  restart("OP_RENUMBER=none");
  declare();
  op_renumber(map);
  EXPECT_FALSE(isMoved(nodes));
}

TEST_F(RenumberTest, ReportsWhatItDid) {
  op_exit();
  op_init(0, nullptr, 2);
  declare();
  ::testing::internal::CaptureStdout();
  op_renumber(map);
  std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("op2: renumbered 2 sets, beginning with nodes"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("map edge_nodes: targets of a row"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(RenumberTest, WrongWords) {
  EXPECT_EXIT(restart("OP_RENUMBER=best"), diesWith1(),
              "OP_RENUMBER=best: expected one of rcm, hilbert, hilbert:<dat>, "
              "none");
  Environment variable("OP2_RENUMBER", "hilbert:");
  declare();
  EXPECT_EXIT(addUp(), diesWith1(),
              "OP2_RENUMBER=hilbert:: expected one of rcm");
}

TEST_F(RenumberTest, WrongCoordinates) {
  restart("OP_RENUMBER=hilbert");
  declare();
  EXPECT_EXIT(addUp(), diesWith1(),
              "hilbert needs coordinates: expected hilbert:<name of a dat>, or "
              "a dat as the last argument of op_partition");
  restart("OP_RENUMBER=hilbert:places");
  declare();
  EXPECT_EXIT(addUp(), diesWith1(),
              "OP2_RENUMBER=hilbert:places: there is no dat of this name");
  op_decl_dat(nodes, 4, "double", (double *)nullptr, "places");
  EXPECT_EXIT(addUp(), diesWith1(),
              "renumbering: coordinates places: 4 components of type double; "
              "expected 1 to 3 of type double or float");
  restart("OP_RENUMBER=hilbert:coords");
  declare();
  reinterpret_cast<double *>(coords->data)[2 * 9 + 1] = NAN;
  EXPECT_EXIT(partition(), diesWith1(),
              "op_partition: coordinates coords: element 9, component 1 is "
              "-?nan; expected a finite number");
}

TEST_F(RenumberTest, TooManyRows) {
  declare();
  // More than the numbers of rows can count; the tables are never read.
  Set many{};
  many.size = INT32_MAX - 31;
  Map rows{};
  rows.from = &many;
  rows.to = nodes;
  rows.dim = 2;
  rows.map = table.data();
  std::vector<Map const *> maps{&rows, &rows, &rows};
  EXPECT_EXIT(RowGraph(static_cast<Set &>(*nodes), maps), diesWith1(),
              "renumbering set nodes: the maps that lead to it have more than "
              "4294967295 rows");
}

TEST_F(RenumberTest, WrongMaps) {
  declare();
  EXPECT_EXIT(op_renumber(nullptr), diesWith1(),
              "op_renumber: the map is NULL");
  op_map empty = op_decl_map(edges, nodes, 2, nullptr, "empty");
  EXPECT_EXIT(op_renumber(empty), diesWith1(),
              "op_renumber empty: the map was declared without a table");
  op_map one =
      op_decl_map(nodes, edges, 1, std::vector<int>(kNodes).data(), "one");
  EXPECT_EXIT(op_renumber(one), diesWith1(),
              "op_renumber one: the map leads from set nodes to one element of "
              "set edges; expected a map of at least two");
  empty->map = static_cast<int *>(op_calloc(table.size(), sizeof(int)));
  empty->map[5] = -1;
  EXPECT_EXIT(op_renumber(map), diesWith1(),
              "op_renumber empty: element 2, slot 1 is -1; expected 0..599");
}

} // namespace
