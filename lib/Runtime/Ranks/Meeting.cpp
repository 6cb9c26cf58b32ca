//===- Meeting.cpp - What all ranks say alike ---------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Meeting.h"
#include "Core/Job.h"
#include "Core/Types.h"
#include "Exchange.h"
#include "RankCall.h"
#include "Ranks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

uint32_t op2::rt::hashOf(Items const &items) {
  uint32_t hash = kFirstHash;
  for (Item const &item : items) {
    hash = addToHash(hash, uint32_t(item.kind) + 1);
    for (char c : item.text)
      hash = addToHash(hash, uint32_t(static_cast<unsigned char>(c)));
  }
  return hash;
}

/// With the number that ranks know it by. Before, the place in the list is as
/// good, where there are others of that name.
template <class Record, class Core>
static std::string nameIn(std::vector<Core *> const &all, Record const &record,
                          char const *kind) {
  std::string const text = kind + (" " + record.ownName);
  int64_t number = record.number;
  if (!job.isDistributed) {
    auto named = std::count_if(all.begin(), all.end(), [&](Core const *other) {
      return static_cast<Record const *>(other)->ownName == record.ownName;
    });
    if (named < 2)
      return text;
    number = std::find(all.begin(), all.end(), &record) - all.begin();
  }
  return text + " (number " + std::to_string(number) + ")";
}

std::string op2::rt::nameOf(Set const &set) {
  return nameIn(registry().sets, set, "set");
}

std::string op2::rt::nameOf(Map const &map) {
  return nameIn(registry().maps, map, "map");
}

std::string op2::rt::nameOf(Dat const &dat) {
  // Of the numbers of a set's elements, which is in no list.
  if (dat.number < 0)
    return dat.ownName + " of " + nameOf(static_cast<Set &>(*dat.set));
  return nameIn(registry().dats, dat, "dat");
}

std::string op2::rt::describe(Map const &map) {
  return "map " + map.ownName + " from " +
         nameOf(static_cast<Set &>(*map.from)) + " to " +
         nameOf(static_cast<Set &>(*map.to)) + ", dim " +
         std::to_string(map.dim);
}

std::string op2::rt::describe(Dat const &dat) {
  std::string text = "dat " + dat.ownName + " on " +
                     nameOf(static_cast<Set &>(*dat.set)) + ", dim " +
                     std::to_string(dat.dim) + ", type " + dat.ownType;
  // "int" dats may hold doubles.
  if (int bytes = dat.size / dat.dim; bytes != typeSize(dat.elementType))
    text += " of " + std::to_string(bytes) + " bytes";
  return dat.base ? text + ", an overlay on " + nameOf(*dat.base) : text;
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

static Bytes pack(Items const &items) {
  Bytes bytes;
  for (Item const &item : items) {
    bytes.push_back(static_cast<char>(item.kind));
    char const *text = item.text.c_str();
    bytes.insert(bytes.end(), text, text + std::strlen(text) + 1);
  }
  return bytes;
}

static Items unpack(char const *at, int64_t bytes) {
  Items items;
  for (char const *end = at + bytes; at < end;) {
    auto kind = static_cast<Item::Kind>(*at++);
    items.push_back({kind, at});
    at += items.back().text.size() + 1;
  }
  return items;
}

/// Those of each rank.
static std::vector<Items> gatherItems(Items const &own) {
  Communicator &ranks = communicator();
  Bytes bytes = pack(own);
  std::vector<int64_t> const sizes =
      gatherValues(ranks, static_cast<int64_t>(bytes.size()));
  int64_t most = *std::max_element(sizes.begin(), sizes.end());
  bytes.resize(std::size_t(most));
  Bytes const all = ranks.gather(bytes.data(), most);
  std::vector<Items> items;
  for (int32_t rank = 0; rank < job.size; ++rank)
    items.push_back(unpack(all.data() + rank * most, sizes[rank]));
  return items;
}

/// Item number n of those of a rank, where another one has `other`: who has
/// fewer of a kind has one of the next kind there, or none.
static std::string shownItem(Items const &items, std::size_t n,
                             Item const *other) {
  constexpr char const *kKinds[] = {
      "sets", "maps", "dats", "layers", "matrices", "requests", "arguments"};
  if (n < items.size() && (!other || items[n].kind <= other->kind))
    return items[n].text;
  return std::string("no more ") + kKinds[other->kind];
}

static void requireSameItems(char const *what, Items const &own,
                             Problem problem) {
  std::vector<Items> const all = gatherItems(own);
  auto at = [&](int32_t rank, std::size_t n) {
    return n < all[rank].size() ? &all[rank][n] : nullptr;
  };
  for (int32_t rank = 1; rank < job.size; ++rank)
    for (std::size_t n = 0; at(0, n) || at(rank, n); ++n) {
      if (all[0].empty() || all[rank].empty())
        break; // loops that are pending: what they run on is not known by name
      Item const *a = at(0, n), *b = at(rank, n);
      if (a && b && a->kind == b->kind && a->text == b->text)
        continue;
      fatal(problem,
            "%s: rank 0 has %s, rank %d %s; expected the same on every rank, "
            "in the same order",
            what, shownItem(all[0], n, b).c_str(), rank,
            shownItem(all[rank], n, a).c_str());
    }
}

//===----------------------------------------------------------------------===//
// Loops that have run
//===----------------------------------------------------------------------===//

static constexpr uint64_t kMostLatest = LoopLog::kMostLatest;
LoopLog op2::rt::loopLog;

namespace {
struct RunLoop {
  uint32_t hash;
  char name[28]; ///< its beginning
};

/// The same bytes for a message.
struct RunLoops {
  uint64_t count;
  RunLoop latest[kMostLatest]; ///< by number modulo their count

  uint64_t first() const {
    return count > kMostLatest ? count - kMostLatest : 0;
  }
  RunLoop const &operator[](uint64_t n) const {
    return latest[n % kMostLatest];
  }
};
} // namespace

static RunLoops runLoops() {
  RunLoops loops = {};
  loops.count = loopLog.count;
  for (uint64_t n = loops.first(); n < loops.count; ++n) {
    LoopName const &known = loopLog.latest[n % kMostLatest];
    RunLoop &loop = loops.latest[n % kMostLatest];
    loop.hash = known.hash;
    std::strncpy(loop.name, known.name, sizeof loop.name - 1);
  }
  return loops;
}

std::string op2::rt::latestLoops() {
  constexpr uint64_t kMost = 4;
  std::string names;
  uint64_t const count = loopLog.count;
  for (uint64_t n = count < kMost ? 0 : count - kMost; n < count; ++n)
    names += (names.empty() ? "" : ", ") +
             std::string(loopLog.latest[n % kMostLatest].name);
  return names.empty() ? "no loop" : names;
}

static std::string shownLoop(RunLoops const &loops, uint64_t n) {
  return n < loops.count ? loops[n].name : "no loop";
}

/// Where rank 0 has run the loop `first`.
static std::string shownOther(RunLoops const &loops, uint64_t n,
                              std::string const &first) {
  std::string const name = shownLoop(loops, n);
  return name == first ? name + " on others" : name;
}

/// The first of the latest loops that is another one on a rank.
static void requireSameLoops(char const *what) {
  std::vector<RunLoops> const all = gatherValues(communicator(), runLoops());
  uint64_t begin = 0, end = 0;
  for (RunLoops const &loops : all) {
    begin = std::max(begin, loops.first());
    end = std::max(end, loops.count);
  }
  auto isSame = [&](RunLoops const &loops, uint64_t n) {
    return (n < loops.count) == (n < all[0].count) &&
           (n >= loops.count || loops[n].hash == all[0][n].hash);
  };
  for (uint64_t n = begin; n < end; ++n)
    for (int32_t rank = 1; rank < job.size; ++rank)
      if (!isSame(all[rank], n))
        fatal(Problem::RanksDisagree,
              "%s: ranks have run different loops before, or with different "
              "sets, maps or dats: as loop number %llu rank 0 %s, rank %d %s; "
              "expected the same loops on every rank, in the same order",
              what, static_cast<unsigned long long>(n + 1),
              shownLoop(all[0], n).c_str(), rank,
              shownOther(all[rank], n, shownLoop(all[0], n)).c_str());
}

Items op2::rt::itemsOfLoop() {
  op2rt_loop const *loop = currentLoop();
  return loop && loop->call ? describeHandles(*loop->call) : Items();
}

void op2::rt::differ(char const *what, Items const &own, Problem problem) {
  std::vector<Header> const all =
      gatherValues(communicator(), nextHeader(what));
  for (int32_t rank = 1; rank < job.size; ++rank)
    requireSameName(all[0], 0, all[rank], rank);
  std::string const place = (currentLoop() ? "loop " : "") + std::string(what);
  requireSameItems(place.c_str(), own, problem);
  requireSameLoops(place.c_str());
  fatal(Problem::RanksDisagree,
        "%s: ranks run it with different sets, maps or dats, or have run "
        "different loops before; expected the same loops on every rank, in the "
        "same order",
        place.c_str());
}

void op2::rt::meetOver(Dat const &dat, char const *where) {
  meetWith((std::string(where) + " " + dat.ownName).c_str(),
           {{Item::Dats, describe(dat)}}, Problem::RanksDeclare);
}
