//===- LateSubset.cpp - Subsets of divided sets -------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subset has, of what a rank has of its set, the chosen elements. What these
// reach is there already, since the set's elements reach it, too: so a mesh of
// the subset, and of what its maps lead to, is built as the whole mesh was, and
// only the rows of targets are looked up.
//
// Canonical numbers are those of the set's elements: they ascend likewise, and
// nothing else is asked of them.
//
//===----------------------------------------------------------------------===//

#include "LateSubset.h"
#include "Core/Composition.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Distribute.h"
#include "Places.h"
#include "Plan/PlanOptions.h"
#include "Ranks.h"

#include <algorithm>

using namespace op2::rt;

using Numbers = std::vector<int32_t>;

namespace {
class LateSubset {
public:
  LateSubset(Set &subset, Set &of, std::vector<int> const &elements)
      : ranks(communicator()), subset(subset), of(of), elements(elements) {}

  Map &run(char const *mapName);

private:
  void requireSame() const;
  void chooseRows();
  Numbers numberDeclared() const;
  PartMesh describeMesh();
  void translate(Set const &set, RankSet const &from, Numbers &table) const;
  void numberRows();

  Communicator &ranks;
  Set &subset, &of;
  std::vector<int> const &elements;
  std::vector<Map *> afterwards; ///< maps from `of`
  std::vector<Map *> maps;       ///< the subset's: to `of`, and through these
  std::vector<Set *> sets;       ///< by their numbers in the mesh
  Numbers rows;                  ///< own ones of `of` that are chosen
  Numbers numbers;               ///< and their numbers in the subset
};
} // namespace

/// Of each element of the block that this rank has declared; -1: not chosen.
Numbers LateSubset::numberDeclared() const {
  Numbers found(std::size_t(of.declaredSize), -1);
  for (std::size_t n = 0; n < elements.size(); ++n)
    found[std::size_t(elements[n] - of.declaredBegin)] =
        static_cast<int32_t>(n);
  return found;
}

/// Where each rank declares the whole subset.
void LateSubset::requireSame() const {
  std::vector<uint64_t> const all = gatherValues(
      ranks, hashValues(elements.data(), int64_t(elements.size())));
  for (int32_t rank = 0; rank < job.size; ++rank)
    if (all[rank] != all[0])
      fatal(Problem::RanksDeclare,
            "subset %s: rank %d chooses other elements of set %s than rank 0; "
            "expected the same on each (OP2_RANKS=whole)",
            subset.name, rank, of.name);
}

void LateSubset::chooseRows() {
  Numbers ofOwn(std::size_t(of.own), -1);
  if (job.declaresWhole) {
    requireSame();
    Numbers const declaredNumbers = numberDeclared();
    for (int32_t row = 0; row < of.own; ++row)
      ofOwn[row] = declaredNumbers[std::size_t(of.toUser[row])];
  } else {
    Numbers declaredNumbers = numberDeclared();
    declared(&subset).mover = declared(&of).mover.of(declaredNumbers);
    for (int32_t &number : declaredNumbers)
      if (number >= 0)
        number += static_cast<int32_t>(subset.declaredBegin);
    ofOwn = asValues<int32_t>(declared(&of).mover.move(
        ranks, reinterpret_cast<char const *>(declaredNumbers.data()),
        sizeof(int32_t)));
  }
  for (int32_t row = 0; row < of.own; ++row)
    if (ofOwn[row] >= 0) {
      rows.push_back(row);
      numbers.push_back(ofOwn[row]);
    }
}

/// The subset, its maps, and the own elements of what these lead to.
PartMesh LateSubset::describeMesh() {
  PartMesh mesh;
  sets = {&subset, &of};
  std::vector<int32_t> targets = {1};
  for (Map const *after : afterwards)
    targets.push_back(placeOrAdd(sets, static_cast<Set *>(after->to)));
  for (Set const *set : sets) {
    bool isSubset = set == &subset;
    RankSet const &part = *(isSubset ? of : *set).part;
    auto begin = part.canonical.begin();
    mesh.sizes.push_back(part.limit);
    mesh.keys.push_back(set->serial);
    mesh.imports.emplace_back();
    mesh.owned.emplace_back();
    if (isSubset) {
      for (int32_t row : rows)
        mesh.owned.back().push_back(begin[row]);
      continue;
    }
    mesh.owned.back().assign(begin, begin + part.size);
    for (PeerRows const &peer : part.lists[0].receives)
      for (int32_t row : peer.rows)
        mesh.imports.back().push_back({begin[row], peer.rank});
    std::sort(mesh.imports.back().begin(), mesh.imports.back().end());
  }
  mesh.maps.push_back({0, 1, 1, mesh.owned[0], maps[0]->serial});
  for (std::size_t m = 1; m < maps.size(); ++m) {
    Map const &after = *afterwards[m - 1];
    PartMap map = {0, targets[m], after.dim, {}, maps[m]->serial};
    RankSet const &to = *sets[targets[m]]->part;
    int const *table = tableOf(&after);
    for (int64_t row : rows)
      for (int64_t n = row * map.dim; n < (row + 1) * map.dim; ++n)
        map.targets.push_back(to.canonical[std::size_t(table[n])]);
    mesh.maps.push_back(std::move(map));
  }
  return mesh;
}

/// Rows of `from`, which has some imported elements of a set, become those that
/// the rank has of it.
void LateSubset::translate(Set const &set, RankSet const &from,
                           Numbers &table) const {
  auto isForeign = [&](int32_t row) { return row >= from.size; };
  if (std::none_of(table.begin(), table.end(), isForeign))
    return;
  RankSet const &to = *set.part;
  std::map<int32_t, int32_t> imported;
  for (int32_t row = to.size; row < to.reach; ++row)
    imported[to.canonical[row]] = row;
  for (int32_t &row : table) {
    if (!isForeign(row))
      continue;
    auto at = imported.find(from.canonical[row]);
    if (at == imported.end())
      fatal(Problem::Bug,
            "subset %s: a rank has no row for element %d of set %s, please "
            "report this",
            subset.name, from.canonical[row], set.name);
    row = at->second;
  }
}

/// Imported rows have their numbers from their owners.
void LateSubset::numberRows() {
  RankSet const &part = *subset.part;
  subset.toUser = std::move(numbers);
  subset.toUser.resize(std::size_t(part.rows));
  Outbox outbox;
  for (PeerRows const &peer : part.lists[0].sends)
    outbox.addRows(peer.rank,
                   reinterpret_cast<char const *>(subset.toUser.data()),
                   sizeof(int32_t), peer.rows);
  std::map<int32_t, Numbers> found;
  for (Message const &message : ranks.exchange(outbox.take()))
    found[message.rank] = asValues<int32_t>(message.bytes);
  for (PeerRows const &peer : part.lists[0].receives)
    for (std::size_t n = 0; n < peer.rows.size(); ++n)
      subset.toUser[peer.rows[n]] = found[peer.rank][n];
  for (Copies const &copies : part.copies)
    for (std::size_t n = 0; n < copies.of.size(); ++n)
      subset.toUser[copies.rows[n]] = subset.toUser[copies.of[n]];
}

Map &LateSubset::run(char const *mapName) {
  for (op_map map : registry().maps)
    if (map->from == &of)
      afterwards.push_back(static_cast<Map *>(map));
  chooseRows();
  Map &map = newMap(mapName);
  map.from = &subset;
  map.to = &of;
  map.dim = 1;
  maps = {&map};
  for (Map const *after : afterwards) {
    maps.push_back(&newComposition(*after, map));
    maps.back()->isAhead = true;
  }
  PartMesh const mesh = describeMesh();
  RankMesh found = buildRankMesh(ranks, mesh);
  if (shouldCheckPlans())
    requireSound(mesh, found);
  int32_t core = coreOf(0, mesh, found);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    auto const to = std::size_t(mesh.maps[m].to);
    translate(*sets[to], found.sets[to], found.tables[m]);
  }
  takePart(subset, std::move(found.sets[0]), core);
  numberRows();
  for (std::size_t m = 0; m < maps.size(); ++m) {
    // The program never declared some of another map's columns.
    bool hasWhole =
        job.keepsMirrors && (m == 0 || !afterwards[m - 1]->columnsOf);
    std::vector<int> whole;
    if (hasWhole)
      whole = m == 0 ? elements : composedTable(*afterwards[m - 1], map);
    takePart(*maps[m], found.tables[m], hasWhole ? whole.data() : nullptr);
    publish(*maps[m]);
  }
  return map;
}

Map &op2::rt::divideSubset(Set &subset, Set &of,
                           std::vector<int> const &elements,
                           char const *mapName) {
  return LateSubset(subset, of, elements).run(mapName);
}
