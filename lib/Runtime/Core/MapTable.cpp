//===- MapTable.cpp - Tables of maps ----------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapTable.h"
#include "Error.h"
#include "UserOrder.h"

#include <algorithm>

using namespace op2::rt;

int64_t op2::rt::findOutOfRange(int const *values, int64_t count, int limit) {
  // Almost always everything is in range: look for trouble piece by piece in
  // parallel without a branch per value, and for the place only if there is.
  constexpr int64_t chunk = 1 << 16;
  int64_t chunks = (count + chunk - 1) / chunk;
  int64_t firstBad = chunks;
#pragma omp parallel for schedule(static)                                      \
    reduction(min : firstBad) if (chunks > 4)
  for (int64_t c = 0; c < chunks; ++c) {
    unsigned bad = 0;
    int64_t end = std::min(count, (c + 1) * chunk);
    for (int64_t n = c * chunk; n < end; ++n)
      bad |= static_cast<unsigned>(values[n]) >= static_cast<unsigned>(limit);
    if (bad && c < firstBad)
      firstBad = c;
  }
  if (firstBad == chunks)
    return -1;
  int64_t n = firstBad * chunk;
  while (static_cast<unsigned>(values[n]) < static_cast<unsigned>(limit))
    ++n;
  return n;
}

static void checkRange(Map const &map, char const *where) {
  int64_t count = int64_t(map.from->size) * map.dim;
  auto size = static_cast<int>(static_cast<Set &>(*map.to).globalSize);
  int64_t bad = findOutOfRange(map.map, count, size);
  if (bad >= 0) {
    if (size == 0)
      fatal(Problem::MapValue,
            "%s %s: element %lld, slot %lld is %lld, but set %s is empty",
            where, map.name, shown(bad / map.dim), shown(bad % map.dim),
            static_cast<long long>(map.map[bad]) + OP_maps_base_index,
            map.to->name);
    fatal(Problem::MapValue,
          "%s %s: element %lld, slot %lld is %lld; expected %d..%d (set "
          "%s has %d elements)",
          where, map.name, shown(bad / map.dim), shown(bad % map.dim),
          static_cast<long long>(map.map[bad]) + OP_maps_base_index,
          OP_maps_base_index, size - 1 + OP_maps_base_index, map.to->name,
          size);
  }
}

void op2::rt::acceptTable(Map &map, char const *where) {
  checkRange(map, where);
  toInternalOrder(map);
  map.accepted = true;
  map.injective = Map::Unknown;
  map.rowEnds = {};
}

void op2::rt::requireTable(Map &map, char const *where) {
  if (!map.map && map.from->size > 0)
    fatal(Problem::MapTable,
          "%s: map %s was declared without a table and has not been "
          "filled",
          where, map.name);
  if (map.map && !map.accepted)
    acceptTable(map, where);
}
