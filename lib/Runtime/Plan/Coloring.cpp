//===- Coloring.cpp - Greedy colouring --------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of blocks and of the elements within a block.
//
//===----------------------------------------------------------------------===//

#include "Coloring.h"
#include "Core/ThreadErrors.h"
#include "LocalNumbers.h"

#include <algorithm>
#include <deque>

using namespace op2::rt;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

namespace {
/// The conflicts of a loop, with a mask for each target. Where the loop reaches
/// few of a set's elements, as that over the boundary of a mesh does, only
/// those get one: the masks of all would cost more than the colours.
class Conflicts {
public:
  explicit Conflicts(PlanInput const &input) : sets(input.conflicts) {
    for (ColumnSet &set : sets) {
      int64_t entries = input.size * static_cast<int64_t>(set.columns.size());
      if (entries > 0 && set.targetSize / kSparse > entries)
        renumber(set, input.size);
      targets += set.targetSize;
    }
  }

  std::vector<ColumnSet> const &get() const { return sets; }
  int64_t numTargets() const { return targets; }

private:
  /// Elements per target reached from which numbering them anew pays: they are
  /// sorted.
  static constexpr int64_t kSparse = 32;

  void renumber(ColumnSet &set, int64_t size) {
    LocalNumbers &local = numbers.emplace_back();
    local.compute(set, 0, size);
    for (std::size_t c = 0; c < set.columns.size(); ++c)
      set.columns[c] = {local.locals(c), 1, 0};
    set.targetSize = local.size();
  }

  std::vector<ColumnSet> sets;
  std::deque<LocalNumbers> numbers;
  int64_t targets = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

// One pass over the map gathers, a second one marks, in the order of the
// blocks: greedy colouring is sequential by nature, and these plain loops cost
// less than any list of conflicts that could be made in parallel. (Such lists
// were tried: with the usual numbering most targets belong to two blocks, and
// writing them down took eight times as long.)

// Elements between two looks at whether a block is already without a colour,
// which keeps meshes with hubs from being read once per 32 colours.
static constexpr int64_t kPiece = 64;

static uint32_t gatherBlock(Conflicts const &conflicts, Plan const &plan,
                            int64_t b, uint32_t const *masks) {
  uint32_t taken = 0;
  int64_t end = plan.blockEnd(b);
  for (ColumnSet const &set : conflicts.get()) {
    for (int64_t n = plan.blockBegin(b); n < end; n += kPiece) {
      forEachTarget(set, n, std::min(n + kPiece, end),
                    [&](int32_t target) { taken |= masks[target]; });
      if (taken == ~uint32_t(0))
        return taken;
    }
    masks += set.targetSize;
  }
  return taken;
}

std::vector<int32_t> op2::rt::colorBlocks(PlanInput const &input, Plan &plan) {
  Conflicts conflicts(input);
  std::vector<int32_t> colors(static_cast<std::size_t>(plan.nblocks));
  std::vector<uint32_t> masks;
  plan.ncolors = colorGreedily(
      plan.nblocks, conflicts.numTargets(), colors.data(), masks,
      [&](int32_t b, std::vector<uint32_t> const &masks) {
        return gatherBlock(conflicts, plan, b, masks.data());
      },
      [&](int32_t b, uint32_t *masks, auto visit) {
        for (ColumnSet const &set : conflicts.get()) {
          forEachTarget(set, plan.blockBegin(b), plan.blockEnd(b),
                        [&](int32_t target) { visit(masks[target]); });
          masks += set.targetSize;
        }
      });
  return colors;
}

//===----------------------------------------------------------------------===//
// Elements of a block
//===----------------------------------------------------------------------===//

namespace {
/// Work space of one thread.
struct ElementScratch {
  LocalNumbers numbers;
  std::vector<int32_t> targets; ///< [elements][columns], local numbers
  std::vector<uint32_t> masks;
};
} // namespace

static void colorBlockElements(PlanInput const &input, Plan &plan, int64_t b,
                               ElementScratch &work) {
  int64_t begin = plan.blockBegin(b), count = plan.blockEnd(b) - begin;
  int64_t width = 0, local = 0, column = 0;
  for (ColumnSet const &set : input.conflicts)
    width += static_cast<int64_t>(set.columns.size());
  work.targets.resize(static_cast<std::size_t>(count * width));
  for (ColumnSet const &set : input.conflicts) {
    work.numbers.compute(set, begin, begin + count);
    for (std::size_t c = 0; c < set.columns.size(); ++c, ++column)
      for (int64_t n = 0; n < count; ++n)
        work.targets[n * width + column] =
            static_cast<int32_t>(local + work.numbers.local(c, n));
    local += work.numbers.size();
  }
  plan.nthrcol[b] = colorGreedily(
      count, local, plan.thrcol.data() + begin, work.masks,
      [&](int32_t n, std::vector<uint32_t> const &masks) {
        uint32_t taken = 0;
        for (int64_t c = 0; c < width; ++c)
          taken |= masks[work.targets[n * width + c]];
        return taken;
      },
      [&](int32_t n, uint32_t *masks, auto visit) {
        for (int64_t c = 0; c < width; ++c)
          visit(masks[work.targets[n * width + c]]);
      });
}

void op2::rt::colorElements(PlanInput const &input, Plan &plan) {
  plan.thrcol.resize(static_cast<std::size_t>(plan.size));
  plan.nthrcol.resize(static_cast<std::size_t>(plan.nblocks));
  ThreadErrors errors;
#pragma omp parallel
  {
    ElementScratch work;
#pragma omp for schedule(dynamic, 16)
    for (int64_t b = 0; b < plan.nblocks; ++b)
      errors.keep([&] { colorBlockElements(input, plan, b, work); });
  }
  errors.rethrow();
}

//===----------------------------------------------------------------------===//
// Elements of the whole set
//===----------------------------------------------------------------------===//

int32_t op2::rt::colorAllElements(PlanInput const &input,
                                  std::vector<int32_t> &colors) {
  Conflicts conflicts(input);
  auto eachMask = [&](int32_t n, auto *masks, auto visit) {
    for (ColumnSet const &set : conflicts.get()) {
      for (MapColumn const &column : set.columns)
        visit(masks[column[n]]);
      masks += set.targetSize;
    }
  };
  colors.resize(static_cast<std::size_t>(input.size));
  std::vector<uint32_t> masks;
  return colorGreedily(
      input.size, conflicts.numTargets(), colors.data(), masks,
      [&](int32_t n, std::vector<uint32_t> const &masks) {
        uint32_t taken = 0;
        eachMask(n, masks.data(), [&](uint32_t mask) { taken |= mask; });
        return taken;
      },
      eachMask);
}
