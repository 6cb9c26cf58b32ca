//===- Distribute.cpp - Parts of the mesh ------------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what the ranks declare to what each of them has: sets, maps and dats
// change in place.
//
//===----------------------------------------------------------------------===//

#include "Distribute.h"
#include "Core/Clock.h"
#include "Core/Composition.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Core/MapTable.h"
#include "Core/Memory.h"
#include "Core/Progress.h"
#include "Core/Settings.h"
#include "Core/Trace.h"
#include "Core/UserOrder.h"
#include "Plan/PlanOptions.h"
#include "Ranks.h"
#include "Storage.h"

#include <climits>
#include <deque>
#include <numeric>

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
  Communicator &ranks = communicator();
  struct Declaration {
    int64_t size;
    char name[56]; ///< its beginning
  };
  Declaration said = {set.size, {}};
  set.ownName.copy(said.name, sizeof said.name - 1);
  std::vector<Declaration> const all = gatherValues(ranks, said);
  DeclaredSet &own = declaredSets().emplace_back();
  if (job.declaresWhole) {
    for (int32_t rank = 0; rank < job.size; ++rank) {
      if (std::strcmp(all[rank].name, all[0].name) != 0)
        fatal(Problem::RanksDeclare,
              "op_decl_set: rank 0 declares set %s, rank %d set %s; expected "
              "the same on each (OP2_RANKS=whole)",
              all[0].name, rank, all[rank].name);
      if (all[rank].size != all[0].size)
        fatal(Problem::RanksDeclare,
              "op_decl_set %s: rank 0 declares %lld elements, rank %d "
              "%lld; expected the whole set on each (OP2_RANKS=whole)",
              set.name, static_cast<long long>(all[0].size), rank,
              static_cast<long long>(all[rank].size));
    }
    own.blocks = evenBlocks(set.size, job.size);
    own.skip = own.blocks.begin(job.rank);
    return;
  }
  own.blocks.begins.push_back(0);
  for (Declaration const &of : all)
    own.blocks.begins.push_back(own.blocks.begins.back() + of.size);
  set.globalSize = own.blocks.size();
  set.declaredBegin = own.blocks.begin(job.rank);
  if (set.globalSize > INT_MAX)
    fatal(Problem::Limit,
          "op_decl_set %s: all ranks together declare %lld elements; "
          "expected at most %d",
          set.name, static_cast<long long>(set.globalSize), INT_MAX);
}

/// Programs for one process declare everything on each rank: the same maps,
/// with numbers of a whole set. Blocks may be alike, but lead to several of
/// them.
static void refuseRepetition() {
  if (job.declaresWhole)
    return;
  uint64_t hash = hashValues(nullptr, 0);
  bool hasMaps = false, leavesBlock = false;
  for (op_map map : registry().maps) {
    int64_t count = int64_t(map->from->size) * map->dim;
    hasMaps |= count > 0;
    hash = hashValues(map->map, count, hash);
    leavesBlock |= std::any_of(map->map, map->map + count, [&](int target) {
      return target >= map->to->size;
    });
  }
  bool isWhole = hasMaps && !leavesBlock;
  std::vector<uint64_t> all =
      gatherValues(communicator(), isWhole ? hash : uint64_t(0));
  if (isWhole && std::all_of(all.begin(), all.end(),
                             [&](uint64_t h) { return h == hash; }))
    fatal(Problem::RanksDeclare,
          "all %d ranks declare the same maps, as a program for one "
          "process does; expected a block of each set from each rank, or "
          "OP2_RANKS=whole, with which ranks divide what each of them "
          "declares",
          job.size);
}

static void requireAsMany(char const *where) {
  struct Counts {
    int64_t sets, maps, unused[2]; ///< of no other message's size
  };
  std::vector<Counts> const all =
      gatherValues(communicator(), Counts{int64_t(registry().sets.size()),
                                          int64_t(registry().maps.size()),
                                          {}});
  for (int32_t rank = 0; rank < job.size; ++rank)
    if (all[rank].sets != all[0].sets || all[rank].maps != all[0].maps)
      fatal(Problem::RanksDeclare,
            "%s: rank 0 declares %lld sets and %lld maps, rank %d %lld and "
            "%lld; expected as many on each",
            where, static_cast<long long>(all[0].sets),
            static_cast<long long>(all[0].maps), rank,
            static_cast<long long>(all[rank].sets),
            static_cast<long long>(all[rank].maps));
}

/// Of those that declare the whole mesh each has the same orders and tables.
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
  Bytes const bytes = communicator().gather(
      hashes.data(), int64_t(hashes.size() * sizeof(uint64_t)));
  std::vector<uint64_t> const all = asValues<uint64_t>(bytes);
  for (int32_t rank = 1; rank < job.size; ++rank)
    for (std::size_t n = 0; n < hashes.size(); ++n)
      if (all[std::size_t(rank) * hashes.size() + n] != all[n])
        fatal(Problem::RanksDeclare,
              n < registry().sets.size()
                  ? "set %s: rank %d has renumbered it otherwise than rank 0; "
                    "expected the same order on each (OP2_RANKS=whole)"
                  : "map %s: rank %d declares another table than rank 0; "
                    "expected the same on each (OP2_RANKS=whole)",
              names[n], rank);
}

static void requireTables(char const *where) {
  for (op_map map : registry().maps)
    requireTable(static_cast<Map &>(*map), where);
}

//===----------------------------------------------------------------------===//
// What is requested
//===----------------------------------------------------------------------===//

PartRequest op2::rt::partsFromDat(Dat const &dat, char const *where) {
  if (dat.elementType != OP2RT_I32 || dat.dim != 1)
    fatal(Problem::ValueType,
          "%s: dat %s holds %d values of type %s; expected one int for "
          "each element, the rank that owns it",
          where, dat.name, dat.dim, dat.type);
  PartRequest request;
  request.method = PartRequest::Given;
  request.set = dat.set->index;
  DeclaredSet const &of = declared(dat.set);
  auto const *values = reinterpret_cast<int const *>(dat.data) + of.skip;
  request.parts.assign(values, values + of.blocks.count(job.rank));
  for (std::size_t n = 0; n < request.parts.size(); ++n)
    if (request.parts[n] < 0 || request.parts[n] >= job.size)
      fatal(Problem::RanksDeclare,
            "%s: dat %s says rank %d for element %lld; expected 0..%d", where,
            dat.name, request.parts[n],
            static_cast<long long>(of.blocks.begin(job.rank)) +
                static_cast<long long>(n),
            job.size - 1);
  return request;
}

PartRequest op2::rt::requestedParts(char const *where) {
  PartRequest request;
  char const *text = settingText("OP2_PARTITION");
  std::string word = text ? text : "";
  constexpr std::size_t kSeed = 7; // behind "random:"
  if (word.empty() || word == "ptscotch")
    return request;
  if (word == "blocks") {
    request.method = PartRequest::Blocks;
    return request;
  }
  if (word == "random" || word.compare(0, kSeed, "random:") == 0) {
    request.method = PartRequest::Random;
    request.seed = word.size() > kSeed
                       ? std::strtoull(word.c_str() + kSeed, nullptr, 10)
                       : 1;
    return request;
  }
  for (Dat const *dat : registry().dats)
    if (dat->ownName == word)
      return partsFromDat(*dat, where);
  fatal(Problem::Setting, "%s: OP2_PARTITION=%s: there is no dat of this name",
        where, word.c_str());
}

//===----------------------------------------------------------------------===//
// Distribution
//===----------------------------------------------------------------------===//

static char const *blockOf(op_set_core const *set, void const *rows,
                           int64_t size) {
  return static_cast<char const *>(rows) + declared(set).skip * size;
}

static BlockMesh describeMesh() {
  BlockMesh mesh;
  for (op_set set : registry().sets) {
    mesh.sets.push_back(declared(set).blocks);
    int64_t bytes = 0;
    for (Dat const *dat : registry().dats)
      bytes += dat->set == set ? dat->size : 0;
    mesh.bytes.push_back(bytes);
    Map const *followed = static_cast<Set *>(set)->follows;
    mesh.follows.push_back(followed ? followed->index : -1);
  }
  for (op_map map : registry().maps) {
    auto const *rows = reinterpret_cast<int const *>(
        blockOf(map->from, map->map, map->dim * int64_t(sizeof(int))));
    int64_t count = declared(map->from).blocks.count(job.rank) * map->dim;
    mesh.maps.push_back({map->from->index, map->to->index, map->dim,
                         map->map ? std::vector<int32_t>(rows, rows + count)
                                  : std::vector<int32_t>()});
  }
  return mesh;
}

/// Sets and maps of what this rank owns from now on.
static PartMesh moveMesh(BlockMesh const &blocks) {
  Communicator &ranks = communicator();
  PartMesh mesh;
  for (op_set set : registry().sets) {
    DeclaredSet const &of = declared(set);
    std::vector<int32_t> numbers(std::size_t(of.blocks.count(job.rank)));
    for (std::size_t n = 0; n < numbers.size(); ++n)
      numbers[n] = static_cast<int32_t>(of.blocks.begin(job.rank)) +
                   static_cast<int32_t>(n);
    mesh.owned.push_back(asValues<int32_t>(
        of.mover.move(ranks, reinterpret_cast<char const *>(numbers.data()),
                      sizeof(int32_t))));
    mesh.sizes.push_back(of.blocks.size());
  }
  for (PartMap const &map : blocks.maps)
    mesh.maps.push_back(
        {map.from, map.to, map.dim,
         asValues<int32_t>(
             declared(registry().sets[map.from])
                 .mover.move(ranks,
                             reinterpret_cast<char const *>(map.targets.data()),
                             map.dim * int64_t(sizeof(int32_t))))});
  return mesh;
}

static char *spread(Set const &set, void const *values, int64_t size,
                    std::string const &what) {
  DeclaredSet const &of = declared(&set);
  char *rows = allocateZeroed(set.rows, size, what);
  Bytes moved =
      of.mover.move(communicator(), blockOf(&set, values, size), size);
  if (!moved.empty())
    std::memcpy(rows, moved.data(), moved.size());
  return rows;
}

bool op2::rt::someGive(Set const &set, void const *values, char const *what) {
  struct Given {
    bool values, rows;
  };
  std::vector<Given> given = gatherValues(
      communicator(), Given{values != nullptr, set.declaredSize > 0});
  auto gives = [](Given const &of) { return of.values; };
  if (std::none_of(given.begin(), given.end(), gives))
    return false;
  for (int32_t rank = 0; rank < job.size; ++rank)
    if (given[rank].rows && !given[rank].values)
      fatal(Problem::RanksDeclare,
            "%s: rank %d gives NULL for its rows, and others give "
            "values; expected values of all ranks, or of none",
            what, rank);
  return true;
}

static char *spreadRows(Set const &set, void const *values, int64_t size,
                        char const *what) {
  if (!someGive(set, values, what))
    return allocateZeroed(set.rows, size, what);
  return job.declaresWhole
             ? allocateGathered(values, set.toUser.data(), set.rows, size, what)
             : spread(set, values, size, what);
}

int32_t op2::rt::coreOf(std::size_t set, PartMesh const &mesh,
                        RankMesh const &found) {
  int32_t core = found.sets[set].size;
  for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
    PartMap const &map = mesh.maps[m];
    if (map.from != static_cast<int32_t>(set))
      continue;
    auto end = found.tables[m].begin() + int64_t(core) * map.dim;
    auto at = std::find_if(found.tables[m].begin(), end, [&](int32_t row) {
      return row >= found.sets[map.to].size;
    });
    core = static_cast<int32_t>((at - found.tables[m].begin()) / map.dim);
  }
  return core;
}

/// Of each row. A set that was renumbered before has its new numbers for
/// canonical ones.
static std::vector<int32_t> userNumbers(Set const &set, RankSet const &part) {
  std::vector<int32_t> numbers = part.canonical;
  if (!set.toUser.empty())
    for (int32_t &number : numbers)
      number = set.toUser[number];
  return numbers;
}

/// Those that share an array have rows of their own first.
static void moveDats() {
  auto const &dats = registry().dats;
  for (Dat *dat : dats) {
    makeHostCurrent(*dat);
    freeDeviceCopy(*dat);
  }
  for (Dat *dat : dats)
    dat->part = spread(static_cast<Set &>(*dat->set), dat->data, dat->size,
                       "dat " + dat->ownName);
  for (Dat *dat : dats) {
    programChanged(*dat);
    if (!dat->inArray) {
      if (!dat->inPages)
        deallocate(dat->data);
      setStorage(*dat, dat->part);
    } else if (!dat->user_managed) {
      giveToProgram(*dat); // in the application's order from now on
    }
  }
}

/// OP2_RANKS=mirrored: tables as the application declared them, by map; empty
/// for one without, and for all of them otherwise.
static std::vector<std::vector<int>> mirrorTables() {
  std::vector<std::vector<int>> mirrors(registry().maps.size());
  if (!job.keepsMirrors)
    return mirrors;
  for (std::size_t m = 0; m < mirrors.size(); ++m)
    mirrors[m] = wholeTable(static_cast<Map const &>(*registry().maps[m]));
  return mirrors;
}

void op2::rt::takePart(Set &set, RankSet part, int32_t core) {
  set.core_size = core;
  set.own = part.size;
  if (!job.declaresWhole)
    set.size = part.size;
  set.exec_size = part.exec - part.size;
  set.nonexec_size = part.reach - part.exec;
  set.reach = part.reach;
  set.rows = part.rows;
  set.stride = (set.rows + 31) / 32 * 32;
  set.part = new RankSet(std::move(part));
}

void op2::rt::takePart(Map &map, std::vector<int32_t> const &table,
                       int const *whole) {
  if (!map.user_managed)
    deallocate(map.map);
  map.user_managed = 0;
  map.accepted = true; // also one without rows, which had no table
  freeDeviceCopies(map);
  setStorage(map,
             reinterpret_cast<int *>(allocateCopy(
                 table.data(), rowsOf(map.from), map.dim * int64_t(sizeof(int)),
                 "map " + map.ownName)),
             whole);
}

static void apply(PartMesh const &mesh, RankMesh &&found) {
  std::vector<std::vector<int>> const mirrors = mirrorTables();
  hooks.forgetHandles(nullptr);
  freeRetiredDats(); // they have the rows of before
  for (std::size_t n = 0; n < found.sets.size(); ++n) {
    auto &set = static_cast<Set &>(*registry().sets[n]);
    takePart(set, found.sets[n], coreOf(n, mesh, found));
    ++set.order;
    set.toUser = userNumbers(set, found.sets[n]);
    set.toInternal = {};
  }
  for (std::size_t m = 0; m < found.tables.size(); ++m) {
    takePart(static_cast<Map &>(*registry().maps[m]), found.tables[m],
             mirrors[m].empty() ? nullptr : mirrors[m].data());
    releaseMemory(found.tables[m]);
  }
  moveDats();
}

void op2::rt::requireSound(PartMesh const &mesh, RankMesh const &found) {
  std::string text;
  for (std::string const &fault : checkRankMesh(communicator(), mesh, found))
    text += "\n  " + fault;
  if (!text.empty())
    fatal(Problem::Bug,
          "the parts of the mesh do not fit, please report this:%s",
          text.c_str());
}

/// Those for loops that change rows through any maps.
static int64_t mostCopies(RankSet const &part) {
  return part.copies.empty() ? 0 : int64_t(part.copies.back().of.size());
}

static void report(PartResult const &chosen, double seconds) {
  std::string names;
  for (int32_t set : chosen.leading)
    names += (names.empty() ? "" : ", ") +
             static_cast<Set *>(registry().sets[set])->ownName;
  op_printf("op2: distributed the mesh over %d ranks, beginning with %s%s, "
            "%.3f ms\n",
            job.size, names.c_str(), chosen.isCut ? " (PT-Scotch)" : "",
            seconds * 1e3);
  for (op_set core : registry().sets) {
    auto const &set = static_cast<Set &>(*core);
    struct Counts {
      int64_t own, imported, copies;
    };
    Counts most = {0, 0, 0};
    for (Counts const &of :
         gatherValues(communicator(), Counts{set.own, set.reach - set.own,
                                             mostCopies(*set.part)}))
      most = {std::max(most.own, of.own), std::max(most.imported, of.imported),
              std::max(most.copies, of.copies)};
    op_printf("op2:   set %s, %lld elements: at most %lld on a rank, %lld "
              "imported, %lld run twice\n",
              set.name, static_cast<long long>(set.globalSize),
              static_cast<long long>(most.own),
              static_cast<long long>(most.imported),
              static_cast<long long>(most.copies));
  }
}

void op2::rt::distribute(char const *where, PartRequest const &request) {
  if (!hasRanks() || job.isDistributed)
    return;
  double start = now();
  Progress progress("distributing the mesh over " + std::to_string(job.size) +
                    " ranks");
  settleStorage();
  requireTables(where);
  requireAsMany(where);
  requireAlike();
  hooks.declareMatrices();
  composeSubsets(where);
  refuseRepetition();
  BlockMesh blocks = describeMesh();
  PartResult chosen = chooseParts(communicator(), blocks, request);
  for (std::size_t set = 0; set < chosen.parts.size(); ++set)
    declaredSets()[set].mover = Mover(chosen.parts[set]);
  PartMesh mesh = moveMesh(blocks);
  RankMesh found = buildRankMesh(communicator(), mesh);
  if (shouldCheckPlans())
    requireSound(mesh, found);
  apply(mesh, std::move(found));
  job.isDistributed = true;
  progress.end();
  traceSince(start, "partition", where);
  if (OP_diags > 1)
    report(chosen, now() - start);
}

void op2::rt::distribute(char const *where) {
  if (hasRanks() && !job.isDistributed)
    distribute(where, requestedParts(where));
}

//===----------------------------------------------------------------------===//
// Values for the application
//===----------------------------------------------------------------------===//

namespace {
/// Rows of a set that the rank has, own or declared ones, by the application's
/// numbers.
class NumberedRows {
public:
  NumberedRows(Set const &set, bool areDeclared) : set(set) {
    if (!areDeclared)
      order = &ownOrder();
  }
  int32_t numberOf(int32_t row) const {
    return order ? set.toUser[row]
                 : static_cast<int32_t>(set.declaredBegin) + row;
  }
  /// Those with numbers in [begin, end), ascending in them.
  std::vector<int32_t> within(int64_t begin, int64_t end) const {
    std::vector<int32_t> rows;
    if (order) {
      auto isBefore = [&](int32_t row, int64_t number) {
        return numberOf(row) < number;
      };
      auto first =
          std::lower_bound(order->begin(), order->end(), begin, isBefore);
      rows.assign(first, std::lower_bound(first, order->end(), end, isBefore));
      return rows;
    }
    int64_t last = std::min<int64_t>(end - set.declaredBegin, set.declaredSize);
    for (int64_t row = std::max<int64_t>(begin - set.declaredBegin, 0);
         row < last; ++row)
      rows.push_back(static_cast<int32_t>(row));
    return rows;
  }

private:
  /// Made once: values may be collected piece by piece.
  std::vector<int32_t> const &ownOrder() const {
    std::vector<int32_t> &known = set.part->userOrder;
    if (known.empty() && set.own > 0) {
      known.resize(std::size_t(set.own));
      std::iota(known.begin(), known.end(), 0);
      std::sort(known.begin(), known.end(), [&](int32_t a, int32_t b) {
        return set.toUser[a] < set.toUser[b];
      });
    }
    return known;
  }

  Set const &set;
  std::vector<int32_t> const *order = nullptr;
};
} // namespace

static void collectRows(Set const &set, char const *rows, bool areDeclared,
                        int64_t size, int64_t begin, int64_t end,
                        char *values) {
  struct Range {
    int64_t begin, end;
  };
  Communicator &ranks = communicator();
  NumberedRows const own(set, areDeclared);
  std::vector<Range> asked = gatherValues(ranks, Range{begin, end});
  Outbox outbox;
  for (int32_t rank = 0; rank < job.size; ++rank) {
    std::vector<int32_t> found = own.within(asked[rank].begin, asked[rank].end);
    if (found.empty())
      continue;
    std::vector<int32_t> numbers;
    for (int32_t row : found)
      numbers.push_back(own.numberOf(row));
    outbox.add(rank, numbers);
    outbox.addRows(rank, rows, size, found);
  }
  for (Message const &message : ranks.exchange(outbox.take())) {
    Reader reader(message.bytes);
    for (int32_t number : reader.getAll<int32_t>())
      std::memcpy(values + (number - begin) * size,
                  reader.getBytes(std::size_t(size)), std::size_t(size));
  }
}

[[gnu::constructor]] static void enterHooks() {
  hooks.shareSet = shareSet;
  hooks.collectRows = collectRows;
  hooks.spreadRows = spreadRows;
}
