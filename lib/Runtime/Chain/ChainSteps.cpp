//===- ChainSteps.cpp - When each element of a chain may run ----*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainSteps.h"

#include <algorithm>

using namespace op2::rt;

namespace {
/// The latest steps in which a row was touched at all, and changed.
struct RowSteps {
  int32_t touched = 0, changed = 0;
};

class Inspector {
public:
  explicit Inspector(ChainInput const &input)
      : input(input), largest(largestSize(input)) {
    for (int64_t rows : input.rows)
      dats.emplace_back(static_cast<std::size_t>(rows));
  }

  ChainSteps run() {
    ChainSteps found;
    found.numSteps = input.numSteps;
    for (std::size_t n = 0; n < input.loops.size(); ++n) {
      ChainLoop const &loop = input.loops[n];
      bool mayJump = isAside(loop, largest) && !loop.mustBeRange;
      std::vector<int32_t> steps = assign(loop, mayJump, hasPace(n));
      // A piece costs about as much as a few elements.
      if (mayJump && countRuns(steps) > std::max<int64_t>(64, loop.size / 8))
        keepOrder(loop, steps);
      found.loops.push_back(collect(loop, steps));
    }
    return found;
  }

private:
  /// Does nothing before the loop tell how far it should be? Then it goes on
  /// as the first one does.
  bool hasPace(std::size_t number) const {
    ChainLoop const &loop = input.loops[number];
    if (isAside(loop, largest))
      return false;
    for (std::size_t n = 0; n < number; ++n)
      if (!isAside(input.loops[n], largest) && dependsOn(loop, input.loops[n]))
        return false;
    return true;
  }
  static bool dependsOn(ChainLoop const &later, ChainLoop const &earlier) {
    for (ChainAccess const &a : later.accesses)
      for (ChainAccess const &b : earlier.accesses)
        if (a.dat == b.dat && (a.isChange || b.isChange))
          return true;
    return false;
  }

  static int64_t numGranules(ChainLoop const &loop) {
    return (loop.size + loop.granule - 1) / loop.granule;
  }
  static ElementRange granule(ChainLoop const &loop, int64_t number) {
    if (!loop.order.empty())
      return {loop.order[number], loop.order[number] + 1};
    return {number * loop.granule,
            std::min((number + 1) * loop.granule, loop.size)};
  }

  /// The step of each granule.
  std::vector<int32_t> assign(ChainLoop const &loop, bool mayJump,
                              bool hasPace) {
    int64_t count = numGranules(loop);
    std::vector<int32_t> steps(static_cast<std::size_t>(count));
    int32_t step = 0;
    for (int64_t g = 0; g < count; ++g) {
      ElementRange elements = granule(loop, g);
      if (mayJump)
        step = 0;
      if (hasPace)
        step = std::max(step, static_cast<int32_t>(elements.begin *
                                                   input.numSteps / loop.size));
      step = std::max(step, firstStep(loop, elements));
      mark(loop, elements, step);
      steps[g] = step;
    }
    return steps;
  }

  int32_t firstStep(ChainLoop const &loop, ElementRange elements) const {
    int32_t step = 0;
    for (ChainAccess const &access : loop.accesses) {
      RowSteps const *rows = dats[access.dat].data();
      if (access.isChange)
        forEachTarget(
            access.column, elements.begin, elements.end,
            [&](int32_t row) { step = std::max(step, rows[row].touched); });
      else
        forEachTarget(
            access.column, elements.begin, elements.end,
            [&](int32_t row) { step = std::max(step, rows[row].changed); });
    }
    return step;
  }

  void mark(ChainLoop const &loop, ElementRange elements, int32_t step) {
    for (ChainAccess const &access : loop.accesses) {
      RowSteps *rows = dats[access.dat].data();
      int32_t changed = access.isChange ? step : 0;
      forEachTarget(access.column, elements.begin, elements.end,
                    [&](int32_t row) {
                      rows[row].touched = std::max(rows[row].touched, step);
                      rows[row].changed = std::max(rows[row].changed, changed);
                    });
    }
  }

  static int64_t countRuns(std::vector<int32_t> const &steps) {
    int64_t runs = 1;
    for (std::size_t g = 1; g < steps.size(); ++g)
      runs += steps[g] != steps[g - 1];
    return runs;
  }

  /// No element runs before one that the loop alone runs earlier. Steps only
  /// grow, so what rows know of them stays right.
  void keepOrder(ChainLoop const &loop, std::vector<int32_t> &steps) {
    for (std::size_t g = 0; g < steps.size(); ++g) {
      if (g > 0)
        steps[g] = std::max(steps[g], steps[g - 1]);
      mark(loop, granule(loop, static_cast<int64_t>(g)), steps[g]);
    }
  }

  LoopSteps collect(ChainLoop const &loop,
                    std::vector<int32_t> const &steps) const {
    std::vector<std::vector<ElementRange>> lists(
        static_cast<std::size_t>(input.numSteps));
    for (std::size_t g = 0; g < steps.size(); ++g) {
      std::vector<ElementRange> &list = lists[steps[g]];
      ElementRange elements = granule(loop, static_cast<int64_t>(g));
      if (!list.empty() && list.back().end == elements.begin)
        list.back().end = elements.end;
      else
        list.push_back(elements);
    }
    LoopSteps found;
    found.begin.push_back(0);
    for (std::vector<ElementRange> const &list : lists) {
      found.ranges.insert(found.ranges.end(), list.begin(), list.end());
      found.begin.push_back(static_cast<int64_t>(found.ranges.size()));
    }
    return found;
  }

  ChainInput const &input;
  int64_t largest;
  std::vector<std::vector<RowSteps>> dats;
};
} // namespace

int64_t op2::rt::largestSize(ChainInput const &input) {
  int64_t largest = 0;
  for (ChainLoop const &loop : input.loops)
    largest = std::max(largest, loop.size);
  return largest;
}

ChainSteps op2::rt::findSteps(ChainInput const &input) {
  return Inspector(input).run();
}

double op2::rt::imbalance(ChainInput const &input, ChainSteps const &steps) {
  double all = 0, most = 0;
  for (int32_t step = 0; step < steps.numSteps; ++step) {
    double work = 0;
    for (std::size_t n = 0; n < steps.loops.size(); ++n)
      for (ElementRange const &range : steps.loops[n].of(step))
        work += double(range.end - range.begin) * input.loops[n].work;
    all += work;
    most = std::max(most, work);
  }
  return all > 0 ? most * steps.numSteps / all : 1;
}
