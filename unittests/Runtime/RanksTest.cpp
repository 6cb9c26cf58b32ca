//===- RanksTest.cpp - Parts of a mesh --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts and what ranks import, by ranks that are threads.
//
//===----------------------------------------------------------------------===//

#include "Ranks/Parts.h"
#include "ThreadRanks.h"
#include "WholeMesh.h"
#include "gtest/gtest.h"

#include <set>

using namespace op2::rt;
using namespace op2::test;

namespace {
TEST(RanksTest, RandomMeshesAndParts) {
  std::mt19937 random(20261124);
  for (int trial = 0; trial < 60; ++trial) {
    int32_t ranks = std::vector<int32_t>{1, 2, 3, 7, 16}[trial % 5];
    WholeMesh const whole = randomMesh(random);
    WholeParts const parts = randomParts(whole, ranks, random);
    std::mutex mutex;
    std::vector<std::string> all;
    runRanks(ranks, [&](Communicator &communicator) {
      PartMesh mesh = partOf(whole, parts, communicator.rank());
      RankMesh found = buildRankMesh(communicator, mesh);
      std::vector<std::string> faults =
          checkRankMesh(communicator, mesh, found);
      std::lock_guard<std::mutex> lock(mutex);
      all.insert(all.end(), faults.begin(), faults.end());
    });
    EXPECT_EQ(all, std::vector<std::string>()) << "trial " << trial;
  }
}

TEST(RanksTest, ARing) {
  WholeMesh const whole = ring(12);
  WholeParts const parts = evenParts(whole, 3);
  runRanks(3, [&](Communicator &communicator) {
    RankMesh found =
        buildRankMesh(communicator, partOf(whole, parts, communicator.rank()));
    if (communicator.rank() != 1)
      return;
    // Edge 3 of rank 0 reaches node 4; edge 7 reaches node 8 of rank 2.
    RankSet const &edges = found.sets[0], &nodes = found.sets[1];
    EXPECT_EQ(
        edges.canonical,
        (std::vector<int32_t>{4, 5, 6, 7, /*to execute*/ 3, /*copies*/ 3, 4}));
    EXPECT_EQ(edges.size, 4);
    EXPECT_EQ(edges.exec, 5);
    EXPECT_EQ(edges.reach, 5);
    ASSERT_EQ(edges.copies.size(), 1u);
    EXPECT_EQ(edges.copies[0].of, (std::vector<int32_t>{4, 0}));
    EXPECT_EQ(nodes.canonical,
              (std::vector<int32_t>{4, 5, 6, 7, /*to read*/ 3, 8}));
    EXPECT_EQ(nodes.exec, 4);
    EXPECT_EQ(found.tables[0],
              (std::vector<int32_t>{0, 1, 1, 2, 2, 3, 3, 5, 4, 0, 4, 0, 0, 1}));
    std::vector<PeerRows> const &sends = nodes.lists[0].sends;
    ASSERT_EQ(sends.size(), 2u);
    EXPECT_EQ(sends[0].rows, std::vector<int32_t>{0});
    EXPECT_EQ(sends[1].rows, std::vector<int32_t>{3});
  });
}

/// Edges lead to nodes and to cells; edge 2 of rank 0 reaches a node of rank 1,
/// and edge 3 of rank 1 a cell of rank 0.
TEST(RanksTest, CopiesOfEachMap) {
  WholeMesh const whole{
      {6, 6, 6},
      {{0, 1, 2, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5}, /*key=*/1},
       {0, 2, 1, {0, 1, 2, 2, 4, 5}, /*key=*/2}}};
  WholeParts const parts = evenParts(whole, 2);
  runRanks(2, [&](Communicator &communicator) {
    PartMesh mesh = partOf(whole, parts, communicator.rank());
    RankMesh found = buildRankMesh(communicator, mesh);
    EXPECT_TRUE(checkRankMesh(communicator, mesh, found).empty());
    RankSet const &edges = found.sets[0];
    ASSERT_EQ(edges.copies.size(), 3u);
    auto copied = [&](int n) {
      Copies const &copies = edges.copies[n];
      return std::vector<int32_t>(edges.canonical.begin() + copies.begin,
                                  edges.canonical.begin() + copies.end());
    };
    using Numbers = std::vector<int32_t>;
    bool isFirst = communicator.rank() == 0;
    EXPECT_EQ(edges.copies[2].map, Copies::kAllMaps);
    EXPECT_EQ(copied(0), isFirst ? Numbers() : (Numbers{2, 3}));
    EXPECT_EQ(copied(1), isFirst ? (Numbers{2, 3}) : Numbers());
    EXPECT_EQ(copied(2), (Numbers{2, 3}));
  });
}

/// Any rows, and parts of those.
TEST(RanksTest, ListsOfImportedRows) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    int32_t ranks = 2 + trial % 5;
    WholeMesh const whole = randomMesh(random);
    WholeParts const parts = randomParts(whole, ranks, random);
    runRanks(ranks, [&](Communicator &communicator) {
      RankMesh found = buildRankMesh(communicator,
                                     partOf(whole, parts, communicator.rank()));
      std::mt19937 own(uint32_t(communicator.rank() + 1));
      for (RankSet &set : found.sets) {
        std::vector<std::vector<bool>> all = {
            std::vector<bool>(std::size_t(set.reach), true)};
        for (int n = 0; n < 70; ++n) {
          // Some are those before, or parts of them.
          std::vector<bool> wanted = all[std::size_t(n / 2)];
          if (n % 3 != 0)
            for (std::size_t row = 0; row < wanted.size(); ++row)
              wanted[row] = wanted[row] && own() % 8 != 0;
          int32_t list = addList(communicator, set, wanted);
          EXPECT_EQ(checkList(communicator, set, list, wanted), "");
          all.push_back(wanted);
          // Two loop sets in three are freed some time later.
          set.listsByReach[{uint64_t(n % 3), uint64_t(n)}] = list;
          if (n % 20 != 19)
            continue;
          uint64_t freed = forgetReach(set, uint64_t(n / 20 % 2));
          for (auto const &[reach, kept] : set.listsByReach)
            EXPECT_EQ(freed >> kept & 1, 0u);
          for (std::size_t l = 0; l < set.lists.size(); ++l)
            EXPECT_EQ(set.lists[l].contains & freed, l == 0 ? freed : 0u);
        }
        EXPECT_LE(set.lists.size(), 64u);
        for (HaloList const &list : set.lists)
          for (std::size_t n = 0; n < set.lists.size(); ++n)
            if (list.contains >> n & 1) {
              std::set<int32_t> rows;
              for (PeerRows const &peer : list.receives)
                rows.insert(peer.rows.begin(), peer.rows.end());
              for (PeerRows const &peer : set.lists[n].receives)
                for (int32_t row : peer.rows)
                  EXPECT_EQ(rows.count(row), 1u);
            }
      }
    });
  }
}

/// Memory and messages do not grow with the number of ranks.
TEST(RanksTest, ManyRanks) {
  int64_t sent = 0;
  for (int32_t ranks : {8, 256}) {
    WholeMesh const whole = ring(ranks * 20);
    WholeParts const parts = evenParts(whole, ranks);
    int64_t all = runRanks(ranks, [&](Communicator &communicator) {
      RankMesh found = buildRankMesh(communicator,
                                     partOf(whole, parts, communicator.rank()));
      EXPECT_EQ(found.sets[0].rows, 20 + 1 + 2);
      EXPECT_EQ(found.sets[1].rows, 20 + 2);
    });
    EXPECT_TRUE(sent == 0 || all / ranks <= sent + 8);
    sent = all / ranks;
  }
}

/// A planted fault is found.
/// What the check says of a mesh on three ranks, the second one's spoilt.
template <class Spoil>
std::string faultsIn(WholeMesh const &whole, Spoil spoil) {
  WholeParts const parts = evenParts(whole, 3);
  std::mutex mutex;
  std::string all;
  runRanks(3, [&](Communicator &communicator) {
    PartMesh mesh = partOf(whole, parts, communicator.rank());
    RankMesh found = buildRankMesh(communicator, mesh);
    if (communicator.rank() == 1)
      spoil(found);
    for (std::string const &fault : checkRankMesh(communicator, mesh, found)) {
      std::lock_guard<std::mutex> lock(mutex);
      all += fault + "\n";
    }
  });
  return all;
}

// Of a set that leads to itself, in one direction only.
TEST(RanksTest, SharedElementsHaveCopies) {
  WholeMesh whole{{12}, {{0, 0, 1, {}, /*key=*/1}}};
  for (int32_t n = 0; n < 12; ++n)
    whole.maps[0].targets.push_back((n + 1) % 12);
  // Rank 1 owns 4 ... 7; 3 leads to 4, whose row is shared.
  EXPECT_EQ(faultsIn(whole,
                     [](RankMesh &mesh) {
                       EXPECT_EQ(mesh.sets[0].copies[0].shared[0],
                                 std::vector<int32_t>{0});
                       EXPECT_EQ(mesh.sets[0].canonical[mesh.sets[0].reach], 3);
                       EXPECT_EQ(mesh.sets[0].canonical.back(), 4);
                     }),
            "");
  EXPECT_NE(faultsIn(whole,
                     [](RankMesh &mesh) {
                       RankSet &set = mesh.sets[0];
                       set.copies[0].of.pop_back();
                       set.canonical.pop_back();
                       --set.rows;
                       mesh.tables[0].pop_back();
                     })
                .find("row 0: shared, but its element has no copy"),
            std::string::npos);
  EXPECT_NE(
      faultsIn(whole,
               [](RankMesh &mesh) { mesh.sets[0].copies[0].shared[0] = {1}; })
          .find("its list of shared rows of set 0 is wrong"),
      std::string::npos);
}

TEST(RanksTest, TheCheckFindsFaults) {
  auto faultsOf = [](auto spoil) { return faultsIn(ring(12), spoil); };
  EXPECT_EQ(faultsOf([](RankMesh &) {}), "");
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              mesh.sets[1].lists[0].sends[0].rows[0] = 1;
            }).find("sends other elements than expected"),
            std::string::npos);
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              RankSet &edges = mesh.sets[0];
              edges.copies[0].of.pop_back();
              edges.canonical.pop_back();
              --edges.rows;
              mesh.tables[0].resize(mesh.tables[0].size() - 2);
            }).find("reached 2 times, but copies run 1"),
            std::string::npos);
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              mesh.tables[0][0] = 2;
            }).find("leads to another element"),
            std::string::npos);
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              mesh.tables[0][0] = 99;
            }).find("a row is out of range"),
            std::string::npos);
  auto finds = [&](char const *text, auto spoil) {
    EXPECT_NE(faultsOf(spoil).find(text), std::string::npos) << text;
  };
  finds("its regions do not follow each other",
        [](RankMesh &mesh) { mesh.sets[0].exec = mesh.sets[0].rows + 1; });
  finds("copies do not ascend", [](RankMesh &mesh) {
    RankSet &edges = mesh.sets[0];
    std::swap(edges.canonical[5], edges.canonical[6]);
    std::swap(edges.copies[0].of[0], edges.copies[0].of[1]);
  });
  finds("is of another element",
        [](RankMesh &mesh) { mesh.sets[0].copies[0].of[0] = 2; });
  finds("no copies for loops that use all its maps", [](RankMesh &mesh) {
    RankSet &edges = mesh.sets[0];
    edges.copies.clear();
    edges.rows = edges.reach;
    edges.canonical.resize(std::size_t(edges.rows));
    mesh.tables[0].resize(std::size_t(edges.rows) * 2);
  });
  finds("somebody sends what nobody expects",
        [](RankMesh &mesh) { mesh.sets[1].lists[0].receives.pop_back(); });
  finds("a copy leads elsewhere",
        [](RankMesh &mesh) { mesh.tables[0].back() = 0; });
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              --mesh.sets[0].size;
            }).find("its first rows are not what it owns"),
            std::string::npos);
  EXPECT_NE(faultsOf([](RankMesh &mesh) {
              mesh.sets[1].lists[0].sends.pop_back();
            }).find("sends other elements than expected"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

BlockMesh blockOf(WholeMesh const &whole, Communicator const &ranks) {
  BlockMesh mesh;
  for (int64_t size : whole.sizes) {
    mesh.sets.push_back(evenBlocks(size, ranks.size()));
    mesh.bytes.push_back(8);
  }
  for (PartMap const &map : whole.maps) {
    auto begin = mesh.sets[map.from].begin(ranks.rank()) * map.dim;
    auto count = mesh.sets[map.from].count(ranks.rank()) * map.dim;
    mesh.maps.push_back(
        {map.from,
         map.to,
         map.dim,
         {map.targets.begin() + begin, map.targets.begin() + begin + count},
         map.key});
  }
  return mesh;
}

TEST(RanksTest, TheGraphHasNeighborsOfAllBlocks) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 30; ++trial) {
    WholeMesh const whole = randomMesh(random);
    std::vector<std::set<int32_t>> expected(std::size_t(whole.sizes[0]));
    for (PartMap const &map : whole.maps)
      for (int64_t e = 0; map.to == 0 && e < whole.sizes[map.from]; ++e) {
        std::vector<int32_t> row(map.targets.begin() + e * map.dim,
                                 map.targets.begin() + (e + 1) * map.dim);
        if (map.from == 0)
          row.push_back(static_cast<int32_t>(e));
        for (int32_t a : row)
          for (int32_t b : row)
            if (a != b)
              expected[a].insert(b);
      }
    runRanks(5, [&](Communicator &communicator) {
      BlockMesh mesh = blockOf(whole, communicator);
      BlockGraph graph = makeBlockGraph(communicator, mesh, 0, -1);
      int64_t first = mesh.sets[0].begin(communicator.rank());
      ASSERT_EQ(graph.begins.size(),
                std::size_t(mesh.sets[0].count(communicator.rank())) + 1);
      for (std::size_t v = 0; v + 1 < graph.begins.size(); ++v)
        EXPECT_EQ(
            std::set<int32_t>(graph.neighbors.begin() + graph.begins[v],
                              graph.neighbors.begin() + graph.begins[v + 1]),
            expected[std::size_t(first) + v]);
    });
  }
}

/// Parts as the whole mesh's, gathered.
WholeParts chooseWhole(WholeMesh const &whole, int32_t ranks,
                       PartRequest request) {
  WholeParts all(whole.sizes.size());
  std::mutex mutex;
  for (std::size_t set = 0; set < all.size(); ++set)
    all[set].resize(std::size_t(whole.sizes[set]));
  std::vector<int32_t> given = request.parts;
  runRanks(ranks, [&](Communicator &communicator) {
    BlockMesh mesh = blockOf(whole, communicator);
    PartRequest own = request;
    if (request.method == PartRequest::Given) {
      int64_t first = mesh.sets[request.set].begin(communicator.rank());
      own.parts.assign(given.begin() + first,
                       given.begin() + first +
                           mesh.sets[request.set].count(communicator.rank()));
    }
    PartResult result = chooseParts(communicator, mesh, own);
    std::lock_guard<std::mutex> lock(mutex);
    for (std::size_t set = 0; set < all.size(); ++set)
      std::copy(result.parts[set].begin(), result.parts[set].end(),
                all[set].begin() + mesh.sets[set].begin(communicator.rank()));
  });
  return all;
}

TEST(RanksTest, OtherSetsFollow) {
  // Cells 0 1 2 3, edges between them, one thing on each edge, a set apart.
  WholeMesh whole{{4, 3, 3, 2}, {}};
  whole.maps.push_back({1, 0, 2, {0, 1, 1, 2, 2, 3}, /*key=*/1});
  whole.maps.push_back({1, 2, 1, {0, 1, 2}, /*key=*/2});
  PartRequest request;
  request.method = PartRequest::Given;
  request.set = 0;
  request.parts = {1, 1, 0, 0};
  WholeParts parts = chooseWhole(whole, 2, request);
  EXPECT_EQ(parts[0], (std::vector<int32_t>{1, 1, 0, 0}));
  EXPECT_EQ(parts[1],
            (std::vector<int32_t>{1, 0, 0})); // of equal ones the least
  EXPECT_EQ(parts[2], parts[1]);
  EXPECT_EQ(parts[3], (std::vector<int32_t>{0, 1}));
}

TEST(RanksTest, RandomPartsDependOnNumbersOnly) {
  WholeMesh const whole = ring(50);
  PartRequest request;
  request.method = PartRequest::Random;
  request.seed = 5;
  WholeParts parts = chooseWhole(whole, 3, request);
  EXPECT_NE(parts[0], parts[1]);
  EXPECT_EQ(std::set<int32_t>(parts[0].begin(), parts[0].end()),
            (std::set<int32_t>{0, 1, 2}));
  EXPECT_EQ(parts, chooseWhole(whole, 3, request));
}

TEST(RanksTest, WithoutALibraryForGraphsBlocks) {
  WholeParts parts = chooseWhole(ring(100), 4, PartRequest());
  EXPECT_EQ(parts[1], evenParts(ring(100), 4)[1]);
}

} // namespace
