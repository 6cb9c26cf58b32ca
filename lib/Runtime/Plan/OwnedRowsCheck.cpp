//===- OwnedRowsCheck.cpp - Proof that owned rows are right -----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses none of the code that divided: goes through the lists as a kernel does,
// and counts what is added.
//
//===----------------------------------------------------------------------===//

#include "OwnedRows.h"

using namespace op2::rt;

namespace {
class OwnedRowsChecker {
public:
  using Fault = std::function<void(std::string const &)>;

  OwnedRowsChecker(PlanInput const &input, Plan const &plan, Fault const &fault)
      : input(input), plan(plan), fault(fault) {}

  void run() {
    if (!hasShape() || !areElementsRight())
      return;
    if (input.isInOrder)
      checkTurns();
    for (std::size_t s = 0; s < input.sums.size(); ++s)
      checkSums(input.sums[s], plan.ownedSets[s]);
  }

private:
  bool report(std::string const &text) {
    fault(text);
    return false;
  }

  bool hasShape() {
    auto blocks = static_cast<std::size_t>(plan.nblocks);
    bool isRight =
        plan.size == input.size && plan.blockSize == input.blockSize &&
        plan.offset.size() == blocks && plan.nelems.size() == blocks &&
        plan.blkmap.size() == blocks &&
        plan.ownedSets.size() == input.sums.size() &&
        plan.ncolblk.size() == std::size_t(plan.ncolors) &&
        plan.colorBegin.size() == std::size_t(plan.ncolors) + 1 &&
        plan.colorBegin.front() == 0 && plan.colorBegin.back() == plan.nblocks;
    for (int32_t c = 0; isRight && c < plan.ncolors; ++c)
      isRight = plan.colorBegin[c + 1] - plan.colorBegin[c] ==
                    int64_t(plan.ncolblk[c]) &&
                plan.ncolblk[c] > 0;
    for (std::size_t s = 0; isRight && s < plan.ownedSets.size(); ++s)
      isRight = areListsRight(plan.ownedSets[s]);
    return isRight || report("owned rows: an array has the wrong length");
  }

  /// Blocks' parts of the lists follow each other.
  bool areListsRight(OwnedSet const &owned) const {
    auto blocks = static_cast<std::size_t>(plan.nblocks);
    if (owned.offsets.size() != blocks || owned.sizes.size() != blocks ||
        owned.sumOffs.size() != blocks ||
        owned.sumBegin.size() != owned.targets.size() + blocks)
      return false;
    int64_t row = 0, entry = 0;
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      if (owned.offsets[b] != row || owned.sumOffs[b] != entry ||
          owned.sizes[b] < 0)
        return false;
      if (row + owned.sizes[b] > int64_t(owned.targets.size()) ||
          owned.sumBegin[row + b] != 0)
        return false;
      for (int64_t r = row; r < row + owned.sizes[b]; ++r)
        if (owned.sumBegin[r + b] >= owned.sumBegin[r + b + 1])
          return false;
      row += owned.sizes[b];
      entry += owned.sumBegin[row + b];
    }
    return row == int64_t(owned.targets.size()) &&
           entry == int64_t(owned.sumEntries.size());
  }

  /// Blocks stand at their own positions, with ascending elements.
  bool areElementsRight() {
    int64_t next = 0;
    for (int64_t b = 0; b < plan.nblocks; ++b) {
      if (plan.blkmap[b] != b || plan.offset[b] != next || plan.nelems[b] < 1 ||
          plan.nelems[b] > plan.blockSize ||
          next + plan.nelems[b] > int64_t(plan.permutation.size()))
        return report("block " + std::to_string(b) + ": has " +
                      std::to_string(plan.nelems[b]) + " elements from " +
                      std::to_string(plan.offset[b]) + ", expected 1.." +
                      std::to_string(plan.blockSize) + " from " +
                      std::to_string(next));
      for (int64_t i = next; i < next + plan.nelems[b]; ++i) {
        int32_t n = plan.permutation[i];
        if (n < 0 || n >= plan.size ||
            (i > next && n <= plan.permutation[i - 1]))
          return report("block " + std::to_string(b) + ": element " +
                        std::to_string(n) + " is out of range or order");
      }
      next += plan.nelems[b];
    }
    return next == int64_t(plan.permutation.size()) ||
           report("permutation: has entries of no block");
  }

  /// One element a colour, each once, ascending.
  void checkTurns() {
    for (int32_t c = 0; c < plan.ncolors; ++c)
      if (plan.ncolblk[c] != 1 || plan.nelems[c] != 1 ||
          (c > 0 && plan.permutation[c] <= plan.permutation[c - 1])) {
        report("colour " + std::to_string(c) +
               ": is not the next element alone");
        return;
      }
  }

  struct Last {
    int64_t increment = -1; ///< n * columns + c
    int64_t block = -1;
    int32_t color = -1;
  };

  void checkSums(SumSlots const &sum, OwnedSet const &owned) {
    std::vector<Last> last(static_cast<std::size_t>(sum.targetSize));
    std::vector<int32_t> columnOf; // by number
    for (std::size_t c = 0; c < sum.numbers.size(); ++c) {
      columnOf.resize(std::size_t(sum.numbers[c]) + 1, -1);
      columnOf.back() = static_cast<int32_t>(c);
    }
    int64_t added = 0;
    for (int32_t color = 0; color < plan.ncolors; ++color)
      for (int64_t b = plan.colorBegin[color]; b < plan.colorBegin[color + 1];
           ++b)
        for (int64_t r = 0; r < owned.sizes[b]; ++r)
          added += checkRow(sum, owned, b, r, color, columnOf, last);
    int64_t all = input.size * static_cast<int64_t>(sum.columns.size());
    if (added != all)
      report("owned rows: " + std::to_string(added) +
             " increments are added, expected " + std::to_string(all));
  }

  /// The number of increments of a block's row.
  int64_t checkRow(SumSlots const &sum, OwnedSet const &owned, int64_t b,
                   int64_t r, int32_t color,
                   std::vector<int32_t> const &columnOf,
                   std::vector<Last> &last) {
    int32_t target = owned.targets[owned.offsets[b] + r];
    std::string name =
        "block " + std::to_string(b) + ": target " + std::to_string(target);
    if (target < 0 || target >= sum.targetSize)
      return report(name + " is out of range");
    Last &known = last[target];
    if (known.color == color && known.block != b)
      report(name + " is also in block " + std::to_string(known.block) +
             " of its colour");
    known.color = color;
    known.block = b;
    uint16_t const *begin = &owned.sumBegin[owned.offsets[b] + b + r];
    for (int64_t i = begin[0]; i < begin[1]; ++i) {
      int64_t entry = owned.sumEntries[owned.sumOffs[b] + i];
      int64_t number = entry / plan.blockSize, place = entry % plan.blockSize;
      if (number >= int64_t(columnOf.size()) || columnOf[number] < 0 ||
          place >= plan.nelems[b])
        return report(name + " has an entry " + std::to_string(entry) +
                      " that stands for nothing");
      int64_t n = plan.permutation[plan.offset[b] + place];
      int64_t c = columnOf[number];
      int64_t increment = n * int64_t(sum.columns.size()) + c;
      if (sum.columns[c][n] != target)
        report(name + " gets what element " + std::to_string(n) + " adds to " +
               std::to_string(sum.columns[c][n]));
      if (increment <= known.increment)
        report(name + " gets what element " + std::to_string(n) +
               " adds twice, or not in the order of the elements");
      known.increment = increment;
    }
    return begin[1] - begin[0];
  }

  PlanInput const &input;
  Plan const &plan;
  Fault const &fault;
};
} // namespace

void op2::rt::checkOwnedRows(
    PlanInput const &input, Plan const &plan,
    std::function<void(std::string const &)> const &fault) {
  OwnedRowsChecker(input, plan, fault).run();
}
