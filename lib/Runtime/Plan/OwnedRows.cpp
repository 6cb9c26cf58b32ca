//===- OwnedRows.cpp - Blocks that own rows ---------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block grows from one row to those that have most elements in common with
// it, until it is full, in all sets of targets in step. That is done in
// segments of the rows, each by one thread, so that the plan does not depend on
// their number.
//
//===----------------------------------------------------------------------===//

#include "OwnedRows.h"
#include "Core/Error.h"
#include "Core/ThreadErrors.h"

#include <algorithm>
#include <array>

using namespace op2::rt;

int64_t op2::rt::mostIncrements(PlanInput const &input) {
  int64_t most = 0;
  for (SumSlots const &sum : input.sums)
    if (!sum.numbers.empty())
      most =
          std::max(most, (sum.numbers.back() + int64_t(1)) * input.blockSize);
  return most;
}

void op2::rt::requireNumbered(char const *loop, int64_t elements) {
  if (elements > INT32_MAX)
    fatal(Problem::Limit,
          "loop %s: its blocks have %lld elements together, as those that "
          "reach rows of several blocks are in each of them; expected at "
          "most %d",
          loop, static_cast<long long>(elements), INT32_MAX);
}

namespace {
/// What is added to each target of a dat: n * columns + c for what element n
/// adds through column c, ascending.
class Inverse {
public:
  explicit Inverse(SumSlots const &sum)
      : columns(static_cast<int64_t>(sum.columns.size())),
        begins(static_cast<std::size_t>(sum.targetSize) + 1) {}

  void fill(SumSlots const &sum, int64_t size) {
    for (MapColumn const &column : sum.columns)
      forEachTarget(column, 0, size,
                    [&](int32_t target) { ++begins[target + 1]; });
    for (std::size_t t = 1; t < begins.size(); ++t)
      begins[t] += begins[t - 1];
    entries.resize(static_cast<std::size_t>(begins.back()));
    std::vector<int64_t> next(begins.begin(), begins.end() - 1);
    for (int64_t n = 0; n < size; ++n)
      for (int64_t c = 0; c < columns; ++c)
        entries[next[sum.columns[c][n]]++] = n * columns + c;
  }

  int64_t const *begin(int64_t target) const {
    return entries.data() + begins[target];
  }
  int64_t const *end(int64_t target) const { return begin(target + 1); }
  int32_t element(int64_t entry) const {
    return static_cast<int32_t>(entry / columns);
  }
  int64_t column(int64_t entry) const { return entry % columns; }

private:
  int64_t columns;
  std::vector<int64_t> begins; ///< [targetSize + 1]
  std::vector<int64_t> entries;
};

/// The elements of a block that is being filled, with their places.
class ElementSet {
public:
  ElementSet() : table(kLeast) {}

  void insert(int32_t element) {
    Entry &entry = find(element);
    if (entry.element == element)
      return;
    entry.element = element;
    list.push_back(element);
    if (2 * list.size() > table.size())
      rebuild(2 * table.size());
  }
  /// Takes the elements behind the first `count` out again.
  void truncate(std::size_t count) {
    list.resize(count);
    rebuild(table.size());
  }
  void clear() {
    list.clear();
    table.assign(kLeast, {});
  }
  /// Ascending; then they have places.
  void sort() {
    std::sort(list.begin(), list.end());
    for (std::size_t n = 0; n < list.size(); ++n)
      find(list[n]).place = static_cast<int64_t>(n);
  }
  int64_t placeOf(int32_t element) { return find(element).place; }
  std::vector<int32_t> const &elements() const { return list; }

private:
  static constexpr std::size_t kLeast = 1024;
  struct Entry {
    int32_t element = -1;
    int64_t place = 0;
  };

  /// Its entry, or the free one where it belongs.
  Entry &find(int32_t element) {
    std::size_t mask = table.size() - 1;
    std::size_t at = static_cast<uint32_t>(element) * 2654435761U & mask;
    while (table[at].element >= 0 && table[at].element != element)
      at = (at + 1) & mask;
    return table[at];
  }
  void rebuild(std::size_t size) {
    table.assign(size, {});
    for (int32_t element : list)
      find(element).element = element;
  }

  std::vector<int32_t> list;
  std::vector<Entry> table;
};

/// What a block adds to one dat.
struct BlockRows {
  std::vector<int32_t> targets;
  std::vector<uint16_t> begins; ///< one more than targets
  std::vector<uint16_t> entries;
};

struct Block {
  int32_t color;
  std::vector<int32_t> elements;
  std::vector<BlockRows> rows; ///< of each dat
};

/// Steps that have elements in common with a block, those with most of them
/// first, so that blocks become compact: fewer elements have several owners.
class Frontier {
public:
  Frontier(int64_t begin, int64_t end)
      : begin(begin), end(end), shared(std::size_t(end - begin)),
        isTaken(std::size_t(end - begin)) {}

  bool hasTaken(int64_t step) const { return isTaken[step - begin]; }
  void take(int64_t step) { isTaken[step - begin] = true; }
  /// One more element is in the block and reaches the step.
  void raise(int64_t step) {
    if (step < begin || step >= end || hasTaken(step))
      return;
    std::size_t count = std::min(std::size_t(++shared[step - begin]), kMost);
    buckets[count].steps.push_back(step);
    highest = std::max(highest, count);
    touched.push_back(step);
  }
  /// The best step; -1 if there is none.
  int64_t best() {
    for (; highest > 0; --highest) {
      Bucket &bucket = buckets[highest];
      while (bucket.next < bucket.steps.size()) {
        int64_t step = bucket.steps[bucket.next++];
        std::size_t count = std::min(std::size_t(shared[step - begin]), kMost);
        if (!hasTaken(step) && count == highest)
          return step;
      }
    }
    return -1;
  }
  /// For the next block.
  void clear() {
    for (int64_t step : touched)
      shared[step - begin] = 0;
    touched.clear();
    for (Bucket &bucket : buckets) {
      bucket.steps.clear();
      bucket.next = 0;
    }
    highest = 0;
  }

private:
  static constexpr std::size_t kMost = 64;
  /// First in, first out; steps whose count has changed since are passed over.
  struct Bucket {
    std::vector<int64_t> steps;
    std::size_t next = 0;
  };

  int64_t begin, end;
  std::vector<int32_t> shared; ///< elements with the block, of each step
  std::vector<bool> isTaken;
  std::vector<int64_t> touched;
  std::array<Bucket, kMost + 1> buckets; ///< by `shared`
  std::size_t highest = 0;               ///< no bucket above has steps left
};

/// Makes the blocks of one segment of rows.
class RowDivider {
public:
  RowDivider(PlanInput const &input, std::vector<Inverse> const &inverses,
             int64_t steps)
      : input(input), inverses(inverses), steps(steps),
        most(input.isOneByOne || input.isInOrder ? 1 : input.blockSize) {}

  std::vector<Block> divide(int64_t begin, int64_t end) {
    Frontier frontier(begin, end);
    std::vector<int64_t> mine; // of the block
    auto close = [&] {
      makeBlocks(mine);
      mine.clear();
      frontier.clear();
    };
    for (int64_t first = begin;;) {
      int64_t step = frontier.best();
      for (; step < 0 && first < end; ++first)
        if (!frontier.hasTaken(first) && hasElements(first))
          step = first--;
      if (step < 0)
        break;
      std::size_t before = set.elements().size();
      addElements(step);
      bool isFull = int64_t(set.elements().size()) > input.blockSize;
      if (before > 0 && isFull && !input.isInOrder) {
        set.truncate(before);
        close();
        continue;
      }
      mine.push_back(step);
      frontier.take(step);
      for (std::size_t n = before; n < set.elements().size(); ++n)
        raiseReached(set.elements()[n], frontier);
    }
    close();
    return std::move(blocks);
  }

private:
  /// Where the targets of a step begin: sets of several sizes go in step.
  int64_t targetOf(std::size_t sum, int64_t step) const {
    return input.sums[sum].targetSize * step / steps;
  }
  /// The step that has a target.
  int64_t stepOf(std::size_t sum, int64_t target) const {
    int64_t size = input.sums[sum].targetSize;
    if (size == steps)
      return target;
    return ((target + 1) * steps + size - 1) / size - 1;
  }

  bool hasElements(int64_t step) const {
    for (std::size_t s = 0; s < inverses.size(); ++s)
      if (inverses[s].begin(targetOf(s, step)) !=
          inverses[s].begin(targetOf(s, step + 1)))
        return true;
    return false;
  }

  void raiseReached(int32_t element, Frontier &frontier) const {
    for (std::size_t s = 0; s < inverses.size(); ++s)
      for (MapColumn const &column : input.sums[s].columns)
        frontier.raise(stepOf(s, column[element]));
  }

  void addElements(int64_t step) {
    for (std::size_t s = 0; s < inverses.size(); ++s) {
      Inverse const &inverse = inverses[s];
      for (int64_t t = targetOf(s, step); t < targetOf(s, step + 1); ++t)
        for (int64_t const *at = inverse.begin(t); at < inverse.end(t); ++at)
          set.insert(inverse.element(*at));
    }
  }

  /// The blocks of some steps: one, or, if one step is too much for a block,
  /// several of successive colours.
  void makeBlocks(std::vector<int64_t> &mine) {
    std::sort(mine.begin(), mine.end());
    set.sort();
    std::vector<int32_t> const &elements = set.elements();
    std::size_t start = blocks.size();
    for (std::size_t n = 0; n < elements.size(); n += std::size_t(most)) {
      std::size_t count = std::min(elements.size() - n, std::size_t(most));
      blocks.push_back({static_cast<int32_t>(blocks.size() - start),
                        {elements.begin() + std::ptrdiff_t(n),
                         elements.begin() + std::ptrdiff_t(n + count)},
                        std::vector<BlockRows>(inverses.size())});
    }
    for (std::size_t s = 0; s < inverses.size(); ++s)
      for (int64_t step : mine)
        for (int64_t t = targetOf(s, step); t < targetOf(s, step + 1); ++t)
          addRow(s, t, start);
    for (std::size_t b = start; b < blocks.size(); ++b)
      for (BlockRows &rows : blocks[b].rows)
        rows.begins.push_back(static_cast<uint16_t>(rows.entries.size()));
    set.clear();
  }

  void addRow(std::size_t s, int64_t target, std::size_t start) {
    Inverse const &inverse = inverses[s];
    for (int64_t const *at = inverse.begin(target); at < inverse.end(target);
         ++at) {
      int64_t place = set.placeOf(inverse.element(*at));
      int64_t number = input.sums[s].numbers[inverse.column(*at)];
      BlockRows &rows = blocks[start + std::size_t(place / most)].rows[s];
      if (rows.targets.empty() || rows.targets.back() != target) {
        rows.targets.push_back(static_cast<int32_t>(target));
        rows.begins.push_back(static_cast<uint16_t>(rows.entries.size()));
      }
      rows.entries.push_back(
          static_cast<uint16_t>(number * input.blockSize + place % most));
    }
  }

  PlanInput const &input;
  std::vector<Inverse> const &inverses;
  int64_t steps, most;
  ElementSet set;
  std::vector<Block> blocks;
};
} // namespace

static std::vector<Inverse> invert(PlanInput const &input) {
  std::vector<Inverse> inverses;
  for (SumSlots const &sum : input.sums)
    inverses.emplace_back(sum);
  auto count = static_cast<int64_t>(inverses.size());
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t s = 0; s < count; ++s)
    errors.keep([&] { inverses[s].fill(input.sums[s], input.size); });
  errors.rethrow();
  return inverses;
}

/// All blocks, by segments of rows.
static std::vector<std::vector<Block>> makeBlocks(PlanInput const &input) {
  constexpr int64_t kSegment = 16384;
  std::vector<Inverse> inverses = invert(input);
  int64_t steps = 0;
  for (SumSlots const &sum : input.sums)
    steps = std::max(steps, sum.targetSize);
  int64_t segment = input.isInOrder ? std::max(steps, kSegment) : kSegment;
  int64_t segments = (steps + segment - 1) / segment;
  std::vector<std::vector<Block>> lists(static_cast<std::size_t>(segments));
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t s = 0; s < segments; ++s)
    errors.keep([&] {
      lists[s] = RowDivider(input, inverses, steps)
                     .divide(s * segment, std::min((s + 1) * segment, steps));
    });
  errors.rethrow();
  return lists;
}

/// In the order of colours.
static std::vector<Block const *>
orderBlocks(std::vector<std::vector<Block>> const &lists, Plan &plan) {
  std::vector<std::vector<Block const *>> byColor;
  for (std::vector<Block> const &list : lists)
    for (Block const &block : list) {
      if (std::size_t(block.color) >= byColor.size())
        byColor.resize(std::size_t(block.color) + 1);
      byColor[block.color].push_back(&block);
    }
  std::vector<Block const *> ordered;
  plan.ncolors = static_cast<int32_t>(byColor.size());
  plan.colorBegin.push_back(0);
  for (std::vector<Block const *> const &blocks : byColor) {
    ordered.insert(ordered.end(), blocks.begin(), blocks.end());
    plan.ncolblk.push_back(static_cast<int32_t>(blocks.size()));
    plan.colorBegin.push_back(static_cast<int64_t>(ordered.size()));
  }
  return ordered;
}

template <class T>
static void append(std::vector<T> &to, std::vector<T> const &from) {
  to.insert(to.end(), from.begin(), from.end());
}

void op2::rt::divideRows(PlanInput const &input, Plan &plan) {
  std::vector<std::vector<Block>> lists = makeBlocks(input);
  std::vector<Block const *> blocks = orderBlocks(lists, plan);
  plan.trivial = false;
  plan.nblocks = static_cast<int64_t>(blocks.size());
  plan.sumArgs = input.sumArgs;
  plan.ownedSets.resize(input.sums.size());
  for (std::size_t s = 0; s < input.sums.size(); ++s)
    plan.ownedSets[s].perElement = input.sums[s].perElement;
  for (Block const *block : blocks) {
    plan.blkmap.push_back(static_cast<int32_t>(plan.blkmap.size()));
    plan.offset.push_back(static_cast<int64_t>(plan.permutation.size()));
    plan.nelems.push_back(static_cast<int32_t>(block->elements.size()));
    append(plan.permutation, block->elements);
    for (std::size_t s = 0; s < plan.ownedSets.size(); ++s) {
      OwnedSet &owned = plan.ownedSets[s];
      BlockRows const &rows = block->rows[s];
      owned.offsets.push_back(static_cast<int64_t>(owned.targets.size()));
      owned.sizes.push_back(static_cast<int32_t>(rows.targets.size()));
      owned.sumOffs.push_back(static_cast<int64_t>(owned.sumEntries.size()));
      append(owned.targets, rows.targets);
      append(owned.sumBegin, rows.begins);
      append(owned.sumEntries, rows.entries);
    }
  }
}
