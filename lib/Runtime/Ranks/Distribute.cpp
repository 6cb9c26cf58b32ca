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
#include "Exchange.h"
#include "Plan/PlanOptions.h"
#include "Ranks.h"
#include "Storage.h"

#include <climits>
#include <deque>
#include <numeric>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// What is requested
//===----------------------------------------------------------------------===//

PartRequest op2::rt::partsFromDat(Dat const &dat, char const *where) {
  if (dat.elementType != OP2RT_I32 || dat.dim != 1)
    fatal(Problem::ValueType,
          "%s: dat %s holds %d values of type %s; expected one int for "
          "each element, the rank that owns it",
          where, dat.name, dat.dim, dat.type);
  requireOwnValues(dat, where);
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
            shown(of.blocks.begin(job.rank) + int64_t(n)), job.size - 1);
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
                                  : std::vector<int32_t>(),
                         static_cast<Map *>(map)->serial});
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
    mesh.keys.push_back(static_cast<Set *>(set)->serial);
  }
  for (PartMap const &map : blocks.maps)
    mesh.maps.push_back(
        {map.from, map.to, map.dim,
         asValues<int32_t>(
             declared(registry().sets[map.from])
                 .mover.move(ranks,
                             reinterpret_cast<char const *>(map.targets.data()),
                             map.dim * int64_t(sizeof(int32_t)))),
         map.key});
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
  meet(what);
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
  set.own = part.size;
  if (!job.declaresWhole) {
    set.size = part.size;
    set.core_size = core;
    set.exec_size = part.exec - part.size;
    set.nonexec_size = part.reach - part.exec;
  }
  set.reach = part.reach;
  set.rows = part.rows;
  set.stride = (set.rows + 31) / 32 * 32;
  set.part = new RankSet(std::move(part));
}

void op2::rt::takePart(Map &map, std::vector<int32_t> const &table,
                       int const *whole) {
  if (!map.user_managed && !map.inPages)
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

static Items describeRequest(PartRequest const &request) {
  constexpr char const *kMethods[] = {"graph cut", "blocks", "random parts",
                                      "parts from a dat"};
  std::string text = kMethods[request.method];
  if (request.method == PartRequest::Random)
    text += " of seed " + std::to_string(request.seed);
  if (request.set >= 0)
    text +=
        ", led by " + nameOf(static_cast<Set &>(*registry().sets[request.set]));
  if (request.map >= 0)
    text +=
        ", along " + nameOf(static_cast<Map &>(*registry().maps[request.map]));
  char const *declares = job.keepsMirrors    ? "mirrored"
                         : job.declaresWhole ? "whole"
                                             : "blocks";
  return {{Item::Requests, std::string("OP2_RANKS=") + declares},
          {Item::Requests, text}};
}

void op2::rt::distribute(char const *where, PartRequest const &request) {
  if (!hasRanks() || job.isDistributed)
    return;
  double start = now();
  Progress progress("distributing the mesh over " + std::to_string(job.size) +
                    " ranks");
  settleStorage();
  requireFittingDeclarations(where, describeRequest(request));
  // Checks and reports are for all ranks, or for none.
  int64_t votes[] = {shouldCheckPlans(), OP_diags > 1};
  communicator().sum(votes, 2);
  job.checksPlans = votes[0] > 0;
  hooks.declareMatrices();
  composeSubsets(where);
  BlockMesh blocks = describeMesh();
  PartResult chosen = chooseParts(communicator(), blocks, request);
  for (std::size_t set = 0; set < chosen.parts.size(); ++set)
    declared(registry().sets[set]).mover = Mover(chosen.parts[set]);
  PartMesh mesh = moveMesh(blocks);
  RankMesh found = buildRankMesh(communicator(), mesh);
  if (job.checksPlans)
    requireSound(mesh, found);
  apply(mesh, std::move(found));
  numberAnew();
  job.isDistributed = true;
  progress.end();
  traceSince(start, "partition", where);
  if (votes[1] > 0)
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

/// What is the same on all ranks, as they find when they meet; loops, which may
/// fetch in each execution, have them find it with what they ask for.
static uint32_t meetToFetch(std::string const &what) {
  Items const items = {{Item::Requests, what}};
  if (!currentLoop())
    meetWith(what.c_str(), items, Problem::RanksDisagree);
  return addToHash(loopsSoFar(), hashOf(items));
}

static void collectRows(Set const &set, char const *rows, bool areDeclared,
                        int64_t size, int64_t begin, int64_t end, char *values,
                        RowsOf of) {
  struct Range {
    int64_t begin, end;
    uint64_t hash;
  };
  Communicator &ranks = communicator();
  NumberedRows const own(set, areDeclared);
  std::string const what =
      "a fetch of " + (of.dat ? nameOf(*of.dat) : nameOf(*of.map));
  uint32_t hash = meetToFetch(what);
  std::vector<Range> asked = gatherValues(ranks, Range{begin, end, hash});
  for (Range const &range : asked)
    if (range.hash != hash)
      differ(what.c_str(), {{Item::Requests, what}}, Problem::RanksDisagree);
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
  hooks.collectRows = collectRows;
  hooks.spreadRows = spreadRows;
}
