//===- Exchange.cpp - What ranks send each other in loops ---- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"
#include "CopyRows.h"
#include "Core/Copies.h"
#include "Core/Error.h"
#include "Core/Job.h"
#include "Meeting.h"
#include "RankCall.h"
#include "Ranks.h"

#include <algorithm>

using namespace op2::rt;

Header op2::rt::nextHeader(char const *loop) {
  Header header = {++loopLog.headers, {}, 0, 0, 0, loopsSoFar(), loopsSoFar()};
  std::strncpy(header.loop, loop, sizeof header.loop - 1);
  return header;
}

void op2::rt::requireSameName(Header const &own, int32_t ownRank,
                              Header const &other, int32_t rank) {
  if (own.number != other.number ||
      std::strncmp(own.loop, other.loop, sizeof own.loop) != 0)
    fatal(Problem::RanksDisagree,
          "ranks do different things: rank %d runs %.44s, its message "
          "number %llu, and rank %d %.44s, number %llu; expected every "
          "rank to make the same declarations, and to run the same loops, in "
          "the same order",
          ownRank, own.loop, static_cast<unsigned long long>(own.number), rank,
          other.loop, static_cast<unsigned long long>(other.number));
}

/// What this rank's loop runs on, for messages.
static std::string handlesOfLoop() {
  std::string text;
  for (Item const &item : itemsOfLoop())
    text += (text.empty() ? "" : ", ") + item.text;
  return text.empty() ? "no loop" : text;
}

static void requireSame(Header const &own, char const *data, int32_t rank) {
  Header other;
  std::memcpy(&other, data, sizeof other);
  requireSameName(own, job.rank, other, rank);
  if (!own.pending != !other.pending || own.least != other.least)
    fatal(Problem::RanksDisagree,
          "%.44s: ranks run it with different sets, maps or dats, or have run "
          "different loops before: rank %d has run %s and has now %s, and rank "
          "%d something else; expected the same loops on every rank, in the "
          "same order",
          own.loop, job.rank, latestLoops().c_str(), handlesOfLoop().c_str(),
          rank);
}

static Exchange::Side &sideOf(std::vector<Exchange::Side> &sides,
                              int32_t rank) {
  auto at = std::lower_bound(sides.begin(), sides.end(), rank,
                             [](Exchange::Side const &side, int32_t number) {
                               return side.rank < number;
                             });
  if (at == sides.end() || at->rank != rank)
    at = sides.insert(at, {rank, {}, {}});
  return *at;
}

static std::vector<Peer> makeBuffers(std::vector<Exchange::Side> &sides) {
  std::vector<Peer> peers;
  for (Exchange::Side &side : sides) {
    std::size_t bytes = sizeof(Header);
    for (Exchange::Segment const &segment : side.segments)
      bytes += segment.rows->size() * std::size_t(segment.dat->size);
    side.buffer.resize(bytes);
    peers.push_back(
        {side.rank, side.buffer.data(), static_cast<int64_t>(bytes)});
  }
  return peers;
}

static HaloList const &listOf(Need const &need) {
  return need.apart ? need.apart->list
                    : partOf(need.dat->set).lists[std::size_t(need.list)];
}

static Exchange makeExchange(std::vector<Need> const &needs) {
  Exchange exchange;
  exchange.needs = needs;
  for (Need const &need : needs) {
    for (PeerRows const &peer : listOf(need).sends)
      sideOf(exchange.sends, peer.rank)
          .segments.push_back({need.dat, &peer.rows});
    for (PeerRows const &peer : listOf(need).receives)
      sideOf(exchange.receives, peer.rank)
          .segments.push_back(
              {need.apart ? need.apart->to : need.dat, &peer.rows});
  }
  exchange.sendPeers = makeBuffers(exchange.sends);
  exchange.receivePeers = makeBuffers(exchange.receives);
  return exchange;
}

/// visit(segment, place in the buffer)
template <class Visit>
static void forEachSegment(Exchange::Side &side, Visit visit) {
  char *place = side.buffer.data() + sizeof(Header);
  for (Exchange::Segment const &segment : side.segments) {
    visit(segment, place);
    place += int64_t(segment.rows->size()) * segment.dat->size;
  }
}

static auto inBuffer(Exchange::Segment const &segment, char *place) {
  return [place, size = segment.dat->size](std::size_t n) {
    return place + int64_t(n) * size;
  };
}

static RowsOfDat onDevice(Exchange::Segment const &segment, char *place) {
  return {&storageOf(*segment.dat), segment.rows, place};
}

/// From where dats are current.
static void pack(std::vector<Exchange::Side> &sides) {
  std::vector<RowsOfDat> fromDevices;
  for (Exchange::Side &side : sides)
    forEachSegment(side, [&](Exchange::Segment const &segment, char *place) {
      if (!isCurrentOnHost(*segment.dat))
        fromDevices.push_back(onDevice(segment, place));
      else
        copyRows(segment.rows->size(), segment.dat->size,
                 inBuffer(segment, place), rowAt(segment.dat, *segment.rows));
    });
  if (!fromDevices.empty())
    hooks.downloadRows(fromDevices);
}

/// Dats stay current where they are.
static void unpack(std::vector<Exchange::Side> &sides) {
  std::vector<RowsOfDat> toDevices;
  for (Exchange::Side &side : sides)
    forEachSegment(side, [&](Exchange::Segment const &segment, char *place) {
      if (isCurrentOnDevice(*segment.dat))
        toDevices.push_back(onDevice(segment, place));
      if (isCurrentOnHost(*segment.dat))
        copyRows(segment.rows->size(), segment.dat->size,
                 rowAt(segment.dat, *segment.rows), inBuffer(segment, place));
    });
  if (!toDevices.empty())
    hooks.uploadRows(toDevices);
}

/// The program may write to rows that it can reach without a word: not to those
/// in a part.
static bool isFresh(Need const &need) {
  if (need.apart)
    return need.dat->part && !need.dat->dirtybit &&
           need.apart->changes == need.dat->changes;
  return !need.dat->dirtybit &&
         (need.dat->freshImports >> uint32_t(need.list) & 1) != 0;
}

static void setFresh(Need const &need) {
  Dat &dat = *need.dat;
  if (need.apart) {
    need.apart->changes = dat.changes;
    return;
  }
  // Programs may have set it.
  dat.changes += dat.dirtybit != 0;
  dat.freshImports =
      listOf(need).contains | (dat.dirtybit ? 0 : dat.freshImports);
  dat.dirtybit = 0;
  dat.freshCopies = 0;
}

/// What this rank owns itself.
static void copyApart(Need const &need) {
  RowsApart const &apart = *need.apart;
  copyRows(apart.own.size(), need.dat->size, rowAt(apart.to, apart.ownTo),
           rowAt(need.dat, apart.own));
}

Exchange *op2::rt::beginImports(std::vector<Need> const &needs,
                                std::vector<Exchange> &exchanges,
                                char const *loop) {
  std::vector<Need> stale;
  for (Need const &need : needs)
    if (!isFresh(need))
      stale.push_back(need);
  if (stale.empty())
    return nullptr;
  auto at =
      std::find_if(exchanges.begin(), exchanges.end(),
                   [&](Exchange const &known) { return known.needs == stale; });
  if (at == exchanges.end())
    at = exchanges.insert(at, makeExchange(stale));
  at->header = nextHeader(loop);
  for (Exchange::Side &side : at->sends)
    std::memcpy(side.buffer.data(), &at->header, sizeof at->header);
  pack(at->sends);
  for (Need const &need : stale)
    if (need.apart)
      copyApart(need);
  at->transfer = communicator().start(at->sendPeers, at->receivePeers);
  return &*at;
}

void op2::rt::endImports(Exchange &exchange) {
  exchange.transfer->finish();
  exchange.transfer = nullptr;
  for (Exchange::Side const &side : exchange.receives)
    requireSame(exchange.header, side.buffer.data(), side.rank);
  unpack(exchange.receives);
  // Rows apart come last: they are of the changes that others note.
  for (bool areApart : {false, true})
    for (Need const &need : exchange.needs)
      if (areApart == (need.apart != nullptr))
        setFresh(need);
}

Exchange const *op2::rt::bringImports(std::vector<Need> const &needs,
                                      std::vector<Exchange> &exchanges,
                                      char const *loop) {
  Exchange *exchange = beginImports(needs, exchanges, loop);
  if (exchange)
    endImports(*exchange);
  return exchange;
}

namespace {
/// Of all ranks.
struct PendingCounts {
  int32_t least, most;
};
} // namespace

static uint32_t hashOf(std::vector<LoopName> const &loops, int32_t count) {
  uint32_t hash = kFirstHash;
  for (int32_t n = 0; n < count; ++n)
    hash = addToHash(hash, loops[n].hash);
  return hash;
}

[[noreturn]] static void differ(std::vector<LoopName> const &loops,
                                int32_t count, int32_t rank) {
  std::string names;
  for (int32_t n = 0; n < count; ++n)
    names += (n ? ", " : "") + std::string(loops[n].name);
  fatal(Problem::RanksDisagree,
        "ranks run different loops: rank %d runs %s, and of rank %d some are "
        "others, or have other sets, maps and dats; expected every rank to run "
        "the same loops in the same order",
        job.rank, names.c_str(), rank);
}

/// What ranks have alike, and where they are: of this rank.
static uint32_t hashOf(Header const &header, uint32_t alike, bool isPending) {
  uint32_t hash =
      addToHash(addToHash(alike, uint32_t(isPending)), uint32_t(header.number));
  for (char const *at = header.loop; *at; ++at)
    hash = addToHash(hash, uint32_t(static_cast<unsigned char>(*at)));
  return hash;
}

/// Messages from one to another like those of exchanges, as these have headers
/// (a dissemination barrier: Hensgen, Finkel, Manber, 1988). Where all have the
/// same number of loops, each rank and the next one have the same loops.
/// areAlike: `alike` and `first` are the same on all ranks, which all of them
/// know.
static PendingCounts talk(std::vector<LoopName> const &loops, int32_t count,
                          char const *first, bool &areAlike, uint32_t alike) {
  PendingCounts counts = {count, count};
  uint32_t hash = hashOf(loops, count), least = 0, greatest = 0;
  int32_t other = -1; // who has other loops
  for (int32_t step = 1; step < job.size; step *= 2) {
    Header sent = nextHeader(first), received;
    if (step == 1)
      least = greatest = hashOf(sent, alike, count > 0);
    sent.pending = counts.least;
    sent.most = counts.most;
    sent.hash = hash;
    sent.least = least;
    sent.greatest = greatest;
    Peer to = {(job.rank + step) % job.size, reinterpret_cast<char *>(&sent),
               sizeof sent},
         from = {(job.rank - step + job.size) % job.size,
                 reinterpret_cast<char *>(&received), sizeof received};
    communicator().swap({to}, {from});
    least = std::min(least, received.least);
    greatest = std::max(greatest, received.greatest);
    counts.least = std::min(counts.least, received.pending);
    counts.most = std::max(counts.most, received.most);
    if (received.hash != hash)
      other = from.rank;
  }
  areAlike = least == greatest;
  if (areAlike && counts.least == counts.most && other >= 0)
    differ(loops, count, other);
  return counts;
}

/// The same where ranks have nothing alike but the loops before.
static PendingCounts talk(std::vector<LoopName> const &loops, int32_t count,
                          char const *first) {
  bool areAlike = false;
  PendingCounts const counts =
      talk(loops, count, first, areAlike, loopsSoFar());
  if (!areAlike)
    differ(first, itemsOfLoop(), Problem::RanksDisagree);
  return counts;
}

int32_t op2::rt::agreeOnPending(std::vector<LoopName> const &loops) {
  char const *first = loops.front().name;
  PendingCounts counts = talk(loops, static_cast<int32_t>(loops.size()), first);
  if (counts.least != counts.most)
    talk(loops, counts.least, first);
  return counts.least;
}

void op2::rt::meet(char const *loop) { talk({}, 0, loop); }

void op2::rt::meetWith(char const *what, uint32_t hash,
                       std::function<Items()> const &describe,
                       Problem problem) {
  bool areAlike = false;
  talk({}, 0, what, areAlike, addToHash(loopsSoFar(), hash));
  if (!areAlike)
    differ(what, describe(), problem);
}

void op2::rt::meetWith(char const *what, Items const &items, Problem problem) {
  meetWith(what, hashOf(items), [&] { return items; }, problem);
}

Gathered op2::rt::gather(Bytes const &values, char const *loop) {
  Header const header = nextHeader(loop);
  Bytes own(sizeof header + values.size());
  std::memcpy(own.data(), &header, sizeof header);
  std::memcpy(own.data() + sizeof header, values.data(), values.size());
  Gathered found = {
      communicator().gather(own.data(), static_cast<int64_t>(own.size())),
      own.size(), sizeof header};
  for (int32_t rank = 0; rank < job.size; ++rank)
    requireSame(header, found.of(rank) - sizeof header, rank);
  return found;
}
