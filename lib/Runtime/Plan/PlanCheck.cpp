//===- PlanCheck.cpp - Proof that a plan is right ---------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a plan against its input without using any of the code that built it:
// every element in exactly one block, every block at one position, every index
// in range, no two blocks of one colour and no two elements of one colour in a
// block with a common target. O(size of the maps).
//
//===----------------------------------------------------------------------===//

#include "OwnedRows.h"
#include "Ownership.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace op2::rt;

namespace {
class PlanChecker {
public:
  PlanChecker(PlanInput const &input, Plan const &plan)
      : input(input), plan(plan) {}

  std::vector<std::string> run() {
    checkMaps();
    for (ColumnSet const &set : input.apart)
      checkApart(set);
    // What follows follows indices: stop where one could lead astray.
    if (faults.empty() && plan.isOwned())
      checkOwnership(input, plan, [this](std::string const &text) {
        fault("%s", text.c_str());
      });
    else if (faults.empty() && (input.what & OP2RT_PLAN_OWNED_ROWS))
      checkOwnedRows(input, plan, [this](std::string const &text) {
        fault("%s", text.c_str());
      });
    else if (faults.empty() && checkShape() && checkBlocks() &&
             checkPositions()) {
      if (input.what & OP2RT_PLAN_GLOBAL_COLORS)
        checkPermutation();
      else if (!(input.what & OP2RT_PLAN_UNCOLORED))
        for (ColumnSet const &set : input.conflicts)
          checkBlockColors(set);
      if (input.what & OP2RT_PLAN_ELEMENT_COLORS)
        checkElementColors();
    }
    return std::move(faults);
  }

private:
  static constexpr std::size_t kMaxFaults = 20;

  // False, so that checks can end with it.
  bool fault(char const *format, ...) __attribute__((format(printf, 2, 3))) {
    char text[512];
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (faults.size() < kMaxFaults)
      faults.emplace_back(text);
    return false;
  }
  static long long ll(int64_t value) { return value; }

  void checkMaps() {
    checkColumns(input.conflicts);
    checkColumns(input.apart);
    checkColumns(input.sums);
  }
  template <class Set> void checkColumns(std::vector<Set> const &sets) {
    for (Set const &set : sets)
      for (MapColumn const &column : set.columns)
        for (int64_t n = 0; n < input.size; ++n)
          if (column[n] < 0 || column[n] >= set.targetSize)
            fault("map: element %lld, slot %lld is %d, expected 0..%lld", ll(n),
                  ll(column.slot), column[n], ll(set.targetSize - 1));
  }

  void checkApart(ColumnSet const &set) {
    std::vector<int64_t> last(static_cast<std::size_t>(set.targetSize), -1);
    for (MapColumn const &column : set.columns)
      for (int64_t n = 0; n < input.size && faults.empty(); ++n) {
        int64_t &known = last[column[n]];
        if (known >= 0)
          fault("elements %lld and %lld meet in target %d, though nothing "
                "conflicts",
                ll(known), ll(n), column[n]);
        known = n;
      }
  }

  bool checkShape() {
    auto blocks = static_cast<std::size_t>(plan.nblocks);
    if (plan.size != input.size || plan.blockSize != input.blockSize)
      return fault("plan: made for %lld elements in blocks of %lld, the loop "
                   "has %lld in blocks of %lld",
                   ll(plan.size), ll(plan.blockSize), ll(input.size),
                   ll(input.blockSize));
    if ((plan.nblocks == 0) != (input.size == 0) ||
        (plan.ncolors == 0) != (input.size == 0))
      return fault("plan: %lld blocks and %d colours for %lld elements",
                   ll(plan.nblocks), plan.ncolors, ll(input.size));
    if (plan.trivial)
      return checkTrivial();
    if (plan.offset.size() != blocks || plan.nelems.size() != blocks ||
        plan.blkmap.size() != blocks ||
        plan.ncolblk.size() != std::size_t(plan.ncolors) ||
        plan.colorBegin.size() != std::size_t(plan.ncolors) + 1)
      return fault("plan: an array has the wrong length");
    return true;
  }

  bool checkTrivial() {
    if (!input.conflicts.empty() || (input.what & OP2RT_PLAN_GLOBAL_COLORS))
      return fault("plan: no colours, though arguments conflict");
    if (plan.ncolors > 1 ||
        plan.nblocks != (input.size + input.blockSize - 1) / input.blockSize)
      return fault("plan: %lld blocks and %d colours", ll(plan.nblocks),
                   plan.ncolors);
    // Blocks are computed, not stored: nothing else can be wrong.
    return false;
  }

  bool checkBlocks() {
    int64_t next = 0;
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      if (plan.offset[b] != next)
        return fault("block %lld: begins at element %lld, expected %lld", ll(b),
                     ll(plan.offset[b]), ll(next));
      if (plan.nelems[b] < 1 || plan.nelems[b] > plan.blockSize)
        return fault("block %lld: has %d elements, expected 1..%lld", ll(b),
                     plan.nelems[b], ll(plan.blockSize));
      next += plan.nelems[b];
    }
    if (next != input.size)
      return fault("blocks hold %lld elements, expected %lld", ll(next),
                   ll(input.size));
    return true;
  }

  bool checkPositions() {
    std::vector<bool> seen(static_cast<std::size_t>(plan.nblocks));
    for (int64_t p = 0; p < plan.nblocks; ++p) {
      int32_t b = plan.blkmap[p];
      if (b < 0 || b >= plan.nblocks)
        return fault("blkmap[%lld] is %d, expected 0..%lld", ll(p), b,
                     ll(plan.nblocks - 1));
      if (seen[b])
        return fault("blkmap[%lld]: block %d stands at two positions", ll(p),
                     b);
      seen[b] = true;
    }
    int64_t begin = 0;
    for (int32_t c = 0; c < plan.ncolors; ++c) {
      if (plan.colorBegin[c] != begin)
        return fault("colour %d: begins at position %lld, expected %lld", c,
                     ll(plan.colorBegin[c]), ll(begin));
      if (plan.ncolblk[c] < 1)
        return fault("colour %d: has %d blocks", c, plan.ncolblk[c]);
      begin += plan.ncolblk[c];
    }
    if (begin != plan.nblocks || plan.colorBegin[plan.ncolors] != begin)
      return fault("colours hold %lld blocks, expected %lld", ll(begin),
                   ll(plan.nblocks));
    return true;
  }

  void checkBlockColors(ColumnSet const &set) {
    // Colours are visited one after the other, so the last visitor is enough.
    struct Visit {
      int32_t color = -1, block = -1;
    };
    std::vector<Visit> last(static_cast<std::size_t>(set.targetSize));
    for (int32_t c = 0; c < plan.ncolors; ++c)
      for (int64_t p = plan.colorBegin[c]; p < plan.colorBegin[c + 1]; ++p) {
        int32_t b = plan.blkmap[p];
        for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
          for (MapColumn const &column : set.columns) {
            Visit &visit = last[column[n]];
            if (visit.color == c && visit.block != b)
              fault("blocks %d and %d of colour %d meet in target %d",
                    visit.block, b, c, column[n]);
            visit = {c, b};
          }
      }
  }

  void checkPermutation() {
    if (plan.permutation.size() != std::size_t(plan.size)) {
      fault("permutation: has %zu entries, expected %lld",
            plan.permutation.size(), ll(plan.size));
      return;
    }
    std::vector<bool> seen(static_cast<std::size_t>(plan.size));
    for (int64_t i = 0; i < plan.size; ++i) {
      int32_t n = plan.permutation[i];
      if (n < 0 || n >= plan.size || seen[n]) {
        fault("permutation[%lld] is %d, expected each of 0..%lld once", ll(i),
              n, ll(plan.size - 1));
        return;
      }
      seen[n] = true;
    }
    for (ColumnSet const &set : input.conflicts)
      checkPermutedColors(set);
  }

  void checkPermutedColors(ColumnSet const &set) {
    struct Visit {
      int32_t color = -1, element = -1;
    };
    std::vector<Visit> last(static_cast<std::size_t>(set.targetSize));
    for (int32_t c = 0; c < plan.ncolors; ++c)
      for (int64_t p = plan.colorBegin[c]; p < plan.colorBegin[c + 1]; ++p)
        for (int64_t i = plan.blockBegin(plan.blkmap[p]);
             i < plan.blockEnd(plan.blkmap[p]); ++i)
          for (MapColumn const &column : set.columns) {
            int32_t n = plan.permutation[i];
            Visit &visit = last[column[n]];
            if (visit.color == c && visit.element != n)
              fault("elements %d and %d of colour %d meet in target %d",
                    visit.element, n, c, column[n]);
            visit = {c, n};
          }
  }

  void checkElementColors() {
    if (plan.thrcol.size() != std::size_t(plan.size) ||
        plan.nthrcol.size() != std::size_t(plan.nblocks)) {
      fault("element colours: an array has the wrong length");
      return;
    }
    for (int64_t b = 0; b < plan.nblocks; ++b)
      for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
        if (plan.thrcol[n] < 0 || plan.thrcol[n] >= plan.nthrcol[b]) {
          fault("element %lld of block %lld: colour %d, expected 0..%d", ll(n),
                ll(b), plan.thrcol[n], plan.nthrcol[b] - 1);
          return;
        }
    for (ColumnSet const &set : input.conflicts)
      checkElementsMeet(set);
  }

  void checkElementsMeet(ColumnSet const &set) {
    struct Visit {
      int64_t block = -1, element = -1;
      int32_t color = -1;
    };
    std::vector<Visit> last(static_cast<std::size_t>(set.targetSize));
    std::vector<int64_t> byColor;
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      sortByColor(b, byColor);
      for (int64_t n : byColor)
        for (MapColumn const &column : set.columns) {
          Visit &visit = last[column[n]];
          if (visit.block == b && visit.color == plan.thrcol[n] &&
              visit.element != n)
            fault("elements %lld and %lld of colour %d in block %lld meet in "
                  "target %d",
                  ll(visit.element), ll(n), plan.thrcol[n], ll(b), column[n]);
          visit = {b, n, plan.thrcol[n]};
        }
    }
  }

  void sortByColor(int64_t b, std::vector<int64_t> &elements) {
    std::vector<int64_t> begin(static_cast<std::size_t>(plan.nthrcol[b]) + 1);
    for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
      ++begin[plan.thrcol[n] + 1];
    for (int32_t c = 0; c < plan.nthrcol[b]; ++c)
      begin[c + 1] += begin[c];
    elements.resize(static_cast<std::size_t>(plan.nelems[b]));
    for (int64_t n = plan.blockBegin(b); n < plan.blockEnd(b); ++n)
      elements[begin[plan.thrcol[n]]++] = n;
  }

  PlanInput const &input;
  Plan const &plan;
  std::vector<std::string> faults;
};
} // namespace

std::vector<std::string> op2::rt::checkPlan(PlanInput const &input,
                                            Plan const &plan) {
  return PlanChecker(input, plan).run();
}
