//===- ChainTiles.cpp - When each element of a chain may run ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainTiles.h"
#include "TileLists.h"

#include <algorithm>
#include <map>
#include <omp.h>
#include <utility>

using namespace op2::rt;

namespace {
/// What elements have to wait for.
struct Need {
  int32_t tile = 0;       ///< of their own thread
  int32_t other = -1;     ///< a later thread
  int32_t otherTile = -1; ///< of that one
  int32_t later = -1;     ///< of all later ones
};

class TileFinder {
public:
  explicit TileFinder(ChainInput const &input)
      : input(input), stamps{input.numTiles}, largest(largestSize(input)),
        isPacer(findPacers(input)), threadFinder(input), rows(input.rows),
        waits(input.numThreads) {
    found.numTiles = input.numTiles;
    found.threads.resize(static_cast<std::size_t>(input.numThreads));
  }

  ChainTiles run() {
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      ChainLoop const &loop = input.loops[n];
      Division division = divisionOf(loop, largest);
      LoopView view(loop, division != Division::Each, rows, ranges);
      LoopThreads threads;
      if (division == Division::Each) {
        runEach(view);
      } else {
        threads = division == Division::Rows
                      ? threadFinder.divideRows(view, isPacer[n])
                      : threadFinder.divideElements(view, isPacer[n]);
        runInOrder(view, threads, isPacer[n]);
        markLate(view, n);
      }
      found.cuts.push_back(std::move(threads.cuts));
    }
    for (int32_t thread = 0; thread < input.numThreads; ++thread)
      for (auto const &[at, done] : waits[thread])
        found.threads[thread].waits.push_back({at.first, at.second, done});
    return std::move(found);
  }

private:
  //===--------------------------------------------------------------------===//
  // What is before
  //===--------------------------------------------------------------------===//

  /// Adds what a visit of a row comes after.
  void join(Need &need, AccessView const &access, int64_t row, int32_t thread) {
    Stamp latest = access.rows->latest(access.after(), row);
    if (latest == kNoStamp)
      return;
    need.later =
        std::max(need.later, access.rows->laterTile(access.after(), row));
    int32_t by = stamps.threadOf(latest), tile = stamps.tileOf(latest);
    if (by < thread) {
      found.obstacle = "an element needs another of an earlier thread";
    } else if (by == thread) {
      need.tile = std::max(need.tile, tile);
    } else if (need.other < 0 || need.other == by) {
      need.other = by;
      need.otherTile = std::max(need.otherTile, tile);
    } else {
      need.later = std::max({need.later, need.otherTile, tile});
    }
  }

  /// The same for elements that run in tile `least` at the earliest.
  void join(Need &need, AccessView const &access, ElementRange elements,
            int32_t thread, int32_t least) {
    Stamp first = stamps.of(thread, 0);
    access.forEachPart(elements, [&](StampSpan const &span, ElementRange part) {
      Stamp done = stamps.of(thread, std::max(least, need.tile));
      if (access.isApart && span.least >= first && span.most <= done)
        return;
      forEachTarget(access.column, part.begin, part.end,
                    [&](int32_t row) { join(need, access, row, thread); });
    });
  }

  void require(int32_t thread, int32_t tile, int32_t other, int32_t done) {
    int32_t &known = waits[thread][{tile, other}];
    known = std::max(known, done);
  }
  /// The tile in which a thread has what it needs if it waits for others then.
  /// All go on at about the same pace: what another has done in a tile before
  /// has mostly been done.
  int32_t settle(Need const &need, int32_t thread, int32_t least) {
    int32_t after = std::max(need.otherTile, need.later) + 1;
    int32_t tile =
        std::max({least, need.tile, std::min(after, input.numTiles - 1)});
    if (need.other >= 0)
      require(thread, tile, need.other, need.otherTile + 1);
    for (int32_t other = thread + 1;
         need.later >= 0 && other < input.numThreads; ++other)
      require(thread, tile, other, need.later + 1);
    return tile;
  }

  //===--------------------------------------------------------------------===//
  // What is done
  //===--------------------------------------------------------------------===//

  void mark(AccessView const &access, ElementRange elements, int32_t thread,
            int32_t tile) {
    DatRows &dat = *access.rows;
    Stamp stamp = stamps.of(thread, tile), first = stamps.of(thread, 0);
    if (access.isChange)
      forEachTarget(access.column, elements.begin, elements.end,
                    [&, stamp](int32_t row) { dat.change(row, stamp); });
    else
      forEachTarget(access.column, elements.begin, elements.end,
                    [&, stamp, first, stamps = stamps](int32_t row) {
                      dat.read(row, stamp, first, stamps);
                    });
  }

  /// takesPart(access): whether it is the thread's business.
  template <class TakesPart>
  int32_t place(LoopView const &view, ElementRange elements, int32_t thread,
                int32_t least, TakesPart takesPart) {
    Need need;
    for (AccessView const &access : view.accesses)
      if (takesPart(access))
        join(need, access, elements, thread, least);
    int32_t tile = settle(need, thread, least);
    for (AccessView const &access : view.accesses)
      if (!access.isLate && takesPart(access))
        mark(access, elements, thread, tile);
    return tile;
  }
  int32_t place(LoopView const &view, ElementRange elements, int32_t thread,
                int32_t least) {
    return place(view, elements, thread, least,
                 [](AccessView const &) { return true; });
  }

  /// Marks what a loop has done and none of its own elements depends on. Each
  /// thread has some of the rows.
  void markLate(LoopView const &view, std::size_t loop) {
    for (std::size_t a = 0; a < view.accesses.size(); ++a) {
      AccessView const &access = view.accesses[a];
      if (!access.isLate || !isSeenAfter(loop, view.loop->accesses[a]))
        continue;
#pragma omp parallel
      markLate(
          access, loop,
          access.rows->shareOf(omp_get_thread_num(), omp_get_num_threads()));
    }
  }
  void markLate(AccessView const &access, std::size_t loop, RowRange part) {
    for (int32_t thread = 0; thread < input.numThreads; ++thread)
      for (int32_t tile = 0; tile < input.numTiles; ++tile)
        for (ElementRange const &elements :
             found.threads[thread].loops[loop].of(tile))
          markLate(access, elements, thread, tile, part);
  }
  void markLate(AccessView const &access, ElementRange elements, int32_t thread,
                int32_t tile, RowRange part) {
    DatRows &dat = *access.rows;
    Stamp stamp = stamps.of(thread, tile), first = stamps.of(thread, 0);
    if (access.isChange)
      dat.changeAll({std::max(elements.begin, part.begin),
                     std::min(elements.end, part.end)},
                    stamp);
    else
      access.forEachTargetIn(part, elements,
                             [&, stamp, first, stamps = stamps](int64_t row) {
                               dat.read(row, stamp, first, stamps);
                             });
  }

  /// Does a later loop look at what the access leaves?
  bool isSeenAfter(std::size_t loop, ChainAccess const &access) const {
    auto const &loops = input.loops;
    for (std::size_t n = loop + 1; n < loops.size(); ++n)
      for (ChainAccess const &later : loops[n].accesses)
        if (later.dat == access.dat && (later.isChange || access.isChange))
          return true;
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  std::vector<int32_t> startOfAll() const {
    return std::vector<int32_t>(static_cast<std::size_t>(input.numThreads));
  }

  /// take(thread): those that own a row that the element adds to, ascending.
  template <class Take>
  void forEachOwner(LoopView const &view, int64_t n, LoopThreads const &threads,
                    Take take) {
    owners.clear();
    for (AccessView const &access : view.accesses)
      if (access.isChange)
        owners.push_back(
            threads.ownerOf(access.rows->size(), access.column[n]));
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    for (int32_t thread : owners)
      take(thread);
  }

  /// take(thread, elements, isShared): granules that one thread runs, and the
  /// elements of others, for each owner of what they add to.
  template <class Take>
  void forEachShare(LoopView const &view, LoopThreads const &threads,
                    Take take) {
    for (std::size_t g = 0; g < threads.ofGranule.size(); ++g) {
      ElementRange elements = granuleOf(*view.loop, static_cast<int64_t>(g));
      if (threads.ofGranule[g] != LoopThreads::kSeveral) {
        take(threads.ofGranule[g], elements, /*isShared=*/false);
        continue;
      }
      for (int64_t n = elements.begin; n < elements.end; ++n)
        forEachOwner(view, n, threads, [&](int32_t thread) {
          take(thread, ElementRange{n, n + 1}, /*isShared=*/true);
        });
    }
  }

  Pace paceOf(LoopView const &view, LoopThreads const &threads) {
    std::vector<int64_t> counts(static_cast<std::size_t>(input.numThreads));
    forEachShare(view, threads,
                 [&](int32_t thread, ElementRange elements, bool) {
                   counts[thread] += elements.end - elements.begin;
                 });
    return Pace(std::move(counts), input.numTiles);
  }

  /// Each thread goes on in the order of the loop.
  void runInOrder(LoopView const &view, LoopThreads const &threads,
                  bool isPacer) {
    Pace pace = paceOf(view, threads);
    std::vector<int32_t> tiles = startOfAll();
    TileLists lists(input.numThreads, input.numTiles);
    forEachShare(view, threads,
                 [&](int32_t thread, ElementRange elements, bool isShared) {
                   int32_t &tile = tiles[thread];
                   if (isPacer)
                     tile = std::max(tile, pace.next(thread, elements));
                   // What other threads own is none of this one's business.
                   auto takesPart = [&](AccessView const &access) {
                     return !isShared || !access.isChange ||
                            threads.ownerOf(access.rows->size(),
                                            access.column[elements.begin]) ==
                                thread;
                   };
                   tile = place(view, elements, thread, tile, takesPart);
                   lists.add(thread, tile, elements);
                 });
    lists.addTo(found.threads);
  }

  /// An element, and when it runs.
  struct Placed {
    ElementRange elements;
    int32_t thread, tile;
  };

  /// Elements run when they may, unless that makes too many pieces: a piece
  /// costs about as much as a few elements. But all that waits for the last
  /// elements of an order that goes round the mesh waits for the last tile, so
  /// pieces are few if they are few for the chain.
  void runEach(LoopView const &view) {
    std::vector<SavedRow> before = save(view);
    std::vector<Placed> all = placeEach(view, /*inOrder=*/false);
    int64_t runs = 1;
    for (std::size_t g = 1; g < all.size(); ++g)
      runs +=
          all[g].tile != all[g - 1].tile || all[g].thread != all[g - 1].thread;
    if (runs > std::max({int64_t(64), view.loop->size / 8, largest / 1024})) {
      restore(before);
      all = placeEach(view, /*inOrder=*/true);
    }
    TileLists lists(input.numThreads, input.numTiles);
    for (Placed const &placed : all)
      lists.add(placed.thread, placed.tile, placed.elements);
    lists.addTo(found.threads);
  }

  /// `inOrder`: in each thread none before one that the loop alone runs
  /// earlier.
  std::vector<Placed> placeEach(LoopView const &view, bool inOrder) {
    std::vector<Placed> all;
    std::vector<int32_t> latest = startOfAll();
    for (int64_t g = 0; g < numGranules(*view.loop); ++g) {
      ElementRange elements = granuleOf(*view.loop, g);
      int32_t thread = threadFinder.threadFor(view, g);
      int32_t tile = place(view, elements, thread, latest[thread]);
      if (inOrder)
        latest[thread] = tile;
      all.push_back({elements, thread, tile});
    }
    return all;
  }

  struct SavedRow {
    DatRows *dat;
    int64_t row;
    DatRows::Row values;
  };
  static std::vector<SavedRow> save(LoopView const &view) {
    std::vector<SavedRow> saved;
    for (AccessView const &access : view.accesses)
      forEachTarget(access.column, 0, view.loop->size, [&](int32_t row) {
        saved.push_back({access.rows, row, access.rows->save(row)});
      });
    return saved;
  }
  static void restore(std::vector<SavedRow> const &saved) {
    for (SavedRow const &one : saved)
      one.dat->restore(one.row, one.values);
  }

  ChainInput const &input;
  Stamps stamps;
  int64_t largest;
  std::vector<bool> isPacer;
  ThreadFinder threadFinder;
  ChainRows rows;
  TargetRanges ranges;
  /// By thread: (tile, later thread) -> tiles that must be done.
  std::vector<std::map<std::pair<int32_t, int32_t>, int32_t>> waits;
  std::vector<int32_t> owners;
  ChainTiles found;
};
} // namespace

ChainTiles op2::rt::findTiles(ChainInput const &input) try {
  ChainTiles none;
  if (int64_t(input.numThreads) * input.numTiles < kAfterAll)
    return TileFinder(input).run();
  none.obstacle = "too many tiles";
  return none;
} catch (std::bad_alloc const &) {
  ChainTiles none;
  none.obstacle = "there is not enough memory to find tiles";
  return none;
}
