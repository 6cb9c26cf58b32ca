//===- Composition.cpp - Maps that go through two maps ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "Error.h"
#include "Job.h"
#include "MapTable.h"
#include "Memory.h"

#include <climits>
#include <cstring>

using namespace op2::rt;

static void requireFit(Map const &after, Map const &first, char const *where) {
  if (after.from != first.to)
    fatal(Problem::SetMismatch,
          "%s: map %s leads to set %s, but map %s goes from set %s; "
          "expected a map from set %s",
          where, first.name, first.to->name, after.name, after.from->name,
          first.to->name);
  int64_t arity = int64_t(after.dim) * first.dim;
  if (arity > INT_MAX)
    fatal(Problem::Limit,
          "%s: maps %s and %s have %d and %d slots, together %lld; "
          "expected at most %d",
          where, after.name, first.name, after.dim, first.dim,
          static_cast<long long>(arity), INT_MAX);
  if (job.isDistributed)
    fatal(Problem::Order,
          "%s: ranks already have their parts of the mesh; expected maps "
          "%s and %s to be composed by op_compose_map before "
          "op_partition and the first loop",
          where, after.name, first.name);
}

/// Ranks that declare blocks have rows of their block only.
static void requireInBlock(Map const &first, int64_t count, char const *where) {
  auto const &between = static_cast<Set const &>(*first.to);
  int64_t begin = between.declaredBegin, end = begin + between.declaredSize;
  for (int64_t n = 0; n < count; ++n)
    if (first.map[n] < begin || first.map[n] >= end)
      fatal(Problem::RanksDeclare,
            "%s: element %lld, slot %lld of map %s is element %lld of set "
            "%s, which another rank declares; expected elements of the "
            "own block, %lld..%lld",
            where, shown(n / first.dim), shown(n % first.dim), first.name,
            shown(first.map[n]), between.name, shown(begin), shown(end - 1));
}

static void fill(int *table, Map const &after, Map const &first) {
  int64_t count = int64_t(first.from->size) * first.dim, dim = after.dim;
  int64_t begin = static_cast<Set const &>(*first.to).declaredBegin;
#pragma omp parallel for schedule(static) if (count * dim > (1 << 16))
  for (int64_t n = 0; n < count; ++n)
    std::memcpy(table + n * dim, after.map + (first.map[n] - begin) * dim,
                static_cast<std::size_t>(dim) * sizeof(int));
}

std::vector<int> op2::rt::composedTable(Map const &after, Map const &first) {
  std::vector<int> table(std::size_t(first.from->size) *
                         std::size_t(first.dim) * std::size_t(after.dim));
  fill(table.data(), after, first);
  return table;
}

Map &op2::rt::newComposition(Map const &after, Map &first) {
  Map &map = newMap((after.ownName + " after " + first.ownName).c_str());
  map.from = first.from;
  map.to = after.to;
  map.dim = after.dim * first.dim;
  if (first.dim == 1)
    map.tensorColumns = after.tensorColumns;
  first.compositions.emplace_back(&after, &map);
  return map;
}

static Map *findComposition(Map const &after, Map const &first) {
  for (auto const &[other, map] : first.compositions)
    if (other == &after)
      return map;
  return nullptr;
}

static Map &makeComposition(Map &after, Map &first, char const *where) {
  requireFit(after, first, where);
  requireTable(first, where);
  requireTable(after, where);
  int64_t size = first.from->size;
  if (!job.declaresWhole)
    requireInBlock(first, size * first.dim, where);
  Map &map = newComposition(after, first);
  map.map = reinterpret_cast<int *>(allocateZeroed(
      size, int64_t(map.dim) * int64_t(sizeof(int)), "map " + map.ownName));
  fill(map.map, after, first);
  map.accepted = true;
  publish(map);
  return map;
}

Map &op2::rt::compose(Map &after, Map &first, char const *where) {
  Map *map = findComposition(after, first);
  if (!map)
    map = &makeComposition(after, first, where);
  map->isAhead = false;
  return *map;
}

void op2::rt::composeSubsets(char const *where) {
  for (Subset const *subset : registry().subsets) {
    auto &first = static_cast<Map &>(*subset->map);
    std::vector<op_map> const maps = registry().maps;
    for (op_map core : maps) {
      auto &after = static_cast<Map &>(*core);
      if (after.from == first.to && !findComposition(after, first))
        makeComposition(after, first, where).isAhead = true;
    }
  }
}
