//===- ChainThreads.cpp - Assignment of elements to threads -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainThreads.h"
#include "Plan/Ownership.h"

#include <algorithm>
#include <omp.h>

using namespace op2::rt;

int32_t LoopThreads::ownerOf(int64_t rows, int64_t row) const {
  for (OwnedCuts const &known : cuts)
    if (known.targetSize == rows) {
      auto after =
          std::upper_bound(known.begins.begin(), known.begins.end() - 1, row);
      return static_cast<int32_t>(after - known.begins.begin()) - 1;
    }
  return 0;
}

/// Thread `number` of `size` things in equal shares.
int32_t ThreadFinder::shareOf(int64_t number, int64_t size) const {
  return static_cast<int32_t>(number * numThreads / size);
}

//===----------------------------------------------------------------------===//
// The last thread that may run elements
//===----------------------------------------------------------------------===//

/// The least of `limit` and the first threads that have made a visit which the
/// access comes after.
int32_t ThreadFinder::limitOf(AccessView const &access, ElementRange elements,
                              int32_t limit) const {
  access.forEachPart(elements, [&](StampSpan const &span, ElementRange part) {
    if (span.least > kNoStamp) {
      int32_t first = stamps.threadOf(span.least);
      if (span.least > span.most || first >= limit)
        return;
      if (span.haveAll && first == stamps.threadOf(span.most)) {
        limit = first;
        return;
      }
    }
    Stamp least = kAfterAll;
    forEachTarget(access.column, part.begin, part.end, [&](int32_t row) {
      Stamp stamp = access.rows->latest(access.after(), row);
      least = std::min(least, stamp == kNoStamp ? kAfterAll : stamp);
    });
    if (least != kAfterAll)
      limit = std::min(limit, stamps.threadOf(least));
  });
  return limit;
}

/// numThreads: no thread has been there.
int32_t ThreadFinder::limitOf(LoopView const &view,
                              ElementRange elements) const {
  int32_t limit = numThreads;
  for (AccessView const &access : view.accesses)
    limit = limitOf(access, elements, limit);
  return limit;
}

std::vector<int32_t> ThreadFinder::limitsOf(LoopView const &view) const {
  int64_t count = numGranules(*view.loop);
  std::vector<int32_t> limits(static_cast<std::size_t>(count));
  if (numThreads > 1) {
#pragma omp parallel for schedule(static)
    for (int64_t g = 0; g < count; ++g)
      limits[g] = limitOf(view, granuleOf(*view.loop, g));
  }
  return limits;
}

int32_t ThreadFinder::threadFor(LoopView const &view, int64_t granule) const {
  int32_t limit = limitOf(view, granuleOf(*view.loop, granule));
  return limit < numThreads ? limit : shareOf(granule, numGranules(*view.loop));
}

/// What is behind comes no earlier than what is before.
void ThreadFinder::makeAscending(std::vector<int32_t> &threads) const {
  int32_t limit = numThreads - 1;
  for (std::size_t n = threads.size(); n-- > 0;)
    threads[n] = limit = std::min(limit, threads[n]);
}

LoopThreads ThreadFinder::divideElements(LoopView const &view,
                                         bool isPacer) const {
  LoopThreads found{limitsOf(view), {}};
  auto count = static_cast<int64_t>(found.ofGranule.size());
  for (int64_t g = 0; isPacer && g < count; ++g)
    found.ofGranule[g] = std::min(found.ofGranule[g], shareOf(g, count));
  makeAscending(found.ofGranule);
  return found;
}

//===----------------------------------------------------------------------===//
// Who owns rows
//===----------------------------------------------------------------------===//

ThreadFinder::Owners ThreadFinder::makeOwners(LoopView const &view,
                                              bool isPacer) const {
  Owners owners;
  for (AccessView const &access : view.accesses) {
    int64_t rows = access.rows->size();
    if (!access.isChange ||
        std::any_of(owners.begin(), owners.end(),
                    [&](auto const &known) { return known.first == rows; }))
      continue;
    int64_t lines = (rows + kOwnedLine - 1) / kOwnedLine;
    std::vector<int32_t> threads(static_cast<std::size_t>(lines), numThreads);
    for (int64_t line = 0; isPacer && line < lines; ++line)
      threads[line] = shareOf(line, lines);
    owners.emplace_back(rows, std::move(threads));
  }
  return owners;
}

void ThreadFinder::limitOwners(LoopView const &view, Owners &owners) const {
  std::vector<int32_t> limits = limitsOf(view);
  auto count = static_cast<int64_t>(limits.size());
  // Each thread looks after the lines of some rows.
#pragma omp parallel
  for (AccessView const &access : view.accesses)
    for (auto &[rows, threads] : owners) {
      if (!access.isChange || rows != access.rows->size())
        continue;
      RowRange part =
          access.rows->shareOf(omp_get_thread_num(), omp_get_num_threads());
      for (int64_t g = 0; g < count; ++g)
        access.forEachTargetIn(
            part, granuleOf(*view.loop, g),
            [limit = limits[g], lines = threads.data()](int64_t row) {
              int32_t &owner = lines[row / kOwnedLine];
              if (owner > limit) // mostly it is not
                owner = limit;
            });
    }
}

OwnedCuts ThreadFinder::cut(int64_t rows,
                            std::vector<int32_t> const &threads) const {
  OwnedCuts cuts{rows, {0}};
  for (int32_t thread = 1; thread < numThreads; ++thread) {
    auto first = std::lower_bound(threads.begin(), threads.end(), thread);
    cuts.begins.push_back(
        std::min((first - threads.begin()) * kOwnedLine, rows));
  }
  cuts.begins.push_back(rows);
  return cuts;
}

int32_t ThreadFinder::soleOwner(LoopView const &view,
                                LoopThreads const &threads,
                                ElementRange elements) const {
  int32_t owner = LoopThreads::kSeveral;
  for (AccessView const &access : view.accesses) {
    if (!access.isChange)
      continue;
    RowRange reach = access.reachOf(elements);
    int32_t first = threads.ownerOf(access.rows->size(), reach.begin);
    if (first != threads.ownerOf(access.rows->size(), reach.end - 1) ||
        (owner != LoopThreads::kSeveral && owner != first))
      return LoopThreads::kSeveral;
    owner = first;
  }
  return owner;
}

LoopThreads ThreadFinder::divideRows(LoopView const &view, bool isPacer) const {
  Owners owners = makeOwners(view, isPacer);
  if (numThreads > 1)
    limitOwners(view, owners);
  LoopThreads found;
  for (auto &[rows, threads] : owners) {
    makeAscending(threads);
    found.cuts.push_back(cut(rows, threads));
  }
  int64_t count = numGranules(*view.loop);
  found.ofGranule.resize(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
  for (int64_t g = 0; g < count; ++g)
    found.ofGranule[g] = soleOwner(view, found, granuleOf(*view.loop, g));
  return found;
}
