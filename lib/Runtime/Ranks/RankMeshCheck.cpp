//===- RankMeshCheck.cpp - Proof that parts of a mesh fit -------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts, over all ranks, how often each element is reached, and compares with
// what its owner runs: its own elements for most rows, copies for shared ones.
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "RankMesh.h"

using namespace op2::rt;

using Numbers = std::vector<int32_t>;

namespace {
class MeshChecker {
public:
  MeshChecker(Communicator &ranks, PartMesh const &mesh, RankMesh const &found)
      : ranks(ranks), mesh(mesh), found(found) {}

  std::vector<std::string> run() {
    for (std::size_t set = 0; set < found.sets.size(); ++set)
      checkRows(set);
    if (hasAnyFault())
      return std::move(faults);
    for (std::size_t set = 0; set < found.sets.size(); ++set)
      checkPeers(set);
    for (std::size_t map = 0; map < mesh.maps.size(); ++map)
      checkTable(map);
    if (hasAnyFault())
      return std::move(faults);
    for (std::size_t from = 0; from < found.sets.size(); ++from)
      for (Copies const &copies : found.sets[from].copies)
        for (std::size_t to = 0; to < found.sets.size(); ++to)
          checkReach(static_cast<int32_t>(from), copies,
                     static_cast<int32_t>(to));
    return std::move(faults);
  }

private:
  void fault(std::string const &text) {
    constexpr std::size_t kMost = 20;
    if (faults.size() < kMost)
      faults.push_back("rank " + std::to_string(ranks.rank()) + ": " + text);
  }

  /// On some rank: what comes next would run into it.
  bool hasAnyFault() {
    for (char has : gatherValues(ranks, char(!faults.empty())))
      if (has)
        return true;
    return false;
  }

  void checkRows(std::size_t n) {
    RankSet const &set = found.sets[n];
    std::string name = "set " + std::to_string(n);
    bool hasShape = 0 <= set.size && set.size <= set.exec &&
                    set.exec <= set.reach && set.reach <= set.rows &&
                    set.canonical.size() == std::size_t(set.rows);
    int32_t end = set.reach;
    for (Copies const &copies : set.copies) {
      hasShape = hasShape && copies.begin == end;
      end = copies.end();
    }
    if (!hasShape || end != set.rows)
      return fault(name + ": its regions do not follow each other");
    auto begin = set.canonical.begin();
    if (Numbers(begin, begin + set.size) != mesh.owned[n])
      fault(name + ": its first rows are not what it owns");
    int32_t maps = 0;
    for (PartMap const &map : mesh.maps)
      maps += map.from == static_cast<int32_t>(n);
    if (maps > 0 && (set.copies.empty() ||
                     !(maps == 1 || set.copies.back().map == Copies::kAllMaps)))
      fault(name + ": no copies for loops that use all its maps");
    for (Copies const &copies : set.copies) {
      if (!std::is_sorted(begin + copies.begin, begin + copies.end()))
        fault(name + ": copies do not ascend");
      for (int32_t copy = 0; copy < copies.end() - copies.begin; ++copy)
        if (copies.of[copy] < 0 || copies.of[copy] >= set.exec ||
            set.canonical[copies.of[copy]] !=
                set.canonical[copies.begin + copy])
          fault(name + ": copy " + std::to_string(copy) +
                " is of another element");
    }
  }

  void checkPeers(std::size_t n) {
    RankSet const &set = found.sets[n];
    std::vector<bool> const all(std::size_t(set.reach), true);
    std::string text = checkList(ranks, set, 0, all);
    if (!text.empty())
      fault("set " + std::to_string(n) + ": " + text);
  }

  void checkTable(std::size_t m) {
    PartMap const &map = mesh.maps[m];
    RankSet const &from = found.sets[map.from], &to = found.sets[map.to];
    Numbers const &table = found.tables[m];
    std::string name = "map " + std::to_string(m);
    if (table.size() != std::size_t(from.rows) * std::size_t(map.dim))
      return fault(name + ": its table has the wrong length");
    for (std::size_t n = 0; n < table.size(); ++n)
      if (table[n] < 0 || table[n] >= std::max(to.reach, 1))
        return fault(name + ": a row is out of range");
    for (std::size_t n = 0; n < map.targets.size(); ++n)
      if (to.canonical[table[n]] != map.targets[n])
        return fault(name + ": leads to another element");
    for (Copies const &copies : from.copies)
      for (int32_t copy = 0; copy < copies.end() - copies.begin; ++copy)
        for (int64_t slot = 0; slot < map.dim; ++slot)
          if (table[int64_t(copies.begin + copy) * map.dim + slot] !=
              table[int64_t(copies.of[copy]) * map.dim + slot])
            return fault(name + ": a copy leads elsewhere");
  }

  /// How often the elements of `from` in [begin, end) reach rows of `to`.
  std::vector<int64_t> countReach(int32_t from, Copies const &copies,
                                  int32_t to, int32_t begin,
                                  int32_t end) const {
    std::vector<int64_t> times(std::size_t(found.sets[to].reach));
    for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
      PartMap const &map = mesh.maps[m];
      if (map.from == from && map.to == to && copies.isFor(map.key))
        for (int64_t n = int64_t(begin) * map.dim; n < int64_t(end) * map.dim;
             ++n)
          ++times[found.tables[m][n]];
    }
    return times;
  }

  /// Through the maps that these copies are for.
  void checkReach(int32_t from, Copies const &copies, int32_t to) {
    Blocks blocks = evenBlocks(mesh.sizes[to], ranks.size());
    Outbox outbox;
    for (PartMap const &map : mesh.maps)
      if (map.from == from && map.to == to && copies.isFor(map.key))
        for (int32_t target : map.targets)
          outbox.add(blocks.rankOf(target), target);
    int64_t first = blocks.begin(ranks.rank());
    std::vector<int64_t> counts(std::size_t(blocks.count(ranks.rank())));
    for (Message const &message : ranks.exchange(outbox.take()))
      for (Reader reader(message.bytes); !reader.atEnd();)
        ++counts[reader.get<int32_t>() - first];
    RankSet const &set = found.sets[from];
    std::vector<int64_t> expected =
        askHolders(ranks, blocks, counts, mesh.owned[to]);
    std::vector<int64_t> own = countReach(from, copies, to, 0, set.size),
                         imported =
                             countReach(from, copies, to, set.size, set.exec),
                         again = countReach(from, copies, to, copies.begin,
                                            copies.end());
    std::vector<bool> isCopied(std::size_t(set.exec));
    for (int32_t row : copies.of)
      isCopied[row] = true;
    Numbers shared;
    for (std::size_t row = 0; row < expected.size(); ++row) {
      bool isShared = imported[row] > 0;
      if (isShared)
        shared.push_back(static_cast<int32_t>(row));
      if (isShared && from == to && !isCopied[row])
        fault("set " + std::to_string(to) + ", row " + std::to_string(row) +
              ": shared, but its element has no copy");
      int64_t runs = isShared ? again[row] : own[row];
      if (runs != expected[row])
        fault("set " + std::to_string(to) + ", row " + std::to_string(row) +
              ": reached " + std::to_string(expected[row]) + " times, but " +
              (isShared ? "copies" : "own elements") + " run " +
              std::to_string(runs));
    }
    auto listed = copies.shared.find(mesh.keys[to]);
    if (listed == copies.shared.end() ? !shared.empty()
                                      : listed->second != shared)
      fault("set " + std::to_string(from) +
            ": its list of shared rows of set " + std::to_string(to) +
            " is wrong");
  }

  Communicator &ranks;
  PartMesh const &mesh;
  RankMesh const &found;
  std::vector<std::string> faults;
};
} // namespace

std::vector<std::string> op2::rt::checkRankMesh(Communicator &ranks,
                                                PartMesh const &mesh,
                                                RankMesh const &found) {
  return MeshChecker(ranks, mesh, found).run();
}

std::string op2::rt::checkList(Communicator &ranks, RankSet const &set,
                               int32_t number,
                               std::vector<bool> const &wanted) {
  HaloList const &list = set.lists[std::size_t(number)];
  Outbox outbox;
  for (PeerRows const &peer : list.sends) {
    Numbers numbers;
    for (int32_t row : peer.rows)
      numbers.push_back(row >= 0 && row < set.size ? set.canonical[row] : -1);
    outbox.add(peer.rank, numbers);
  }
  std::map<int32_t, Numbers> received;
  for (Message const &message : ranks.exchange(outbox.take()))
    received[message.rank] = Reader(message.bytes).getAll<int32_t>();
  std::string text; // of the first fault
  auto fault = [&](std::string const &what) {
    if (text.empty())
      text = what;
  };
  std::vector<int> times(std::size_t(set.reach));
  for (PeerRows const &peer : list.receives) {
    Numbers numbers;
    for (int32_t row : peer.rows) {
      numbers.push_back(set.canonical[row]);
      ++times[row];
    }
    if (received[peer.rank] != numbers)
      fault("rank " + std::to_string(peer.rank) +
            " sends other elements than expected");
    received.erase(peer.rank);
  }
  if (!received.empty())
    fault("somebody sends what nobody expects");
  for (int32_t row = 0; row < set.reach; ++row) {
    bool isWanted = row >= set.size && (number == 0 || wanted[row]);
    if (times[row] != int(isWanted))
      fault("row " + std::to_string(row) + " comes from " +
            std::to_string(times[row]) + " ranks");
  }
  return text;
}
