//===- RowGraph.cpp - Neighbours through rows of maps -----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of the maps: which rows an element stands in.
//
//===----------------------------------------------------------------------===//

#include "RowGraph.h"
#include "Core/Error.h"

#include <algorithm>
#include <climits>

using namespace op2::rt;

bool op2::rt::givesNeighbors(Map const &map) {
  return map.map && (map.dim > 1 || map.from == map.to);
}

RowGraph::RowGraph(Set const &set, std::vector<Map const *> const &maps)
    : count(set.size), begins(static_cast<std::size_t>(set.size) + 1) {
  addTables(set, maps);
  countDegrees();
  invert();
}

void RowGraph::addTables(Set const &set, std::vector<Map const *> const &maps) {
  int64_t next = 0;
  for (Map const *map : maps) {
    if (!givesNeighbors(*map) || map->from->size == 0)
      continue;
    int64_t end = next + map->from->size;
    if (end > UINT32_MAX)
      fatal(Problem::Limit,
            "renumbering set %s: the maps that lead to it have more than "
            "%u rows",
            set.name, UINT32_MAX);
    tables.push_back({map->map, static_cast<uint32_t>(next),
                      static_cast<uint32_t>(end), map->dim,
                      map->from == map->to});
    next = end;
  }
  rows = static_cast<uint32_t>(next);
}

void RowGraph::countDegrees() {
  if (tables.empty())
    return;
  degrees.resize(static_cast<std::size_t>(count));
  for (Table const &table : tables) {
    int others = table.dim - (table.isSelf ? 0 : 1);
    for (uint32_t row = table.begin; row < table.end; ++row)
      eachMember(row, [&](int32_t element) {
        int32_t &degree = degrees[element];
        degree = others < INT_MAX - degree ? degree + others : INT_MAX;
        ++begins[element + 1];
      });
  }
}

void RowGraph::invert() {
  for (int32_t e = 0; e < count; ++e)
    begins[e + 1] += begins[e];
  rowsOf.resize(static_cast<std::size_t>(begins[count]));
  std::vector<int64_t> next(begins.begin(), begins.end() - 1);
  for (uint32_t row = 0; row < rows; ++row)
    eachMember(row, [&](int32_t element) { rowsOf[next[element]++] = row; });
}
