//===- UserOrder.cpp - Values in the application's order --------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserOrder.h"
#include "Copies.h"
#include "Hooks.h"
#include "Job.h"
#include "Memory.h"

#include <algorithm>
#include <cstring>

using namespace op2::rt;

static Set const &setOf(op_set set) { return static_cast<Set const &>(*set); }

/// Rows [begin, end) of the application's elements, from those of all elements
/// in the library's order.
static void takeRows(Set const &set, char const *rows, int64_t size,
                     int64_t begin, int64_t end, char *values) {
  if (begin == end)
    return;
  auto const &toInternal = set.toInternal;
  if (toInternal.empty()) {
    std::memcpy(values, rows + begin * size,
                static_cast<std::size_t>((end - begin) * size));
    return;
  }
#pragma omp parallel for schedule(static) if (end - begin > (1 << 16))
  for (int64_t e = begin; e < end; ++e)
    std::memcpy(values + (e - begin) * size, rows + toInternal[e] * size,
                static_cast<std::size_t>(size));
}

void op2::rt::copyToUser(Dat const &dat, int64_t begin, int64_t end,
                         char *values) {
  int64_t size = dat.size;
  settleStorage();
  // An array has what the application wrote there since the last loop.
  bool areDeclared = dat.inArray || !job.isDistributed;
  if (!areDeclared || !job.declaresWhole)
    return hooks.collectRows(
        setOf(dat.set), areDeclared ? dat.data : rowData(&dat), areDeclared,
        size, begin, end, values, {&dat, nullptr});
  takeRows(setOf(dat.set), dat.data, size, begin, end, values);
}

std::vector<char> op2::rt::declaredValues(Dat const &dat) {
  Set const &set = setOf(dat.set);
  std::vector<char> values(static_cast<std::size_t>(set.declaredSize) *
                           static_cast<std::size_t>(dat.size));
  copyToUser(dat, set.declaredBegin, set.declaredBegin + set.declaredSize,
             values.data());
  return values;
}

void op2::rt::copyFromUser(Dat &dat, char const *values) {
  Set const &set = setOf(dat.set);
  auto size = static_cast<std::size_t>(dat.size);
  settleStorage();
  if (job.isDistributed && !dat.inArray) {
    hooks.placeRows(dat, values);
  } else if (set.declaredSize > 0 && set.toInternal.empty()) {
    std::memcpy(dat.data, values,
                static_cast<std::size_t>(set.declaredSize) * size);
  } else {
#pragma omp parallel for schedule(static) if (set.declaredSize > (1 << 16))
    for (int64_t e = 0; e < set.declaredSize; ++e)
      std::memcpy(dat.data + set.toInternal[e] * dat.size,
                  values + e * dat.size, size);
  }
  hostWritten(dat);
}

/// collect(begin, end, rows): who visits a piece asks for it, others for
/// nothing.
template <class Collect>
static void visitPieces(Set const &set, int64_t size, Visitors visitors,
                        Collect collect, VisitRows const &visit) {
  int64_t piece =
      std::max<int64_t>(kPieceBytes / std::max<int64_t>(size, 1), 1);
  int64_t pieces = (set.globalSize + piece - 1) / piece;
  int64_t sharers = visitors == Visitors::All ? job.size : 1;
  int64_t rank = std::min<int64_t>(job.rank, sharers);
  int64_t next = pieces * rank / sharers;
  int64_t last = rank < sharers ? pieces * (rank + 1) / sharers : next;
  std::vector<char> rows;
  for (int64_t round = 0; round < (pieces + sharers - 1) / sharers; ++round) {
    if (next == last) {
      collect(0, 0, nullptr);
      continue;
    }
    int64_t begin = next++ * piece;
    int64_t end = std::min(begin + piece, set.globalSize);
    rows.resize(static_cast<std::size_t>((end - begin) * size));
    collect(begin, end, rows.data());
    visit(begin, end, rows.data());
  }
}

void op2::rt::visitValues(Dat const &dat, Visitors visitors,
                          VisitRows const &visit) {
  Set const &set = setOf(dat.set);
  if (!hasRanks() && !isRenumbered(dat.set))
    return visit(0, set.size, dat.data);
  visitPieces(
      set, dat.size, visitors,
      [&](int64_t begin, int64_t end, char *rows) {
        copyToUser(dat, begin, end, rows);
      },
      visit);
}

/// Of each row that this rank has, in the library's order.
static std::vector<int> userTargets(Map const &map) {
  int64_t count = int64_t(ownOf(map.from)) * map.dim;
  int const *table = tableOf(&map);
  std::vector<int> targets(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static) if (count > (1 << 16))
  for (int64_t n = 0; n < count; ++n)
    targets[n] = userNumber(map.to, table[n]);
  return targets;
}

/// Rows [begin, end) of the application's elements. `targets`: userTargets.
static void takeTargets(Map const &map, std::vector<int> const &targets,
                        int64_t begin, int64_t end, char *values) {
  Set const &set = setOf(map.from);
  auto const *rows = reinterpret_cast<char const *>(targets.data());
  int64_t const size = map.dim * int64_t(sizeof(int));
  if (job.isDistributed || !job.declaresWhole)
    hooks.collectRows(set, rows, !job.isDistributed, size, begin, end, values,
                      {nullptr, &map});
  else
    takeRows(set, rows, size, begin, end, values);
}

std::vector<int> op2::rt::wholeTable(Map const &map) {
  if (!map.map)
    return {};
  int64_t const size = map.from->size;
  std::vector<int> table(static_cast<std::size_t>(size) *
                         static_cast<std::size_t>(map.dim));
  takeTargets(map, userTargets(map), 0, size,
              reinterpret_cast<char *>(table.data()));
  return table;
}

void op2::rt::visitTable(Map const &map, Visitors visitors,
                         VisitRows const &visit) {
  Set const &set = setOf(map.from);
  int64_t size = map.dim * int64_t(sizeof(int));
  if (!hasRanks() && !isRenumbered(map.from) && !isRenumbered(map.to))
    return visit(0, set.size, reinterpret_cast<char const *>(map.map));
  std::vector<int> const targets = userTargets(map);
  visitPieces(
      set, size, visitors,
      [&](int64_t begin, int64_t end, char *values) {
        takeTargets(map, targets, begin, end, values);
      },
      visit);
}

char *op2::rt::allocateFromUser(Set const &set, void const *values,
                                int64_t size, std::string const &what) {
  if (job.isDistributed)
    return hooks.spreadRows(set, values, size, what.c_str());
  if (set.toUser.empty())
    return allocateCopy(values, set.size, size, what);
  return allocateGathered(values, set.toUser.data(), set.size, size, what);
}

void op2::rt::moveTable(Map &map, std::vector<int32_t> const &rows,
                        std::vector<int32_t> const &numbers) {
  if (!map.map || (rows.empty() && numbers.empty()))
    return;
  int64_t size = map.from->size, dim = map.dim;
  int64_t bytes = dim * int64_t(sizeof(int));
  std::string what = "map " + map.ownName;
  if (map.user_managed) {
    map.map = reinterpret_cast<int *>(allocateCopy(map.map, size, bytes, what));
    map.user_managed = 0;
  }
  // The program may have kept the address.
  if (!rows.empty())
    gatherInPlace(map.map, rows.data(), size, bytes, what);
  if (numbers.empty())
    return;
#pragma omp parallel for schedule(static) if (size * dim > (1 << 16))
  for (int64_t n = 0; n < size * dim; ++n)
    map.map[n] = numbers[map.map[n]];
}

void op2::rt::toInternalOrder(Map &map) {
  moveTable(map, setOf(map.from).toUser, setOf(map.to).toInternal);
}
