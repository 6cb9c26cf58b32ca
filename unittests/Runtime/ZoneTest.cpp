//===- ZoneTest.cpp - What loop chains need at the border -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By ranks that are threads. The certificate runs each chain twice.
//
//===----------------------------------------------------------------------===//

#include "Ranks/Zone.h"
#include "OP2/Runtime/op2rt.h"
#include "ThreadRanks.h"
#include "WholeMesh.h"
#include "gtest/gtest.h"

#include <functional>

using namespace op2::rt;
using namespace op2::test;

namespace {
/// Of the whole mesh: tables and sets are those of each rank.
struct WholeChain {
  std::vector<int32_t> dats; ///< the set of each
  std::vector<ZoneLoop> loops;
};

ZoneInput inputOf(WholeMesh const &whole, RankMesh const &mesh,
                  WholeChain const &chain) {
  ZoneInput input;
  for (RankSet const &set : mesh.sets)
    input.sets.push_back(&set);
  for (std::size_t m = 0; m < whole.maps.size(); ++m)
    input.maps.push_back({whole.maps[m].from, whole.maps[m].to,
                          whole.maps[m].dim, mesh.tables[m].data()});
  input.dats = chain.dats;
  input.loops = chain.loops;
  return input;
}

/// Loops as RankChain.cpp lets them wait.
class RandomChain {
public:
  RandomChain(WholeMesh const &mesh, std::mt19937 &random)
      : mesh(mesh), random(random) {}

  WholeChain make() {
    auto sets = static_cast<int>(mesh.sizes.size());
    for (int d = 0; d < 5; ++d)
      chain.dats.push_back(upTo(sets - 1));
    for (int n = 1 + upTo(6); n > 0; --n)
      addLoop();
    return chain;
  }

private:
  int upTo(int most) {
    return std::uniform_int_distribution<int>(0, most)(random);
  }

  void addLoop() {
    ZoneLoop loop{upTo(static_cast<int>(mesh.sizes.size()) - 1), false, {}};
    bool changesByMap = false;
    for (int32_t dat = 0; dat < int32_t(chain.dats.size()); ++dat) {
      bool isDirect = chain.dats[dat] == loop.set;
      std::vector<int32_t> maps;
      for (std::size_t m = 0; m < mesh.maps.size(); ++m)
        if (mesh.maps[m].from == loop.set && mesh.maps[m].to == chain.dats[dat])
          maps.push_back(static_cast<int32_t>(m));
      int use = upTo(4);
      if (use == 0 && isDirect) {
        std::vector<int32_t> all = {OP2RT_RW, OP2RT_WRITE, OP2RT_INC};
        loop.accesses.push_back(
            {dat, ZoneAccess::kDirect, OP2RT_DIRECT, 1, all[upTo(2)]});
      } else if (use == 1 && !maps.empty()) {
        int32_t access = upTo(3) == 0 ? OP2RT_WRITE : OP2RT_INC;
        for (int n = 1 + upTo(1); n > 0; --n)
          addThroughMap(loop, dat, maps, access);
        changesByMap = true;
      } else if (use < 4 && !maps.empty()) {
        addThroughMap(loop, dat, maps, OP2RT_READ);
      } else if (use < 4 && isDirect) {
        loop.accesses.push_back(
            {dat, ZoneAccess::kDirect, OP2RT_DIRECT, 1, OP2RT_READ});
      }
    }
    loop.reduces = !changesByMap && upTo(2) == 0;
    chain.loops.push_back(std::move(loop));
  }

  void addThroughMap(ZoneLoop &loop, int32_t dat,
                     std::vector<int32_t> const &maps, int32_t access) {
    int32_t map = maps[std::size_t(upTo(static_cast<int>(maps.size()) - 1))];
    int32_t slot = upTo(mesh.maps[map].dim - 1);
    int32_t count = 1 + upTo(mesh.maps[map].dim - 1 - slot);
    loop.accesses.push_back({dat, map, slot, count, access});
  }

  WholeMesh const &mesh;
  std::mt19937 &random;
  WholeChain chain;
};

TEST(ZoneTest, RandomChains) {
  std::mt19937 random(20261125);
  for (int trial = 0; trial < 300; ++trial) {
    int32_t ranks = std::vector<int32_t>{1, 2, 3, 5}[trial % 4];
    WholeMesh const whole = randomMesh(random);
    WholeParts const parts = randomParts(whole, ranks, random);
    WholeChain const chain = RandomChain(whole, random).make();
    runRanks(ranks, [&](Communicator &communicator) {
      RankMesh mesh = buildRankMesh(communicator,
                                    partOf(whole, parts, communicator.rank()));
      ZoneInput const input = inputOf(whole, mesh, chain);
      Zone const zone = buildZone(communicator, input);
      EXPECT_EQ(checkZone(communicator, input, zone), "")
          << "trial " << trial << ", rank " << communicator.rank();
    });
  }
}

/// Edges add to their nodes what they read there; nodes take that, and count.
WholeChain steps(int count) {
  WholeChain chain{{1, 1, 0}, {}};
  for (int n = 0; n < count; ++n) {
    chain.loops.push_back(
        {0,
         false,
         {{2, ZoneAccess::kDirect, OP2RT_DIRECT, 1, OP2RT_READ},
          {0, 0, 0, 2, OP2RT_READ},
          {1, 0, 0, 2, OP2RT_INC}}});
    chain.loops.push_back(
        {1,
         true,
         {{0, ZoneAccess::kDirect, OP2RT_DIRECT, 1, OP2RT_RW},
          {1, ZoneAccess::kDirect, OP2RT_DIRECT, 1, OP2RT_RW}}});
  }
  return chain;
}

/// The first fault of any rank, where `change` has come over the zone of rank
/// 1.
std::string faultOf(std::function<void(Zone &)> const &change) {
  WholeMesh const whole = ring(36);
  WholeParts const parts = evenParts(whole, 3);
  std::mutex mutex;
  std::string fault;
  runRanks(3, [&](Communicator &communicator) {
    RankMesh mesh =
        buildRankMesh(communicator, partOf(whole, parts, communicator.rank()));
    ZoneInput const input = inputOf(whole, mesh, steps(2));
    Zone zone = buildZone(communicator, input);
    if (communicator.rank() == 1)
      change(zone);
    std::string found = checkZone(communicator, input, zone);
    std::lock_guard<std::mutex> lock(mutex);
    if (!found.empty())
      fault = found;
  });
  return fault;
}

TEST(ZoneTest, ARing) {
  Zone zone;
  EXPECT_EQ(faultOf([&](Zone &found) { zone = found; }), "");
  // Nodes 12 to 23 of edges (n, n + 1). Edge 11 of rank 0 and edge 23 reach
  // both ranks' nodes. What edge 23 reads of node 24 is on its way.
  using Numbers = std::vector<int32_t>;
  auto canonical = [&](int set, Numbers const &rows) {
    Numbers numbers;
    for (int32_t row : rows)
      numbers.push_back(zone.canonical[set][row]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  };
  ASSERT_EQ(zone.loops.size(), 4u);
  ASSERT_EQ(zone.loops[0].clean.size(), 1u);
  EXPECT_EQ(zone.loops[0].clean[0].begin, 0);
  EXPECT_EQ(zone.loops[0].clean[0].end, 11);
  EXPECT_EQ(canonical(1, zone.loops[1].counted), (Numbers{12, 23}));
  ASSERT_EQ(zone.loops[2].clean.size(), 1u);
  EXPECT_EQ(zone.loops[2].clean[0].begin, 1);
  EXPECT_EQ(zone.loops[2].clean[0].end, 10);
  EXPECT_EQ(canonical(1, zone.loops[3].counted), (Numbers{12, 13, 22, 23}));
  EXPECT_EQ(zone.dats[0].wrong, (Numbers{0, 1, 10, 11}));
  EXPECT_EQ(canonical(0, zone.loops[2].again),
            (Numbers{11, 12, 13, 21, 22, 23}));
  EXPECT_EQ(canonical(0, zone.loops[0].again),
            (Numbers{10, 11, 12, 13, 14, 20, 21, 22, 23, 24}));
}

/// Whatever is missing, or not where it should be, shows.
TEST(ZoneTest, TheCertificateFindsFaults) {
  Zone whole;
  faultOf([&](Zone &found) { whole = found; });
  auto expectFault = [](std::function<void(Zone &)> const &change,
                        std::string const &what) {
    EXPECT_NE(faultOf(change), "") << what;
  };
  for (std::size_t n = 0; n < whole.loops.size(); ++n) {
    std::string loop = "loop " + std::to_string(n);
    for (std::size_t k = 0; k < whole.loops[n].again.size(); ++k)
      expectFault(
          [&](Zone &zone) {
            auto &again = zone.loops[n].again;
            again.erase(again.begin() + std::ptrdiff_t(k));
          },
          loop + ": one fewer that counts elsewhere");
    for (std::size_t k = 0; k < whole.loops[n].counted.size(); ++k)
      expectFault(
          [&](Zone &zone) {
            auto &counted = zone.loops[n].counted;
            zone.loops[n].again.push_back(counted[k]);
            std::sort(zone.loops[n].again.begin(), zone.loops[n].again.end());
            counted.erase(counted.begin() + std::ptrdiff_t(k));
          },
          loop + ": one that does not count");
  }
  auto other = [&](int set, int32_t &row) {
    row = (row + 1) % static_cast<int32_t>(whole.canonical[set].size());
  };
  // An element that reads what is wrong, and one that does not run.
  expectFault([](Zone &zone) { --zone.loops[2].clean[0].begin; }, "dirty");
  expectFault([](Zone &zone) { ++zone.loops[2].clean[0].begin; }, "clean");
  for (std::size_t d = 0; d < 2; ++d) {
    Zone::Values const &values = whole.dats[d];
    for (std::size_t k = 0; k < values.own.size(); ++k)
      expectFault([&](Zone &zone) { other(1, zone.dats[d].ownTo[k]); },
                  "own row");
    for (std::size_t k = 0; k < values.wrong.size(); ++k)
      expectFault([&](Zone &zone) { other(1, zone.dats[d].wrongFrom[k]); },
                  "row of the mesh");
    for (std::size_t p = 0; p < values.foreign.receives.size(); ++p)
      expectFault(
          [&](Zone &zone) {
            other(1, zone.dats[d].foreign.receives[p].rows[0]);
          },
          "foreign row");
  }
  expectFault(
      [](Zone &zone) { std::swap(zone.tables[0][2], zone.tables[0][5]); },
      "table");
}

TEST(ZoneTest, OthersCount) {
  EXPECT_EQ(faultOf([](Zone &zone) {
              // Row 0 of the zone is not one of rank 1.
              zone.loops[1].counted.insert(zone.loops[1].counted.begin(), 0);
            }),
            "loop 1: counts what others own");
  EXPECT_EQ(faultOf([](Zone &zone) { zone.loops[3].counted.clear(); }),
            "loop 3, element 0: counts 0 times");
  EXPECT_EQ(faultOf([](Zone &zone) { zone.dats[0].wrong.clear(); }),
            "dat 0, row 0: is not what loops one by one make of it");
  EXPECT_EQ(faultOf([](Zone &zone) { --zone.loops[2].clean[0].begin; }),
            "loop 2, element 12: reads something else");
}

/// Ranks without elements, and loops that ranks share nothing of.
TEST(ZoneTest, NothingToDo) {
  WholeMesh const whole = ring(4);
  WholeParts parts = evenParts(whole, 2);
  for (std::vector<int32_t> &of : parts)
    of = {0, 0, 0, 0};
  runRanks(3, [&](Communicator &communicator) {
    RankMesh mesh =
        buildRankMesh(communicator, partOf(whole, parts, communicator.rank()));
    ZoneInput const input = inputOf(whole, mesh, steps(3));
    Zone const zone = buildZone(communicator, input);
    EXPECT_EQ(checkZone(communicator, input, zone), "");
    EXPECT_TRUE(zone.canonical[0].empty());
    EXPECT_EQ(zone.loops[0].clean.size(), communicator.rank() == 0 ? 1u : 0u);
  });
}
} // namespace
