//===- BlockSparsity.cpp - Sparsities of which ranks have blocks *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockSparsity.h"

#include <map>

using namespace op2::rt;

namespace {
/// Rows and the columns that are wanted of each, which go to one rank: a row,
/// then `width` columns.
using Wanted = std::map<int32_t, std::vector<int32_t>>;
} // namespace

static void addWanted(Wanted &wanted, Blocks const &blocks, int32_t row,
                      int32_t const *columns, int width) {
  std::vector<int32_t> &list = wanted[blocks.rankOf(row)];
  list.push_back(row);
  list.insert(list.end(), columns, columns + width);
}

static std::vector<Message> send(Communicator &ranks, Wanted const &wanted) {
  Outbox outbox;
  for (auto const &[rank, list] : wanted)
    outbox.add(rank, list);
  return ranks.exchange(outbox.take());
}

Pattern op2::rt::buildBlockPattern(Communicator &ranks, Blocks const &rows,
                                   std::vector<TablePair> const &pairs) {
  int64_t first = rows.begin(ranks.rank());
  auto numRows = std::size_t(rows.count(ranks.rank()));
  std::vector<uint64_t> found; // a row of the block, and a column
  for (TablePair const &pair : pairs) {
    int width = pair.cols.arity;
    Wanted wanted;
    for (int64_t e = 0; e < pair.rows.size; ++e)
      for (int i = 0; i < pair.rows.arity; ++i)
        addWanted(wanted, rows, pair.rows.values[e * pair.rows.arity + i],
                  pair.cols.values + e * width, width);
    for (Message const &message : send(ranks, wanted)) {
      std::vector<int32_t> list = Reader(message.bytes).getAll<int32_t>();
      for (std::size_t n = 0; n < list.size(); n += std::size_t(width) + 1)
        for (int j = 1; j <= width; ++j)
          found.push_back(uint64_t(list[n] - first) << 32 |
                          uint32_t(list[n + std::size_t(j)]));
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  Pattern pattern;
  pattern.rowBegin.assign(numRows + 1, 0);
  for (uint64_t place : found) {
    ++pattern.rowBegin[std::size_t(place >> 32) + 1];
    pattern.columns.push_back(int32_t(uint32_t(place)));
  }
  for (std::size_t row = 0; row < numRows; ++row)
    pattern.rowBegin[row + 1] += pattern.rowBegin[row];
  return pattern;
}

/// For each row of a message how many columns it has, and the entries of those
/// that are wanted.
static std::vector<int32_t> answer(std::vector<int32_t> const &wanted,
                                   int width, Pattern const &pattern,
                                   int64_t firstRow, int64_t firstEntry,
                                   int rowdim) {
  std::vector<int32_t> result;
  for (std::size_t n = 0; n < wanted.size(); n += std::size_t(width) + 1) {
    auto row = std::size_t(wanted[n] - firstRow);
    int64_t from = pattern.rowBegin[row];
    auto begin = pattern.columns.begin() + from;
    auto end = pattern.columns.begin() + pattern.rowBegin[row + 1];
    result.push_back(int32_t(end - begin));
    for (int j = 1; j <= width; ++j) {
      auto at = std::lower_bound(begin, end, wanted[n + std::size_t(j)]);
      result.push_back(int32_t(firstEntry + from * rowdim + (at - begin)));
    }
  }
  return result;
}

Pattern op2::rt::gatherPattern(Communicator &ranks, Pattern const &own) {
  Outbox outbox;
  for (int32_t rank = 0; rank < ranks.size(); ++rank) {
    outbox.add(rank, own.rowBegin);
    outbox.add(rank, static_cast<int64_t>(own.columns.size()));
    outbox.addBytes(rank, own.columns.data(),
                    own.columns.size() * sizeof own.columns[0]);
  }
  Pattern all;
  all.rowBegin.push_back(0);
  for (Message const &message : ranks.exchange(outbox.take())) {
    Reader reader(message.bytes);
    auto first = static_cast<int64_t>(all.columns.size());
    std::vector<int64_t> begins = reader.getAll<int64_t>();
    for (std::size_t row = 1; row < begins.size(); ++row)
      all.rowBegin.push_back(first + begins[row]);
    std::vector<int32_t> columns = reader.getAll<int32_t>();
    all.columns.insert(all.columns.end(), columns.begin(), columns.end());
  }
  return all;
}

void op2::rt::findBlockPlaces(Communicator &ranks, Blocks const &blocks,
                              Pattern const &pattern, int64_t first,
                              TablePair const &pair, Slots rows, Slots cols,
                              int rowdim, int32_t *places) {
  Wanted wanted;
  std::map<int32_t, std::vector<int32_t *>> targets; // by rank, in that order
  for (int64_t e = 0; e < pair.rows.size; ++e)
    for (int i = 0; i < rows.count; ++i, places += rowdim * cols.count) {
      int32_t row = pair.rows.values[e * pair.rows.arity + rows.first + i];
      addWanted(wanted, blocks, row,
                pair.cols.values + e * pair.cols.arity + cols.first,
                cols.count);
      targets[blocks.rankOf(row)].push_back(places);
    }
  Outbox answers;
  for (Message const &message : send(ranks, wanted))
    answers.add(message.rank,
                answer(Reader(message.bytes).getAll<int32_t>(), cols.count,
                       pattern, blocks.begin(ranks.rank()), first, rowdim));
  for (Message const &message : ranks.exchange(answers.take())) {
    std::vector<int32_t> found = Reader(message.bytes).getAll<int32_t>();
    auto at = found.begin();
    for (int32_t *to : targets[message.rank]) {
      int32_t length = *at++;
      for (int a = 0; a < rowdim; ++a)
        for (int j = 0; j < cols.count; ++j)
          *to++ = at[j] + a * length;
      at += cols.count;
    }
  }
}
