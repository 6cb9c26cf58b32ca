//===- RankMesh.cpp - What a rank has of the mesh ----------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankMesh.h"
#include "Blocks.h"
#include "Core/Error.h"

#include <numeric>
#include <optional>
#include <utility>

using namespace op2::rt;

using Numbers = std::vector<int32_t>;

static void sortUnique(Numbers &numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

namespace {
/// Places in an ascending list, by its runs of consecutive numbers: parts of a
/// mesh have few.
class Places {
public:
  explicit Places(Numbers const &ascending)
      : size(static_cast<int32_t>(ascending.size())) {
    for (int32_t n = 0; n < size; ++n)
      if (n == 0 || ascending[n] != ascending[n - 1] + 1) {
        firsts.push_back(ascending[n]);
        begins.push_back(n);
      }
    begins.push_back(size);
  }

  /// -1 if the number is not there.
  int32_t find(int32_t number) const {
    auto run = std::upper_bound(firsts.begin(), firsts.end(), number) -
               firsts.begin() - 1;
    if (run < 0)
      return -1;
    int32_t place = begins[run] + (number - firsts[run]);
    return place < begins[run + 1] ? place : -1;
  }

private:
  int32_t size;
  Numbers firsts, begins; ///< of each run; and the end
};

/// Who owns which element: each rank knows that of a block of each set.
class Directory {
public:
  Directory(Communicator &ranks, PartMesh const &mesh) : ranks(ranks) {
    Outbox notes;
    for (std::size_t set = 0; set < mesh.owned.size(); ++set) {
      blocks.push_back(evenBlocks(mesh.sizes[set], ranks.size()));
      owners.emplace_back(
          static_cast<std::size_t>(blocks[set].count(ranks.rank())));
      addRuns(mesh.owned[set], static_cast<int32_t>(set), notes);
    }
    for (Message const &note : ranks.exchange(notes.take()))
      for (Reader reader(note.bytes); !reader.atEnd();) {
        auto set = reader.get<int32_t>();
        for (int32_t number : reader.getAll<int32_t>())
          owners[set][number - blocks[set].begin(ranks.rank())] = note.rank;
      }
  }

  Numbers findOwners(std::size_t set, Numbers const &numbers) {
    return askHolders(ranks, blocks[set], owners[set], numbers);
  }

private:
  /// Of an ascending list each holder gets a run.
  void addRuns(Numbers const &owned, int32_t set, Outbox &notes) {
    for (auto at = owned.begin(); at != owned.end();) {
      int32_t holder = blocks[set].rankOf(*at);
      auto end =
          std::lower_bound(at, owned.end(), blocks[set].begins[holder + 1]);
      notes.add(holder, set);
      notes.add(holder, Numbers(at, end));
      at = end;
    }
  }

  Communicator &ranks;
  std::vector<Blocks> blocks;
  std::vector<Numbers> owners;
};

/// Imported elements of a set, by owner and number.
struct Imports {
  Numbers numbers, owners;
  std::vector<std::pair<int32_t, int32_t>> byNumber; ///< with their places

  void index() {
    byNumber.clear();
    for (std::size_t n = 0; n < numbers.size(); ++n)
      byNumber.push_back({numbers[n], static_cast<int32_t>(n)});
    std::sort(byNumber.begin(), byNumber.end());
  }
  /// -1 if it is not there.
  int32_t find(int32_t number) const {
    auto at = std::lower_bound(byNumber.begin(), byNumber.end(),
                               std::make_pair(number, 0));
    return at != byNumber.end() && at->first == number ? at->second : -1;
  }
};

class Builder {
public:
  Builder(Communicator &ranks, PartMesh const &mesh)
      : ranks(ranks), mesh(mesh), executed(mesh.owned.size()),
        read(mesh.owned.size()), executedTargets(mesh.maps.size()) {
    for (Numbers const &numbers : mesh.owned)
      own.emplace_back(numbers);
    if (mesh.imports.empty())
      directory.emplace(ranks, mesh);
  }

  RankMesh run() {
    importExecuted();
    importRead();
    for (std::size_t set = 0; set < mesh.owned.size(); ++set)
      number(set);
    exportRows();
    for (std::size_t map = 0; map < mesh.maps.size(); ++map)
      translate(map);
    for (std::size_t set = 0; set < mesh.owned.size(); ++set)
      copyBorder(static_cast<int32_t>(set));
    return std::move(result);
  }

private:
  Numbers findOwners(std::size_t set, Numbers const &numbers) {
    if (directory)
      return directory->findOwners(set, numbers);
    auto const &known = mesh.imports[set];
    Numbers owners;
    for (int32_t number : numbers) {
      auto at = std::lower_bound(known.begin(), known.end(),
                                 std::make_pair(number, 0));
      if (at == known.end() || at->first != number)
        fatal(Problem::Bug,
              "no owner is known of element %d of set %zu, please report this",
              number, set);
      owners.push_back(at->second);
    }
    return owners;
  }

  /// Targets of these rows that are not own, each once.
  Numbers foreignTargets(std::size_t set) const {
    Numbers foreign;
    for (PartMap const &map : mesh.maps)
      if (map.to == static_cast<int32_t>(set))
        for (int32_t target : map.targets)
          if (own[set].find(target) < 0)
            foreign.push_back(target);
    sortUnique(foreign);
    return foreign;
  }

  /// Each element goes, with all its rows of maps, to those who own what it
  /// reaches.
  void importExecuted() {
    std::vector<Imports> reached(mesh.owned.size());
    for (std::size_t set = 0; set < mesh.owned.size(); ++set) {
      reached[set].numbers = foreignTargets(set);
      reached[set].owners = findOwners(set, reached[set].numbers);
      reached[set].index();
    }
    Outbox outbox;
    for (std::size_t set = 0; set < mesh.owned.size(); ++set)
      for (auto const &[owner, rows] : elementsByOwner(set, reached))
        sendElements(set, owner, rows, outbox);
    for (Message const &message : ranks.exchange(outbox.take()))
      takeElements(message);
    for (Imports &imports : executed)
      imports.index();
  }

  /// Own elements of a set that reach something of other ranks.
  std::map<int32_t, Numbers>
  elementsByOwner(std::size_t set, std::vector<Imports> const &reached) const {
    std::map<int32_t, Numbers> found;
    auto size = static_cast<int32_t>(mesh.owned[set].size());
    for (int32_t e = 0; e < size; ++e)
      for (PartMap const &map : mesh.maps) {
        if (map.from != static_cast<int32_t>(set))
          continue;
        Imports const &foreign = reached[map.to];
        for (int64_t slot = 0; slot < map.dim; ++slot) {
          int32_t place =
              foreign.find(map.targets[int64_t(e) * map.dim + slot]);
          if (place < 0)
            continue;
          Numbers &rows = found[foreign.owners[place]];
          if (rows.empty() || rows.back() != e)
            rows.push_back(e);
        }
      }
    return found;
  }

  void sendElements(std::size_t set, int32_t owner, Numbers const &rows,
                    Outbox &outbox) const {
    outbox.add(owner, static_cast<int32_t>(set));
    Numbers numbers;
    for (int32_t row : rows)
      numbers.push_back(mesh.owned[set][row]);
    outbox.add(owner, numbers);
    for (PartMap const &map : mesh.maps)
      if (map.from == static_cast<int32_t>(set))
        for (int32_t row : rows)
          outbox.addBytes(owner, map.targets.data() + int64_t(row) * map.dim,
                          std::size_t(map.dim) * sizeof(int32_t));
  }

  void takeElements(Message const &message) {
    for (Reader reader(message.bytes); !reader.atEnd();) {
      auto set = reader.get<int32_t>();
      Numbers numbers = reader.getAll<int32_t>();
      Imports &imports = executed[set];
      imports.numbers.insert(imports.numbers.end(), numbers.begin(),
                             numbers.end());
      imports.owners.resize(imports.numbers.size(), message.rank);
      for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
        if (mesh.maps[m].from != set)
          continue;
        Numbers rows(numbers.size() * std::size_t(mesh.maps[m].dim));
        std::memcpy(rows.data(), reader.getBytes(rows.size() * sizeof(int32_t)),
                    rows.size() * sizeof(int32_t));
        executedTargets[m].insert(executedTargets[m].end(), rows.begin(),
                                  rows.end());
      }
    }
  }

  /// What else own and executed elements reach.
  void importRead() {
    for (std::size_t set = 0; set < mesh.owned.size(); ++set) {
      Numbers wanted = foreignTargets(set);
      for (std::size_t m = 0; m < mesh.maps.size(); ++m)
        if (mesh.maps[m].to == static_cast<int32_t>(set))
          for (int32_t target : executedTargets[m])
            if (own[set].find(target) < 0)
              wanted.push_back(target);
      sortUnique(wanted);
      wanted.erase(std::remove_if(wanted.begin(), wanted.end(),
                                  [&](int32_t number) {
                                    return executed[set].find(number) >= 0;
                                  }),
                   wanted.end());
      Numbers owners = findOwners(set, wanted);
      Numbers order(wanted.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
        return std::make_pair(owners[a], a) < std::make_pair(owners[b], b);
      });
      for (int32_t n : order) {
        read[set].numbers.push_back(wanted[n]);
        read[set].owners.push_back(owners[n]);
      }
      read[set].index();
    }
  }

  void number(std::size_t set) {
    RankSet found;
    found.canonical = mesh.owned[set];
    found.limit = mesh.sizes[set];
    found.size = static_cast<int32_t>(found.canonical.size());
    for (Imports const *imports : {&executed[set], &read[set]}) {
      for (std::size_t n = 0; n < imports->numbers.size(); ++n)
        addImport(found, imports->owners[n],
                  static_cast<int32_t>(found.canonical.size() + n));
      found.canonical.insert(found.canonical.end(), imports->numbers.begin(),
                             imports->numbers.end());
      if (imports == &executed[set])
        found.exec = static_cast<int32_t>(found.canonical.size());
    }
    found.reach = found.rows = static_cast<int32_t>(found.canonical.size());
    std::vector<PeerRows> &receives = found.lists[0].receives;
    std::sort(
        receives.begin(), receives.end(),
        [](PeerRows const &a, PeerRows const &b) { return a.rank < b.rank; });
    result.sets.push_back(std::move(found));
  }

  static void addImport(RankSet &found, int32_t owner, int32_t row) {
    std::vector<PeerRows> &receives = found.lists[0].receives;
    auto at =
        std::find_if(receives.begin(), receives.end(),
                     [&](PeerRows const &peer) { return peer.rank == owner; });
    if (at == receives.end())
      at = receives.insert(at, {owner, {}});
    at->rows.push_back(row);
  }

  /// Owners learn which rows others want, in which order.
  void exportRows() {
    Outbox wishes;
    for (std::size_t set = 0; set < result.sets.size(); ++set)
      for (PeerRows const &peer : result.sets[set].lists[0].receives) {
        Numbers numbers;
        for (int32_t row : peer.rows)
          numbers.push_back(result.sets[set].canonical[row]);
        wishes.add(peer.rank, static_cast<int32_t>(set));
        wishes.add(peer.rank, numbers);
      }
    for (Message const &wish : ranks.exchange(wishes.take()))
      for (Reader reader(wish.bytes); !reader.atEnd();) {
        auto set = reader.get<int32_t>();
        Numbers rows;
        for (int32_t number : reader.getAll<int32_t>())
          rows.push_back(own[set].find(number));
        result.sets[set].lists[0].sends.push_back({wish.rank, std::move(rows)});
      }
  }

  int32_t rowOf(std::size_t set, int32_t number) const {
    if (int32_t row = own[set].find(number); row >= 0)
      return row;
    if (int32_t place = executed[set].find(number); place >= 0)
      return result.sets[set].size + place;
    return result.sets[set].exec + read[set].find(number);
  }

  void translate(std::size_t m) {
    PartMap const &map = mesh.maps[m];
    Numbers table;
    for (Numbers const *targets :
         {&map.targets, std::as_const(executedTargets).data() + m})
      for (int32_t target : *targets)
        table.push_back(rowOf(std::size_t(map.to), target));
    table.resize(std::size_t(result.sets[map.from].reach) *
                 std::size_t(map.dim));
    result.tables.push_back(std::move(table));
  }

  /// visit(map, target row) for all targets of an own or executed element of
  /// the set that these copies are for.
  template <class Visit>
  void forEachTarget(int32_t set, Copies const &copies, int32_t row,
                     Visit visit) const {
    for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
      PartMap const &map = mesh.maps[m];
      if (map.from == set && copies.isFor(map.key))
        for (int64_t slot = 0; slot < map.dim; ++slot)
          visit(map, result.tables[m][int64_t(row) * map.dim + slot]);
    }
  }

  void copyBorder(int32_t set) {
    std::vector<uint64_t> maps;
    for (PartMap const &map : mesh.maps)
      if (map.from == set)
        maps.push_back(map.key);
    constexpr std::size_t kMost = 63; // Dat::freshCopies has a bit for each
    if (maps.size() > 1 && maps.size() < kMost)
      for (uint64_t map : maps)
        addCopies(set, map);
    if (!maps.empty())
      addCopies(set, maps.size() == 1 ? maps[0] : Copies::kAllMaps);
  }

  /// Own rows that executed imports reach get their values from copies: of all
  /// elements that reach them, and of themselves.
  void addCopies(int32_t set, uint64_t map) {
    RankSet &found = result.sets[set];
    Copies copies;
    copies.map = map;
    copies.begin = found.rows;
    std::vector<std::vector<bool>> isShared(result.sets.size());
    for (std::size_t to = 0; to < result.sets.size(); ++to)
      isShared[to].resize(std::size_t(result.sets[to].reach));
    auto reachesShared = [&](int32_t row) {
      bool answer = false;
      forEachTarget(set, copies, row, [&](PartMap const &by, int32_t target) {
        answer = answer || isShared[by.to][target];
      });
      return answer;
    };
    for (int32_t row = found.size; row < found.exec; ++row)
      forEachTarget(set, copies, row, [&](PartMap const &by, int32_t target) {
        if (target < result.sets[by.to].size)
          isShared[by.to][target] = true;
      });
    for (std::size_t to = 0; to < isShared.size(); ++to)
      for (std::size_t row = 0; row < isShared[to].size(); ++row)
        if (isShared[to][row])
          copies.shared[mesh.keys[to]].push_back(static_cast<int32_t>(row));
    for (int32_t row = 0; row < found.exec && !copies.shared.empty(); ++row)
      if (isShared[set][row] || reachesShared(row))
        copies.of.push_back(row);
    std::sort(copies.of.begin(), copies.of.end(), [&](int32_t a, int32_t b) {
      return found.canonical[a] < found.canonical[b];
    });
    copies.rows.resize(copies.of.size());
    std::iota(copies.rows.begin(), copies.rows.end(), copies.begin);
    found.rows = copies.end();
    for (int32_t row : copies.of)
      found.canonical.push_back(found.canonical[row]);
    for (std::size_t m = 0; m < mesh.maps.size(); ++m)
      if (mesh.maps[m].from == set)
        copyRows(mesh.maps[m].dim, copies.of, result.tables[m]);
    found.copies.push_back(std::move(copies));
  }

  static void copyRows(int32_t dim, Numbers const &copied, Numbers &table) {
    table.reserve(table.size() + copied.size() * std::size_t(dim));
    for (int32_t row : copied)
      for (int64_t slot = 0; slot < dim; ++slot)
        table.push_back(table[std::size_t(int64_t(row) * dim + slot)]);
  }

  Communicator &ranks;
  PartMesh const &mesh;
  std::optional<Directory> directory;
  std::vector<Places> own;              ///< rows, by set
  std::vector<Imports> executed, read;  ///< by set
  std::vector<Numbers> executedTargets; ///< by map, canonical
  RankMesh result;
};
} // namespace

RankMesh op2::rt::buildRankMesh(Communicator &ranks, PartMesh const &mesh) {
  return Builder(ranks, mesh).run();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Rows of all imported ones, where a flag is set.
static std::vector<PeerRows> select(std::vector<PeerRows> const &all,
                                    std::vector<bool> const &wanted) {
  std::vector<PeerRows> selected;
  for (PeerRows const &peer : all) {
    Numbers rows;
    for (int32_t row : peer.rows)
      if (wanted[row])
        rows.push_back(row);
    if (!rows.empty())
      selected.push_back({peer.rank, std::move(rows)});
  }
  return selected;
}

static bool isWithin(std::vector<PeerRows> const &rows,
                     std::vector<bool> const &wanted) {
  for (PeerRows const &peer : rows)
    for (int32_t row : peer.rows)
      if (!wanted[row])
        return false;
  return true;
}

static std::vector<bool> flagsOf(HaloList const &list, int32_t rows) {
  std::vector<bool> flags(static_cast<std::size_t>(rows));
  for (PeerRows const &peer : list.receives)
    for (int32_t row : peer.rows)
      flags[row] = true;
  return flags;
}

/// Owners learn which of the rows that go to a rank it wants: by their places.
static std::vector<PeerRows> findSends(Communicator &ranks, RankSet const &set,
                                       std::vector<bool> const &wanted) {
  HaloList const &all = set.lists[0];
  Outbox wishes;
  for (PeerRows const &peer : all.receives) {
    Numbers places;
    for (std::size_t n = 0; n < peer.rows.size(); ++n)
      if (wanted[peer.rows[n]])
        places.push_back(static_cast<int32_t>(n));
    if (!places.empty())
      wishes.add(peer.rank, places);
  }
  std::vector<PeerRows> sends;
  for (Message const &wish : ranks.exchange(wishes.take())) {
    auto peer = std::find_if(
        all.sends.begin(), all.sends.end(),
        [&](PeerRows const &known) { return known.rank == wish.rank; });
    sends.push_back({wish.rank, {}});
    for (int32_t place : Reader(wish.bytes).getAll<int32_t>())
      sends.back().rows.push_back(peer->rows[place]);
  }
  return sends;
}

int32_t op2::rt::addList(Communicator &ranks, RankSet &set,
                         std::vector<bool> const &wanted) {
  HaloList list;
  list.receives = select(set.lists[0].receives, wanted);
  // Of each known list: is it part of this one, and this one part of it?
  std::size_t count = set.lists.size();
  std::vector<int64_t> votes;
  for (HaloList const &known : set.lists) {
    votes.push_back(!known.isFree && isWithin(known.receives, wanted));
    votes.push_back(isWithin(list.receives, flagsOf(known, set.reach)));
  }
  ranks.sum(votes.data(), static_cast<int64_t>(votes.size()));
  auto agreed = [&](std::size_t n) { return votes[n] == ranks.size(); };
  for (std::size_t n = 0; n < count; ++n)
    if (agreed(2 * n) && agreed(2 * n + 1))
      return static_cast<int32_t>(n);
  auto free = std::find_if(set.lists.begin(), set.lists.end(),
                           [](HaloList const &known) { return known.isFree; });
  auto place = std::size_t(free - set.lists.begin());
  constexpr std::size_t kMost = 64; // bits
  if (place == kMost)
    return 0;
  list.contains = uint64_t(1) << place;
  for (std::size_t n = 0; n < count; ++n) {
    if (agreed(2 * n))
      list.contains |= uint64_t(1) << n;
    if (n > 0 && !set.lists[n].isFree && agreed(2 * n + 1))
      set.lists[n].contains |= uint64_t(1) << place;
  }
  list.sends = findSends(ranks, set, wanted);
  if (place == count)
    set.lists.emplace_back();
  set.lists[place] = std::move(list);
  return static_cast<int32_t>(place);
}

uint64_t op2::rt::forgetReach(RankSet &set, uint64_t serialOfLoopSet) {
  uint64_t used = 1, freed = 0;
  for (auto at = set.listsByReach.begin(); at != set.listsByReach.end();) {
    if (at->first.front() == serialOfLoopSet) {
      at = set.listsByReach.erase(at);
      continue;
    }
    used |= uint64_t(1) << uint32_t(at->second);
    ++at;
  }
  for (std::size_t n = 1; n < set.lists.size(); ++n) {
    if (set.lists[n].isFree || (used >> n & 1) != 0)
      continue;
    set.lists[n] = {{}, {}, 0, /*isFree=*/true};
    freed |= uint64_t(1) << n;
  }
  for (std::size_t n = 1; n < set.lists.size(); ++n)
    set.lists[n].contains &= ~freed;
  return freed;
}
