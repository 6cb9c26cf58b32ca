//===- SectorCache.h - A cache of lines with sectors ------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EMULATOR_SECTORCACHE_H
#define OP2_LIB_RUNTIME_EMULATOR_SECTORCACHE_H

#include <cstdint>
#include <vector>

namespace op2::rt {

/// Which sectors of memory a cache has: lines of 128 bytes with four sectors of
/// 32 bytes each, in sets of 16 lines, of which the one that was not used for
/// longest makes room.
class SectorCache {
public:
  static constexpr int64_t kSectorBytes = 32, kLineSectors = 4;

  explicit SectorCache(int64_t bytes)
      : numSets(bytes / (kSectorBytes * kLineSectors * kWays) > 0
                    ? bytes / (kSectorBytes * kLineSectors * kWays)
                    : 1),
        lines(static_cast<std::size_t>(numSets * kWays)) {}

  /// Looks for a sector, by its number in memory, and has it from then on.
  /// `writes`: it is another value from now on. Returns whether it was there;
  /// `written` grows by the sectors that had to go to memory to make room.
  bool access(int64_t sector, bool writes, int64_t &written) {
    int64_t number = sector / kLineSectors;
    auto bit = static_cast<uint8_t>(1u << (sector % kLineSectors));
    Line *set = &lines[static_cast<std::size_t>(setOf(number) * kWays)];
    Line *found = set;
    for (Line *line = set; line != set + kWays; ++line) {
      if (line->number == number) {
        found = line;
        break;
      }
      if (line->usedAt < found->usedAt)
        found = line;
    }
    if (found->number != number) {
      written += countBits(found->dirty);
      *found = {number, 0, 0, 0};
    }
    bool wasThere = (found->there & bit) != 0;
    found->usedAt = ++time;
    found->there |= bit;
    if (writes)
      found->dirty |= bit;
    return wasThere;
  }

  void forget() { lines.assign(lines.size(), Line()); }

  /// Sectors that memory does not have yet.
  int64_t countDirty() const {
    int64_t count = 0;
    for (Line const &line : lines)
      count += countBits(line.dirty);
    return count;
  }

private:
  struct Line {
    int64_t number = -1;
    int64_t usedAt = 0;
    uint8_t there = 0, dirty = 0; ///< a bit for each sector
  };
  static constexpr int64_t kWays = 16;

  static int64_t countBits(uint8_t mask) { return __builtin_popcount(mask); }
  /// Hashed, so that arrays at equal distances do not meet in few sets.
  int64_t setOf(int64_t number) const {
    auto mixed = static_cast<uint64_t>(number) * 0x9E3779B97F4A7C15u;
    return static_cast<int64_t>((mixed >> 20) % static_cast<uint64_t>(numSets));
  }

  int64_t numSets, time = 0;
  std::vector<Line> lines;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EMULATOR_SECTORCACHE_H
