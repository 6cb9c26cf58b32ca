//===- MapColumns.cpp - Columns of maps that ranks have ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapColumns.h"
#include "Core/Memory.h"
#include "Storage.h"

#include <algorithm>

using namespace op2::rt;

static Map &copyColumns(Map const &all, std::vector<int> const &columns,
                        int tensorColumns) {
  Map &map = newMap(all.name);
  map.from = all.from;
  map.to = all.to;
  map.dim = static_cast<int>(columns.size());
  int64_t const count = rowsOf(map.from);
  auto *table = reinterpret_cast<int *>(allocateUnset(
      count, map.dim * int64_t(sizeof(int)), "map " + map.ownName));
  int const *from = tableOf(&all);
  int *to = table;
  for (int64_t row = 0; row < count; ++row, from += all.dim)
    for (int column : columns)
      *to++ = from[column];
  map.accepted = true;
  map.tensorColumns = tensorColumns;
  map.columnsOf = &all;
  map.isAhead = true;
  setStorage(map, table, /*whole=*/nullptr);
  publish(map);
  return map;
}

Map &op2::rt::takeColumns(Map const &all, std::vector<int> const &columns,
                          int tensorColumns) {
  Map &map = copyColumns(all, columns, tensorColumns);
  std::vector<op_map> const maps = registry().maps;
  for (op_map other : maps) {
    auto &first = static_cast<Map &>(*other);
    auto known =
        std::find_if(first.compositions.begin(), first.compositions.end(),
                     [&](auto const &entry) { return entry.first == &all; });
    if (known == first.compositions.end())
      continue;
    std::vector<int> composed;
    for (int slot = 0; slot < first.dim; ++slot)
      for (int column : columns)
        composed.push_back(slot * all.dim + column);
    first.compositions.emplace_back(
        &map, &copyColumns(*known->second, composed,
                           first.dim == 1 ? tensorColumns : 0));
  }
  return map;
}
