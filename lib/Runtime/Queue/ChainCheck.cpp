//===- ChainCheck.cpp - Proof that the tiles of a chain are right ---------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainPlans.h"
#include "Core/Error.h"
#include "Plan/Ownership.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace op2::rt;

namespace {
/// An execution of an element.
struct Execution {
  int32_t loop, thread, tile;
  int64_t when; ///< number among those of its thread
};

/// What has happened to a row, in the order of the program.
struct RowHistory {
  Execution change = {-1, -1, -1, -1};
  std::vector<Execution> readers; ///< since then, the latest of each thread
};

/// How many tiles of each other thread are certain to be done when a thread
/// begins a tile.
class Clocks {
public:
  explicit Clocks(ChainPlans const &plans) : known(plans.threads.size()) {
    std::size_t numThreads = plans.threads.size();
    // Threads wait for later ones only.
    for (std::size_t t = numThreads; t-- > 0;) {
      std::vector<int32_t> done(numThreads);
      auto wait = plans.threads[t].waits.begin();
      for (int32_t tile = 0; tile < plans.numTiles; ++tile) {
        for (; wait != plans.threads[t].waits.end() && wait->tile == tile;
             ++wait)
          learn(done, wait->other, wait->done);
        known[t].push_back(done);
      }
    }
  }

  bool isBefore(Execution const &a, Execution const &b) const {
    if (a.thread == b.thread)
      return a.when <= b.when;
    return known[b.thread][b.tile][a.thread] > a.tile;
  }

private:
  /// Adds what was done when the other began its latest tile of these.
  void learn(std::vector<int32_t> &done, int32_t other, int32_t tiles) const {
    if (tiles > 0)
      for (std::size_t t = 0; t < done.size(); ++t)
        done[t] = std::max(done[t], known[other][tiles - 1][t]);
    done[other] = std::max(done[other], tiles);
  }

  std::vector<std::vector<std::vector<int32_t>>> known;
};

/// Follows the program, loop after loop, and looks when threads do what.
class PlansChecker {
public:
  PlansChecker(ChainCalls const &calls, ChainPlans const &plans,
               RankChain const *border)
      : calls(calls), plans(plans), border(border),
        input(describeChain(calls, 1)), clocks(plans), done(calls.size()) {
    for (int64_t rows : input.rows)
      dats.emplace_back(static_cast<std::size_t>(rows));
    for (std::size_t t = 0; t < plans.threads.size(); ++t)
      collect(static_cast<int32_t>(t));
  }

  std::vector<std::string> run() {
    for (std::size_t loop = 0; loop < calls.size(); ++loop)
      checkLoop(loop);
    for (BorderPlan const &plan : plans.border)
      checkZone(plan);
    return std::move(faults);
  }

private:
  /// An element as a part of a plan runs it.
  struct Done {
    int64_t element;
    Plan const *plan;
    bool isGuarded;
    Execution execution;
  };

  void fault(std::size_t loop, int64_t element, std::string const &what) {
    constexpr std::size_t kMaxFaults = 20;
    if (faults.size() < kMaxFaults)
      faults.push_back("loop " + std::string(calls[loop]->desc->name) +
                       ", element " + std::to_string(element) + ": " + what);
  }

  void collect(int32_t thread) {
    int64_t when = 0;
    for (TilePlan const &part : plans.threads[thread].parts) {
      Plan const &plan = *part.plan;
      forEachElement(plan, [&](int64_t n, bool isGuarded) {
        done[part.loop].push_back(
            {n, &plan, isGuarded, {part.loop, thread, part.tile, when++}});
      });
    }
  }

  /// visit(element, isGuarded), in the order of the plan.
  template <class Visit>
  static void forEachElement(Plan const &plan, Visit visit) {
    auto visitAll = [&](int64_t begin, int64_t end, bool isGuarded) {
      for (int64_t n = begin; n < end; ++n)
        visit(n, isGuarded);
    };
    for (int64_t b = 0; !plan.isOwned() && b < plan.nblocks; ++b)
      visitAll(plan.blockBegin(b), plan.blockEnd(b), /*isGuarded=*/false);
    for (PlanPiece const &piece : plan.pieces)
      visitAll(piece.begin, piece.end, piece.is_guarded);
  }

  /// When the loop alone runs its elements; empty: in the order of their
  /// numbers.
  static std::vector<int64_t> ranksOf(LoopCall const &call) {
    if (!isColored(call))
      return {};
    std::vector<int64_t> ranks(static_cast<std::size_t>(ownOf(call.set)));
    int64_t rank = 0;
    for (int32_t b : call.plan->blkmap)
      for (int64_t i = 0; i < call.plan->nelems[b]; ++i)
        ranks[call.plan->offset[b] + i] = rank++;
    return ranks;
  }

  void checkLoop(std::size_t loop) {
    int64_t size = ownOf(calls[loop]->set);
    std::vector<Done> &all = done[loop];
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](Done const &one) {
                               bool isNone =
                                   one.element < 0 || one.element >= size;
                               if (isNone)
                                 fault(loop, one.element,
                                       "is not one of the loop's set");
                               return isNone;
                             }),
              all.end());
    std::vector<int64_t> ranks = ranksOf(*calls[loop]);
    auto rankOf = [&](Done const &one) {
      int64_t rank = ranks.empty() ? one.element : ranks[one.element];
      return std::make_tuple(rank, one.execution.thread, one.execution.when);
    };
    std::sort(all.begin(), all.end(), [&](Done const &a, Done const &b) {
      return rankOf(a) < rankOf(b);
    });
    countExecutions(loop);
    for (Done const &one : all)
      checkElement(loop, one);
  }

  static bool owns(Plan const &plan, int64_t size, int64_t target) {
    return !plan.isOwned() || (ownedBegin(plan, size, 0) <= target &&
                               target < ownedBegin(plan, size, 1));
  }

  /// What each thread does to what it owns; elements of other plans count as a
  /// whole.
  void countExecutions(std::size_t loop) {
    std::vector<MapColumn> columns;
    std::vector<int64_t> sizes;
    for (ChainAccess const &access : input.loops[loop].accesses)
      if (access.isChange) {
        columns.push_back(access.column);
        sizes.push_back(input.rows[access.dat]);
      }
    std::size_t width = std::max<std::size_t>(columns.size(), 1);
    std::vector<int32_t> times(width * std::size_t(ownOf(calls[loop]->set)));
    for (Done const &one : done[loop])
      count(loop, one.element, *one.plan, one.isGuarded, columns, sizes, times);
    compare(loop, times, width, findRuns(loop));
  }

  /// times[element * columns + column], or of the element if there are none.
  void count(std::size_t loop, int64_t element, Plan const &plan,
             bool isGuarded, std::vector<MapColumn> const &columns,
             std::vector<int64_t> const &sizes, std::vector<int32_t> &times) {
    if (columns.empty())
      ++times[element];
    bool ownsAll = true;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      bool isOwned = owns(plan, sizes[c], columns[c][element]);
      times[std::size_t(element) * columns.size() + c] += isOwned;
      ownsAll &= isOwned;
    }
    if (!ownsAll && !isGuarded)
      fault(loop, element, "changes what its thread does not own");
  }

  /// times[element * width + change]: each is done once if the element runs.
  void compare(std::size_t loop, std::vector<int32_t> const &times,
               std::size_t width, std::vector<bool> const &runs) {
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] != int32_t(runs[i / width]))
        fault(loop, int64_t(i / width),
              "is done " + std::to_string(times[i]) + " times; expected " +
                  (runs[i / width] ? "once" : "none"));
  }

  struct ZoneChange {
    op_dat dat;
    MapColumn column;
    int64_t size; ///< of the set of the dat
  };

  std::vector<ZoneChange> changesInZone(std::size_t loop) const {
    std::vector<op2rt_arg> args;
    op2rt_loop const inZone = border->loopInZone(loop, args);
    std::vector<ZoneChange> changes;
    for (int m = 0; m < inZone.desc->nargs; ++m) {
      op2rt_arg_desc const &arg = inZone.desc->args[m];
      if (arg.kind != OP2RT_ARG_DAT || !args[m].active ||
          arg.access == OP2RT_READ)
        continue;
      op_map map = args[m].map;
      for (int s = 0; s < (map ? arg.count : 1); ++s)
        changes.push_back(
            {static_cast<op_dat>(args[m].data),
             map ? MapColumn{map->map, map->dim, arg.slot + s} : MapColumn{},
             map ? map->to->size : inZone.set->size});
    }
    return changes;
  }

  /// Without owners no two threads change one row.
  void checkApart(BorderPlan const &plan,
                  std::vector<ZoneChange> const &changes) {
    std::map<std::pair<op_dat, int64_t>, std::size_t> threads; // by row
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
      forEachElement(*plan.parts[part].plan, [&](int64_t n, bool) {
        for (ZoneChange const &change : changes) {
          if (!change.column.table)
            continue;
          std::pair row(change.dat, int64_t(change.column[n]));
          if (threads.emplace(row, part).first->second != part)
            fault(std::size_t(plan.loop), n,
                  "changes what its thread does not own");
        }
      });
  }

  /// Each element that the loop has there is run once; or each of its changes
  /// is made once, by who owns it.
  void checkZone(BorderPlan const &plan) {
    std::size_t loop = std::size_t(plan.loop);
    std::vector<ZoneChange> const changes = changesInZone(loop);
    bool isOwned = false;
    for (BorderPart const &part : plan.parts)
      isOwned |= !part.plan->cuts.empty();
    if (!isOwned)
      checkApart(plan, changes);
    std::vector<MapColumn> columns;
    std::vector<int64_t> sizes;
    if (isOwned)
      for (ZoneChange const &change : changes) {
        columns.push_back(change.column);
        sizes.push_back(change.size);
      }
    std::vector<op2rt_arg> args;
    auto const size =
        static_cast<std::size_t>(border->loopInZone(loop, args).set->size);
    std::size_t width = std::max<std::size_t>(columns.size(), 1);
    std::vector<int32_t> times(width * size);
    for (BorderPart const &part : plan.parts)
      forEachElement(*part.plan, [&](int64_t n, bool isGuarded) {
        count(loop, n, *part.plan, isGuarded, columns, sizes, times);
      });
    std::vector<bool> runs(size);
    Zone::Loop const &expected = border->of(loop);
    for (int32_t row : plan.counts ? expected.counted : expected.again)
      runs[row] = true;
    compare(loop, times, width, runs);
  }

  /// On ranks some elements run elsewhere only.
  std::vector<bool> findRuns(std::size_t loop) const {
    std::vector<bool> runs(std::size_t(ownOf(calls[loop]->set)), !border);
    if (border)
      for (ElementRange const &range : border->of(loop).clean)
        std::fill(runs.begin() + range.begin, runs.begin() + range.end, true);
    return runs;
  }

  void checkElement(std::size_t loop, Done const &one) {
    for (ChainAccess const &access : input.loops[loop].accesses) {
      int64_t target = access.column[one.element];
      if (access.isChange && !owns(*one.plan, input.rows[access.dat], target))
        continue;
      RowHistory &row = dats[access.dat][target];
      checkAfter(row.change, one);
      if (!access.isChange) {
        addReader(row, one.execution);
        continue;
      }
      for (Execution const &reader : row.readers)
        checkAfter(reader, one);
      row.readers.clear();
      row.change = one.execution;
    }
  }

  void checkAfter(Execution const &earlier, Done const &one) {
    if (earlier.loop < 0 || clocks.isBefore(earlier, one.execution))
      return;
    fault(static_cast<std::size_t>(one.execution.loop), one.element,
          "may come too early for a row that " +
              std::string(calls[earlier.loop]->desc->name) +
              " touches before it");
  }

  static void addReader(RowHistory &row, Execution const &reader) {
    for (Execution &known : row.readers)
      if (known.thread == reader.thread) {
        if (known.when < reader.when)
          known = reader;
        return;
      }
    row.readers.push_back(reader);
  }

  ChainCalls const &calls;
  ChainPlans const &plans;
  RankChain const *border;
  ChainInput input;
  Clocks clocks;
  std::vector<std::vector<RowHistory>> dats;
  std::vector<std::vector<Done>> done; ///< by loop
  std::vector<std::string> faults;
};
} // namespace

std::vector<std::string> op2::rt::checkPlans(ChainCalls const &calls,
                                             ChainPlans const &plans,
                                             RankChain const *border) {
  return PlansChecker(calls, plans, border).run();
}

void op2::rt::requireSoundPlans(ChainCalls const &calls,
                                ChainPlans const &plans,
                                RankChain const *border) {
  std::string text;
  for (std::string const &fault : checkPlans(calls, plans, border))
    text += "\n  " + fault;
  if (!text.empty())
    fatal(Problem::Bug,
          "chain of loops %s: the tiles are wrong, please report "
          "this:%s",
          namesOf(calls).c_str(), text.c_str());
}
