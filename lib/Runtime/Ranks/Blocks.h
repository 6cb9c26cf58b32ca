//===- Blocks.h - Numbers divided into blocks --------------- -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank r has the numbers from begins[r] to, excluded, begins[r + 1].
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_RANKS_BLOCKS_H
#define OP2_LIB_RUNTIME_RANKS_BLOCKS_H

#include "Pack.h"

#include <algorithm>

namespace op2::rt {

struct Blocks {
  std::vector<int64_t> begins; ///< [ranks + 1]

  int64_t size() const { return begins.back(); }
  int64_t begin(int32_t rank) const { return begins[rank]; }
  int64_t count(int32_t rank) const { return begins[rank + 1] - begins[rank]; }
  /// Empty blocks have no numbers, so the last one that begins there has it.
  int32_t rankOf(int64_t number) const {
    auto after = std::upper_bound(begins.begin(), begins.end() - 1, number);
    return static_cast<int32_t>(after - begins.begin()) - 1;
  }
};

/// `size` numbers in blocks that differ by one at most.
inline Blocks evenBlocks(int64_t size, int32_t ranks) {
  Blocks blocks;
  for (int64_t rank = 0; rank <= ranks; ++rank)
    blocks.begins.push_back(size / ranks * rank + size % ranks * rank / ranks);
  return blocks;
}

/// What the holders of blocks know of `wanted`: values[n - begin(rank)] of each
/// number n. In the order of `wanted`, which may hold a number several times.
template <class T>
std::vector<T> askHolders(Communicator &ranks, Blocks const &blocks,
                          std::vector<T> const &values,
                          std::vector<int32_t> const &wanted) {
  std::map<int32_t, std::vector<std::size_t>> places;
  std::map<int32_t, std::vector<int32_t>> numbers;
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    int32_t holder = blocks.rankOf(wanted[n]);
    places[holder].push_back(n);
    numbers[holder].push_back(wanted[n]);
  }
  Outbox questions, answers;
  for (auto const &[holder, list] : numbers)
    questions.add(holder, list);
  int64_t first = blocks.begin(ranks.rank());
  for (Message const &question : ranks.exchange(questions.take())) {
    std::vector<T> found;
    for (int32_t number : Reader(question.bytes).getAll<int32_t>())
      found.push_back(values[number - first]);
    answers.add(question.rank, found);
  }
  std::vector<T> result(wanted.size());
  for (Message const &answer : ranks.exchange(answers.take())) {
    std::vector<T> found = Reader(answer.bytes).getAll<T>();
    for (std::size_t n = 0; n < found.size(); ++n)
      result[places[answer.rank][n]] = found[n];
  }
  return result;
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_RANKS_BLOCKS_H
