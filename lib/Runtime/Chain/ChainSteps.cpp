//===- ChainSteps.cpp - When each element of a chain may run ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainSteps.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace op2::rt;

namespace {
/// Who has touched a row in some way, and when.
struct Visit {
  int32_t thread = -1; ///< the first thread that has; -1: none
  int32_t step = 0;    ///< its latest step
  int32_t later = -1;  ///< the latest step of later threads; -1: none

  void add(int32_t byThread, int32_t inStep) {
    if (thread < 0) {
      thread = byThread;
      step = inStep;
    } else if (byThread == thread) {
      step = std::max(step, inStep);
    } else {
      later = std::max(later, byThread < thread ? step : inStep);
      if (byThread < thread) {
        thread = byThread;
        step = inStep;
      }
    }
  }
};
/// At all, and to change it. A change comes after all that was before.
struct RowVisits {
  Visit touched, changed;
};

/// The elements of a loop for each thread and step.
class Lists {
public:
  Lists(int32_t numThreads, int32_t numSteps)
      : lists(static_cast<std::size_t>(numThreads),
              std::vector<std::vector<ElementRange>>(
                  static_cast<std::size_t>(numSteps))) {}

  void add(int32_t thread, int32_t step, ElementRange elements) {
    std::vector<ElementRange> &list = lists[thread][step];
    if (!list.empty() && list.back().end == elements.begin)
      list.back().end = elements.end;
    else
      list.push_back(elements);
  }

  void addTo(std::vector<ThreadSteps> &threads) const {
    for (std::size_t t = 0; t < lists.size(); ++t) {
      LoopSteps steps;
      steps.begin.push_back(0);
      for (std::vector<ElementRange> const &list : lists[t]) {
        steps.ranges.insert(steps.ranges.end(), list.begin(), list.end());
        steps.begin.push_back(static_cast<int64_t>(steps.ranges.size()));
      }
      threads[t].loops.push_back(std::move(steps));
    }
  }

private:
  std::vector<std::vector<std::vector<ElementRange>>> lists;
};

class StepFinder {
public:
  explicit StepFinder(ChainInput const &input)
      : input(input), largest(largestSize(input)), isPacer(findPacers(input)),
        threads(findThreads(input)), waits(input.numThreads) {
    for (int64_t rows : input.rows)
      dats.emplace_back(static_cast<std::size_t>(rows));
    found.numSteps = input.numSteps;
    found.threads.resize(static_cast<std::size_t>(input.numThreads));
  }

  ChainSteps run() {
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      ChainLoop const &loop = input.loops[n];
      switch (divisionOf(loop, largest)) {
      case Division::Rows:
        runOwned(loop, threads[n], isPacer[n]);
        break;
      case Division::Each:
        runEach(loop, threads[n].ofGranule);
        break;
      case Division::Ranges:
        runRanges(loop, threads[n].ofGranule, isPacer[n]);
        break;
      }
      found.cuts.push_back(threads[n].cuts);
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

  /// What an element has to wait for.
  struct Need {
    int32_t step = 0;       ///< of its own thread
    int32_t other = -1;     ///< a later thread
    int32_t otherStep = -1; ///< of that one
    int32_t later = -1;     ///< of all later ones
  };

  /// Adds what an access comes after.
  void join(Need &need, Visit const &visit, int32_t thread) {
    if (visit.thread == thread && visit.later < 0) {
      need.step = std::max(need.step, visit.step);
      return;
    }
    if (visit.thread >= 0)
      joinOthers(need, visit, thread);
  }
  void joinOthers(Need &need, Visit const &visit, int32_t thread) {
    need.later = std::max(need.later, visit.later);
    if (visit.thread < thread) {
      found.obstacle = "an element needs another of an earlier thread";
    } else if (visit.thread == thread) {
      need.step = std::max(need.step, visit.step);
    } else if (need.other < 0 || need.other == visit.thread) {
      need.other = visit.thread;
      need.otherStep = std::max(need.otherStep, visit.step);
    } else {
      need.later = std::max({need.later, need.otherStep, visit.step});
    }
  }

  void join(Need &need, ChainAccess const &access, ElementRange elements,
            int32_t thread) {
    RowVisits const *rows = dats[access.dat].data();
    if (access.isChange)
      forEachTarget(
          access.column, elements.begin, elements.end,
          [&](int32_t row) { join(need, rows[row].touched, thread); });
    else
      forEachTarget(
          access.column, elements.begin, elements.end,
          [&](int32_t row) { join(need, rows[row].changed, thread); });
  }

  void require(int32_t thread, int32_t step, int32_t other, int32_t done) {
    int32_t &known = waits[thread][{step, other}];
    known = std::max(known, done);
  }
  /// The step in which a thread has what it needs if it waits for others then.
  /// All go on at about the same pace: what another has done in a step before
  /// has mostly been done.
  int32_t settle(Need const &need, int32_t thread, int32_t least) {
    int32_t after = std::max(need.otherStep, need.later) + 1;
    int32_t step =
        std::max({least, need.step, std::min(after, input.numSteps - 1)});
    if (need.other >= 0)
      require(thread, step, need.other, need.otherStep + 1);
    for (int32_t other = thread + 1;
         need.later >= 0 && other < input.numThreads; ++other)
      require(thread, step, other, need.later + 1);
    return step;
  }

  void mark(ChainAccess const &access, ElementRange elements, int32_t thread,
            int32_t step) {
    RowVisits *rows = dats[access.dat].data();
    if (access.isChange)
      forEachTarget(access.column, elements.begin, elements.end,
                    [&](int32_t row) {
                      Visit visit = {thread, step, -1};
                      rows[row] = {visit, visit};
                    });
    else
      forEachTarget(access.column, elements.begin, elements.end,
                    [&](int32_t row) { rows[row].touched.add(thread, step); });
  }
  void mark(ChainLoop const &loop, ElementRange elements, int32_t thread,
            int32_t step) {
    for (ChainAccess const &access : loop.accesses)
      mark(access, elements, thread, step);
  }

  int32_t place(ChainLoop const &loop, ElementRange elements, int32_t thread,
                int32_t least) {
    Need need;
    for (ChainAccess const &access : loop.accesses)
      join(need, access, elements, thread);
    int32_t step = settle(need, thread, least);
    mark(loop, elements, thread, step);
    return step;
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// Where a thread is that goes on evenly.
  class Pace {
  public:
    Pace(std::vector<int64_t> counts, int32_t numSteps)
        : counts(std::move(counts)), seen(this->counts.size()),
          numSteps(numSteps) {}
    /// The step that a thread's next elements belong to.
    int32_t next(int32_t thread, ElementRange elements) {
      int64_t before = seen[thread];
      seen[thread] += elements.end - elements.begin;
      return static_cast<int32_t>(before * numSteps / counts[thread]);
    }

  private:
    std::vector<int64_t> counts, seen;
    int32_t numSteps;
  };

  std::vector<int32_t> startOfAll() const {
    return std::vector<int32_t>(static_cast<std::size_t>(input.numThreads));
  }

  void runRanges(ChainLoop const &loop, std::vector<int32_t> const &threadOf,
                 bool isPacer) {
    std::vector<int64_t> counts(static_cast<std::size_t>(input.numThreads));
    for (std::size_t g = 0; g < threadOf.size(); ++g) {
      ElementRange elements = granuleOf(loop, static_cast<int64_t>(g));
      counts[threadOf[g]] += elements.end - elements.begin;
    }
    Pace pace(std::move(counts), input.numSteps);
    std::vector<int32_t> steps = startOfAll();
    Lists lists(input.numThreads, input.numSteps);
    for (std::size_t g = 0; g < threadOf.size(); ++g) {
      ElementRange elements = granuleOf(loop, static_cast<int64_t>(g));
      int32_t &step = steps[threadOf[g]];
      if (isPacer)
        step = std::max(step, pace.next(threadOf[g], elements));
      step = place(loop, elements, threadOf[g], step);
      lists.add(threadOf[g], step, elements);
    }
    lists.addTo(found.threads);
  }

  /// Elements run when they may, unless that makes too many pieces: a piece
  /// costs about as much as a few elements. But all that waits for the last
  /// elements of an order that goes round the mesh waits for the last step, so
  /// pieces are few if they are few for the chain.
  void runEach(ChainLoop const &loop, std::vector<int32_t> const &threadOf) {
    std::vector<SavedRow> before = save(loop);
    std::vector<int32_t> steps = placeEach(loop, threadOf, /*inOrder=*/false);
    int64_t runs = 1;
    for (std::size_t g = 1; g < steps.size(); ++g)
      runs += steps[g] != steps[g - 1] || threadOf[g] != threadOf[g - 1];
    if (runs > std::max({int64_t(64), loop.size / 8, largest / 1024})) {
      restore(before);
      steps = placeEach(loop, threadOf, /*inOrder=*/true);
    }
    Lists lists(input.numThreads, input.numSteps);
    for (std::size_t g = 0; g < threadOf.size(); ++g)
      lists.add(threadOf[g], steps[g],
                granuleOf(loop, static_cast<int64_t>(g)));
    lists.addTo(found.threads);
  }

  /// `inOrder`: in each thread none before one that the loop alone runs
  /// earlier.
  std::vector<int32_t> placeEach(ChainLoop const &loop,
                                 std::vector<int32_t> const &threadOf,
                                 bool inOrder) {
    std::vector<int32_t> steps, latest = startOfAll();
    for (std::size_t g = 0; g < threadOf.size(); ++g) {
      int32_t &least = latest[threadOf[g]];
      steps.push_back(place(loop, granuleOf(loop, static_cast<int64_t>(g)),
                            threadOf[g], least));
      if (inOrder)
        least = steps.back();
    }
    return steps;
  }

  struct SavedRow {
    int32_t dat, row;
    RowVisits visits;
  };
  std::vector<SavedRow> save(ChainLoop const &loop) const {
    std::vector<SavedRow> rows;
    for (ChainAccess const &access : loop.accesses)
      forEachTarget(access.column, 0, loop.size, [&](int32_t row) {
        rows.push_back({access.dat, row, dats[access.dat][row]});
      });
    return rows;
  }
  void restore(std::vector<SavedRow> const &rows) {
    for (SavedRow const &saved : rows)
      dats[saved.dat][saved.row] = saved.visits;
  }

  /// take(thread): those that own a row that the element adds to, ascending.
  template <class Take>
  void forEachOwner(ChainLoop const &loop, int64_t n,
                    LoopThreads const &divided, Take take) {
    owners.clear();
    for (ChainAccess const &access : loop.accesses)
      if (access.isChange)
        owners.push_back(
            divided.ownerOf(input.rows[access.dat], access.column[n]));
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    for (int32_t thread : owners)
      take(thread);
  }

  /// take(thread, elements): granules that one thread runs, and the elements of
  /// others, for each owner of what they add to.
  template <class Take>
  void forEachPart(ChainLoop const &loop, LoopThreads const &divided,
                   Take take) {
    forEachShare(input, loop, divided, take, [&](int64_t n) {
      forEachOwner(loop, n, divided, [&](int32_t thread) {
        take(thread, ElementRange{n, n + 1});
      });
    });
  }

  void runOwned(ChainLoop const &loop, LoopThreads const &divided,
                bool isPacer) {
    std::vector<int64_t> counts(static_cast<std::size_t>(input.numThreads));
    if (isPacer)
      forEachPart(loop, divided, [&](int32_t thread, ElementRange elements) {
        counts[thread] += elements.end - elements.begin;
      });
    Pace pace(std::move(counts), input.numSteps);
    std::vector<int32_t> steps = startOfAll();
    Lists lists(input.numThreads, input.numSteps);
    forEachPart(loop, divided, [&](int32_t thread, ElementRange elements) {
      int32_t &step = steps[thread];
      if (isPacer)
        step = std::max(step, pace.next(thread, elements));
      step = placeOwned(loop, elements, divided, thread, step);
      lists.add(thread, step, elements);
    });
    lists.addTo(found.threads);
  }

  /// What other threads own is none of this one's business.
  int32_t placeOwned(ChainLoop const &loop, ElementRange elements,
                     LoopThreads const &divided, int32_t thread,
                     int32_t least) {
    auto isIts = [&](ChainAccess const &access) {
      return !access.isChange ||
             divided.ownerOf(input.rows[access.dat],
                             access.column[elements.begin]) == thread;
    };
    Need need;
    for (ChainAccess const &access : loop.accesses)
      if (isIts(access))
        join(need, access, elements, thread);
    int32_t step = settle(need, thread, least);
    for (ChainAccess const &access : loop.accesses)
      if (isIts(access))
        mark(access, elements, thread, step);
    return step;
  }

  ChainInput const &input;
  int64_t largest;
  std::vector<bool> isPacer;
  std::vector<LoopThreads> threads;
  std::vector<std::vector<RowVisits>> dats;
  /// By thread: (step, later thread) -> steps that must be done.
  std::vector<std::map<std::pair<int32_t, int32_t>, int32_t>> waits;
  std::vector<int32_t> owners;
  ChainSteps found;
};
} // namespace

ChainSteps op2::rt::findSteps(ChainInput const &input) {
  return StepFinder(input).run();
}

//===----------------------------------------------------------------------===//
// What is to be expected
//===----------------------------------------------------------------------===//

static double workOf(ChainInput const &input, ThreadSteps const &thread,
                     int32_t step) {
  double work = 0;
  for (std::size_t n = 0; n < thread.loops.size(); ++n)
    for (ElementRange const &range : thread.loops[n].of(step))
      work += double(range.end - range.begin) * input.loops[n].work;
  return work;
}

double op2::rt::imbalance(ChainInput const &input, ChainSteps const &steps) {
  double all = 0, most = 0;
  for (ThreadSteps const &thread : steps.threads)
    for (int32_t step = 0; step < steps.numSteps; ++step) {
      double work = workOf(input, thread, step);
      all += work;
      most = std::max(most, work);
    }
  return all > 0 ? most * steps.numSteps * double(steps.threads.size()) / all
                 : 1;
}

double op2::rt::slowdown(ChainInput const &input, ChainSteps const &steps) {
  std::size_t numThreads = steps.threads.size();
  double all = 0, end = 0;
  // When each thread has done so many steps.
  std::vector<std::vector<double>> done(numThreads, {0});
  for (std::size_t t = numThreads; t-- > 0;) {
    auto wait = steps.threads[t].waits.begin();
    for (int32_t step = 0; step < steps.numSteps; ++step) {
      double time = done[t].back();
      for (; wait != steps.threads[t].waits.end() && wait->step == step; ++wait)
        time = std::max(time, done[wait->other][wait->done]);
      double work = workOf(input, steps.threads[t], step);
      all += work;
      done[t].push_back(time + work);
    }
    end = std::max(end, done[t].back());
  }
  return all > 0 ? end * double(numThreads) / all : 1;
}
