//===- StepLists.h - The elements of a loop by thread and step --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_QUEUE_STEPLISTS_H
#define OP2_LIB_RUNTIME_QUEUE_STEPLISTS_H

#include "ChainSteps.h"

#include <utility>

namespace op2::rt {

/// The elements of a loop for each thread and step.
class StepLists {
public:
  StepLists(int32_t numThreads, int32_t numSteps)
      : lists(static_cast<std::size_t>(numThreads),
              std::vector<std::vector<ElementRange>>(
                  static_cast<std::size_t>(numSteps))) {}

  void add(int32_t thread, int32_t step, ElementRange elements) {
    std::vector<ElementRange> &list = lists[thread][step];
    if (!list.empty() && list.back().end == elements.begin)
      list.back().end = elements.end;
    else
      list.push_back(elements);
  }

  void addTo(std::vector<ThreadSteps> &threads) const {
    for (std::size_t t = 0; t < lists.size(); ++t) {
      LoopSteps steps;
      steps.begin.push_back(0);
      for (std::vector<ElementRange> const &list : lists[t]) {
        steps.ranges.insert(steps.ranges.end(), list.begin(), list.end());
        steps.begin.push_back(static_cast<int64_t>(steps.ranges.size()));
      }
      threads[t].loops.push_back(std::move(steps));
    }
  }

private:
  std::vector<std::vector<std::vector<ElementRange>>> lists;
};

/// Where a thread is that goes on evenly.
class Pace {
public:
  Pace(std::vector<int64_t> counts, int32_t numSteps)
      : counts(std::move(counts)), seen(this->counts.size()),
        numSteps(numSteps) {}
  /// The step that a thread's next elements belong to.
  int32_t next(int32_t thread, ElementRange elements) {
    int64_t before = seen[thread];
    seen[thread] += elements.end - elements.begin;
    return static_cast<int32_t>(before * numSteps / counts[thread]);
  }

private:
  std::vector<int64_t> counts, seen;
  int32_t numSteps;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_QUEUE_STEPLISTS_H
