//===- sharing.h - Elements divided among threads, by hand ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a programmer keeps threads apart that add to the same targets: coloured
// blocks of elements, or a contiguous range for each thread and what is at the
// borders of ranges afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_BENCHMARKS_SHARING_H
#define OP2_BENCHMARKS_SHARING_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include <omp.h>

namespace reference {

/// Calls body(begin, end) on this thread's even share of [0, count).
template <typename Body> void forShare(int count, Body body) {
  int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
  body(int(count * thread / threads), int(count * (thread + 1) / threads));
}

/// Blocks of consecutive elements, in the order of their colours.
class BlockColoring {
public:
  /// Element n touches the `dim` targets at `map + dim * n`.
  BlockColoring(const int *map, int dim, int count, int targets, int blockSize)
      : count(count), blockSize(blockSize) {
    int numBlocks = int((int64_t(count) + blockSize - 1) / blockSize);
    std::vector<int> left(numBlocks);
    for (int n = 0; n < numBlocks; ++n)
      left[n] = n;
    colorBegin.push_back(0);
    // Each pass hands out up to 64 colours.
    while (!left.empty())
      left = colorPass(left, map, dim, targets);
  }

  int numColors() const { return int(colorBegin.size()) - 1; }

  /// Calls body(begin, end) for all blocks, in parallel within a colour. To be
  /// called by all threads of a team; ends with a barrier.
  template <typename Body> void forEach(Body body) const {
    for (int color = 0; color < numColors(); ++color) {
#pragma omp for schedule(static)
      for (int at = colorBegin[color]; at < colorBegin[color + 1]; ++at) {
        int begin = order[at] * blockSize;
        body(begin, begin + std::min(blockSize, count - begin));
      }
    }
  }

private:
  /// Gives each block the first colour that none of its targets has; returns
  /// the blocks for which all 64 are taken.
  std::vector<int> colorPass(const std::vector<int> &blocks, const int *map,
                             int dim, int targets) {
    std::vector<uint64_t> used(targets, 0);
    std::vector<std::vector<int>> ofColor(64);
    std::vector<int> left;
    for (int block : blocks) {
      size_t begin = size_t(block) * blockSize * dim;
      size_t end =
          std::min(begin + size_t(blockSize) * dim, size_t(count) * dim);
      uint64_t taken = 0;
      for (size_t at = begin; at < end; ++at)
        taken |= used[map[at]];
      if (taken == ~uint64_t(0)) {
        left.push_back(block);
        continue;
      }
      int color = __builtin_ctzll(~taken);
      ofColor[color].push_back(block);
      for (size_t at = begin; at < end; ++at)
        used[map[at]] |= uint64_t(1) << color;
    }
    for (const std::vector<int> &members : ofColor) {
      if (members.empty())
        continue;
      order.insert(order.end(), members.begin(), members.end());
      colorBegin.push_back(int(order.size()));
    }
    return left;
  }

  int count, blockSize;
  std::vector<int> order, colorBegin;
};

/// A contiguous range of the elements for each thread. Elements with a target
/// that several ranges have run afterwards, one after the other: few, where
/// neighbours have neighbouring numbers.
class ThreadRanges {
public:
  /// Element n touches the `dim` targets at `map + dim * n`.
  ThreadRanges(const int *map, int dim, int count, int targets)
      : own(omp_get_max_threads()) {
    const int threads = omp_get_max_threads(), nobody = -1, several = -2;
    std::vector<int> owner(targets, nobody);
    auto rangeBegin = [&](int thread) {
      return int(int64_t(count) * thread / threads);
    };
    for (int thread = 0; thread < threads; ++thread)
      for (size_t at = size_t(rangeBegin(thread)) * dim,
                  end = size_t(rangeBegin(thread + 1)) * dim;
           at < end; ++at) {
        int &known = owner[map[at]];
        known = known == nobody || known == thread ? thread : several;
      }
    for (int thread = 0; thread < threads; ++thread)
      for (int n = rangeBegin(thread); n < rangeBegin(thread + 1); ++n) {
        const int *at = map + size_t(n) * dim;
        const bool isShared = std::any_of(
            at, at + dim, [&](int target) { return owner[target] == several; });
        append(isShared ? shared : own[thread], n);
      }
  }

  /// Calls body(begin, end) for all elements. To be called by all threads of a
  /// team; ends with a barrier.
  template <typename Body> void forEach(Body body) const {
#pragma omp for schedule(static)
    for (size_t thread = 0; thread < own.size(); ++thread)
      for (const Run &run : own[thread])
        body(run.begin, run.end);
#pragma omp single
    for (const Run &run : shared)
      body(run.begin, run.end);
  }

private:
  struct Run {
    int begin, end;
  };

  static void append(std::vector<Run> &runs, int element) {
    if (!runs.empty() && runs.back().end == element)
      ++runs.back().end;
    else
      runs.push_back({element, element + 1});
  }

  std::vector<std::vector<Run>> own;
  std::vector<Run> shared;
};

} // namespace reference

#endif // OP2_BENCHMARKS_SHARING_H
