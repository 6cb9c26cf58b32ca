//===- LocalNumbers.cpp - Local numbers of a block's targets ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalNumbers.h"

#include <algorithm>

using namespace op2::rt;

void LocalNumbers::compute(ColumnSet const &set, int64_t begin, int64_t end) {
  count = end - begin;
  unique.clear();
  position.resize(static_cast<std::size_t>(count) * set.columns.size());
  int32_t least = INT32_MAX, greatest = -1;
  forEachTarget(set, begin, end, [&](int32_t target) {
    least = std::min(least, target);
    greatest = std::max(greatest, target);
  });
  // With a good numbering a block's targets lie close together, and counting
  // is much cheaper than sorting.
  if (int64_t(greatest) - least < 16 * static_cast<int64_t>(position.size()))
    computeDense(set, begin, end, least, greatest);
  else
    computeSparse(set, begin, end);
}

void LocalNumbers::computeDense(ColumnSet const &set, int64_t begin,
                                int64_t end, int32_t least, int32_t greatest) {
  places.assign(static_cast<std::size_t>(greatest - least) + 1, -1);
  forEachTarget(set, begin, end,
                [&](int32_t target) { places[target - least] = 0; });
  for (std::size_t t = 0; t < places.size(); ++t)
    if (places[t] == 0) {
      places[t] = static_cast<int32_t>(unique.size());
      unique.push_back(least + static_cast<int32_t>(t));
    }
  std::size_t place = 0;
  forEachTarget(set, begin, end, [&](int32_t target) {
    position[place++] = places[target - least];
  });
}

void LocalNumbers::computeSparse(ColumnSet const &set, int64_t begin,
                                 int64_t end) {
  entries.clear();
  uint64_t place = 0;
  forEachTarget(set, begin, end, [&](int32_t target) {
    entries.push_back(uint64_t(static_cast<uint32_t>(target)) << 32 | place++);
  });
  std::sort(entries.begin(), entries.end());
  for (uint64_t entry : entries) {
    auto target = static_cast<int32_t>(entry >> 32);
    if (unique.empty() || unique.back() != target)
      unique.push_back(target);
    position[static_cast<uint32_t>(entry)] =
        static_cast<int32_t>(unique.size()) - 1;
  }
}
