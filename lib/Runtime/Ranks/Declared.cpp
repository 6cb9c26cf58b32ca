//===- Declared.cpp - What ranks declare ------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of each set, and whether it fits what other ranks declare.
//
//===----------------------------------------------------------------------===//

#include "Declared.h"
#include "Core/Error.h"
#include "Core/Hooks.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Settings.h"
#include "Core/UserOrder.h"
#include "Exchange.h"
#include "Ranks.h"

#include <climits>
#include <cstring>
#include <deque>
#include <utility>

using namespace op2::rt;

static std::deque<DeclaredSet> &declaredSets() {
  static auto *all = new std::deque<DeclaredSet>;
  return *all;
}

DeclaredSet &op2::rt::declared(op_set_core const *set) {
  return declaredSets()[std::size_t(set->index)];
}

void op2::rt::forgetDeclared() {
  declaredSets().clear();
  for (op_set set : registry().sets)
    delete static_cast<Set *>(set)->part;
}

/// Nothing but loops over it refers to the set.
static void withdrawSet(Set &set) {
  // Those of several time steps may have one name.
  meet(("op_free_subset (set " + std::to_string(set.index) + ") " + set.ownName)
           .c_str());
  declaredSets().erase(declaredSets().begin() + set.index);
  delete std::exchange(set.part, nullptr);
  if (!job.isDistributed)
    return;
  for (op_set reached : registry().sets) {
    auto *of = static_cast<Set *>(reached);
    uint64_t freed = of->part ? forgetReach(*of->part, set.serial) : 0;
    if (freed == 0)
      continue;
    constexpr uint64_t kAllImports = 1; // the bit of list 0
    for (Dat *dat : registry().dats)
      if (dat->set == of && (dat->freshImports & kAllImports) == 0)
        dat->freshImports &= ~freed;
  }
}

Bytes Mover::move(Communicator &ranks, char const *rows, int64_t size) const {
  Outbox outbox;
  for (auto const &[rank, list] : rowsTo)
    outbox.addRows(rank, rows, size, list);
  Bytes moved;
  for (Message const &message : ranks.exchange(outbox.take()))
    moved.insert(moved.end(), message.bytes.begin(), message.bytes.end());
  return moved;
}

Mover Mover::of(std::vector<int32_t> const &numbers) const {
  Mover some;
  for (auto const &[rank, list] : rowsTo)
    for (int32_t row : list)
      if (numbers[row] >= 0)
        some.rowsTo[rank].push_back(numbers[row]);
  return some;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Whole: all ranks say the same. Blocks: one after the other.
static void shareSet(Set &set) {
  meet(((job.isDistributed ? "op_decl_subset " : "op_decl_set ") + set.ownName)
           .c_str());
  std::vector<int64_t> const sizes =
      gatherValues(communicator(), int64_t(set.size));
  DeclaredSet &own = declaredSets().emplace_back();
  if (job.declaresWhole) {
    for (int32_t rank = 0; rank < job.size; ++rank)
      if (sizes[rank] != sizes[0])
        fatal(Problem::RanksDeclare,
              "op_decl_set %s: rank 0 declares %lld elements, rank %d "
              "%lld; expected the whole set on each (OP2_RANKS=whole)",
              set.name, static_cast<long long>(sizes[0]), rank,
              static_cast<long long>(sizes[rank]));
    own.blocks = evenBlocks(set.size, job.size);
    own.skip = own.blocks.begin(job.rank);
    return;
  }
  own.blocks.begins.push_back(0);
  for (int64_t size : sizes)
    own.blocks.begins.push_back(own.blocks.begins.back() + size);
  set.globalSize = own.blocks.size();
  set.declaredBegin = own.blocks.begin(job.rank);
  if (set.globalSize > INT_MAX)
    fatal(Problem::Limit,
          "op_decl_set %s: all ranks together declare %lld elements; "
          "expected at most %d",
          set.name, static_cast<long long>(set.globalSize), INT_MAX);
}

/// Of all dats; 0 where each has one row only, as often as the set has
/// elements.
static uint64_t hashOfRows() {
  uint64_t hash = kHashOfNothing;
  bool areVarious = false;
  for (Dat const *dat : registry().dats) {
    char const *data = rowData(dat);
    int64_t bytes = rowBytes(dat), row = dat->size;
    hash = hashValues(data, bytes, hash);
    areVarious |=
        bytes > row && std::memcmp(data, data + row, std::size_t(bytes - row));
  }
  return areVarious ? hash : 0;
}

/// Programs for one process declare everything on each rank: the same maps,
/// with numbers of a whole set, or without maps the same values. Blocks may be
/// alike, but their maps lead to several of them.
static void refuseRepetition() {
  if (job.declaresWhole)
    return;
  uint64_t hash = kHashOfNothing;
  bool hasMaps = false, leavesBlock = false;
  for (op_map map : registry().maps) {
    int64_t count = int64_t(map->from->size) * map->dim;
    hasMaps |= count > 0;
    hash = hashValues(map->map, count, hash);
    leavesBlock |= std::any_of(map->map, map->map + count, [&](int target) {
      return target >= map->to->size;
    });
  }
  if (!hasMaps)
    hash = settingText("OP2_RANKS") ? 0 : hashOfRows();
  else if (leavesBlock)
    hash = 0;
  std::vector<uint64_t> all = gatherValues(communicator(), hash);
  if (hash == 0 || std::any_of(all.begin(), all.end(),
                               [&](uint64_t h) { return h != hash; }))
    return;
  if (hasMaps)
    fatal(Problem::RanksDeclare,
          "all %d ranks declare the same maps, which lead to the first block "
          "alone, as those of a program for one process do: for that "
          "OP2_RANKS=whole, with which ranks divide what each of them "
          "declares; expected a block of each set from each rank, and a map "
          "that leads to another one's",
          job.size);
  if (isRoot())
    warning(Problem::RanksDeclare,
            "all %d ranks declare the same values, as those of a program for "
            "one process do: for that OP2_RANKS=whole, with which ranks divide "
            "what each of them declares; expected a block of each set from "
            "each rank (OP2_RANKS=blocks: no such warning)",
            job.size);
}

/// By numbers, as ranks know each other's objects.
static Items describeDeclarations() {
  Registry const &all = registry();
  Items items;
  for (op_set set : all.sets)
    items.push_back({Item::Sets, nameOf(static_cast<Set &>(*set))});
  for (op_map map : all.maps)
    items.push_back({Item::Maps, describe(static_cast<Map const &>(*map))});
  for (Dat const *dat : all.dats)
    items.push_back({Item::Dats, describe(*dat)});
  for (Layers const *layers : all.layers)
    items.push_back(
        {Item::LayersOfSets, "layers " + layers->ownName + " on " +
                                 nameOf(static_cast<Set &>(*layers->set))});
  for (std::string &matrix : hooks.describeMatrices())
    items.push_back({Item::Matrices, std::move(matrix)});
  return items;
}

static constexpr char kOtherRanges[] =
    "layers %s: rank %d declares other ranges than rank 0; expected the same "
    "on each (OP2_RANKS=whole)";

void op2::rt::requireSameRanges(char const *layers,
                                std::vector<int> const &ranges) {
  meet((std::string("op_decl_layers ") + layers).c_str());
  if (!job.declaresWhole)
    return;
  uint64_t hash = hashValues(ranges.data(), int64_t(ranges.size()));
  std::vector<uint64_t> const all = gatherValues(communicator(), hash);
  for (int32_t rank = 1; rank < job.size; ++rank)
    if (all[rank] != all[0])
      fatal(Problem::RanksDeclare, kOtherRanges, layers, rank);
}

/// Of those that declare the whole mesh each has the same orders, tables and
/// layers.
static void requireAlike() {
  if (!job.declaresWhole)
    return;
  std::vector<uint64_t> hashes;
  std::vector<char const *> names;
  for (op_set core : registry().sets) {
    auto const &set = static_cast<Set const &>(*core);
    hashes.push_back(hashValues(set.toUser.data(), int64_t(set.toUser.size())));
    names.push_back(set.name);
  }
  for (op_map map : registry().maps) {
    hashes.push_back(hashValues(map->map, int64_t(map->from->size) * map->dim));
    names.push_back(map->name);
  }
  std::size_t const numSets = registry().sets.size();
  std::size_t const numTables = hashes.size();
  for (Layers const *layers : registry().layers) {
    auto const &ranges = static_cast<Dat const &>(*layers->ranges);
    hashes.push_back(hashValues(reinterpret_cast<int const *>(ranges.data),
                                int64_t(ranges.set->size) * ranges.dim));
    names.push_back(layers->name);
  }
  Bytes const bytes = communicator().gather(
      hashes.data(), int64_t(hashes.size() * sizeof(uint64_t)));
  std::vector<uint64_t> const all = asValues<uint64_t>(bytes);
  for (int32_t rank = 1; rank < job.size; ++rank)
    for (std::size_t n = 0; n < hashes.size(); ++n)
      if (all[std::size_t(rank) * hashes.size() + n] != all[n])
        fatal(Problem::RanksDeclare,
              n < numSets
                  ? "set %s: rank %d has renumbered it otherwise than rank 0; "
                    "expected the same order on each (OP2_RANKS=whole)"
              : n < numTables
                  ? "map %s: rank %d declares another table than rank 0; "
                    "expected the same on each (OP2_RANKS=whole)"
                  : kOtherRanges,
              names[n], rank);
}

/// A rank without values would have zeros where others have what was read.
static void requireValues() {
  enum : char { kNone, kValues, kNoRows };
  std::vector<char> own;
  for (Dat const *dat : registry().dats)
    own.push_back(static_cast<Set &>(*dat->set).declaredSize == 0 ? kNoRows
                  : hasAnyValue(*dat)                             ? kValues
                                                                  : kNone);
  Bytes const all = communicator().gather(own.data(), int64_t(own.size()));
  for (std::size_t n = 0; n < own.size(); ++n) {
    auto firstWith = [&](char what) {
      int32_t rank = 0;
      while (rank < job.size && all[std::size_t(rank) * own.size() + n] != what)
        ++rank;
      return rank;
    };
    int32_t without = firstWith(kNone), with = firstWith(kValues);
    if (without < job.size && with < job.size)
      fatal(Problem::RanksDeclare,
            "dat %s: rank %d gives NULL for its values, and rank %d has some; "
            "expected the values of %s on each, or NULL on each",
            registry().dats[n]->name, without, with,
            job.declaresWhole ? "the whole set" : "its block");
  }
}

void op2::rt::requireFittingDeclarations(char const *where,
                                         Items const &requests) {
  for (op_map map : registry().maps)
    requireTable(static_cast<Map &>(*map), where);
  Items items = describeDeclarations();
  items.insert(items.end(), requests.begin(), requests.end());
  meetWith(where, items, Problem::RanksDeclare);
  requireAlike();
  requireValues();
  refuseRepetition();
}

[[gnu::constructor]] static void enterHooks() {
  hooks.shareSet = shareSet;
  hooks.withdrawSet = withdrawSet;
}
