//===- ChainThreads.cpp - Which thread runs which elements ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainThreads.h"
#include "Plan/Ownership.h"

#include <algorithm>

using namespace op2::rt;

int64_t op2::rt::largestSize(ChainInput const &input) {
  int64_t largest = 0;
  for (ChainLoop const &loop : input.loops)
    largest = std::max(largest, loop.size);
  return largest;
}

ElementRange op2::rt::granuleOf(ChainLoop const &loop, int64_t number) {
  if (!loop.order.empty())
    return {loop.order[number], loop.order[number] + 1};
  return {number * loop.granule,
          std::min((number + 1) * loop.granule, loop.size)};
}

static bool dependsOn(ChainLoop const &later, ChainLoop const &earlier) {
  for (ChainAccess const &a : later.accesses)
    for (ChainAccess const &b : earlier.accesses)
      if (a.dat == b.dat && (a.isChange || b.isChange))
        return true;
  return false;
}

std::vector<bool> op2::rt::findPacers(ChainInput const &input) {
  int64_t largest = largestSize(input);
  std::vector<bool> found;
  for (auto loop = input.loops.begin(); loop != input.loops.end(); ++loop)
    found.push_back(
        !isAside(*loop, largest) &&
        std::none_of(input.loops.begin(), loop, [&](ChainLoop const &earlier) {
          return !isAside(earlier, largest) && dependsOn(*loop, earlier);
        }));
  return found;
}

int32_t LoopThreads::ownerOf(int64_t rows, int64_t row) const {
  for (OwnedCuts const &known : cuts)
    if (known.targetSize == rows) {
      auto after =
          std::upper_bound(known.begins.begin(), known.begins.end() - 1, row);
      return static_cast<int32_t>(after - known.begins.begin()) - 1;
    }
  return 0;
}

int32_t LoopThreads::soleOwner(ChainInput const &input, ChainLoop const &loop,
                               ElementRange elements) const {
  int32_t owner = -1;
  for (ChainAccess const &access : loop.accesses) {
    if (!access.isChange)
      continue;
    int64_t rows = input.rows[access.dat];
    int32_t least = access.column[elements.begin], most = least;
    forEachTarget(access.column, elements.begin, elements.end,
                  [&](int32_t row) {
                    least = std::min(least, row);
                    most = std::max(most, row);
                  });
    int32_t first = ownerOf(rows, least);
    if (first != ownerOf(rows, most) || (owner >= 0 && owner != first))
      return -1;
    owner = first;
  }
  return owner;
}

namespace {
class ThreadFinder {
public:
  explicit ThreadFinder(ChainInput const &input)
      : input(input), nobody(static_cast<int16_t>(input.numThreads)),
        largest(largestSize(input)), isPacer(findPacers(input)) {
    for (int64_t rows : input.rows)
      dats.emplace_back(static_cast<std::size_t>(rows),
                        RowThreads{nobody, nobody});
  }

  std::vector<LoopThreads> run() {
    std::vector<LoopThreads> found;
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      ChainLoop const &loop = input.loops[n];
      switch (divisionOf(loop, largest)) {
      case Division::Rows:
        found.push_back(divideRows(loop, isPacer[n]));
        break;
      case Division::Each:
        found.push_back(assignEach(loop));
        break;
      case Division::Ranges:
        found.push_back(divideElements(loop, isPacer[n]));
        break;
      }
    }
    return found;
  }

private:
  /// The first threads that have touched a row at all, and changed it.
  struct RowThreads {
    int16_t touched, changed;
  };

  /// Thread `number` of `size` things in equal shares.
  int32_t shareOf(int64_t number, int64_t size) const {
    return static_cast<int32_t>(number * input.numThreads / size);
  }

  /// The last thread that may do this access for the elements.
  int32_t limitOf(ChainAccess const &access, ElementRange elements) const {
    int16_t limit = nobody;
    RowThreads const *rows = dats[access.dat].data();
    if (access.isChange)
      forEachTarget(
          access.column, elements.begin, elements.end,
          [&](int32_t row) { limit = std::min(limit, rows[row].touched); });
    else
      forEachTarget(
          access.column, elements.begin, elements.end,
          [&](int32_t row) { limit = std::min(limit, rows[row].changed); });
    return limit;
  }
  int32_t limitOf(ChainLoop const &loop, ElementRange elements) const {
    int32_t limit = nobody;
    for (ChainAccess const &access : loop.accesses)
      limit = std::min(limit, limitOf(access, elements));
    return limit;
  }

  void mark(ChainAccess const &access, ElementRange elements, int32_t thread) {
    auto by = static_cast<int16_t>(thread);
    int16_t changedBy = access.isChange ? by : nobody;
    RowThreads *rows = dats[access.dat].data();
    forEachTarget(access.column, elements.begin, elements.end,
                  [&](int32_t row) {
                    rows[row].touched = std::min(rows[row].touched, by);
                    rows[row].changed = std::min(rows[row].changed, changedBy);
                  });
  }
  void mark(ChainLoop const &loop, ElementRange elements, int32_t thread) {
    for (ChainAccess const &access : loop.accesses)
      mark(access, elements, thread);
  }

  /// What is behind comes no earlier than what is before.
  void makeAscending(std::vector<int32_t> &threads) const {
    int32_t limit = nobody - 1;
    for (std::size_t n = threads.size(); n-- > 0;)
      threads[n] = limit = std::min(limit, threads[n]);
  }

  LoopThreads divideElements(ChainLoop const &loop, bool isPacer) {
    LoopThreads found;
    int64_t count = numGranules(loop);
    for (int64_t g = 0; g < count; ++g) {
      int32_t limit = limitOf(loop, granuleOf(loop, g));
      found.ofGranule.push_back(isPacer ? std::min(limit, shareOf(g, count))
                                        : limit);
    }
    makeAscending(found.ofGranule);
    for (int64_t g = 0; g < count; ++g)
      mark(loop, granuleOf(loop, g), found.ofGranule[g]);
    return found;
  }

  LoopThreads assignEach(ChainLoop const &loop) {
    LoopThreads found;
    int64_t count = numGranules(loop);
    for (int64_t g = 0; g < count; ++g) {
      ElementRange elements = granuleOf(loop, g);
      int32_t limit = limitOf(loop, elements);
      found.ofGranule.push_back(limit == nobody ? shareOf(g, count) : limit);
      mark(loop, elements, found.ofGranule.back());
    }
    return found;
  }

  /// By the size of the set that rows belong to: the owner of each line.
  using Owners = std::vector<std::pair<int64_t, std::vector<int32_t>>>;

  Owners makeOwners(ChainLoop const &loop, bool isPacer) const {
    Owners owners;
    for (ChainAccess const &access : loop.accesses) {
      int64_t rows = input.rows[access.dat];
      if (!access.isChange ||
          std::any_of(owners.begin(), owners.end(),
                      [&](auto const &known) { return known.first == rows; }))
        continue;
      int64_t lines = (rows + kOwnedLine - 1) / kOwnedLine;
      std::vector<int32_t> threads(static_cast<std::size_t>(lines), nobody);
      for (int64_t line = 0; isPacer && line < lines; ++line)
        threads[line] = shareOf(line, lines);
      owners.emplace_back(rows, std::move(threads));
    }
    return owners;
  }

  void limitOwners(ChainLoop const &loop, Owners &owners) const {
    for (int64_t g = 0; g < numGranules(loop); ++g) {
      ElementRange elements = granuleOf(loop, g);
      int32_t limit = limitOf(loop, elements);
      for (ChainAccess const &access : loop.accesses)
        for (auto &[rows, threads] : owners)
          if (access.isChange && rows == input.rows[access.dat])
            forEachTarget(access.column, elements.begin, elements.end,
                          [&, lines = threads.data()](int32_t row) {
                            int32_t &owner = lines[row / kOwnedLine];
                            owner = std::min(owner, limit);
                          });
    }
  }

  OwnedCuts cut(int64_t rows, std::vector<int32_t> const &threads) const {
    OwnedCuts cuts{rows, {0}};
    for (int32_t thread = 1; thread < input.numThreads; ++thread) {
      auto first = std::lower_bound(threads.begin(), threads.end(), thread);
      cuts.begins.push_back(
          std::min((first - threads.begin()) * kOwnedLine, rows));
    }
    cuts.begins.push_back(rows);
    return cuts;
  }

  LoopThreads divideRows(ChainLoop const &loop, bool isPacer) {
    Owners owners = makeOwners(loop, isPacer);
    limitOwners(loop, owners);
    LoopThreads found;
    for (auto &[rows, threads] : owners) {
      makeAscending(threads);
      found.cuts.push_back(cut(rows, threads));
    }
    forEachShare(
        input, loop, found,
        [&](int32_t owner, ElementRange elements) {
          mark(loop, elements, owner);
        },
        [&](int64_t n) { markOwned(loop, n, found); });
    return found;
  }

  /// Rows that are read are read by all that run the element.
  void markOwned(ChainLoop const &loop, int64_t n, LoopThreads const &threads) {
    int32_t first = nobody;
    for (ChainAccess const &access : loop.accesses) {
      if (!access.isChange)
        continue;
      int32_t owner = threads.ownerOf(input.rows[access.dat], access.column[n]);
      mark(access, {n, n + 1}, owner);
      first = std::min(first, owner);
    }
    for (ChainAccess const &access : loop.accesses)
      if (!access.isChange)
        mark(access, {n, n + 1}, first);
  }

  ChainInput const &input;
  int16_t nobody;
  int64_t largest;
  std::vector<bool> isPacer;
  std::vector<std::vector<RowThreads>> dats;
};
} // namespace

std::vector<LoopThreads> op2::rt::findThreads(ChainInput const &input) {
  return ThreadFinder(input).run();
}
