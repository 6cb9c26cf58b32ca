//===- MapShape.cpp - Properties of maps ----------------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapShape.h"
#include "Job.h"

#include <algorithm>

using namespace op2::rt;

double op2::rt::sampleSpread(op_map_core const &map) {
  constexpr int64_t kRows = 1024;
  int64_t size = ownOf(map.from), rows = std::min(size, kRows);
  double sum = 0;
  for (int64_t n = 0; n < rows; ++n) {
    int const *row = tableOf(&map) + size * n / rows * map.dim;
    auto [least, most] = std::minmax_element(row, row + map.dim);
    sum += double(*most) - double(*least);
  }
  return rows ? sum / double(rows) : 0;
}

double op2::rt::sampleDistance(op_map_core const &map) {
  constexpr int64_t kPairs = 128, kLarge = 10000;
  int64_t last = int64_t(ownOf(map.from)) - 1, pairs = std::min(last, kPairs);
  if (pairs < 1 || !map.map || ownOf(map.to) < kLarge)
    return 0;
  double sum = 0;
  for (int64_t n = 0; n < pairs; ++n) {
    int const *rows = tableOf(&map) + last * n / pairs * map.dim;
    auto [least, most] = std::minmax_element(rows, rows + 2 * map.dim);
    sum += double(*most) - double(*least);
  }
  return sum / double(pairs) / ownOf(map.to);
}

bool op2::rt::hasHubs(op_map_core const &map) {
  constexpr int64_t kRows = 128, kMeetings = 4;
  int64_t size = ownOf(map.from), rows = std::min(size, kRows);
  std::vector<int> targets;
  for (int64_t n = 0; n < rows; ++n) {
    // Not at equal distances, which a numbering may have, too: in the ratio of
    // the golden section.
    uint64_t at = uint64_t(n) * 0x9E3779B97F4A7C15 >> 32;
    int const *row = tableOf(&map) + int64_t(at * size >> 32) * map.dim;
    for (int const *target = row; target != row + map.dim; ++target)
      if (std::find(row, target, *target) == target)
        targets.push_back(*target);
  }
  std::sort(targets.begin(), targets.end());
  int64_t meetings = 0;
  for (std::size_t n = 0, first = 0; n < targets.size(); ++n) {
    if (targets[n] != targets[first])
      first = n;
    meetings += int64_t(n - first); // with those before it
  }
  // Of 128 rows 8128 pairs; blocks of 144 elements have 2.5 times as many.
  return rows == kRows && meetings >= kMeetings;
}

static bool leadsApart(Map const &map) {
  std::vector<bool> reached(static_cast<std::size_t>(map.to->size));
  for (int64_t e = 0; e < map.from->size; ++e) {
    if (reached[map.map[e]])
      return false;
    reached[map.map[e]] = true;
  }
  return true;
}

static bool isOfSubset(Map const &map) {
  auto const &subsets = registry().subsets;
  return std::any_of(subsets.begin(), subsets.end(),
                     [&](Subset const *subset) { return subset->map == &map; });
}

bool op2::rt::isInjective(Map &map) {
  if (isOfSubset(map))
    return true;
  if (map.dim != 1 || job.isDistributed)
    return false;
  if (map.injective == Map::Unknown)
    map.injective =
        map.from->size <= map.to->size && leadsApart(map) ? Map::Yes : Map::No;
  return map.injective == Map::Yes;
}

static bool isCurrent(RowEnds const &known, Map const &map) {
  return known.table == tableOf(&map) && known.size == ownOf(map.from) &&
         known.orders[0] == static_cast<Set const *>(map.from)->order &&
         known.orders[1] == static_cast<Set const *>(map.to)->order;
}

/// Where the elements of each row end, if they are in order and it pays to go
/// row after row: where rows have two elements and more and nearly all are as
/// long as the one before, which a processor foresees, or seven and more.
static std::vector<int32_t> findRowEnds(int const *rows, int32_t size,
                                        int32_t targets) {
  constexpr int64_t kLeastMean = 2, kLongMean = 7;
  if (size == 0 || !std::is_sorted(rows, rows + size))
    return {};
  int64_t reached = int64_t(rows[size - 1]) - rows[0] + 1;
  if (size < kLeastMean * reached)
    return {};
  std::vector<int32_t> ends(static_cast<std::size_t>(targets));
  int32_t element = 0, length = 0;
  int64_t changes = 0;
  for (int32_t row = 0; row < targets; ++row) {
    int32_t const begin = element;
    while (element < size && rows[element] == row)
      ++element;
    ends[std::size_t(row)] = element;
    changes += element - begin != length;
    length = element - begin;
  }
  bool isEven = changes <= reached / 8 + 2; // and at both ends
  return isEven || size >= kLongMean * reached ? ends : std::vector<int32_t>();
}

std::vector<int32_t> const &op2::rt::knownRowEnds(Map const &map) {
  static std::vector<int32_t> const none;
  return isCurrent(map.rowEnds, map) ? map.rowEnds.ends : none;
}

std::vector<int32_t> const &op2::rt::rowEndsOf(Map &map) {
  if (!isCurrent(map.rowEnds, map)) {
    int32_t size = map.dim == 1 ? ownOf(map.from) : 0;
    map.rowEnds = {findRowEnds(tableOf(&map), size, reachOf(map.to)),
                   tableOf(&map),
                   ownOf(map.from),
                   {static_cast<Set &>(*map.from).order,
                    static_cast<Set &>(*map.to).order}};
  }
  return map.rowEnds.ends;
}

std::string
op2::rt::describeMaps(std::vector<op_map_core const *> const &maps) {
  std::string text;
  for (auto map = maps.begin(); map != maps.end(); ++map) {
    if (!*map || std::find(maps.begin(), map, *map) != map)
      continue;
    text += (text.empty() ? "" : ",") + std::to_string((*map)->dim) + ">" +
            std::to_string(ownOf((*map)->to)) + "~" +
            std::to_string(static_cast<int64_t>(sampleSpread(**map)));
  }
  return text.empty() ? "-" : text;
}
